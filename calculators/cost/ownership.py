"""What a card costs a month when it is rented, reserved or bought; cash flows and present value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]
_MONTHS_PER_YEAR = 12
_W_PER_KW = 1000.0


def energy_kwh_month(*, power_w: ArrayLike, pue: ArrayLike, hours_month: ArrayLike) -> Array:
    """Energy that a card takes in a month at its rated power, the building's share included.

    power x PUE x hours / 1000

    Parameters
    ----------
    power_w : float or array [W], >= 0
    pue : float or array, >= 1, total power of the facility over that of the machines
    hours_month : float or array [h]

    Returns
    -------
    array [kWh], broadcast

    Notes
    -----
    Rated power around the clock: an upper bound, since idle cards take less. Basis: bound.

    Examples
    --------
    >>> float(energy_kwh_month(power_w=700, pue=1.5, hours_month=730))
    766.5
    """
    return np.asarray(power_w, float) * np.asarray(pue) * np.asarray(hours_month) / _W_PER_KW


def owned_card_usd_month(
    *,
    price_usd: ArrayLike,
    residual_frac: ArrayLike,
    horizon_months: ArrayLike,
    energy_kwh: ArrayLike,
    energy_usd_kwh: ArrayLike,
    power_w: ArrayLike = 0.0,
    colocation_usd_kw: ArrayLike = 0.0,
) -> Array:
    """Monthly cost of a bought card: straight-line depreciation, energy and floor space.

    price x (1 - residual) / months + kWh x energy price + kW x colocation

    Parameters
    ----------
    price_usd : float or array [USD], card with its share of the server
    residual_frac : float or array, 0 to 1, value at the end over the price
    horizon_months : float or array [months], > 0
    energy_kwh : float or array [kWh a month]
    energy_usd_kwh : float or array [USD/kWh]
    power_w : float or array [W], for the colocation contract
    colocation_usd_kw : float or array [USD a month per kW]

    Returns
    -------
    array [USD a month], broadcast

    Notes
    -----
    Depreciation stands for the purchase; the purchase itself is never added to it. Interest is
    left out here (see `net_present_value_usd`), so this errs low where capital is dear.

    Examples
    --------
    >>> float(owned_card_usd_month(price_usd=36000, residual_frac=0, horizon_months=36,
    ...     energy_kwh=500, energy_usd_kwh=0.1, power_w=700, colocation_usd_kw=200))
    1190.0
    """
    lost_frac = 1 - np.asarray(residual_frac, float)
    depreciation = np.asarray(price_usd, float) * lost_frac / np.asarray(horizon_months, float)
    floor = np.asarray(power_w, float) / _W_PER_KW * np.asarray(colocation_usd_kw, float)
    energy = np.asarray(energy_kwh, float) * np.asarray(energy_usd_kwh, float)
    return depreciation + energy + floor


def monthly_rate_frac(discount_frac_year: ArrayLike) -> Array:
    """The monthly rate that compounds to a yearly one: (1 + r)^(1/12) - 1.

    Parameters
    ----------
    discount_frac_year : float or array, > -1

    Returns
    -------
    array, per month

    Examples
    --------
    >>> round(float((1 + monthly_rate_frac(0.21)) ** 12), 9)
    1.21
    """
    return (1 + np.asarray(discount_frac_year, float)) ** (1 / _MONTHS_PER_YEAR) - 1


def net_present_value_usd(flows_usd: ArrayLike, *, discount_frac_year: float) -> float:
    """Present value of monthly payments, the first paid today.

    sum of flow_t / (1 + monthly rate)^t, t = 0, 1, 2, ...

    Parameters
    ----------
    flows_usd : array [USD], month 0 first; payments are positive
    discount_frac_year : float, > -1, yearly rate

    Returns
    -------
    float [USD]; at rate 0 the plain sum

    References
    ----------
    numpy-financial, `npv`, https://numpy.org/numpy-financial/, read 2026-11-30.

    Examples
    --------
    >>> round(net_present_value_usd([100] + [0] * 11 + [121], discount_frac_year=0.1), 6)
    210.0
    """
    flows = np.asarray(flows_usd, float)
    growth = 1 + monthly_rate_frac(discount_frac_year)
    return float(np.sum(flows / growth ** np.arange(flows.size)))


def falling(value: ArrayLike, *, fall_frac_year: float, n_months: int) -> Array:
    """A price month by month that falls by a share a year: value x (1 - fall)^(t / 12).

    Parameters
    ----------
    value : float [any unit]
    fall_frac_year : float, < 1; negative is a rise
    n_months : int

    Returns
    -------
    array (n_months,) in the unit of `value`

    Examples
    --------
    >>> falling(100, fall_frac_year=0.5, n_months=13)[[0, 12]]
    array([100.,  50.])
    """
    years = np.arange(n_months) / _MONTHS_PER_YEAR
    return np.asarray(value, float) * (1 - fall_frac_year) ** years


@dataclass(frozen=True, slots=True)
class Way:
    """One way to pay for the same fleet: its payments by month and their present value."""

    name: str
    flows_usd: Array
    npv_usd: float
    total_usd: float
    note: str


def owned_flows_usd(
    *,
    n_cards: Any,
    price_usd: float,
    residual_frac: float,
    running_usd_month: ArrayLike,
    n_months: int,
) -> Array:
    """Payments of a purchase: the price in month 0, running cost each month, the residual back.

    Parameters
    ----------
    n_cards : cards bought in month 0
    price_usd : float [USD per card], with its share of the server
    residual_frac : float, 0 to 1
    running_usd_month : float or array (n_months,) [USD], energy, floor, people
    n_months : int, >= 1

    Returns
    -------
    array (n_months + 1,) [USD]; the last entry is the residual, negative

    Notes
    -----
    Cash only: no depreciation beside the purchase.

    Examples
    --------
    >>> owned_flows_usd(
    ...     n_cards=1, price_usd=100, residual_frac=0.3, running_usd_month=5, n_months=2)
    array([105.,   5., -30.])
    """
    flows = np.zeros(n_months + 1)
    flows[:n_months] += np.asarray(running_usd_month, float)
    flows[0] += n_cards * price_usd
    flows[-1] -= n_cards * price_usd * residual_frac
    return flows


def payback_month(self_host_usd: ArrayLike, api_usd: ArrayLike) -> int | None:
    """First month by whose end self-hosting has cost no more than the API, or None.

    Parameters
    ----------
    self_host_usd, api_usd : arrays [USD], payments by month from month 0

    Returns
    -------
    int, months counted from 1; None where it never happens within the arrays

    Examples
    --------
    >>> payback_month([100, 0, 0, 0], [30, 30, 30, 30])
    4
    >>> payback_month([100, 30], [30, 30]) is None
    True
    """
    behind = np.cumsum(np.asarray(self_host_usd, float)) - np.cumsum(np.asarray(api_usd, float))
    done = np.flatnonzero(behind <= 0)
    return int(done[0]) + 1 if done.size else None


def leaving_early_usd(*, rate_usd_month: float, months_left: float) -> float:
    """What leaving a reservation costs: the months still owed, used or not.

    Parameters
    ----------
    rate_usd_month : float [USD a month], of the whole reservation
    months_left : float [months], >= 0

    Returns
    -------
    float [USD]

    Examples
    --------
    >>> leaving_early_usd(rate_usd_month=1000, months_left=5)
    5000.0
    """
    return float(rate_usd_month * max(0.0, months_left))
