"""Affine quantization per group: the smallest and largest weight are kept, the rest is steps."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calculators.labs.quantization import Array, checked_bits, grouped, output_error_frac

ENDPOINT_BITS = 16  # each of the two endpoints of a group


@dataclass(frozen=True, slots=True)
class Quantized:
    """Whole steps and the grid that they stand on; `restored` is what the kernel reads."""

    steps: NDArray[np.floating]  # (groups, group_size), whole numbers
    scale: NDArray[np.floating]  # (groups, 1)
    zero: NDArray[np.floating]  # (groups, 1)
    shape: tuple[int, ...]

    @property
    def restored(self) -> Array:
        return (self.steps * self.scale + self.zero).reshape(self.shape)


@dataclass(frozen=True, slots=True)
class LabMatrix:
    """A weight matrix, the flat positions of its outliers, and an input vector."""

    weights: NDArray[np.float32]
    outliers: NDArray[np.int64]
    inputs: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class GroupDamage:
    """Mean error over mean weight, per group and averaged by whether it holds an outlier."""

    by_group: NDArray[np.floating]
    holds_outlier: NDArray[np.bool_]

    @property
    def all_frac(self) -> float:
        return float(self.by_group.mean())

    @property
    def holding_frac(self) -> float:
        return float(self.by_group[self.holds_outlier].mean()) if self.holds_outlier.any() else 0.0

    @property
    def rest_frac(self) -> float:
        rest = ~self.holds_outlier
        return float(self.by_group[rest].mean()) if rest.any() else 0.0


def quantize_affine(*, weights: Array, weight_bits: int, group_size: int = 128) -> Quantized:
    """Cut each group's range into equal steps and keep for each weight the nearest step.

    scale = (max - min) / (2^bits - 1); step = round((w - min) / scale);
    restored = step x scale + min

    Parameters
    ----------
    weights : array [weight]
        Its last axis is cut into groups.
    weight_bits : int [bits]
        2 to 16.
    group_size : int [weights]
        A divisor of the last axis.

    Returns
    -------
    Quantized
        In the type of the weights.

    Raises
    ------
    LabError
        Bits out of range, or a group that does not divide the row.

    Notes
    -----
    Basis `measured`, on the lab's own matrix. The error of a weight is at most half a step. Real
    formats round the two endpoints too (to 16 bits, or fewer): a little more error.

    References
    ----------
    The reference table of the project; Frantar et al., GPTQ, arXiv 2210.17323.

    Examples
    --------
    >>> row = np.array([[0.0, 1.0, 2.0, 3.1]])
    >>> quantize_affine(weights=row, weight_bits=2, group_size=4).steps.tolist()
    [[0.0, 1.0, 2.0, 3.0]]
    """
    bits = checked_bits(weight_bits)
    groups = grouped(weights, group_size)
    low = groups.min(axis=1, keepdims=True)
    scale = (groups.max(axis=1, keepdims=True) - low) / (2**bits - 1)
    divisor = np.where(scale > 0, scale, 1)
    return Quantized(np.rint((groups - low) / divisor), scale, low, weights.shape)


def lab_matrix(
    *, n_rows: int = 4096, outlier_factor: float = 20.0, outliers: bool = True, seed: int = 0
) -> LabMatrix:
    """A square matrix of normal weights, one in 4,096 made louder, and an input vector.

    Parameters
    ----------
    n_rows : int [1]
        Rows and columns, 1 or more.
    outlier_factor : float [1]
        What an outlier is multiplied by.
    outliers : bool
        Whether there are any.
    seed : int [1]
        Of the random generator.

    Returns
    -------
    LabMatrix
        float32; `outliers` names the positions whether loud or not.

    Notes
    -----
    Basis `measured`. 4,096 rows and seed 0 are the reference's own matrix. Outliers of real models
    sit in whole channels: see the symmetric lab.

    References
    ----------
    The reference table of the project.

    Examples
    --------
    >>> lab_matrix(n_rows=64).outliers.size
    1
    """
    rng = np.random.default_rng(seed)
    weights = (rng.standard_normal((n_rows, n_rows)) * 0.02).astype(np.float32)
    positions = rng.choice(weights.size, max(weights.size // 4096, 1), replace=False)
    inputs = rng.standard_normal(n_rows).astype(np.float32)
    if outliers:
        weights.flat[positions] *= np.float32(outlier_factor)
    return LabMatrix(weights, positions, inputs)


def group_damage(
    *, weights: Array, restored: Array, outliers: NDArray[np.int64], group_size: int = 128
) -> GroupDamage:
    """How much of each group is lost, apart for groups that hold an outlier.

    mean |error| / mean |weight| of a group

    Parameters
    ----------
    weights, restored : array [weight]
        Same shape.
    outliers : array of int [1]
        Flat positions.
    group_size : int [weights]
        As quantized.

    Returns
    -------
    GroupDamage [share, 0 or more]

    Notes
    -----
    Basis `measured`. The average over all groups hides where the damage lands.

    References
    ----------
    The reference table of the project.

    Examples
    --------
    >>> w = np.ones((1, 4)); r = w + np.array([[0, 0, 0.5, 0.5]])
    >>> group_damage(weights=w, restored=r, outliers=np.array([3]), group_size=2).holding_frac
    0.5
    """
    groups = grouped(weights, group_size)
    error = np.abs(grouped(restored, group_size) - groups).mean(axis=1)
    size = np.abs(groups).mean(axis=1)
    holds = np.zeros(len(groups), dtype=bool)
    holds[outliers // group_size] = True
    return GroupDamage(error / np.where(size > 0, size, 1), holds)


def affine_output_error_frac(
    matrix: LabMatrix, *, weight_bits: int, group_size: int = 128
) -> float:
    """Output error of the lab's matrix at a number of bits.

    Parameters
    ----------
    matrix : LabMatrix
        From `lab_matrix`.
    weight_bits, group_size : int [bits], [weights]
        As `quantize_affine`.

    Returns
    -------
    float [share, 0 or more]

    Notes
    -----
    Basis `measured`, as `output_error_frac`.

    References
    ----------
    The reference table of the project.

    Examples
    --------
    >>> affine_output_error_frac(lab_matrix(n_rows=128), weight_bits=8) < 0.01
    True
    """
    quantized = quantize_affine(
        weights=matrix.weights, weight_bits=weight_bits, group_size=group_size
    )
    return output_error_frac(
        inputs=matrix.inputs, weights=matrix.weights, restored=quantized.restored
    )
