"""Whole replicas: how much one carries, how many a demand needs, how many are paid for."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from calculators.units import MEGA, SECONDS_PER_HOUR

Array = NDArray[np.float64]
_MINUTES_PER_HOUR = 60.0


def requests_per_month(*, demand_mtok_month: ArrayLike, request_tok: ArrayLike) -> Array:
    """Requests a month that a token volume makes.

    demand x 10^6 / (input + output)

    Parameters
    ----------
    demand_mtok_month : float or array [million tokens a month], >= 0
    request_tok : float or array [tokens], > 0

    Returns
    -------
    array [requests a month], broadcast

    Examples
    --------
    >>> float(requests_per_month(demand_mtok_month=35, request_tok=3500))
    10000.0
    """
    return np.asarray(demand_mtok_month, float) * MEGA / np.asarray(request_tok, float)


def replica_capacity_mtok_month(
    *,
    capacity_req_s: ArrayLike,
    request_tok: ArrayLike,
    hours_month: ArrayLike = 730.0,
    peak: ArrayLike = 1.0,
    load_frac: ArrayLike = 1.0,
    lost_frac: ArrayLike = 0.0,
) -> Array:
    """The demand that one replica carries when its peak hour just fills the allowed load.

    requests/s x tokens x seconds of the month x load x (1 - lost) / peak

    Parameters
    ----------
    capacity_req_s : float or array [requests/s] of a full replica
    request_tok : float or array [tokens], input + output
    hours_month : float or array [h]
    peak : float or array, peak hour over mean hour, >= 1
    load_frac : float or array, 0 to 1, highest planned load
    lost_frac : float or array, 0 to 1, share of time away (spot)

    Returns
    -------
    array [million tokens a month], broadcast

    Notes
    -----
    Demand inside an hour is taken as even; the queueing model of the Serving page says what
    randomness adds. Basis: that of `capacity_req_s`.

    Examples
    --------
    >>> round(float(replica_capacity_mtok_month(capacity_req_s=1, request_tok=1000, peak=4)), 6)
    657.0
    """
    per_second = np.asarray(capacity_req_s, float) * np.asarray(request_tok, float)
    share = np.asarray(load_frac, float) * (1 - np.asarray(lost_frac, float))
    return per_second * share * SECONDS_PER_HOUR * hours_month / np.asarray(peak, float) / MEGA


def replicas_needed(*, demand_mtok_month: ArrayLike, capacity_mtok_month: ArrayLike) -> Array:
    """Whole replicas that carry a demand; at least one keeps the service up.

    max(1, ceil(demand / capacity of one replica)); infinite where a replica carries nothing

    Parameters
    ----------
    demand_mtok_month, capacity_mtok_month : float or array [million tokens a month]

    Returns
    -------
    array [replicas], broadcast

    Examples
    --------
    >>> replicas_needed(demand_mtok_month=[0, 10, 10.1], capacity_mtok_month=10)
    array([1., 1., 2.])
    """
    demand = np.asarray(demand_mtok_month, float)
    capacity = np.asarray(capacity_mtok_month, float)
    with np.errstate(divide="ignore", invalid="ignore"):
        # a hair of tolerance: a demand that equals the capacity needs no further replica
        raw = np.ceil(demand / capacity * (1 - 1e-12))
    return np.where(capacity > 0, np.maximum(raw, 1.0), np.inf)


def paid_replicas(
    *,
    demand_mtok_month: ArrayLike,
    replica_mean_mtok_month: ArrayLike,
    hourly: Array,
    idle_minutes: float,
    start_minutes: float,
) -> Array:
    """Average replicas paid for when they follow the week's demand hour by hour.

    Each hour pays ceil(demand of the hour / capacity of an hour), at least one while there is
    demand; each replica that stops has idled `idle_minutes` first, each that starts is paid
    for `start_minutes` before it serves. One that is needed again sooner than that goes on.

    Parameters
    ----------
    demand_mtok_month : float or array [million tokens a month]
    replica_mean_mtok_month : float or array, what a replica carries at even demand
    hourly : array (168,), demand by hour of the week, mean 1
    idle_minutes, start_minutes : float [min]

    Returns
    -------
    array [replicas], the week's mean, broadcast over the first two

    Notes
    -----
    Starts are foreseen (scheduled) or cause a wait of `start_minutes`; the wait is not priced.

    Examples
    --------
    Two hours of a two-hour week at twice and none of the mean: one replica half the time,
    plus half an hour of idling and a quarter of an hour of starting in those two hours.

    >>> float(paid_replicas(demand_mtok_month=1, replica_mean_mtok_month=2,
    ...     hourly=np.array([2.0, 0.0]), idle_minutes=30, start_minutes=15))
    0.875
    """
    demand, capacity = np.broadcast_arrays(
        np.asarray(demand_mtok_month, float), np.asarray(replica_mean_mtok_month, float)
    )
    need = replicas_needed(
        demand_mtok_month=demand[..., None] * hourly, capacity_mtok_month=capacity[..., None]
    )
    need = np.where(demand[..., None] * hourly > 0, need, 0.0)
    whole_h, part_h = divmod((idle_minutes + start_minutes) / _MINUTES_PER_HOUR, 1.0)
    paid = _highest_of_last(need, int(whole_h)).mean(axis=-1)
    if part_h == 0:
        return paid
    return (1 - part_h) * paid + part_h * _highest_of_last(need, int(whole_h) + 1).mean(axis=-1)


def _highest_of_last(need: Array, n_hours: int) -> Array:
    """At each hour of a week that repeats, the most replicas needed then or n hours before."""
    reach, left = need, min(n_hours, need.shape[-1])
    step = 1
    while left > 0:
        shift = min(step, left)
        reach = np.maximum(reach, np.roll(reach, shift, axis=-1))
        left, step = left - shift, step + shift
    return reach
