"""Measures that every quantization lab shares: error of weights, of outputs, and where it lands."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.floating]


class LabError(ValueError):
    """An input that a lab does not accept; the message names it and says what is allowed."""


def checked_bits(weight_bits: int, *, low: int = 2, high: int = 16) -> int:
    """Bits of a weight as a whole number in range, or a sentence that says what is allowed.

    Parameters
    ----------
    weight_bits : int [bits]
        Given.
    low, high : int [bits]
        Allowed range, both included.

    Returns
    -------
    int [bits]

    Raises
    ------
    LabError
        Outside the range or not whole.

    Notes
    -----
    Below 2 bits a symmetric grid has no step.

    References
    ----------
    The reference table of the project.

    Examples
    --------
    >>> checked_bits(4)
    4
    """
    if int(weight_bits) != weight_bits or not low <= weight_bits <= high:
        raise LabError(f"weight_bits: {weight_bits} given; whole bits from {low} to {high} allowed")
    return int(weight_bits)


def grouped(weights: Array, group_size: int) -> Array:
    """The weights as one row per group of neighbours along a matrix row.

    Parameters
    ----------
    weights : array [weight]
        Any shape whose last axis the group divides.
    group_size : int [weights]
        Weights that share a scale, 1 or more.

    Returns
    -------
    array of shape (groups, group_size) [weight]

    Raises
    ------
    LabError
        Where the group does not divide the last axis.

    Notes
    -----
    Groups run along a row, as in published formats.

    References
    ----------
    Frantar et al., GPTQ, arXiv 2210.17323.

    Examples
    --------
    >>> grouped(np.arange(8.0).reshape(2, 4), 2).shape
    (4, 2)
    """
    row = weights.shape[-1]
    if group_size < 1 or row % group_size:
        raise LabError(f"group_size: {group_size} given; a divisor of the row's {row} is allowed")
    return weights.reshape(-1, group_size)


def relative_rms_error_frac(
    *, weights: ArrayLike, restored: ArrayLike, axis: int | None = None
) -> NDArray[np.float64]:
    """How far restored weights are from the originals, as a share of their size.

    sqrt(mean (restored - weight)^2) / sqrt(mean weight^2)

    Parameters
    ----------
    weights, restored : array [weight]
        Same shape.
    axis : int or None
        Averaged over: None for all, 1 for one figure per row.

    Returns
    -------
    float or array [share, 0 or more]

    Notes
    -----
    Basis `measured`, on the lab's own matrix. A proxy: it says nothing about which error matters.

    References
    ----------
    Definition.

    Examples
    --------
    >>> float(relative_rms_error_frac(weights=[3.0, 4.0], restored=[3.0, 4.5]))
    0.1
    """
    original = np.asarray(weights, dtype=np.float64)
    error = np.asarray(restored, dtype=np.float64) - original
    return np.sqrt(np.mean(error**2, axis=axis) / np.mean(original**2, axis=axis))


def output_error_frac(*, inputs: Array, weights: Array, restored: Array) -> float:
    """How far a layer's output moves when its weights are restored from fewer bits.

    ||x Wq - x W|| / ||x W||

    Parameters
    ----------
    inputs : array [activation]
        Vector or matrix of inputs, (..., n_in).
    weights, restored : array [weight]
        Original and restored, (n_in, n_out).

    Returns
    -------
    float [share, 0 or more]

    Notes
    -----
    Basis `measured`, on the lab's own matrix. One layer: errors of a deep model add up.

    References
    ----------
    Definition; the measure that GPTQ minimises, arXiv 2210.17323.

    Examples
    --------
    >>> restored = np.eye(2) * 1.25
    >>> output_error_frac(inputs=np.ones(2), weights=np.eye(2), restored=restored)
    0.25
    """
    wanted = inputs @ weights
    moved = inputs @ restored - wanted
    return float(np.linalg.norm(moved) / np.linalg.norm(wanted))


def stored_bytes(*, n_weights: ArrayLike, weight_bits: ArrayLike, n_scales: ArrayLike) -> Array:
    """Bytes that quantized weights and their 16-bit scales take.

    weights x bits / 8 + scales x 2

    Parameters
    ----------
    n_weights, n_scales : int or array [1]
        0 or more; broadcasts.
    weight_bits : float or array [bits]
        Above 0; broadcasts.

    Returns
    -------
    array [bytes], broadcast shape

    Notes
    -----
    Basis `bound`. File headers and padding are left out: a little more on disk.

    References
    ----------
    Definition.

    Examples
    --------
    >>> float(stored_bytes(n_weights=512 * 512, weight_bits=4, n_scales=512))
    132096.0
    """
    return np.multiply(n_weights, weight_bits) / 8 + np.multiply(n_scales, 2.0)
