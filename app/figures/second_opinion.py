"""What other methods say against ours: one row a question, one mark a method, on a log axis."""

from __future__ import annotations

import math
from typing import Any

from app.figures.marks import log_range, upright
from app.figures.sketch import Sketch
from app.figures.theme import OVERHEAD, SELF_HOSTING, SERIES, SYMBOLS, base_figure
from app.formatting import number, times
from calculators.evidence.opinion import AS_PRINTED, OURS, Opinion, Outcome, Question, SecondOpinion

_COST, _BILL = "Cost of a million output tokens", "Monthly bill"
_ROOM = 1.6  # beyond the outermost mark
_TICKS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100]


def opinion_finding(found: SecondOpinion) -> str:
    """On which question the methods differ most, in words."""
    widest = max(found.questions, key=lambda question: _or_zero(question.spread))
    if not _or_zero(widest.spread):
        return "Not two methods have an answer here"
    return (
        f"Other methods differ up to {times(widest.spread)} on this scenario, "
        f"most on: {widest.name.lower()}"
    )


def opinions_figure(found: SecondOpinion) -> Sketch:
    """Each method's answer over ours, by question; the line at 1 is ours."""
    marks = _marks(found)
    figure = base_figure(_title(marks), "Times this dashboard's", "")
    methods = sorted(dict.fromkeys(method for _, method, _, _ in marks), key=OURS.__eq__)
    for i, method in enumerate(methods):
        own = [mark for mark in marks if mark[1] == method]
        figure.add_scatter(
            x=[ratio for _, _, ratio, _ in own],
            y=[question for question, *_ in own],
            mode="markers",
            name=method,
            marker=_marker(method, i),
            customdata=[value for *_, value in own],
            hovertemplate=f"{method}<br>%{{customdata}}, %{{x:.3g}} times ours<extra></extra>",
        )
    upright(figure, 1, width=1.5, dash="dot")
    ratios = [ratio for _, _, ratio, _ in marks] or [1.0]
    figure.update_xaxes(
        type="log",
        tickvals=_TICKS,
        ticktext=[f"{tick:g}x" for tick in _TICKS],
        range=log_range(min(ratios) / _ROOM, max(ratios) * _ROOM),
    )
    figure.update_yaxes(autorange="reversed")
    return figure


def _title(marks: list[tuple[str, str, float, str]]) -> str:
    """How far the marks lie from ours, in words; the page's verdict says on which question."""
    others = [ratio for _, method, ratio, _ in marks if method != OURS]
    if not others:
        return "No other method has an answer here"
    return (
        f"Other methods say {number(min(others), 2)} to {number(max(others), 2)} times "
        "what this dashboard says"
    )


def _marks(found: SecondOpinion) -> list[tuple[str, str, float, str]]:
    """Question, method, ratio to ours, value in words: everything that is known."""
    marks = [
        (question.name, opinion.method, opinion.value / question.ours, _value(question, opinion))
        for question in found.questions
        for opinion in question.opinions
    ]
    for ours in (outcome for outcome in found.outcomes if outcome.method == OURS):
        marks += [mark for outcome in found.outcomes for mark in _money_marks(outcome, ours)]
    return [mark for mark in marks if math.isfinite(mark[2]) and mark[2] > 0]


def _money_marks(outcome: Outcome, ours: Outcome) -> list[tuple[str, str, float, str]]:
    cost, bill = outcome.usd_per_mtok_output, outcome.usd_month
    return [
        (_COST, outcome.method, cost / ours.usd_per_mtok_output, f"{number(cost)} USD"),
        (_BILL, outcome.method, bill / ours.usd_month, f"{number(bill)} USD a month"),
    ]


def _value(question: Question, opinion: Opinion) -> str:
    return f"{number(opinion.value)} {question.unit}"


def _marker(method: str, i: int) -> dict[str, Any]:
    """Ours is a ring around whatever agrees with it; the others differ in shape and colour."""
    if method == OURS:
        return {"size": 22, "symbol": "circle-open", "color": SELF_HOSTING, "line": {"width": 3}}
    colour = OVERHEAD if method == AS_PRINTED else SERIES[i % len(SERIES)]
    return {"size": 12, "symbol": SYMBOLS[i % len(SYMBOLS)], "color": colour}


def _or_zero(value: float) -> float:
    return value if math.isfinite(value) else 0.0
