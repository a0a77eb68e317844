"""The answer in one sentence, and the inputs that would turn it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from calculators.plan import Plan
from calculators.units import MEGA
from calculators.wording import number, times, usd

Choice = Literal["self-host", "api", "unknown"]

REASON_WORDS = {
    "data": "the data must stay in-house",
    "volume": "a very high, steady volume is planned",
    "model": "no provider serves this model",
    "latency": "the latency cannot bear a round trip",
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """What to do, why, and how much it matters."""

    choice: Choice
    headline: str
    reason: str
    overridden_by: tuple[str, ...] = ()  # reasons not about money that turned the answer

    @property
    def text(self) -> str:
        return f"{self.headline} {self.reason}".strip()


def verdict(plan: Plan) -> Verdict:
    """Which side to take, in one sentence with the amount, and one with the reason.

    Parameters
    ----------
    plan : Plan

    Returns
    -------
    Verdict

    Notes
    -----
    Reasons that are not about money win over money, and the sentence says so and what they cost.
    """
    cheaper = _cheaper(plan)
    reasons = tuple(r for r in plan.scenario.why if r in REASON_WORDS)
    if not reasons or cheaper.choice == "self-host":
        return cheaper
    words = " and ".join(REASON_WORDS[r] for r in reasons)
    if not plan.fits:
        return Verdict(
            "unknown",
            f"Self-hosting is asked for, because {words}, but it does not fit.",
            _sentence(plan),
            reasons,
        )
    own, api = plan.self_host_usd_month, plan.api_usd_month
    extra = f"It costs {usd(own - api)} a month more than the API." if own > api else ""
    return Verdict("self-host", f"Host it yourselves, because {words}.", extra, reasons)


def _cheaper(plan: Plan) -> Verdict:
    own, api = plan.self_host_usd_month, plan.api_usd_month
    if not plan.fits:
        headline = "Buy it from the API: the model does not fit these cards."
        choice: Choice = "api" if math.isfinite(api) else "unknown"
        if choice == "unknown":
            headline = "The model does not fit these cards, and no API price is known."
        return Verdict(choice, headline, _sentence(plan))
    if not plan.speed_known:
        return Verdict(
            "unknown", "No answer: the speed of these cards is not known.", _sentence(plan)
        )
    if not bool(plan.bills.carried):
        share = plan.demand_mtok_month * plan.scenario.split_frac
        most = float(plan.bills.capacity_mtok_month)
        return Verdict(
            "api" if math.isfinite(api) else "unknown",
            "This fleet cannot carry the demand.",
            f"It carries {number(most)} of {number(share)} million tokens a month.",
        )
    if not math.isfinite(own) or not math.isfinite(api):
        missing = "what these cards cost" if not math.isfinite(own) else "the API's price"
        return Verdict("unknown", f"No answer: {missing} is not known.", "Give it under More.")
    return _by_money(plan, own, api)


def _sentence(plan: Plan) -> str:
    text = plan.performance.limit_text
    return text if text.endswith(".") else f"The limit: {text}."


def _by_money(plan: Plan, own: float, api: float) -> Verdict:
    low, high = min(own, api), max(own, api)
    ratio = f" ({times(high / low)})" if low > 0 else ""
    saved = f"{usd(high - low)} a month cheaper{ratio}"
    if own < api:
        return Verdict("self-host", f"Host it yourselves: {saved}.", _why_self_host(plan))
    return Verdict("api", f"Buy it from the API: {saved}.", why_api(plan))


def _why_self_host(plan: Plan) -> str:
    volume = plan.break_even_mtok_month
    if volume is None or volume > plan.demand_mtok_month:
        return ""
    return f"It pays from {number(volume)} million tokens a month."


def why_api(plan: Plan) -> str:
    """Why the API is cheaper: the volume at which that ends, or why it never does.

    Parameters
    ----------
    plan : Plan with both bills known

    Returns
    -------
    str, one sentence
    """
    above = [
        c
        for c in plan.crossings
        if c.cheaper_above == "self-host" and c.demand_mtok_month > plan.demand_mtok_month
    ]
    if above:
        volume = above[0].demand_mtok_month
        ratio = times(volume / plan.demand_mtok_month) if plan.demand_mtok_month else ""
        more = f", {ratio} the present demand" if ratio else ""
        return f"Self-hosting pays from {number(volume)} million tokens a month{more}."
    if plan.scenario.n_replicas:
        most = float(plan.bills.capacity_mtok_month)
        return f"This fleet carries {number(most)} million tokens a month and never pays."
    replica = replica_usd_month(plan)
    saves = replica_saves_usd_month(plan)
    if saves <= replica:
        return (
            "Self-hosting never wins here: a copy of the model on these cards costs "
            f"{usd(replica)} a month and replaces API calls worth {usd(saves)} at most."
        )
    return "Self-hosting does not win at any volume compared here."


def replica_usd_month(plan: Plan) -> float:
    """What one further replica adds to the fleet's bill.

    Parameters
    ----------
    plan : Plan

    Returns
    -------
    float [USD a month]
    """
    return float(plan.money.n_cards * plan.money.card_usd_month)


def replica_saves_usd_month(plan: Plan) -> float:
    """The API spend that one full replica replaces.

    Parameters
    ----------
    plan : Plan

    Returns
    -------
    float [USD a month]
    """
    money = plan.money
    full = money.replica_mtok_month
    return float(full * MEGA / money.request_tok * money.api_usd_request)
