"""Where the bills cross, and what would turn the answer."""

from __future__ import annotations

import math

import numpy as np

from app.derivations.bills import replica_carries
from app.derivations.derivation import (
    API_PRICE,
    DEPLOYMENT,
    RENT,
    Derivation,
    cards_text,
    derived,
    precise,
    replicas_text,
)
from app.derivations.derivation import amount as a
from app.formatting import number, percent, quantity, usd
from calculators.cost.bills import bills
from calculators.cost.break_even import Crossing, crossings, flip_value
from calculators.cost.curves import energy_usd_month
from calculators.evidence.sensitivity import monte_carlo, with_value
from calculators.flips import Flip, flips
from calculators.plan import Plan
from calculators.verdict import replica_saves_usd_month, replica_usd_month, why_api

_FACTS = (RENT, API_PRICE, *DEPLOYMENT)


def crossing(plan: Plan, name: str = "Chart: where the bills cross") -> Derivation:
    """The lowest volume at which the two bills meet; or one replica against the API."""
    if not (math.isfinite(plan.self_host_usd_month) and math.isfinite(plan.api_usd_month)):
        return derived(name, "One of the two bills is not known.", "", "calibrated", crossings)
    if not plan.crossings:
        return _never(plan, name)
    first = plan.crossings[0]
    lines = [_api_at(plan, first)]
    why = "Both bills at the lowest volume at which the cheaper side changes."
    if first.kind == "equal":
        lines.insert(0, _own_at(plan, first))
    else:
        why += " One more replica lifts the fleet's bill over the API's there."
    basis = plan.performance.basis
    return derived(name, why, "\n".join(lines), basis, crossings, _FACTS)


def _own_at(plan: Plan, at: Crossing) -> str:
    money = plan.money
    there = bills(money.with_(demand_mtok_month=at.demand_mtok_month))
    people = money.upkeep_usd_month + money.build_usd_month + money.network_usd_month
    return (
        f"{replicas_text(there.n_paid_replicas)} x {cards_text(money.n_cards)} x "
        f"{a(money.card_usd_month)} USD + {a(people)} USD people, build and network + "
        f"{a(there.burst_usd_month)} USD left to the API = {usd(at.usd_month, 'month')}"
    )


def _api_at(plan: Plan, at: Crossing) -> str:
    money = plan.money
    return (
        f"{a(at.demand_mtok_month)} x 1,000,000 tokens / {a(money.request_tok)} tokens a request x "
        f"{a(money.api_usd_request)} USD = {usd(at.usd_month, 'month')}"
    )


def _never(plan: Plan, name: str) -> Derivation:
    cheaper = "self-hosting" if plan.self_host_usd_month < plan.api_usd_month else "the API"
    why = why_api(plan) if cheaper == "the API" else "Self-hosting is cheaper throughout."
    return derived(
        name,
        f"They do not cross in the volumes compared. {why}",
        f"{replica_line(plan)}\n{saves_line(plan)}",
        plan.performance.basis,
        crossings,
        _FACTS,
        known=0.0 if plan.money.capacity_req_s else math.nan,
    )


def replica_line(plan: Plan) -> str:
    """What one more replica costs."""
    money = plan.money
    return (
        f"{cards_text(money.n_cards)} x {a(money.card_usd_month)} USD = "
        f"{usd(replica_usd_month(plan))} a full replica"
    )


def saves_line(plan: Plan) -> str:
    """What one more replica saves of the API's bill."""
    money = plan.money
    return (
        f"{a(float(money.replica_mtok_month))} million tokens x 1,000,000 / "
        f"{a(money.request_tok)} tokens x {a(money.api_usd_request)} USD = "
        f"{usd(replica_saves_usd_month(plan))} of API spend"
    )


