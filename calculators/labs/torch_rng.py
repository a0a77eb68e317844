"""PyTorch's CPU random numbers in NumPy, so that a reference made there can be reproduced here."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

BLOCK = 16
HALF = BLOCK // 2
UNIFORM_BITS = 24


def uniform_float32(*, rng: np.random.RandomState, n_values: int) -> NDArray[np.float32]:
    """The next `n_values` of torch.rand: uniform in [0, 1).

    u = (low 24 bits of a 32-bit word of MT19937) x 2^-24

    Parameters
    ----------
    rng : numpy.random.RandomState
        Seeded as `torch.manual_seed` was; its state moves on.
    n_values : int
        How many [1], 0 or more.

    Returns
    -------
    ndarray of float32, shape (n_values,) [1]

    Notes
    -----
    Basis `measured`: equal bit by bit to PyTorch 2.13's CPU generator. Left out: CUDA's generator.

    References
    ----------
    PyTorch, aten/src/ATen/core/TransformationHelper.h and MT19937RNGEngine.h; compared with
    torch 2.13.0 on 2026-11-30.

    Examples
    --------
    >>> u = uniform_float32(rng=np.random.RandomState(3), n_values=2)
    >>> [round(float(value), 4) for value in u]
    [0.0043, 0.1056]
    """
    words = rng.randint(0, 2**32, size=n_values, dtype=np.uint32)
    low = words & np.uint32(2**UNIFORM_BITS - 1)
    return low.astype(np.float32) * np.float32(2.0**-UNIFORM_BITS)


def normal_float32(*, rng: np.random.RandomState, shape: tuple[int, ...]) -> NDArray[np.float32]:
    """The next torch.randn of a shape with a multiple of 16 elements: standard normal.

    In blocks of 16, the first eight u and the last eight v give
    r = sqrt(-2 ln(1 - u)), theta = 2 pi v; then eight r cos(theta) and eight r sin(theta).

    Parameters
    ----------
    rng : numpy.random.RandomState
        Seeded as `torch.manual_seed` was; its state moves on.
    shape : tuple of int
        Of the array [1]; its element count is a multiple of 16.

    Returns
    -------
    ndarray of float32 [1]

    Raises
    ------
    ValueError
        Where the element count is not a multiple of 16 (PyTorch treats the tail apart).

    Notes
    -----
    Basis `measured`: within three units in the last place of PyTorch, whose vector library
    rounds logarithm and cosine a little differently.

    References
    ----------
    PyTorch, aten/src/ATen/native/cpu/DistributionTemplates.h (normal_fill); Box and Muller 1958;
    compared with torch 2.13.0 on 2026-11-30.

    Examples
    --------
    >>> first = normal_float32(rng=np.random.RandomState(0), shape=(16,))[:2]
    >>> [round(float(value), 4) for value in first]
    [-1.1258, -1.1524]
    """
    n_values = int(np.prod(shape))
    if n_values % BLOCK:
        raise ValueError(f"shape: {shape} has {n_values} elements; a multiple of {BLOCK} is needed")
    blocks = uniform_float32(rng=rng, n_values=n_values).reshape(-1, 2, HALF)
    radius = np.sqrt(np.float32(-2.0) * _rounded(np.log, np.float32(1.0) - blocks[:, 0]))
    angle = np.float32(2.0 * np.pi) * blocks[:, 1]
    pairs = np.stack([radius * _rounded(np.cos, angle), radius * _rounded(np.sin, angle)], axis=1)
    return pairs.reshape(shape)


def _rounded(function: np.ufunc, values: NDArray[np.float32]) -> NDArray[np.float32]:
    """A function in double precision, rounded: the same on every machine."""
    return function(values.astype(np.float64)).astype(np.float32)
