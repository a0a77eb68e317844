"""Electricity and emissions of a plan's cards."""

from __future__ import annotations

import math

from calculators.cost.ownership import energy_kwh_month
from calculators.plan import Plan

_KG_PER_G = 1e-3


def running_card_usd_month(plan: Plan) -> float:
    """Energy and floor space of one bought card [USD a month], at rated power.

    Parameters
    ----------
    plan : Plan (`kwh`, `pue`, `colo`, `hours`, the card's power)

    Returns
    -------
    float [USD a month]
    """
    scenario = plan.scenario
    watts = plan.deployment.accelerator.power_w or 0.0
    return (
        energy_card_kwh(plan) * scenario.energy_usd_kwh + watts / 1e3 * scenario.colocation_usd_kw
    )


def energy_card_kwh(plan: Plan) -> float:
    """Energy of one card in a month, the facility's share included.

    Parameters
    ----------
    plan : Plan (`pue`, `hours`, the card's power)

    Returns
    -------
    float [kWh]
    """
    scenario = plan.scenario
    return float(
        energy_kwh_month(
            power_w=plan.deployment.accelerator.power_w or 0.0,
            pue=scenario.pue,
            hours_month=scenario.hours_month,
        )
    )


def co2_kg_month(plan: Plan) -> float:
    """Emissions of the fleet's electricity [kg CO2e a month]; nan without a grid intensity.

    cards x kW x PUE x hours x g/kWh / 1000 (location-based, operation only)

    Parameters
    ----------
    plan : Plan (`grid`)

    Returns
    -------
    float [kg CO2e a month]

    Notes
    -----
    Rated power around the clock: from above. The making of the hardware is left out.

    References
    ----------
    GHG Protocol, Scope 2 Guidance, location-based method (2015), read 2026-11-30.
    """
    if plan.scenario.grid_g_kwh is None:
        return math.nan
    cards = float(plan.bills.n_paid_replicas) * plan.scenario.n_cards
    return cards * energy_card_kwh(plan) * plan.scenario.grid_g_kwh * _KG_PER_G
