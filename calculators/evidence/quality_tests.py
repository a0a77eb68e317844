"""Tests of significance without a statistics package: normal, McNemar, Holm."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

_EXACT_UP_TO = 2000


def normal_p_value(z: float) -> float:
    """Return the two-sided p-value of a standard normal statistic.

    p = erfc(|z| / sqrt(2))

    Parameters
    ----------
    z : float [standard errors]

    Returns
    -------
    p : float [0 to 1]

    Notes
    -----
    With fewer than about 30 samples the normal law is too narrow: p errs low. Basis: bound.

    References
    ----------
    Abramowitz and Stegun, 26.2.

    Examples
    --------
    >>> round(normal_p_value(1.96), 3)
    0.05
    """
    return math.erfc(abs(z) / math.sqrt(2))


def mcnemar_p_value(*, n_lost: int, n_gained: int) -> float:
    """Return the exact two-sided p-value of answers that changed between two runs.

    p = 2 x P(X <= min(lost, gained)), X binomial with lost + gained trials of 1/2, at most 1

    Parameters
    ----------
    n_lost : int [questions that only the baseline answered right]
    n_gained : int [questions that only the quantized model answered right]

    Returns
    -------
    p : float [0 to 1]

    Notes
    -----
    Above 2,000 changed answers the normal law with continuity correction. Basis: bound.

    References
    ----------
    McNemar, Psychometrika 12 (1947) 153.

    Examples
    --------
    >>> mcnemar_p_value(n_lost=5, n_gained=0)
    0.0625
    """
    n_changed = n_lost + n_gained
    if n_changed == 0:
        return 1.0
    if n_changed > _EXACT_UP_TO:
        gap = max(abs(n_lost - n_gained) - 1, 0)
        return normal_p_value(gap / math.sqrt(n_changed))
    least = min(n_lost, n_gained)
    ways = sum(math.comb(n_changed, k) for k in range(least + 1))
    return min(1.0, 2 * ways / 2**n_changed)


def paired_stderr(*, baseline: ArrayLike, quantized: ArrayLike) -> float:
    """Return the standard error of the mean difference over the same questions.

    stderr = sd(quantized - baseline) / sqrt(n)

    Parameters
    ----------
    baseline, quantized : array [score of each question], shape (n,), n >= 2

    Returns
    -------
    stderr : float [score]

    Notes
    -----
    Questions are taken to be independent. Basis: measured.

    References
    ----------
    Miller, "Adding error bars to evals", arXiv:2411.00640; as known on 2026-11-30.

    Examples
    --------
    >>> paired_stderr(baseline=[1, 1, 0, 0], quantized=[1, 0, 1, 0]).__round__(3)
    0.408
    """
    change = np.asarray(quantized, dtype=float) - np.asarray(baseline, dtype=float)
    return float(np.std(change, ddof=1) / math.sqrt(change.size))


def holm_p_values(p_values: Sequence[float]) -> list[float]:
    """Return p-values corrected for being many, so that one false alarm stays as rare as p says.

    adjusted[i] = max over the smaller of (n - rank) x p, at most 1

    Parameters
    ----------
    p_values : sequence of float [0 to 1]

    Returns
    -------
    adjusted : list of float [0 to 1], in the order given

    Notes
    -----
    Holds for tests that depend on each other too; it errs to the side of no alarm. Basis: bound.

    References
    ----------
    Holm, Scandinavian Journal of Statistics 6 (1979) 65.

    Examples
    --------
    >>> holm_p_values([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    adjusted = [0.0] * len(p_values)
    running = 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        running = max(running, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = running
    return adjusted
