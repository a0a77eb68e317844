"""Pictures of memory: what each card holds by format, and how the cache grows with context."""

from __future__ import annotations

from math import log10

from app.figures.marks import level, log_range, upright
from app.figures.sketch import Sketch
from app.figures.theme import (
    CACHE,
    DASHES,
    FORBIDDEN,
    OVERHEAD,
    SERIES,
    WEIGHTS,
    base_figure,
    hatching,
)
from app.formatting import count, gib, number
from calculators.memory_answers import MemoryAnswers
from calculators.memory_choices import Choice
from calculators.units import GIB

RIGHT_MARGIN = 1.5  # room for the words at the end of a bar, on small screens too
SEGMENTS = (
    ("weights", {"color": WEIGHTS}),
    ("engine: activations, runtime, graphs", {"color": OVERHEAD}),
    ("cache", {"color": CACHE}),
    ("beyond what the engine may use", {"color": "rgba(0,0,0,0)", "pattern": hatching()}),
)


def held_finding(answers: MemoryAnswers) -> str:
    """What the picture of the card says, in words."""
    fit, card = answers.fit, answers.deployment.accelerator.name
    context = f"{answers.context_tok:,} tokens"
    if fit.limit == "heads":
        return fit.limit_text
    if not fit.fits:
        needs = fit.weights_bytes + fit.overhead_bytes + fit.sequence_bytes
        return (
            f"It does not fit: weights, engine and one sequence of {context} need {gib(needs)} "
            f"of the {gib(fit.budget_bytes)} that the engine may use of each {card}"
        )
    holder = "the cache" if fit.limit == "cache" else "the engine's own limit"
    return (
        f"Weights take {gib(fit.weights_bytes)} of each {card}; {holder} stops at "
        f"{count(fit.max_sequences)} sequences of {context}"
    )


def held_by_format(answers: MemoryAnswers) -> Sketch:
    """Weights, engine and cache on each card, for each weight format; sequences for two caches."""
    figure = base_figure(held_finding(answers), "Memory of each card [GiB]", "")
    rows = [wide for wide, _ in answers.formats]
    names = [_bar_name(choice, answers) for choice in rows]
    parts = [_parts(choice) for choice in rows]
    for i, (name, marker) in enumerate(SEGMENTS):
        figure.add_bar(
            y=names,
            x=[part[i] / GIB for part in parts],
            name=name,
            orientation="h",
            marker=marker,
            hovertemplate="%{y}<br>%{x:.3g} GiB<extra>" + name + "</extra>",
        )
    _sequences(figure, answers, names)
    fit = answers.fit
    end = max(fit.visible_bytes, *(sum(part) for part in parts)) * RIGHT_MARGIN
    # In a short part of the picture a text to the left of the line would be cut.
    side = "right" if fit.budget_bytes > end / 2 else "center"
    _edge(figure, fit.budget_bytes, "what the engine may use", "dash", y=1, xanchor=side)
    _edge(figure, fit.visible_bytes, "the card", "solid", y=0, xanchor="left")
    figure.update_layout(barmode="stack", bargap=0.35, legend={"traceorder": "normal"})
    figure.update_xaxes(range=[0, end / GIB])
    figure.update_yaxes(range=[len(names) - 0.1, -0.5])  # first on top; below, room for a text
    return figure


def _bar_name(choice: Choice, answers: MemoryAnswers) -> str:
    is_mine = choice.deployment.weights.id == answers.deployment.weights.id
    name = choice.label.split(",")[0]
    return f"<b>{name}</b>" if is_mine else name


def _parts(choice: Choice) -> tuple[float, float, float, float]:
    """Weights, engine and cache within what the engine may use, and what goes beyond it."""
    fit = choice.fit
    weights = min(fit.weights_bytes, fit.budget_bytes)
    engine = min(fit.overhead_bytes, fit.budget_bytes - weights)
    beyond = max(fit.weights_bytes + fit.overhead_bytes - fit.budget_bytes, 0.0)
    return weights, engine, max(fit.cache_budget_bytes, 0.0), beyond


