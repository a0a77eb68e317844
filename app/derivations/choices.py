"""The ranked configurations, and scenarios side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from app.derivations.bills import api, self_hosting
from app.derivations.derivation import DEPLOYMENT, RENT, Derivation, cards_text, derived
from app.derivations.derivation import amount as a
from app.formatting import count, quantity, usd
from calculators.cost.card_cost import card_cost
from calculators.options import Options, options
from calculators.plan import Plan

_FACTS = (RENT, *DEPLOYMENT)


def cheapest(plan: Plan, found: Options) -> tuple[Derivation, ...]:
    """The bill and the speed of the first row."""
    if found.table.empty:
        name = "Cheapest, a month"
        return (derived(name, "Nothing fits and is fast enough.", "", "calibrated", options),)
    best, money = found.table.iloc[0], plan.money
    free = replace(plan.scenario, rate_usd_h=None, price_usd=None)
    card = plan.catalog.accelerators[best.card]
    month = card_cost(free, plan.catalog, card).usd_month or 0.0
    people = money.upkeep_usd_month + money.build_usd_month + money.network_usd_month
    burst = (1 - float(money.split_frac)) * float(best.api_usd_month)
    bill = derived(
        "Cheapest, a month",
        f"{count(best.n_cards)} x {card.name} with {best.weight_name}: each card at its own "
        "rent, and the same people, build and network for every row."
        + (" Replicas that sleep are not paid." if plan.scenario.autoscale != "off" else ""),
        f"{cards_text(best.n_cards)} x {a(month)} USD a card + {a(people)} USD people, build and "
        f"network + {a(burst)} USD left to the API = {usd(float(best.usd_month))}",
        "calibrated",
        options,
        _FACTS,
        known=float("nan") if plan.scenario.autoscale != "off" else 0.0,
    )
    speed = derived(
        "Chart and table: speed of the cheapest",
        f"At batch {count(best.batch)}, the largest that memory and the objectives allow.",
        f"1,000 ms / {a(best.tpot_ms)} ms a token = {quantity(float(best.tok_s_each), 'tok/s')}",
        "calibrated",
        options,
        DEPLOYMENT,
    )
    return bill, speed


def considered(found: Options) -> Derivation:
    """How many configurations were tried, and what became of them."""
    return derived(
        "Considered, and those that meet the objectives",
        f"{found.n_considered:,} were tried: every card of the catalog with a known rent, "
        "by number of cards, weight format and cache format; left out is "
        "what holds not one conversation, then what is too slow.",
        f"{found.n_considered:,} - {found.n_considered - found.n_fit:,} that do not fit - "
        f"{found.n_fit - found.n_meet:,} too slow or without a price = {found.n_meet:,}",
        "calibrated",
        options,
        _FACTS,
    )


def compared(plans: Sequence[Plan]) -> tuple[Derivation, ...]:
    """Both bills of each scenario."""
    names = ["Now", *(f"Kept {i}" for i in range(1, len(plans)))]
    return tuple(
        one
        for name, plan in zip(names, plans, strict=True)
        for one in (
            self_hosting(plan, f"{name}: self-hosting, a month"),
            api(plan, f"{name}: API, a month"),
        )
    )
