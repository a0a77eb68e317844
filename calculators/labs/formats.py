"""Number formats of the field as rounding rules: NF4, FP8, MXFP4, NVFP4; restored values."""

from __future__ import annotations

import numpy as np

from calculators.labs.quantization import Array, grouped
from calculators.labs.small_floats import E2M1_MAX, E4M3_MAX, e2m1, e4m3

# The 16 levels of NormalFloat4: quantiles of a normal distribution, scaled to -1 and 1.
NF4_LEVELS = np.array(
    [
        *(-1.0, -0.6961928, -0.52507305, -0.39491749, -0.28444138, -0.18477343, -0.09105004, 0.0),
        *(0.0795803, 0.1609302, 0.2461123, 0.33791524, 0.44070983, 0.562617, 0.72295684, 1.0),
    ]
)
E2M1_MAX_EXPONENT = 2
NF4_BLOCK, MXFP4_BLOCK, NVFP4_BLOCK = 64, 32, 16


def fp8_restored(weights: Array) -> Array:
    """FP8 weights with one scale per channel (row), as compressed-tensors keeps them.

    scale = max |w| of the row / 448

    Parameters
    ----------
    weights : array [weight]
        (n_out, n_in).

    Returns
    -------
    array [weight]

    Notes
    -----
    Basis `measured`. Steps grow with the value: outliers cost the small weights little.

    References
    ----------
    Micikevicius et al., arXiv 2209.05433.

    Examples
    --------
    >>> fp8_restored(np.array([[1.0, 448.0]])).tolist()
    [[1.0, 448.0]]
    """
    scale = _scale(np.abs(weights).max(axis=1, keepdims=True) / E4M3_MAX)
    return e4m3(weights / scale) * scale


def nf4_restored(weights: Array) -> Array:
    """NF4 of bitsandbytes: 16 levels that suit normal weights, a scale per 64.

    Parameters
    ----------
    weights : array [weight]
        Its last axis a multiple of 64.

    Returns
    -------
    array [weight]

    Raises
    ------
    LabError
        Where blocks of 64 do not divide the row.

    Notes
    -----
    Basis `measured`. The scale's own rounding (double quantization) is left out.

    References
    ----------
    Dettmers et al., QLoRA, arXiv 2305.14314, appendix E.

    Examples
    --------
    >>> row = np.zeros((1, 64)); row[0, :2] = 1.0, -0.68
    >>> nf4_restored(row)[0, :3].tolist()
    [1.0, -0.6961928, 0.0]
    """
    blocks = grouped(weights, NF4_BLOCK)
    scale = _scale(np.abs(blocks).max(axis=1, keepdims=True))
    middles = (NF4_LEVELS[1:] + NF4_LEVELS[:-1]) / 2
    levels = NF4_LEVELS[np.searchsorted(middles, blocks / scale)]
    return (levels * scale).reshape(weights.shape)


def mxfp4_restored(weights: Array) -> Array:
    """MXFP4: FP4 values and for each 32 of them a scale that is a power of two.

    scale = 2^(floor(log2 max |w|) - 2)

    Parameters
    ----------
    weights : array [weight]
        Its last axis a multiple of 32.

    Returns
    -------
    array [weight]

    Raises
    ------
    LabError
        Where blocks of 32 do not divide the row.

    Notes
    -----
    Basis `measured`. Values between 6 and 8 steps of a block are clipped, as the standard says.

    References
    ----------
    OCP Microscaling Formats (MX) v1.0, section 6.3.

    Examples
    --------
    >>> row = np.zeros((1, 32)); row[0, :2] = 6.0, 2.4
    >>> mxfp4_restored(row)[0, :2].tolist()
    [6.0, 2.0]
    """
    blocks = grouped(weights, MXFP4_BLOCK)
    loudest = np.abs(blocks).max(axis=1, keepdims=True)
    _, exponent = np.frexp(loudest)
    scale = np.where(loudest > 0, np.exp2(exponent - 1.0 - E2M1_MAX_EXPONENT), 1.0)
    return (e2m1(blocks / scale) * scale).reshape(weights.shape)


def nvfp4_restored(weights: Array) -> Array:
    """NVFP4: FP4 values, an FP8 scale for each 16 of them, one FP32 scale per tensor.

    tensor = max |w| / (6 x 448); scale = e4m3(max |block| / 6 / tensor) x tensor

    Parameters
    ----------
    weights : array [weight]
        Its last axis a multiple of 16.

    Returns
    -------
    array [weight]

    Raises
    ------
    LabError
        Where blocks of 16 do not divide the row.

    Notes
    -----
    Basis `measured`.

    References
    ----------
    NVIDIA, Introducing NVFP4 (technical blog, 2025); gguf 0.19.0 block sizes.

    Examples
    --------
    >>> row = np.zeros((1, 16)); row[0, :2] = 6.0, 2.4
    >>> nvfp4_restored(row)[0, :2].round(6).tolist()
    [6.0, 2.0]
    """
    blocks = grouped(weights, NVFP4_BLOCK)
    tensor = float(np.abs(weights).max()) / (E2M1_MAX * E4M3_MAX) or 1.0
    wanted = np.abs(blocks).max(axis=1, keepdims=True) / (E2M1_MAX * tensor)
    scale = _scale(e4m3(wanted) * tensor)
    return (e2m1(blocks / scale) * scale).reshape(weights.shape)


def _scale(values: Array) -> Array:
    return np.where(values > 0, values, 1.0)
