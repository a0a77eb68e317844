"""GPTQ and AWQ, small: round with the activations in mind instead of the weights alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calculators.labs.quantization import Array, checked_bits, grouped
from calculators.labs.symmetric import quantize_symmetric

DAMP_FRAC = 0.01
N_ALPHAS = 21


@dataclass(frozen=True, slots=True)
class Awq:
    """Restored weights and the exponent that the search chose (0: no scaling helps)."""

    restored: Array
    alpha: float


def outlier_inputs(
    *, n_samples: int, n_inputs: int, n_loud: int = 8, factor: float = 30.0, seed: int = 0
) -> Array:
    """Activations as transformers have them: correlated, a few channels far louder.

    Parameters
    ----------
    n_samples, n_inputs : int [1]
        Rows and channels.
    n_loud : int [channels]
        0 to `n_inputs`.
    factor : float [1]
        How much louder.
    seed : int [1]
        Of the samples; the channels and their correlation stay the same for all seeds.

    Returns
    -------
    array (n_samples, n_inputs) [activation]

    Notes
    -----
    Basis: made up in the shape of what LLM.int8() reports.

    References
    ----------
    Dettmers et al., LLM.int8(), arXiv 2208.07339, section 4.

    Examples
    --------
    >>> outlier_inputs(n_samples=3, n_inputs=32).shape
    (3, 32)
    """
    fixed = np.random.default_rng(n_inputs)
    mixing = fixed.standard_normal((n_inputs, n_inputs)) / np.sqrt(n_inputs)
    loud = fixed.choice(n_inputs, min(n_loud, n_inputs), replace=False)
    samples = np.random.default_rng(seed).standard_normal((n_samples, n_inputs))
    inputs = 0.6 * samples + 0.8 * samples @ mixing
    inputs[:, loud] *= factor
    return inputs


def gptq_restored(
    *, weights: Array, inputs: Array, weight_bits: int = 4, group_size: int = 128
) -> Array:
    """GPTQ: round one column at a time and let the columns to come make up for the error.

    H = X^T X, columns in falling order of its diagonal; for column i:
    error = (w - round(w)) / U_ii; later columns -= error x U_i,
    with U the upper Cholesky factor of the inverse of H

    Parameters
    ----------
    weights : array [weight]
        (n_out, n_in).
    inputs : array [activation]
        Calibration rows, (n_samples, n_in).
    weight_bits : int [bits]
        2 to 16.
    group_size : int [weights]
        Columns that share a symmetric scale per row; a divisor of n_in.

    Returns
    -------
    array [weight]

    Raises
    ------
    LabError
        Bits or a group that is not allowed.

    Notes
    -----
    Basis `measured`. One hundredth of the mean diagonal is added to H, as published. Columns with
    the loudest activations go first and scales are those of the original groups ("act order" with
    static groups): in the given order, loud columns spoil quiet ones. It fits the calibration
    data: judge it on other inputs.

    References
    ----------
    Frantar et al., GPTQ, arXiv 2210.17323, algorithm 1.

    Examples
    --------
    Two equal inputs: the second column takes over what rounding the first one lost.

    >>> w, x = np.array([[7.0, 0.4, 0.4, 0.0]]), np.array([[0.0, 1.0, 1.0, 0.0]])
    >>> gptq_restored(weights=w, inputs=x, group_size=4).tolist()
    [[7.0, 0.0, 1.0, 0.0]]
    """
    q_max = 2 ** (checked_bits(weight_bits) - 1) - 1
    amax = np.abs(grouped(weights, group_size)).max(axis=1).reshape(len(weights), -1)
    scales = np.repeat(np.where(amax > 0, amax / q_max, 1.0), group_size, axis=1)
    hessian = _damped_hessian(inputs)
    order = np.argsort(-np.diag(hessian), kind="stable")
    upper = np.linalg.cholesky(np.linalg.inv(hessian[np.ix_(order, order)])).T
    left, restored = weights[:, order].astype(np.float64), np.empty(weights.shape)
    for index, column in enumerate(order):
        steps = np.clip(np.rint(left[:, index] / scales[:, column]), -q_max - 1, q_max)
        restored[:, column] = steps * scales[:, column]
        error = (left[:, index] - restored[:, column]) / upper[index, index]
        left[:, index + 1 :] -= np.outer(error, upper[index, index + 1 :])
    return restored


def awq_restored(
    *, weights: Array, inputs: Array, weight_bits: int = 4, group_size: int = 128
) -> Awq:
    """AWQ: make the channels that carry loud activations larger before rounding, and undo it.

    s = mean |x|^alpha; restored = round(w s) / s, with the alpha of the least output error

    Parameters
    ----------
    weights, inputs, weight_bits, group_size
        As `gptq_restored`.

    Returns
    -------
    Awq
        Alpha is one of 0, 0.05, ..., 1.

    Raises
    ------
    LabError
        Bits or a group that is not allowed.

    Notes
    -----
    Basis `measured`. Alpha 0 is plain rounding, so the calibration data is never served worse.
    The published method also searches where to clip; that is left out.

    References
    ----------
    Lin et al., AWQ, arXiv 2306.00978, section 3.2.

    Examples
    --------
    >>> w = np.array([[7.0, 0.4]]); x = np.array([[0.01, 1.0]])
    >>> found = awq_restored(weights=w, inputs=x, group_size=2)
    >>> found.alpha > 0, bool(abs(found.restored[0, 1] - 0.4) < 0.1)
    (True, True)
    """
    loudness = np.abs(inputs).mean(axis=0) + 1e-12
    hessian = np.asarray(inputs, dtype=np.float64).T @ inputs
    best, least = Awq(weights, 0.0), np.inf
    for alpha in np.linspace(0.0, 1.0, N_ALPHAS):
        factor = loudness**alpha
        factor /= np.sqrt(factor.max() * factor.min())
        rounded = quantize_symmetric(
            weights=weights * factor,
            weight_bits=weight_bits,
            scheme="per-group",
            group_size=group_size,
        )
        error = rounded / factor - weights
        moved = float(np.sum((error @ hessian) * error))  # ||x error^T||^2
        if moved < least:
            best, least = Awq(rounded / factor, float(alpha)), moved
    return best


def _damped_hessian(inputs: Array) -> Array:
    """X^T X with a hundredth of its mean diagonal added, so that it has an inverse."""
    hessian = np.asarray(inputs, dtype=np.float64).T @ inputs
    mean = float(np.diag(hessian).mean()) or 1.0
    return hessian + np.eye(len(hessian)) * DAMP_FRAC * mean
