"""Symmetric quantization: one scale per tensor, per channel (row) or per group."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from calculators.labs.quantization import Array, LabError, checked_bits, grouped, stored_bytes
from calculators.labs.torch_rng import normal_float32

Scheme = Literal["per-tensor", "per-channel", "per-group"]
SCHEMES: tuple[Scheme, ...] = ("per-tensor", "per-channel", "per-group")
LOUD_ROWS = {7: 25.0, 200: 12.0}


def scale_groups(*, weights: Array, scheme: Scheme, group_size: int = 128) -> Array:
    """The weights with one row for everything that shares a scale.

    Parameters
    ----------
    weights : array [weight]
        (n_out, n_in).
    scheme : str
        per-tensor, per-channel (an output row) or per-group.
    group_size : int [weights]
        Of per-group; a divisor of the row.

    Returns
    -------
    array of shape (scales, weights of each) [weight]

    Raises
    ------
    LabError
        An unknown scheme, or a group that does not divide the row.

    Notes
    -----
    A view where NumPy can give one: nothing is copied.

    References
    ----------
    Definition.

    Examples
    --------
    >>> scale_groups(weights=np.zeros((3, 4)), scheme="per-channel").shape
    (3, 4)
    """
    if scheme == "per-tensor":
        return weights.reshape(1, -1)
    if scheme == "per-channel":
        return weights.reshape(weights.shape[0], -1)
    if scheme == "per-group":
        return grouped(weights, group_size)
    raise LabError(f"scheme: {scheme!r} given; one of {', '.join(SCHEMES)} allowed")


def quantize_symmetric(
    *, weights: Array, weight_bits: int, scheme: Scheme = "per-channel", group_size: int = 128
) -> Array:
    """Divide by a scale, round, clip to what the integer holds, and multiply back.

    scale = max |w| / (2^(bits-1) - 1); restored = clip(round(w / scale)) x scale

    Parameters
    ----------
    weights : array [weight]
        (n_out, n_in).
    weight_bits : int [bits]
        2 to 16.
    scheme : str
        What shares a scale: per-tensor, per-channel or per-group.
    group_size : int [weights]
        Of per-group; a divisor of the row.

    Returns
    -------
    array [weight]
        Restored, in the shape and type of the weights.

    Raises
    ------
    LabError
        Bits, scheme or group that is not allowed.

    Notes
    -----
    Basis `measured`. The scale follows the loudest weight, so outliers are served perfectly at the
    expense of the rest. The error of a weight is at most half a step.

    References
    ----------
    The reference table of the project.

    Examples
    --------
    >>> quantize_symmetric(weights=np.array([[1.0, 7.0]]), weight_bits=4).tolist()
    [[1.0, 7.0]]
    """
    q_max = 2 ** (checked_bits(weight_bits) - 1) - 1
    groups = scale_groups(weights=weights, scheme=scheme, group_size=group_size)
    scale = np.abs(groups).max(axis=1, keepdims=True) / q_max
    divisor = np.where(scale > 0, scale, 1)
    steps = np.clip(np.rint(groups / divisor), -q_max - 1, q_max)
    return (steps * scale).reshape(weights.shape)


def loud_matrix(
    *, n_rows: int = 512, seed: int = 0, loudness_frac: float = 1.0
) -> NDArray[np.float32]:
    """A matrix like a real layer's: small weights and two output channels far louder.

    0.02 x normal; row 7 times 25 and row 200 times 12 (where there are so many rows)

    Parameters
    ----------
    n_rows : int [1]
        Rows and columns; a multiple of 4.
    seed : int [1]
        Of PyTorch's generator, reproduced.
    loudness_frac : float [1]
        Power of the two factors: 1 is the reference's matrix, 0 has no loud row.

    Returns
    -------
    array of float32 (n_rows, n_rows) [weight]

    Notes
    -----
    Basis `measured`: seed 0 and 512 rows is the reference's own matrix, made there with PyTorch.

    References
    ----------
    The reference table of the project.

    Examples
    --------
    >>> round(float(np.abs(loud_matrix()).max()), 4)
    1.6916
    """
    rng = np.random.RandomState(seed)
    weights = normal_float32(rng=rng, shape=(n_rows, n_rows)) * np.float32(0.02)
    for row, factor in LOUD_ROWS.items():
        if row < n_rows:
            weights[row] *= np.float32(factor**loudness_frac)
    return weights


def scheme_stored_bytes(
    *, weights: Array, weight_bits: int, scheme: Scheme, group_size: int = 128
) -> float:
    """Bytes of a quantized matrix with one 16-bit scale per tensor, channel or group.

    Parameters
    ----------
    weights : array [weight]
        (n_out, n_in).
    weight_bits : int [bits]
        Of one weight.
    scheme, group_size
        As `quantize_symmetric`.

    Returns
    -------
    float [bytes]

    Notes
    -----
    Basis `bound`. The reference counts the one scale of a tensor as none; two bytes are not seen.

    References
    ----------
    The reference table of the project.

    Examples
    --------
    >>> scheme_stored_bytes(weights=np.zeros((512, 512)), weight_bits=8, scheme="per-channel")
    263168.0
    """
    n_scales = len(scale_groups(weights=weights, scheme=scheme, group_size=group_size))
    counted = 0 if scheme == "per-tensor" else n_scales
    return float(stored_bytes(n_weights=weights.size, weight_bits=weight_bits, n_scales=counted))
