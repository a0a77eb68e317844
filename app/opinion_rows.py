"""Second opinions as rows of text; no Streamlit."""

from __future__ import annotations

import math
from collections.abc import Sequence

from app.formatting import count, joined, number, quantity, times, usd
from calculators.evidence.nearest import Neighbour
from calculators.evidence.opinion import OURS, Opinion, Outcome, Question, SecondOpinion
from calculators.plan import Plan

NEAR_FACTOR, FAR_FACTOR = 2.0, 5.0


def opinion_metrics(found: SecondOpinion) -> list[tuple[str, str, str, str]]:
    """How far the methods lie apart on each question, and what that means for the bill."""
    metrics = [
        (
            question.name,
            times(question.spread) if math.isfinite(question.spread) else "one answer",
            f"apart; ours is {quantity(question.ours, question.unit)}",
            "",
        )
        for question in found.questions
    ]
    bills = [outcome.usd_month for outcome in found.outcomes if math.isfinite(outcome.usd_month)]
    span = f"{usd(min(bills))} to {usd(max(bills))}" if bills else "not known"
    if bills and max(bills) == min(bills):
        span = usd(bills[0])
    return [*metrics, ("Monthly bill by these speeds", span, _bill_note(bills), "")]


def _bill_note(bills: Sequence[float]) -> str:
    if not bills:
        return "it does not fit, or no card cost is known"
    return (
        "the same by every method: one fleet is enough"
        if max(bills) == min(bills)
        else "whole cards: fewer or more replicas"
    )


def opinion_rows(question: Question) -> list[dict[str, str]]:
    """One question: each method, its answer, its ratio to ours, and why."""
    return [
        {
            "Method": opinion.method,
            f"Answer [{question.unit}]": number(opinion.value),
            "Times ours": number(opinion.value / question.ours) if question.ours else "",
            "Basis": opinion.basis,
            "Why it differs": opinion.why,
        }
        for opinion in question.opinions
    ]


def ours_at(methods: Sequence[Opinion | Outcome]) -> set[int]:
    """The row of our own figure, to stand out."""
    return {i for i, one in enumerate(methods) if one.method == OURS}


def outcome_rows(outcomes: Sequence[Outcome]) -> list[dict[str, str]]:
    """What each method's speed would mean for money."""
    return [
        {
            "Method": outcome.method,
            "USD per million output, at full load": number(outcome.usd_per_mtok_output),
            "Replicas": count(outcome.n_replicas),
            "Self-hosting [USD a month]": count(outcome.usd_month),
        }
        for outcome in outcomes
    ]


def neighbour_rows(found: Sequence[Neighbour], titles: dict[str, str]) -> list[dict[str, str]]:
    """Published measurements near the scenario: how near, what they say, and ours for them."""
    return [
        {
            "Published measurement": one.setting,
            "Measured [tok/s]": number(one.tok_s),
            "Our model there": number(one.predicted_tok_s),
            "How near": f"{nearness(one.distance_factor)}, {times(one.distance_factor)} away",
            "What is different": joined(list(one.differences)) or "nothing that counts",
            "Source": f"{titles.get(one.source_group, one.source_group)}, {one.id}",
        }
        for one in found
    ]


def nearness(factor: float) -> str:
    """A distance in words.

    >>> nearness(1.2), nearness(3.0), nearness(9.0)
    ('near', 'comparable', 'far')
    """
    if factor < NEAR_FACTOR:
        return "near"
    return "comparable" if factor < FAR_FACTOR else "far"


def matters(plan: Plan, found: SecondOpinion) -> str:
    """Whether another method's speed would turn the answer in money."""
    bills = [o.usd_month for o in found.outcomes if math.isfinite(o.usd_month)]
    api = plan.api_usd_month
    if not bills or not math.isfinite(api):
        return "One of the two bills is not known, so it cannot be said whether this matters."
    if (min(bills) < api) == (max(bills) < api):
        side = "self-hosting" if max(bills) < api else "the API"
        return f"It does not matter for the answer: by every method {side} is cheaper."
    return "It matters: by some of these methods the other side is the cheaper one."
