"""What a week of demand asks of a fleet: replicas for mean and peak, and how busy they are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from calculators.cost.traffic import duty_cycle, hourly_demand, replicas_needed
from calculators.units import HOURS_PER_MONTH, SECONDS_PER_HOUR


@dataclass(frozen=True)
class FleetLoad:
    """A fleet of fixed size over a week: how busy it is, and what share of the demand it serves."""

    n_replicas: int
    duty_frac: float
    served_frac: float


def fleet_loads(
    *, demand_tok: ArrayLike, capacity_tok_s: float, n_replicas: ArrayLike
) -> tuple[FleetLoad, ...]:
    """Return how fleets of several sizes would cope with the hours of a week.

    served = sum over hours of min(demand, n x capacity x 3600) / sum of demand

    Parameters
    ----------
    demand_tok : array [tok per hour], shape (hours,), >= 0
    capacity_tok_s : float [tok/s per replica], > 0
    n_replicas : sequence of int [replicas], >= 1

    Returns
    -------
    loads : tuple of FleetLoad [one for each size]

    Notes
    -----
    What an hour cannot carry is lost, not queued: the served share errs low for work that can
    wait. Basis: bound.

    References
    ----------
    Arithmetic.

    Examples
    --------
    >>> fleet_loads(demand_tok=[7200.0, 0.0], capacity_tok_s=1.0, n_replicas=[1])
    (FleetLoad(n_replicas=1, duty_frac=0.5, served_frac=0.5),)
    """
    demand = np.asarray(demand_tok, dtype=float)
    loads = []
    for n in np.atleast_1d(np.asarray(n_replicas, dtype=int)):
        duty = float(duty_cycle(demand_tok=demand, capacity_tok_s=capacity_tok_s, n_replicas=n))
        made_tok = duty * n * capacity_tok_s * SECONDS_PER_HOUR * demand.size
        served = min(made_tok / demand.sum(), 1.0) if demand.sum() > 0 else 1.0
        loads.append(FleetLoad(int(n), duty, float(served)))
    return tuple(loads)


@dataclass(frozen=True)
class WeekOfDemand:
    """A week's demand by hour, and the fleets for its mean and for its peak.

    `n_mean` and `n_peak` are 0, and `loads` is empty, where nothing runs.
    """

    week_tok: NDArray[np.float64]
    replica_tok_s: float
    n_mean: int
    n_peak: int
    loads: tuple[FleetLoad, ...]


def week_of_demand(
    *,
    demand_tok_month: float,
    profile: ArrayLike,
    peak: float,
    replica_tok_s: float,
    hours_month: float = HOURS_PER_MONTH,
) -> WeekOfDemand:
    """Return the demand of a typical week and the replicas for its mean and for its peak.

    n_mean = ceil(mean / replica), n_peak = ceil(mean x peak / replica)

    Parameters
    ----------
    demand_tok_month : float [tok per month], >= 0
    profile : array [ratio to the mean hour], shape (168,)
    peak : float [peak over mean], >= 1
    replica_tok_s : float [tok/s, input and output, that a replica is planned for]; 0 if none runs
    hours_month : float [h per month]

    Returns
    -------
    week : WeekOfDemand

    Notes
    -----
    Spares come on top. Basis: as the speed of the replica.

    References
    ----------
    Arithmetic.

    Examples
    --------
    >>> week = week_of_demand(demand_tok_month=730 * 3600 * 10, profile=np.ones(168), peak=2.5,
    ...     replica_tok_s=10.0)
    >>> week.n_mean, week.n_peak
    (1, 3)
    """
    week_tok = hourly_demand(
        demand_tok_month=demand_tok_month, profile=profile, hours_month=hours_month
    )
    if not (replica_tok_s > 0 and demand_tok_month > 0):
        return WeekOfDemand(week_tok, 0.0, 0, 0, ())
    mean_tok_s = demand_tok_month / hours_month / SECONDS_PER_HOUR
    sizes = replicas_needed(
        demand_tok_s=mean_tok_s * np.array([1.0, peak]), capacity_tok_s=replica_tok_s
    )
    loads = fleet_loads(demand_tok=week_tok, capacity_tok_s=replica_tok_s, n_replicas=sizes)
    return WeekOfDemand(week_tok, replica_tok_s, int(sizes[0]), int(sizes[1]), loads)
