"""Ways to pay over the horizon, electricity and emissions."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from app.derivations.derivation import API_PRICE, CARD, RENT, Derivation, cards_text, derived, share
from app.derivations.derivation import amount as a
from app.formatting import quantity, usd
from calculators.cost.energy import (
    co2_kg_month,
    energy_card_kwh,
)
from calculators.cost.ownership import (
    Way,
    energy_kwh_month,
    leaving_early_usd,
    monthly_rate_frac,
    net_present_value_usd,
    payback_month,
)
from calculators.cost.ways import (
    API_WAY,
    payback,
    reserved_usd_month,
)
from calculators.plan import Plan

_FACTS = (RENT, API_PRICE, CARD)


def pays_back(plan: Plan, found: Sequence[Way]) -> Derivation:
    """The month in which a purchase has cost no more than the API."""
    name, flows = "A purchase pays back", {way.name: way.flows_usd for way in found}
    basis = plan.performance.basis
    if "Bought" not in flows or API_WAY not in flows:
        why = "It takes a purchase price and an API price to tell."
        return derived(name, why, "", basis, payback_month)
    month = payback(plan, tuple(found))
    last = month or plan.scenario.horizon_months
    own, api = (float(np.sum(flows[key][:last])) for key in ("Bought", API_WAY))
    words = f"Everything paid up to month {last}, for the purchase and for the API"
    formula = f"{a(own)} USD bought <= {a(api)} USD at the API"
    if month is None:
        formula = f"{a(api)} USD at the API <= {a(own)} USD bought"
        words += f": the purchase is still behind and has not paid back within {last} months"
    return derived(name, f"{words}.", formula, basis, payback_month, _FACTS)


def leaving(plan: Plan) -> Derivation:
    """What leaving a reservation half way costs."""
    rate, left = reserved_usd_month(plan), plan.scenario.term_months / 2
    owed = leaving_early_usd(rate_usd_month=rate, months_left=left)
    return derived(
        "Leaving a reservation half way",
        "The months that are left are owed, used or not.",
        f"{a(rate)} USD a month x {a(left)} months = {usd(owed)}",
        "price list",
        leaving_early_usd,
        (RENT,),
        known=owed,
    )


def electricity(plan: Plan) -> Derivation:
    """Energy of the fleet at rated power."""
    scenario, watts = plan.scenario, plan.deployment.accelerator.power_w or 0.0
    total = energy_card_kwh(plan) * plan.n_cards
    return derived(
        "Electricity",
        "Every card at its rated power around the clock, and the building's share on top.",
        f"{cards_text(plan.n_cards)} x {a(watts)} W x {a(scenario.pue)} building x "
        f"{a(scenario.hours_month)} hours / 1,000 = {quantity(total, 'kWh a month')}",
        "bound",
        energy_kwh_month,
        (CARD,),
    )


def emissions(plan: Plan) -> Derivation:
    """Emissions of that electricity."""
    grams = plan.scenario.grid_g_kwh
    name, function = "Emissions", co2_kg_month
    if grams is None:
        why = "Not known without the grams of CO2 for each kWh of your grid (under More)."
        return derived(name, why, "", "bound", function)
    cards = float(plan.bills.n_paid_replicas) * plan.scenario.n_cards
    return derived(
        name,
        "The electricity of the cards that are paid for, times what your grid emits for it.",
        f"{cards_text(cards)} x {a(energy_card_kwh(plan))} kWh x {a(grams)} g / 1,000 = "
        f"{quantity(co2_kg_month(plan), 'kg a month')}",
        "bound",
        function,
        (CARD,),
        known=cards,
    )


def payments(plan: Plan, found: Sequence[Way]) -> Derivation:
    """Chart and table: the cheapest way, its payments added up and discounted."""
    name = "Chart and table: payments and present value"
    if not found:
        return derived(name, "No way to pay is known.", "", "price list", net_present_value_usd)
    way = min(found, key=lambda each: each.npv_usd)
    rate = float(monthly_rate_frac(plan.scenario.discount_frac))
    return derived(
        name,
        f"{way.name} ({way.note}). The chart adds up the payments; the table discounts each to "
        f"today at {share(rate)} a month, so that a late payment weighs less.",
        _present_value_lines(way, rate),
        "price list",
        net_present_value_usd,
        _FACTS,
        known=way.npv_usd,
    )


def _present_value_lines(way: Way, rate: float) -> str:
    """The sum of payments, and the present value by runs of equal payments."""
    flows = way.flows_usd
    starts = np.flatnonzero(np.r_[True, ~np.isclose(np.diff(flows), 0.0)])
    if len(starts) > 4:
        weight = way.npv_usd / way.total_usd if way.total_usd else math.nan
        return f"{a(way.total_usd)} USD in all x {a(weight)} mean weight = {usd(way.npv_usd)}"
    ends = np.r_[starts[1:], flows.size]
    parts, sums = [], []
    for start, end in zip(starts, ends, strict=True):
        weights = float(np.sum((1 + rate) ** -np.arange(start, end, dtype=float)))
        parts.append(f"{a(flows[start])} USD x {a(weights, 6)} discounted months")
        sums.append(f"{a(flows[start])} USD x {end - start} months")
    return f"{' + '.join(sums)} = {usd(way.total_usd)}\n{' + '.join(parts)} = {usd(way.npv_usd)}"
