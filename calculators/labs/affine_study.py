"""Everything that the affine lab shows of one setting: errors, damage, use of the grid."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calculators.fit.weights import effective_bits
from calculators.labs.affine import (
    ENDPOINT_BITS,
    GroupDamage,
    Quantized,
    group_damage,
    lab_matrix,
    quantize_affine,
)
from calculators.labs.quantization import grouped, output_error_frac, relative_rms_error_frac

MAP_ROWS, MAP_GROUPS = 64, 4


@dataclass(frozen=True)
class AffineStudy:
    """One setting of the affine lab."""

    effective_bits: float
    output_error_frac: float
    weight_error_frac: float
    damage: GroupDamage
    step_share_holding: NDArray[np.floating]  # of weights on each step, groups with an outlier
    step_share_rest: NDArray[np.floating]
    n_steps_holding: float  # different steps that a group uses, on average
    n_steps_rest: float
    error_map: NDArray[np.floating]  # |error| of a corner of the matrix, as shares of the mean |w|


def affine_study(
    *,
    weight_bits: int,
    group_size: int = 128,
    outlier_factor: float = 20.0,
    n_rows: int = 1024,
    seed: int = 0,
) -> AffineStudy:
    """Quantize the lab's matrix once and look at it from all sides.

    Parameters
    ----------
    weight_bits : int [bits]
        2 to 8.
    group_size : int [weights]
        A divisor of `n_rows`.
    outlier_factor : float [1]
        How loud outliers are; 1 is none.
    n_rows, seed : int [1]
        Of the matrix.

    Returns
    -------
    AffineStudy

    Raises
    ------
    LabError
        Bits or a group that is not allowed.

    Notes
    -----
    Basis `measured`, on a made-up matrix: a shape, not a prediction. Steps are counted towards
    the louder end of each group. The map shows the rows around most outliers.

    References
    ----------
    The reference table of the project.

    Examples
    --------
    >>> study = affine_study(weight_bits=4, n_rows=256)
    >>> study.effective_bits, study.damage.holding_frac > study.damage.rest_frac
    (4.25, True)
    """
    matrix = lab_matrix(n_rows=n_rows, outlier_factor=outlier_factor, seed=seed)
    quantized = quantize_affine(
        weights=matrix.weights, weight_bits=weight_bits, group_size=group_size
    )
    restored = quantized.restored
    damage = group_damage(
        weights=matrix.weights,
        restored=restored,
        outliers=matrix.outliers,
        group_size=group_size,
    )
    steps = _towards_the_louder_end(quantized, 2**weight_bits)
    holding, rest = steps[damage.holds_outlier], steps[~damage.holds_outlier]
    return AffineStudy(
        effective_bits=float(
            effective_bits(
                bits=weight_bits,
                group_size=group_size,
                scale_bits=ENDPOINT_BITS,
                zero_bits=ENDPOINT_BITS,
            )
        ),
        output_error_frac=output_error_frac(
            inputs=matrix.inputs, weights=matrix.weights, restored=restored
        ),
        weight_error_frac=float(relative_rms_error_frac(weights=matrix.weights, restored=restored)),
        damage=damage,
        step_share_holding=_step_share(holding, 2**weight_bits),
        step_share_rest=_step_share(rest, 2**weight_bits),
        n_steps_holding=_mean_distinct(holding),
        n_steps_rest=_mean_distinct(rest),
        error_map=_error_map(matrix.weights, restored, damage, group_size),
    )


def _towards_the_louder_end(quantized: Quantized, n_steps: int) -> NDArray[np.floating]:
    """Steps of each group, turned round where its smallest weight is the loudest."""
    high = quantized.zero + quantized.scale * (n_steps - 1)
    return np.where(
        np.abs(quantized.zero) > np.abs(high), n_steps - 1 - quantized.steps, quantized.steps
    )


def _mean_distinct(steps: NDArray[np.floating]) -> float:
    """Different steps in a group, averaged over the first thousand groups."""
    if not len(steps):
        return 0.0
    changes = np.diff(np.sort(steps[:1000], axis=1), axis=1) != 0
    return float(changes.sum(axis=1).mean() + 1)


def _step_share(steps: NDArray[np.floating], n_steps: int) -> NDArray[np.floating]:
    counts = np.bincount(steps.ravel().astype(np.int64), minlength=n_steps)
    return counts / max(counts.sum(), 1)


def _error_map(
    weights: NDArray[np.floating],
    restored: NDArray[np.floating],
    damage: GroupDamage,
    group_size: int,
) -> NDArray[np.floating]:
    """Error of rows (the ones with the most outliers and their neighbours) by weight."""
    n_columns = min(MAP_GROUPS * group_size, weights.shape[1])
    n_groups = n_columns // group_size
    by_row = damage.holds_outlier.reshape(len(weights), -1)[:, :n_groups].sum(axis=1)
    half = MAP_ROWS // 2
    centre = int(np.argmax(np.convolve(by_row, np.ones(MAP_ROWS), "same")))
    first = int(np.clip(centre - half, 0, max(len(weights) - MAP_ROWS, 0)))
    rows = slice(first, first + MAP_ROWS)
    error = np.abs(restored[rows, :n_columns] - weights[rows, :n_columns])
    fine = max(group_size // 16, 1)
    cells = grouped(error, fine).mean(axis=1).reshape(error.shape[0], -1)
    return cells / np.abs(weights).mean()
