"""A plan in the words of the Home page; no Streamlit."""

from __future__ import annotations

from collections.abc import Sequence

from app.cost_rows import api_name
from app.formatting import band, count, number, quantity, usd
from app.formatting import chance as chance_words
from app.releases import other_release
from calculators.cost.unit_curves import unit_curves
from calculators.evidence.sensitivity import Spread
from calculators.flips import Flip
from calculators.performance import context_reserved
from calculators.plan import Plan
from calculators.provenance import oldest_days, sources
from calculators.verdict import verdict


def home_metrics(plan: Plan) -> list[tuple[str, str, str, str]]:
    """The four figures under the verdict: label, value, note, basis."""
    performance = plan.performance
    fleet = f"{count(plan.n_cards)} x {plan.deployment.accelerator.name}"
    own = _own_words(plan, fleet) if plan.n_cards else "does not fit"
    basis = performance.basis
    speed = performance.tok_s_each if performance.batch else None
    each = f"{quantity(speed, 'tok/s')} {band(performance.band_frac)}".strip()
    per_user = (
        f"at {count(performance.batch)} at once; a token is about 3/4 of a word, the first comes "
        f"after {quantity(performance.ttft_s, 's')}"
        if performance.batch
        else performance.limit_text
    )
    api = api_words(plan)
    held = f"yes, {count(performance.max_batch)} at once" if plan.fits else "no"
    return [
        ("Self-hosting, a month", usd(plan.self_host_usd_month), own, basis),
        ("API, a month", usd(plan.api_usd_month), api, "price list"),
        ("Fits?", held, _room_words(plan), basis),
        ("Speed for each user", each, per_user, basis),
    ]


def _own_words(plan: Plan, fleet: str) -> str:
    """What the bill of self-hosting is made of."""
    money = plan.money
    people = money.upkeep_usd_month + money.build_usd_month + money.network_usd_month
    cards = usd(float(plan.bills.hardware_usd_month))
    return (
        f"{cards} for {fleet} ({plan.card_cost.how}), {usd(float(people))} for people and the rest"
    )


def _room_words(plan: Plan) -> str:
    """The limit, and the room that each conversation is given."""
    if not plan.fits:
        return plan.performance.limit_text
    room = count(context_reserved(plan.scenario))
    return f"each with room for {room} tokens. {plan.performance.limit_text}"


def api_words(plan: Plan) -> str:
    """Which API is compared, and how it was chosen."""
    if plan.api is None:
        return "no price known"
    name = api_name(plan.api) + (", own price" if plan.api.origin == "override" else "")
    version = other_release(plan.deployment.model.name, plan.api)
    if "." in version and plan.api.id in plan.deployment.model.api_ids:
        name += f" (the same shape in version {version}: compare quality)"
    if plan.scenario.api is not None:
        return name
    served = sum(id_ in plan.catalog.api_prices for id_ in plan.deployment.model.api_ids)
    return f"{name}, the middle of {served} price lists" if served else name


def chance_line(plan: Plan) -> str:
    """How likely the cheaper side is to change, from the Monte Carlo run."""
    chance = plan.chance
    if chance is None:
        return ""
    wins = chance.self_host_wins_frac
    cheaper_now = plan.self_host_usd_month < plan.api_usd_month
    turns = 1 - wins if cheaper_now else wins
    return f"Chance that the cheaper side is the other one: {chance_words(turns)}."


def rests_on(plan: Plan) -> str:
    """How many facts a plan rests on, and the age of the oldest."""
    lines = sources(plan)
    stale = sum(line.stale for line in lines)
    old = f", {stale} of them stale prices" if stale else ""
    n_own = sum(line.origin == "override" for line in lines)
    own = f", {n_own} of them your own" if n_own else ""
    age = f"the oldest {oldest_days(lines)} days old"
    return f"The figures rest on {len(lines)} facts{own}, {age}{old}."


def flips_caption(plan: Plan) -> str:
    """What the inputs that flip would turn: the answer, or the bills alone."""
    if verdict(plan).overridden_by:
        return "What would make the other side the cheaper one; the answer above is not about money"
    return "What would turn the answer, all else equal"


def flip_rows(
    found: Sequence[Flip], spreads: Sequence[Spread] = (), most: int = 3
) -> list[dict[str, str]]:
    """The nearest inputs that turn the answer, as rows; then those of which no value does."""
    turning = {flip.key for flip in found}
    idle = [spread for spread in spreads if spread.key and spread.key not in turning]
    rows = [
        {
            "Input": flip.label,
            "Now": quantity(flip.now, flip.unit),
            "Turns at": quantity(flip.value, flip.unit),
            "Change": f"{number(flip.factor)}x",
        }
        for flip in found[:most]
    ]
    return rows + [
        {
            "Input": spread.label,
            "Now": quantity(spread.now, spread.unit),
            "Turns at": "no value",
            "Change": "",
        }
        for spread in idle[: most - len(rows)]
    ]


def layers_of_truth(plan: Plan) -> list[dict[str, str]]:
    """Unit cost at the scenario's and the reference batch, from the ceiling to a served request."""
    batches = sorted({b for b in (plan.bound.max_batch, plan.calibrated.batch) if b > 0})
    if not batches:
        return []
    curves = unit_curves(plan, batches)
    held = plan.calibrated.max_batch
    names = (
        (
            "Weights only: the reference arithmetic, a ceiling",
            curves.weights_only_s,
            curves.weights_only_usd,
        ),
        ("and the cache read at full context", curves.with_cache_s, curves.with_cache_usd),
        ("and real bits, reached rates and overheads", curves.calibrated_s, curves.calibrated_usd),
        ("and prefill, at the scenario's lengths", curves.served_s, curves.served_usd),
    )
    rows = []
    for i, batch in enumerate(batches):
        fits = "" if batch <= held else f" (the engine's memory holds {held})"
        for words, step, cost in names:
            rows.append(
                {
                    "Batch": f"{batch}{fits}",
                    "What is counted": words,
                    "Step [ms]": number(float(step[i]) * 1e3),
                    "USD per million output": number(float(cost[i])),
                }
            )
    return rows


def spread_rows(spreads: Sequence[Spread]) -> list[dict[str, str]]:
    """Uncertain inputs with their ranges, as rows."""
    return [
        {
            "Input": spread.label,
            "Low": number(spread.low),
            "Now": number(spread.now),
            "High": number(spread.high),
            "Unit": spread.unit,
            "Where the range comes from": spread.why,
        }
        for spread in spreads
    ]
