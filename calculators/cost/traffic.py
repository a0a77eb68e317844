"""What a weekly profile means for a fleet: peak, hourly demand, replicas and duty cycle."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from calculators.cost.traffic_profiles import PROFILE_NAMES, ProfileError, weekly_profile
from calculators.units import HOURS_PER_MONTH, SECONDS_PER_HOUR

__all__ = [
    "PROFILE_NAMES",
    "ProfileError",
    "duty_cycle",
    "hourly_demand",
    "peak_to_mean",
    "replicas_needed",
    "weekly_profile",
]


def peak_to_mean(profile: ArrayLike) -> float | NDArray[np.float64]:
    """Return how far the busiest hour of a week lies above the mean hour.

    peak_to_mean = max(w) / mean(w)

    Parameters
    ----------
    profile : array [any unit], shape (..., 168), broadcasts over the leading axes

    Returns
    -------
    ratio : float or array [ratio, >= 1], shape (...)

    Notes
    -----
    The peak is a whole hour; bursts of minutes are higher, so this errs low. Basis: as the profile.

    References
    ----------
    Load factor of electrical supply, inverted.

    Examples
    --------
    >>> peak_to_mean([0.0] * 84 + [2.0] * 84)
    2.0
    """
    week = np.asarray(profile, dtype=float)
    ratio = week.max(axis=-1) / week.mean(axis=-1)
    return float(ratio) if np.ndim(ratio) == 0 else ratio


def hourly_demand(
    *, demand_tok_month: ArrayLike, profile: ArrayLike, hours_month: float = HOURS_PER_MONTH
) -> NDArray[np.float64]:
    """Return the tokens that each hour of a typical week asks for.

    tok[h] = demand / hours_month x w[h]

    Parameters
    ----------
    demand_tok_month : float or array [tok per month], >= 0, broadcasts
    profile : array [ratio to the mean hour], shape (168,)
    hours_month : float [h per month], > 0

    Returns
    -------
    demand_tok : array [tok per hour], shape (..., 168)

    Notes
    -----
    Every week of the month is alike; seasons, holidays and growth are left out. Basis: bound.

    References
    ----------
    Arithmetic; 730 hours a month is 8,760 / 12.

    Examples
    --------
    >>> float(hourly_demand(demand_tok_month=730e6, profile=weekly_profile("flat"))[0])
    1000000.0
    """
    mean_tok = np.asarray(demand_tok_month, dtype=float)[..., None] / hours_month
    return mean_tok * np.asarray(profile, dtype=float)


def replicas_needed(*, demand_tok_s: ArrayLike, capacity_tok_s: ArrayLike) -> NDArray[np.int64]:
    """Return the whole replicas that carry a token rate.

    n = ceil(demand / capacity), and none where there is no demand

    Parameters
    ----------
    demand_tok_s : float or array [tok/s], >= 0, broadcasts
    capacity_tok_s : float or array [tok/s per replica], > 0, broadcasts

    Returns
    -------
    n_replicas : array of int [replicas]

    Raises
    ------
    ValueError
        If a capacity is not above 0.

    Notes
    -----
    No headroom for queueing and none for failures: both come on top, so this errs low.
    A demand within one part in 10^9 of a whole number is not rounded up. Basis: bound.

    References
    ----------
    Arithmetic.

    Examples
    --------
    >>> replicas_needed(demand_tok_s=[0, 100, 101], capacity_tok_s=100).tolist()
    [0, 1, 2]
    """
    capacity = np.asarray(capacity_tok_s, dtype=float)
    if not np.all(capacity > 0):
        raise ValueError("capacity_tok_s: must be above 0 tokens a second per replica.")
    return np.ceil(np.asarray(demand_tok_s, dtype=float) / capacity * (1 - 1e-9)).astype(np.int64)


def duty_cycle(
    *, demand_tok: ArrayLike, capacity_tok_s: ArrayLike, n_replicas: ArrayLike = 1
) -> NDArray[np.float64]:
    """Return the share of its time that a fleet of fixed size would be at work.

    duty = mean over hours of min(demand, n x capacity x 3600) / (n x capacity x 3600)

    Parameters
    ----------
    demand_tok : array [tok per hour], shape (..., hours), >= 0
    capacity_tok_s : float or array [tok/s per replica], > 0, broadcasts over the leading axes
    n_replicas : int or array [replicas], >= 1, broadcasts over the leading axes

    Returns
    -------
    duty_frac : array [0 to 1], shape (...)

    Notes
    -----
    What an hour cannot carry is lost, not queued for the next: with too few replicas the duty
    errs low. Basis: bound.

    References
    ----------
    Arithmetic.

    Examples
    --------
    >>> float(duty_cycle(demand_tok=[3600.0, 0.0], capacity_tok_s=1.0))
    0.5
    """
    fleet_tok = np.asarray(capacity_tok_s, dtype=float) * n_replicas * SECONDS_PER_HOUR
    share = np.asarray(demand_tok, dtype=float) / fleet_tok[..., None]
    return np.minimum(share, 1.0).mean(axis=-1)