def full_replica(plan: Plan) -> tuple[Derivation, ...]:
    """A full replica's cost, what it saves, and what it carries."""
    known = replica_saves_usd_month(plan) if plan.fits and plan.api else math.nan
    return (
        derived(
            "A full replica, a month",
            "What one more replica adds to the fleet's bill, and what the tokens that it carries "
            "would cost at the API.",
            f"{replica_line(plan)}\n{saves_line(plan)}",
            plan.performance.basis,
            bills,
            _FACTS,
            known=known,
        ),
        replica_carries(plan, "It carries"),
    )


def readings(plan: Plan) -> Derivation:
    """The marginal reading: hardware and people already there."""
    scenario, n = plan.scenario, float(plan.bills.n_paid_replicas)
    kilowatts = (plan.deployment.accelerator.power_w or 0.0) / 1000
    return derived(
        "Table: two readings of self-hosting",
        "The marginal reading: cards and people are there anyway, so only electricity is new, "
        "at rated power around the clock.",
        f"{replicas_text(n)} x {cards_text(scenario.n_cards)} x {a(kilowatts)} kW x "
        f"{a(scenario.pue)} building x {a(scenario.hours_month)} hours x "
        f"{a(scenario.energy_usd_kwh)} USD = "
        f"{usd(float(energy_usd_month(plan, plan.bills.n_paid_replicas)), 'month')}",
        "bound",
        energy_usd_month,
        DEPLOYMENT[1:2],
        known=n if plan.fits else math.nan,
    )


def nearest_flip(plan: Plan) -> Derivation:
    """The input whose change turns the answer first, all else equal."""
    name, found = "Table: what would turn the answer", flips(plan)
    if not found:
        why = "No single input, changed up to a thousandfold, turns the answer."
        if not math.isfinite(plan.self_host_usd_month - plan.api_usd_month):
            why = "One of the two bills is not known, so there is no answer in money to turn."
        return derived(name, why, "", "calibrated", flip_value)
    first = found[0]
    return derived(
        name,
        f"{first.label}: the value at which both bills are equal, all else as it is, found by "
        "halving; put into the link, it turns the answer.",
        "\n".join(
            [
                *_bills_there(plan, first),
                f"{a(first.now)} x {a(first.factor)} = {quantity(first.value, first.unit)}",
            ]
        ),
        plan.performance.basis,
        flip_value,
        _FACTS,
        known=first.factor,
    )


def _bills_there(plan: Plan, flip: Flip) -> list[str]:
    """Both bills at the value that turns the answer; a demand that the duty sets has no line."""
    [spread] = [spread for spread in plan.spreads if spread.key == flip.key]
    if flip.key == "tokens" and plan.scenario.duty_frac is not None:
        return []
    there = bills(with_value(plan.money, spread, np.array([flip.value])))
    own, api = (
        float(np.ravel(side)[0]) for side in (there.self_host_usd_month, there.api_usd_month)
    )
    return [
        f"both bills there: {precise(own)} USD self-hosting - {precise(api)} USD API = "
        f"{round(own - api) + 0:,} USD a month"
    ]


def chance(plan: Plan) -> Derivation:
    """How often the other side is the cheaper one, of many drawn plans."""
    name, drawn = "Chance that the cheaper side is the other one", plan.chance
    if drawn is None:
        return derived(name, "One of the two bills is not known.", "", "assumption", monte_carlo)
    cheaper_now = plan.self_host_usd_month < plan.api_usd_month
    wins = drawn.self_host_wins_frac
    turns = round((1 - wins if cheaper_now else wins) * drawn.n_draws)
    return derived(
        name,
        "Every uncertain input is drawn from its range, and both bills are worked out anew; "
        "counted are the draws in which the other side is cheaper. "
        f"The ranges move {number(len(plan.spreads))} inputs; they are on the Sensitivity page.",
        f"{turns:,} / {drawn.n_draws:,} draws = {percent(turns / drawn.n_draws)}",
        "assumption",
        monte_carlo,
        _FACTS,
    )
