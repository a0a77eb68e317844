"""Activation quantization, the harder problem: outlier channels set the grid for everyone."""

from __future__ import annotations

from typing import Literal

import numpy as np

from calculators.labs.quantization import Array, LabError, checked_bits
from calculators.labs.symmetric import quantize_symmetric

ActivationScheme = Literal["per-tensor", "per-token", "per-token, migrated"]
ACTIVATION_SCHEMES: tuple[ActivationScheme, ...] = (
    "per-tensor",
    "per-token",
    "per-token, migrated",
)


def migration_factors(*, weights: Array, inputs: Array, alpha: float = 0.5) -> Array:
    """What each input channel is divided by, and its weights multiplied by, beforehand.

    s = max |x|^alpha / max |w|^(1 - alpha), per channel

    Parameters
    ----------
    weights : array [weight]
        (n_out, n_in).
    inputs : array [activation]
        Calibration rows, (n_samples, n_in).
    alpha : float [share, 0 to 1]
        How much of the difficulty moves into the weights.

    Returns
    -------
    array (n_in,) [1], above 0

    Notes
    -----
    The product x W^T does not change: only what has to be rounded does.

    References
    ----------
    Xiao et al., SmoothQuant, arXiv 2211.10438, equation 4.

    Examples
    --------
    >>> migration_factors(weights=np.ones((1, 2)), inputs=np.array([[1.0, 100.0]])).tolist()
    [1.0, 10.0]
    """
    loud_x = np.abs(inputs).max(axis=0)
    loud_w = np.abs(weights).max(axis=0)
    factors = np.maximum(loud_x, 1e-12) ** alpha / np.maximum(loud_w, 1e-12) ** (1 - alpha)
    return np.maximum(factors, 1e-12)


def quantized_output_error_frac(
    *,
    weights: Array,
    inputs: Array,
    scheme: ActivationScheme,
    activation_bits: int = 8,
    weight_bits: int = 8,
    calibration: Array | None = None,
) -> float:
    """Output error of a layer whose activations are rounded as well as its weights.

    ||q(x / s) q(W s)^T - x W^T|| / ||x W^T||, with s = 1 unless migrated

    Parameters
    ----------
    weights : array [weight]
        (n_out, n_in), rounded per channel.
    inputs : array [activation]
        Rows (tokens), (n_samples, n_in).
    scheme : str
        per-tensor: one scale for all tokens; per-token: one each, found while running;
        per-token, migrated: the same after dividing each channel by its migration factor.
    activation_bits, weight_bits : int [bits]
        2 to 16.
    calibration : array or None [activation]
        Rows that the factors are taken from; the inputs where None.

    Returns
    -------
    float [share, 0 or more]

    Raises
    ------
    LabError
        An unknown scheme or bits out of range.

    Notes
    -----
    Basis `measured`. Sums are exact here; integer kernels add nothing to it.

    References
    ----------
    Dettmers et al., LLM.int8(), arXiv 2208.07339; Xiao et al., SmoothQuant, arXiv 2211.10438.

    Examples
    --------
    >>> x = np.array([[1.0, 127.0]])
    >>> quantized_output_error_frac(weights=np.ones((1, 2)), inputs=x, scheme="per-token")
    0.0
    """
    if scheme not in ACTIVATION_SCHEMES:
        raise LabError(f"scheme: {scheme!r} given; one of {', '.join(ACTIVATION_SCHEMES)} allowed")
    factors: Array = np.ones(inputs.shape[1])
    if scheme == "per-token, migrated":
        known = inputs if calibration is None else calibration
        factors = migration_factors(weights=weights, inputs=known)
    rounded_x = quantize_symmetric(
        weights=inputs / factors,
        weight_bits=checked_bits(activation_bits),
        scheme="per-tensor" if scheme == "per-tensor" else "per-channel",
    )
    rounded_w = quantize_symmetric(weights=weights * factors, weight_bits=weight_bits)
    wanted = inputs @ weights.T
    return float(np.linalg.norm(rounded_x @ rounded_w.T - wanted) / np.linalg.norm(wanted))
