"""The same service paid for in different ways: payments by month over the horizon."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calculators.cost.bills import bills
from calculators.cost.card_cost import CardCost, card_cost
from calculators.cost.energy import running_card_usd_month
from calculators.cost.ownership import (
    Way,
    falling,
    net_present_value_usd,
    payback_month,
)
from calculators.plan import Plan
from calculators.scenario import PAID_BY_THE_HOUR, autoscale_minutes

Array = NDArray[np.float64]
API_WAY = "API"


@dataclass(frozen=True, slots=True)
class Service:
    """The demand month by month, and the fleet that carries it."""

    demand_mtok: Array
    n_cards: Array  # paid for, on average over the month
    n_cards_held: Array  # that must be there at the month's peak
    api_usd: Array  # the whole demand at the API, its prices falling
    burst_usd: Array


def service(plan: Plan, *, lost_frac: float = 0.0) -> Service:
    """Demand, cards and API bill month by month over the horizon.

    demand x (1 + growth)^(t / 12); whole replicas follow it

    Parameters
    ----------
    plan : Plan (`growth`, `horizon`, `apifall`, `autoscale`)
    lost_frac : share of time that cards are away, 0 to 1

    Returns
    -------
    Service of arrays (months,)
    """
    scenario, n = plan.scenario, plan.scenario.horizon_months
    demand = falling(plan.demand_mtok_month, fall_frac_year=-scenario.growth_frac, n_months=n)
    idle_minutes = autoscale_minutes(scenario.autoscale)
    fleet = plan.money.with_(lost_frac=lost_frac, idle_minutes=idle_minutes)
    both = bills(fleet.with_(demand_mtok_month=demand))
    fall = falling(1.0, fall_frac_year=scenario.api_fall_frac, n_months=n)
    return Service(
        demand_mtok=demand,
        n_cards=np.asarray(both.n_paid_replicas, float) * scenario.n_cards,
        n_cards_held=np.broadcast_to(
            np.asarray(both.n_replicas, float) * scenario.n_cards, demand.shape
        ),
        api_usd=np.asarray(both.api_usd_month, float) * fall,
        burst_usd=np.asarray(both.burst_usd_month, float) * fall,
    )


def ways(plan: Plan) -> tuple[Way, ...]:
    """Every way to pay for the scenario's service whose price is known, the API among them.

    Parameters
    ----------
    plan : Plan that fits

    Returns
    -------
    tuple of Way, each over the same months and the same demand

    Notes
    -----
    Rents fall as the scenario says, a reservation's only when its term ends, and its cards are
    given back only then. A bought card is paid
    in the month in which the fleet first needs it and sold at the end for the residual share of
    its price; depreciation is never counted beside the purchase. People, build and network are
    the same in each way and not in the API's.
    """
    at = service(plan)
    found = [_rented(plan, at, name, billing, term) for name, billing, term in _CONTRACTS]
    found.append(_bought(plan, at))
    if plan.api is not None:
        found.append(_way(plan, API_WAY, at.api_usd, plan.api.name))
    return tuple(way for way in found if way is not None)


_CONTRACTS = (
    ("On demand", "on-demand", 1),
    ("Reserved one year", "reserved", 12),
    ("Reserved three years", "reserved", 36),
    ("Spot", "spot", 1),
)


def _rented(plan: Plan, at: Service, name: str, billing: str, term: int) -> Way | None:
    own = plan.scenario.billing == billing and (billing != "reserved" or _same_term(plan, term))
    scenario = replace(
        plan.scenario,
        billing=billing,
        term_months=term,
        rate_usd_h=plan.scenario.rate_usd_h if own else None,
    )
    cost = card_cost(scenario, plan.catalog, plan.deployment.accelerator)
    if cost.usd_month is None or cost.how.startswith("no rent"):
        return None
    n = plan.scenario.horizon_months
    fall = falling(1.0, fall_frac_year=plan.scenario.rent_fall_frac, n_months=n)
    signed = np.arange(n) // term * term  # month in which the contract of each month began
    if billing == "spot" and plan.scenario.duty_frac is None:
        at = service(plan, lost_frac=plan.scenario.spot_interruption_frac)
    cards = at.n_cards if billing in PAID_BY_THE_HOUR else _held(at.n_cards_held, term)
    flows = cards * cost.usd_month * fall[signed] + _people(plan) + at.burst_usd
    return _way(plan, name, flows, cost.how)


def _held(cards: Array, term: int) -> Array:
    """Cards under contract: none is given back before the term ends."""
    terms = [np.maximum.accumulate(cards[i : i + term]) for i in range(0, cards.size, term)]
    return np.concatenate(terms)


def _same_term(plan: Plan, term: int) -> bool:
    return (plan.scenario.term_months >= 36) == (term >= 36)


def _bought(plan: Plan, at: Service) -> Way | None:
    cost = owned_cost(plan)
    if cost.price_usd is None:
        return None
    n = plan.scenario.horizon_months
    held = np.maximum.accumulate(at.n_cards_held)
    bought = np.diff(held, prepend=0.0)
    flows = np.zeros(n + 1)
    flows[:n] = bought * cost.price_usd + held * running_card_usd_month(plan)
    flows[:n] += _people(plan) + at.burst_usd
    flows[n] = -held[-1] * cost.price_usd * plan.scenario.residual_frac
    return _way(plan, "Bought", flows, f"{cost.price_usd:,.0f} USD a card with its server share")


def owned_cost(plan: Plan) -> CardCost:
    """The card's cost if it were bought, whatever the scenario's way to pay."""
    scenario = replace(plan.scenario, billing="owned")
    return card_cost(scenario, plan.catalog, plan.deployment.accelerator)


def payback(plan: Plan, found: tuple[Way, ...]) -> int | None:
    """The month in which a purchase has cost no more than the API, or None.

    Parameters
    ----------
    plan : Plan
    found : the ways of `ways`

    Returns
    -------
    int, counted from 1, or None; the residual value is not needed for it
    """
    flows = {way.name: way.flows_usd for way in found}
    if "Bought" not in flows or API_WAY not in flows:
        return None
    n = plan.scenario.horizon_months
    return payback_month(flows["Bought"][:n], flows[API_WAY])


def _people(plan: Plan) -> Array:
    scenario = plan.scenario
    flows = np.full(scenario.horizon_months, scenario.upkeep_usd_month + scenario.network_usd_month)
    flows[0] += scenario.build_usd
    return flows


def _way(plan: Plan, name: str, flows: Array, note: str) -> Way:
    npv = net_present_value_usd(flows, discount_frac_year=plan.scenario.discount_frac)
    return Way(name=name, flows_usd=flows, npv_usd=npv, total_usd=float(flows.sum()), note=note)


def reserved_usd_month(plan: Plan) -> float:
    """What the fleet's cards cost a month when they are reserved for the scenario's term.

    Parameters
    ----------
    plan : Plan (`term`)

    Returns
    -------
    float [USD a month]; nan where no rent is known
    """
    own = plan.scenario.billing == "reserved"
    rate = plan.scenario.rate_usd_h if own else None
    scenario = replace(plan.scenario, billing="reserved", rate_usd_h=rate)
    cost = card_cost(scenario, plan.catalog, plan.deployment.accelerator)
    if cost.usd_month is None or cost.how.startswith("no rent"):
        return math.nan
    return plan.n_cards * cost.usd_month
