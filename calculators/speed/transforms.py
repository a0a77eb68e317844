"""Percentiles of a waiting time whose Laplace transform is known."""

from __future__ import annotations

from collections.abc import Callable
from math import comb
from typing import Any

import numpy as np

_TERMS, _AVERAGED, _DAMPING = 15, 11, 18.4
_BINOMIAL = np.array([comb(_AVERAGED, k) for k in range(_AVERAGED + 1)]) / 2**_AVERAGED
_GRID = 32

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
    squared = np.maximum(np.square(cv), 1e-12)
    spread = np.exp(-np.log1p(s * mean_s * squared) / squared)
    return np.where(np.asarray(cv) > 1e-3, spread, np.exp(-s * mean_s))


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
    ORSA Journal on Computing 7 (1995), method EULER (read 2026-11-30).

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


def quantile_s(transform: Transform, *, probability: float, low_s: Any, high_s: Any) -> Any:
    """The time that a share of all cases stays below; 0 where that share is at 0 already.

    t with P(X > t) = 1 - probability, on a grid refined once

    Parameters
    ----------
    transform : s of shape (n, m) to E exp(-sX), m any, for n distributions
    probability : 0 < p < 1
    low_s, high_s : [s] > 0, shape (n,); bracket of the answer

    Returns
    -------
    [s], shape (n,); `high_s` where the answer lies beyond it

    Examples
    --------
    >>> low, high = np.array([1e-3]), np.array([50.0])
    >>> law = lambda s: 1 / (1 + s)
    >>> median = quantile_s(law, probability=0.5, low_s=low, high_s=high)
    >>> [round(float(t), 3) for t in median]  # ln 2
    [0.693]
    """
    low_s, high_s = (np.asarray(bound, dtype=float) for bound in (low_s, high_s))
    target = 1.0 - probability
    steps = np.linspace(0.0, 1.0, _GRID)
    at_once = _tails(transform, low_s[:, None])[:, 0] <= target
    for _ in range(2):
        times = low_s[:, None] * (high_s / low_s)[:, None] ** steps
        tails = np.minimum.accumulate(_tails(transform, times), axis=1)
        upper = np.clip(np.argmax(tails <= target, axis=1), 1, None)
        upper = np.where(tails[:, -1] > target, _GRID - 1, upper)
        rows = np.arange(len(times))
        low_s, high_s = times[rows, upper - 1], times[rows, upper]
    above, below = tails[rows, upper - 1], tails[rows, upper]
    share = np.clip((above - target) / np.maximum(above - below, 1e-12), 0.0, 1.0)
    return np.where(at_once, 0.0, low_s + share * (high_s - low_s))


def _tails(transform: Transform, times: np.ndarray) -> np.ndarray:
    def flat(s: np.ndarray) -> np.ndarray:
        return transform(s.reshape(len(s), -1)).reshape(s.shape)

    return tail_frac(flat, times)
