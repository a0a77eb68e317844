"""The symmetric schemes side by side on one matrix."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calculators.labs.quantization import Array, relative_rms_error_frac
from calculators.labs.symmetric import SCHEMES, Scheme, quantize_symmetric, scheme_stored_bytes


@dataclass(frozen=True)
class SchemeResult:
    """One scheme: errors, error of each row, bytes."""

    scheme: str
    relative_rms_frac: float
    max_error: float
    row_error_frac: NDArray[np.floating]
    stored_bytes: float
    times_smaller: float  # than 16 bits


def scheme_results(
    *, weights: Array, weight_bits: int, group_size: int = 128
) -> tuple[SchemeResult, ...]:
    """Quantize a matrix per tensor, per channel and per group.

    Parameters
    ----------
    weights : array [weight]
        (n_out, n_in).
    weight_bits : int [bits]
        2 to 16.
    group_size : int [weights]
        Of per-group; a divisor of the row.

    Returns
    -------
    tuple of SchemeResult

    Raises
    ------
    LabError
        Bits or a group that is not allowed.

    Notes
    -----
    Basis `measured`, on the lab's matrix.

    References
    ----------
    The reference table of the project.

    Examples
    --------
    >>> rows = scheme_results(weights=np.diag([1.0, 100.0]), weight_bits=4, group_size=2)
    >>> [round(float(row.row_error_frac[0]), 2) for row in rows]
    [1.0, 0.0, 0.0]
    """
    return tuple(
        _result(weights, weight_bits=weight_bits, scheme=scheme, group_size=group_size)
        for scheme in SCHEMES
    )


def _result(weights: Array, *, weight_bits: int, scheme: Scheme, group_size: int) -> SchemeResult:
    restored = quantize_symmetric(
        weights=weights, weight_bits=weight_bits, scheme=scheme, group_size=group_size
    )
    size = scheme_stored_bytes(
        weights=weights, weight_bits=weight_bits, scheme=scheme, group_size=group_size
    )
    return SchemeResult(
        scheme=scheme,
        relative_rms_frac=float(relative_rms_error_frac(weights=weights, restored=restored)),
        max_error=float(np.abs(restored - weights).max()),
        row_error_frac=relative_rms_error_frac(weights=weights, restored=restored, axis=1),
        stored_bytes=size,
        times_smaller=weights.size * 2 / size,
    )