def _sequences(figure: Sketch, answers: MemoryAnswers, names: list[str]) -> None:
    """At the end of each bar: sequences at once with a 16-bit and an 8-bit cache."""
    for name, (wide, narrow) in zip(names, answers.formats, strict=True):
        end = sum(_parts(wide))
        text = f"{count(wide.fit.max_sequences)} at once" if wide.fit.fits else "does not fit"
        if narrow and narrow.fit.max_sequences > wide.fit.max_sequences:
            text += f"<br>(8-bit: {count(narrow.fit.max_sequences)})"
        start = max(end, answers.fit.visible_bytes) / GIB
        figure.add_annotation(
            x=start, y=name, text=text, showarrow=False, xanchor="left", xshift=6, align="left"
        )


def _edge(
    figure: Sketch, size_bytes: float, text: str, dash: str, *, y: float, xanchor: str
) -> None:
    upright(figure, size_bytes / GIB, color=FORBIDDEN, width=2, dash=dash)
    figure.add_annotation(
        x=size_bytes / GIB,
        y=y,
        yref="paper",
        yanchor="bottom",
        xanchor=xanchor,
        xshift={"left": 4, "right": -4, "center": 0}[xanchor],
        text=f"{text}: {number(size_bytes / GIB)}",
        showarrow=False,
    )


def growth_finding(answers: MemoryAnswers) -> str:
    """What the picture of growth says, in words."""
    fit = answers.fit
    at = f"A sequence of {answers.context_tok:,} tokens holds {gib(fit.sequence_bytes)} on a card"
    if not answers.longest_one_tok:
        return f"{at}; no context fits"
    return f"{at}; the longest that fits alone is {count(answers.longest_one_tok)} tokens"


def cache_over_context(answers: MemoryAnswers) -> Sketch:
    """Cache of one sequence over its length, by cache format, against what the card leaves."""
    figure = base_figure(
        growth_finding(answers), "Context [tokens]", "Cache of one sequence on a card [GiB]"
    )
    for i, curve in enumerate(answers.curves):
        figure.add_scatter(
            x=curve.context_tok,
            y=curve.sequence_bytes / GIB,
            name=f"cache in {curve.label}",
            line={
                "color": CACHE if i == 0 else SERIES[i],
                "width": 3 if i == 0 else 2,
                "dash": DASHES[i % len(DASHES)],
            },
            hovertemplate="%{x:,.0f} tokens<br>%{y:.3g} GiB<extra>" + curve.label + "</extra>",
        )
    left = answers.fit.cache_budget_bytes / GIB
    if left > 0:
        level(figure, left, color=FORBIDDEN, width=2)
        _note_left(figure, answers, left)
    figure.add_scatter(
        x=[answers.context_tok],
        y=[answers.fit.sequence_bytes / GIB],
        mode="markers",
        marker={"size": 12, "color": CACHE, "symbol": "diamond"},
        name="this scenario",
        hovertemplate="%{x:,.0f} tokens<br>%{y:.3g} GiB<extra>this scenario</extra>",
    )
    lengths = answers.curves[0].context_tok
    # Lengths as the field says them, 8k and 128k: in full they touch on a phone.
    figure.update_xaxes(
        type="log", dtick="D2", tickformat="~s", range=log_range(lengths[0], lengths[-1])
    )
    figure.update_yaxes(type="log", dtick=1)
    return figure


def _note_left(figure: Sketch, answers: MemoryAnswers, left_gib: float) -> None:
    figure.add_annotation(
        x=0,
        xref="paper",
        y=log10(left_gib),
        yanchor="bottom",
        xanchor="left",
        text=f"left for the cache of all sequences: {number(left_gib)} GiB",
        showarrow=False,
    )
