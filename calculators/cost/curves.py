"""Both bills over volume, as the points that a picture needs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calculators.cost.bills import bills
from calculators.cost.break_even import step_volumes
from calculators.plan import Plan

Array = NDArray[np.float64]
_MAX_DRAWN_STEPS = 150


@dataclass(frozen=True, slots=True)
class BillCurves:
    """Both bills at ascending volumes; jumps stand as two points at one volume."""

    demand_mtok_month: Array
    self_host_usd_month: Array  # nan where the fleet cannot carry the volume
    api_usd_month: Array
    marginal_usd_month: Array  # hardware and people already paid for: energy alone
    n_replicas: Array


def bill_curves(
    plan: Plan, *, low_mtok: float, high_mtok: float, n_points: int = 160
) -> BillCurves:
    """Both bills between two volumes, evenly spaced in ratio, with both sides of each jump.

    Parameters
    ----------
    plan : Plan
    low_mtok, high_mtok : float [million tokens a month], 0 < low < high
    n_points : int, points beside the jumps

    Returns
    -------
    BillCurves
    """
    jumps = step_volumes(plan.money, up_to_mtok_month=high_mtok)
    jumps = jumps[(jumps > low_mtok) & (jumps < high_mtok)]
    if jumps.size > _MAX_DRAWN_STEPS:
        jumps = jumps[:_MAX_DRAWN_STEPS]
    volume = np.sort(
        np.concatenate([np.geomspace(low_mtok, high_mtok, n_points), jumps, jumps * (1 + 1e-9)])
    )
    both = bills(plan.money.with_(demand_mtok_month=volume))
    return BillCurves(
        demand_mtok_month=volume,
        self_host_usd_month=np.where(both.carried, both.self_host_usd_month, np.nan),
        api_usd_month=np.asarray(both.api_usd_month),
        marginal_usd_month=energy_usd_month(plan, np.asarray(both.n_paid_replicas)),
        n_replicas=np.asarray(both.n_replicas),
    )


def energy_usd_month(plan: Plan, n_replicas: Array) -> Array:
    """What running replicas costs where cards and people are there anyway: energy alone.

    replicas x cards x kW x PUE x hours x energy price

    Parameters
    ----------
    plan : Plan (`kwh`, `pue`, `hours`, the card's power)
    n_replicas : array [replicas]

    Returns
    -------
    array [USD a month]

    Notes
    -----
    Rated power around the clock. Basis: bound, from above.
    """
    scenario, card = plan.scenario, plan.deployment.accelerator
    kilowatts = (card.power_w or 0.0) / 1000 * scenario.pue
    one = scenario.n_cards * kilowatts * scenario.hours_month * scenario.energy_usd_kwh
    return np.asarray(n_replicas, float) * one


def drawn_range_mtok(plan: Plan) -> tuple[float, float]:
    """The volumes that a picture shows: around the demand, the first crossing, one replica.

    Parameters
    ----------
    plan : Plan

    Returns
    -------
    low, high [million tokens a month]
    """
    marks = [plan.demand_mtok_month, *(c.demand_mtok_month for c in plan.crossings[:3])]
    marks = [mark for mark in marks if mark > 0] or [1.0]
    return min(marks) / 10, max(marks) * 10
