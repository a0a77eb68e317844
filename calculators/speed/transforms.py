"""Percentiles of a waiting time whose Laplace transform is known."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import comb
from typing import Any

import numpy as np

_TERMS, _AVERAGED, _DAMPING = 15, 11, 18.4
_BINOMIAL = np.array([comb(_AVERAGED, k) for k in range(_AVERAGED + 1)]) / 2**_AVERAGED
_GRID, _ROUNDS = 11, 3
_AS_CONSTANT_CV = 1e-3

Transform = Callable[[Any], Any]


def gamma_transform(s: Any, *, mean_s: Any, cv: Any) -> Any:
    """Laplace transform of a gamma-distributed time, of a constant one where `cv` is 0.

    E exp(-sX) = (1 + s mean cv^2)^(-1 / cv^2), and exp(-s mean) for cv = 0

    Parameters
    ----------
    s : [1/s] complex, real part >= 0; broadcasts
    mean_s : [s] >= 0; broadcasts
    cv : standard deviation / mean, >= 0; broadcasts

    Returns
    -------
    complex, broadcast shape of the inputs

    Examples
    --------
    >>> float(gamma_transform(1.0, mean_s=1.0, cv=1.0))
    0.5
    """
    is_spread = np.asarray(cv) > _AS_CONSTANT_CV
    if not np.any(is_spread):
        return np.exp(-s * mean_s)
    squared = np.maximum(np.square(cv), 1e-12)
    spread = np.exp(-np.log1p(s * mean_s * squared) / squared)
    return spread if np.all(is_spread) else np.where(is_spread, spread, np.exp(-s * mean_s))


def residual_transform(s: Any, *, mean_s: Any, cv: Any) -> Any:
    """Laplace transform of what is left of a time that is under way when somebody arrives.

    E exp(-sR) = (1 - E exp(-sX)) / (s mean)

    Parameters
    ----------
    s : [1/s] complex, real part > 0; broadcasts
    mean_s : [s] mean of the whole time, > 0; broadcasts
    cv : its standard deviation / mean, >= 0; broadcasts

    Returns
    -------
    complex, broadcast shape of the inputs

    Examples
    --------
    >>> float(residual_transform(1.0, mean_s=1.0, cv=1.0))
    0.5
    """
    mean_s = np.maximum(mean_s, 1e-15)
    return (1.0 - gamma_transform(s, mean_s=mean_s, cv=cv)) / (s * mean_s)


def tail_frac(transform: Transform, time_s: Any) -> Any:
    """P(X > t) by numerical inversion of (1 - E exp(-sX)) / s.

    Euler summation of the Fourier series (15 terms and 11 averaged ones).

    Parameters
    ----------
    transform : s of shape (..., 27) to E exp(-sX) of the same shape
    time_s : [s] > 0, shape (...)

    Returns
    -------
    share, 0 to 1, shape of `time_s`

    Notes
    -----
    Exact to about 1e-6 for smooth distributions; near a jump the error is local to it.

    References
    ----------
    Abate and Whitt, Numerical inversion of Laplace transforms of probability distributions,
    ORSA Journal on Computing 7 (1995), method EULER (from knowledge, not re-read).

    Examples
    --------
    >>> float(np.round(tail_frac(lambda s: 1 / (1 + s), 1.0), 6))  # exp(-1)
    0.367879
    """
    time_s = np.asarray(time_s, dtype=float)[..., None]
    k = np.arange(_TERMS + _AVERAGED + 1)
    s = (_DAMPING + 2j * np.pi * k) / (2 * time_s)
    terms = np.real((1.0 - transform(s)) / s) * np.where(k % 2, -1.0, 1.0)
    terms[..., 0] /= 2
    sums = np.cumsum(terms, axis=-1)[..., _TERMS:]
    value = np.exp(_DAMPING / 2) / time_s[..., 0] * (sums @ _BINOMIAL)
    return np.clip(value, 0.0, 1.0)


def quantiles_s(
    transform: Transform, *, probabilities: Sequence[float], low_s: Any, high_s: Any
) -> list[Any]:
    """The times that shares of all cases stay below; 0 where a share is at 0 already.

    t with P(X > t) = 1 - probability, on a grid that is refined twice

    Parameters
    ----------
    transform : s of shape (n, m) to E exp(-sX), m any, for n distributions
    probabilities : each 0 < p < 1
    low_s, high_s : [s] > 0, shape (n,); bracket of the answers

    Returns
    -------
    list of [s], shape (n,), one for each probability; `high_s` where an answer lies beyond it

    Examples
    --------
    >>> low, high = np.array([1e-3]), np.array([50.0])
    >>> law = lambda s: 1 / (1 + s)
    >>> (median,) = quantiles_s(law, probabilities=[0.5], low_s=low, high_s=high)
    >>> [round(float(t), 2) for t in median]  # ln 2
    [0.69]
    """
    first = _grid(np.asarray(low_s, dtype=float), np.asarray(high_s, dtype=float))
    tails = _tails(transform, first)
    found = []
    for probability in probabilities:
        target, times, here = 1.0 - probability, first, tails
        for _ in range(_ROUNDS - 1):
            times = _grid(*_bracket(times, here, target))
            here = _tails(transform, times)
        (low, high), rows = _places(here, target), np.arange(len(times))
        above, below = here[rows, low], here[rows, high]
        share = np.clip((above - target) / np.maximum(above - below, 1e-12), 0.0, 1.0)
        time_s = times[rows, low] + share * (times[rows, high] - times[rows, low])
        found.append(np.where(tails[:, 0] <= target, 0.0, time_s))
    return found


def _grid(low_s: np.ndarray, high_s: np.ndarray) -> np.ndarray:
    return low_s[:, None] * (high_s / low_s)[:, None] ** np.linspace(0.0, 1.0, _GRID)


def _places(tails: np.ndarray, target: float) -> tuple[np.ndarray, np.ndarray]:
    """The two grid points between which the tail falls to the target, the last two if never."""
    upper = np.clip(np.argmax(tails <= target, axis=1), 1, None)
    upper = np.where(tails[:, -1] > target, _GRID - 1, upper)
    return upper - 1, upper


def _bracket(times: np.ndarray, tails: np.ndarray, target: float) -> tuple[np.ndarray, np.ndarray]:
    low, high = _places(tails, target)
    rows = np.arange(len(times))
    return times[rows, low], times[rows, high]


def _tails(transform: Transform, times: np.ndarray) -> np.ndarray:
    def flat(s: np.ndarray) -> np.ndarray:
        return transform(s.reshape(len(s), -1)).reshape(s.shape)

    return np.minimum.accumulate(tail_frac(flat, times), axis=1)
