"""Cumulative counters, as servers export them, turned into what happened between two readings."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_LEAST_READINGS = 20
_RESETS_FRAC = 0.02


def is_counter(values: NDArray[np.float64], *, named_total: bool) -> bool:
    """Tell whether a column that is ordered by time counts up from reading to reading.

    At most 2 % of the steps may fall (restarts), and the end must lie far above a single step.

    Parameters
    ----------
    values : array [tok], shape (rows,), in the order of time
    named_total : bool [the column's name says that it is a total]

    Returns
    -------
    counter : bool [flag]

    Notes
    -----
    Without a name that says so, 20 readings are needed: a log of requests with sorted lengths by
    chance is then out of the question. Basis: convention.

    References
    ----------
    Prometheus counters, https://prometheus.io/docs/concepts/metric_types/

    Examples
    --------
    >>> is_counter(np.array([0.0, 10.0, 30.0]), named_total=True)
    True
    """
    given = values[np.isfinite(values)]
    steps = np.diff(given)
    if given.size < (3 if named_total else _LEAST_READINGS) or not np.any(steps > 0):
        return False
    rising = float(np.mean(steps >= 0)) >= 1 - _RESETS_FRAC
    if named_total:
        return rising
    return rising and float(np.mean(steps > 0)) > 0.1 and given[-1] > 10 * np.median(np.abs(steps))


def counter_steps(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return what a counter gained from each reading to the next.

    step[i] = value[i] - value[i-1], or value[i] where the counter was restarted

    Parameters
    ----------
    values : array [tok], shape (readings,), in the order of time

    Returns
    -------
    steps : array [tok], shape (readings,); the first is 0

    Notes
    -----
    What came before the first reading is left out: its time is not known. What a restart lost
    between its last reading and the restart is left out, so this errs low. Basis: measured.

    References
    ----------
    Prometheus `increase()`, https://prometheus.io/docs/prometheus/latest/querying/functions/

    Examples
    --------
    >>> counter_steps(np.array([5.0, 9.0, 2.0])).tolist()
    [0.0, 4.0, 2.0]
    """
    steps = np.diff(values, prepend=values[:1])
    return np.where(steps < 0, values, steps)
