"""Tables of the cost pages: results to rows of text; no Streamlit."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.formatting import UNKNOWN, count, money, number, quantity, usd
from app.releases import sameness
from calculators.cost.api_offers import ApiOffer
from calculators.cost.curves import energy_usd_month
from calculators.cost.ownership import Way
from calculators.plan import Plan
from calculators.specs import ApiPrice, ApiRates
from calculators.verdict import verdict, why_api


def never_or_where(plan: Plan) -> str:
    """Where self-hosting begins to pay, or why it never does."""
    volume = plan.break_even_mtok_month
    if not np.isfinite(plan.self_host_usd_month) or not np.isfinite(plan.api_usd_month):
        return verdict(plan).text
    if volume is None:
        return (
            why_api(plan)
            if plan.self_host_usd_month >= plan.api_usd_month
            else ("Self-hosting is cheaper at every volume that this fleet carries.")
        )
    return f"Self-hosting pays from {quantity(volume, 'million tokens a month')}."


def reading_rows(plan: Plan) -> list[dict[str, str]]:
    """Full cost and marginal cost beside the API, as rows."""
    energy = float(energy_usd_month(plan, np.asarray(plan.bills.n_paid_replicas)))
    readings = (
        ("Full cost", "cards, upkeep, build and network", plan.self_host_usd_month),
        (
            "Hardware alone",
            "cards at their rate, people not counted",
            plan.bills.hardware_usd_month,
        ),
        ("Marginal", "cards and people already there: energy at rated power", energy),
    )
    return [
        {
            "Reading": name,
            "What it counts": what,
            "Self-hosting [USD a month]": money(float(own) if plan.fits else None),
            "API [USD a month]": money(plan.api_usd_month),
            "Cheaper": "self-hosting" if own < plan.api_usd_month else "API",
        }
        for name, what, own in readings
    ]


def crossing_rows(plan: Plan, most: int = 12) -> list[dict[str, str]]:
    """The crossings of both bills, as rows."""
    kinds = {"equal": "the bills are equal", "jump": "one more replica lifts the fleet's bill"}
    return [
        {
            "Volume [million tokens a month]": number(c.demand_mtok_month),
            "API bill there [USD a month]": money(c.usd_month),
            "What happens": kinds[c.kind],
            "Cheaper above": "self-hosting" if c.cheaper_above == "self-host" else "API",
        }
        for c in plan.crossings[:most]
    ]


def api_name(price: ApiPrice) -> str:
    """Model and provider of a price list as people call them."""
    return f"{price.name} from {price.provider_name}"


def lists_line(plan: Plan, ids: Sequence[str]) -> str:
    """How many of the price lists of the hosted model are shown, in words."""
    known = [id_ for id_ in plan.deployment.model.api_ids if id_ in plan.catalog.api_prices]
    shown = sum(id_ in ids for id_ in known)
    if not known:
        return "no price list of the hosted model is known"
    if len(known) == 1:
        return f"the only price list of the hosted model is {'' if shown else 'not '}shown"
    every = "all" if shown == len(known) else f"{shown} of"
    return f"{every} {len(known)} price lists of the hosted model are shown"


def offer_rows(offers: Sequence[ApiOffer], hosted: str) -> list[dict[str, str]]:
    """API price lists with the bill that they make, as rows; `hosted` is the model's name."""
    return [
        {
            "API model": api_name(offer.price),
            "Bill [USD a month]": money(offer.usd_month),
            "This mix [USD per million]": number(offer.usd_mtok),
            "Input": _first(offer.price.rates, "input"),
            "Cached input": _first(offer.price.rates, "cache_read"),
            "Output": _first(offer.price.rates, "output"),
            "Batch input": _first(offer.price.batch, "input"),
            "Same model": sameness(hosted, offer.price)
            if offer.same_model
            else "no: compare quality first",
            "List released": offer.price.listed.isoformat(),
        }
        for offer in offers
    ]


def _first(rates: ApiRates | None, name: str) -> str:
    tiers = getattr(rates, name) if rates else ()
    if not tiers:
        return ""
    more = f" (from {tiers[1].above_tok:,} tokens {number(tiers[1].usd_mtok)})" if tiers[1:] else ""
    return f"{number(tiers[0].usd_mtok)}{more}"


def way_rows(found: Sequence[Way]) -> list[dict[str, str]]:
    """Ways to pay, cheapest present value first, as rows."""
    return [
        {
            "Way": way.name,
            "Present value [USD]": count(way.npv_usd),
            "Sum of payments [USD]": count(way.total_usd),
            "First month [USD]": count(float(way.flows_usd[0])),
            "How": way.note,
        }
        for way in sorted(found, key=lambda way: way.npv_usd)
    ]


def way_finding(found: Sequence[Way]) -> str:
    """The cheapest way by present value, in words."""
    if not found:
        return "There is nothing to pay for: the model does not fit these cards"
    first, *rest = sorted(found, key=lambda way: way.npv_usd)
    text = f"{first.name} is cheapest: {usd(first.npv_usd)} in present value"
    return f"{text}, then {rest[0].name} with {usd(rest[0].npv_usd)}" if rest else text


def term_note(found: Sequence[Way]) -> list[str]:
    """Why a longer reservation can seem dearer than a shorter one, where it does."""
    by_name = {way.name: way for way in found}
    one, three = by_name.get("Reserved one year"), by_name.get("Reserved three years")
    if one is None or three is None or three.npv_usd <= one.npv_usd:
        return []
    return [
        "Three years reserved come out dearer than one year here because the two rates rest on "
        f"different offers: one year on {one.note}; three years on {three.note}. From one "
        "provider the longer term is usually cheaper: ask for both before you sign."
    ]


def payback_text(plan: Plan, month: int | None) -> str:
    """When a purchase has paid back, in words."""
    if not plan.fits:
        return UNKNOWN
    return f"in month {month}" if month else f"not within {plan.scenario.horizon_months} months"


def service_rows(plan: Plan) -> list[dict[str, str]]:
    """What each side gives a user: first token, speed, and who says so."""
    performance, scenario = plan.performance, plan.scenario
    ours = performance if performance.batch else None
    return [
        {
            "Service": "Self-hosting",
            "First token [s]": number(ours.ttft_s if ours else None),
            "Speed [tok/s]": number(ours.tok_s_each if ours else None),
            "Says who": f"{performance.basis}, at {count(performance.batch)} at once"
            if ours
            else "the model does not fit",
        },
        {
            "Service": "API",
            "First token [s]": number((scenario.api_ttft_ms or float("nan")) / 1e3),
            "Speed [tok/s]": number(scenario.api_tok_s),
            "Says who": "your own figures, under More" if scenario.api_ttft_ms else "not given",
        },
    ]
