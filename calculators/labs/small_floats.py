"""Floating-point formats of 8 and 4 bits as rounding rules."""

from __future__ import annotations

import numpy as np

from calculators.labs.quantization import Array

E4M3_MAX, E2M1_MAX = 448.0, 6.0


def float_rounded(values: Array, *, mantissa_bits: int, min_exponent: int, largest: float) -> Array:
    """The nearest numbers that a small floating-point format can hold, ties to even.

    step = 2^(max(exponent, min_exponent) - mantissa_bits); round(value / step) x step, clipped

    Parameters
    ----------
    values : array [1]
        Any shape.
    mantissa_bits : int [bits]
        0 or more.
    min_exponent : int [1]
        Of the smallest normal number; below it the steps stay the same.
    largest : float [1]
        Beyond it values are clipped.

    Returns
    -------
    array [1]

    Notes
    -----
    Basis: the formats' definitions. Not-a-number and infinity are left out.

    References
    ----------
    OCP Microscaling Formats (MX) v1.0; Micikevicius et al., FP8 Formats, arXiv 2209.05433.

    Examples
    --------
    FP4 (E2M1) holds 0, 0.5, 1, 1.5, 2, 3, 4 and 6:

    >>> float_rounded(np.array([0.2, 0.3, 2.4, 2.6, 5.1, 9.0]), mantissa_bits=1, min_exponent=0,
    ...               largest=6.0).tolist()
    [0.0, 0.5, 2.0, 3.0, 6.0, 6.0]
    """
    clipped = np.clip(values, -largest, largest)
    _, exponent = np.frexp(clipped)
    step = np.exp2(np.maximum(exponent - 1, min_exponent) - mantissa_bits)
    return np.clip(np.rint(clipped / step) * step, -largest, largest)


def e4m3(values: Array) -> Array:
    """FP8 E4M3: three bits of mantissa, up to 448.

    Parameters
    ----------
    values : array [1]

    Returns
    -------
    array [1]

    Notes
    -----
    Steps of 1/8 of the power of two below the value; saturates where hardware may overflow.

    References
    ----------
    Micikevicius et al., FP8 Formats for Deep Learning, arXiv 2209.05433.

    Examples
    --------
    >>> e4m3(np.array([1.06, 17.0, 1000.0])).tolist()
    [1.0, 16.0, 448.0]
    """
    return float_rounded(values, mantissa_bits=3, min_exponent=-6, largest=E4M3_MAX)


def e2m1(values: Array) -> Array:
    """FP4 E2M1: one bit of mantissa, up to 6.

    Parameters
    ----------
    values : array [1]

    Returns
    -------
    array [1]

    Notes
    -----
    The format alone: without a scale per block it is of little use.

    References
    ----------
    OCP Microscaling Formats (MX) v1.0, section 5.3.

    Examples
    --------
    >>> e2m1(np.array([-1.3, 4.9])).tolist()
    [-1.5, 4.0]
    """
    return float_rounded(values, mantissa_bits=1, min_exponent=0, largest=E2M1_MAX)
