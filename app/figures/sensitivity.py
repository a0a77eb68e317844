"""How sure the answer is: the tornado, the distribution of the difference, the flip map."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.figures.marks import upright
from app.figures.sketch import Sketch
from app.figures.theme import API, SELF_HOSTING, SERIES, base_figure, striped
from app.formatting import chance as chance_words
from app.formatting import number, usd
from calculators.evidence.sensitivity import Bar, MonteCarlo

# Neither end of an input's range is one side's: colours and a pattern of their own.
LOW = {"color": SERIES[2], "pattern": striped()}
HIGH = {"color": SERIES[5]}
_BINS = 60
_INVISIBLE_FRAC = 0.005


def tornado_finding(bars: Sequence[Bar]) -> str:
    """Which input moves the difference most, in words."""
    if not bars:
        return "Nothing moves the difference: no uncertain input is known"
    first = bars[0]
    return (
        f"{first.spread.label} moves the difference most: from {usd(first.at_low_usd_month)} "
        f"to {usd(first.at_high_usd_month)} a month"
    )


def tornado_figure(bars: Sequence[Bar], now_usd_month: float) -> Sketch:
    """Bars from the difference at each input's low to that at its high value, widest on top."""
    figure = base_figure(
        tornado_finding(bars), "Self-hosting less API [USD a month], below 0 self-hosting wins", ""
    )
    ordered = list(reversed(bars))
    names = [bar.spread.label for bar in ordered]
    for word, value, marker in (
        ("at its low value", [bar.at_low_usd_month for bar in ordered], LOW),
        ("at its high value", [bar.at_high_usd_month for bar in ordered], HIGH),
    ):
        figure.add_bar(
            y=names,
            x=np.array(value) - now_usd_month,
            base=now_usd_month,
            orientation="h",
            name=word,
            marker=marker,
            customdata=[
                [number(v), number(b.spread.low), number(b.spread.high), b.spread.unit]
                for v, b in zip(value, ordered, strict=True)
            ],
            hovertemplate=(
                "%{y} from %{customdata[1]} to %{customdata[2]} %{customdata[3]}<br>"
                f"difference %{{customdata[0]}} USD a month {word}<extra></extra>"
            ),
        )
    _say_what_moves_nothing(figure, bars, now_usd_month)
    figure.update_layout(barmode="overlay")
    upright(figure, 0, width=2)
    return figure


def _say_what_moves_nothing(figure: Sketch, bars: Sequence[Bar], now_usd_month: float) -> None:
    """A row without a bar would look forgotten."""
    moved = {
        bar.spread.label: abs(bar.at_low_usd_month - now_usd_month)
        + abs(bar.at_high_usd_month - now_usd_month)
        for bar in bars
    }
    for label, usd_month in moved.items():
        if usd_month <= _INVISIBLE_FRAC * max(moved.values()):
            text = "hardly anything" if usd_month else "nothing"
            figure.add_annotation(x=now_usd_month, y=label, text=f"changes {text}", showarrow=False)


def chance_finding(chance: MonteCarlo) -> str:
    """How often self-hosting is cheaper, in words."""
    return (
        f"Self-hosting is cheaper in {chance_words(chance.self_host_wins_frac)} of "
        f"{chance.n_draws:,} draws; in the middle one it costs "
        f"{usd(abs(chance.p50_usd_month))} a month {'more' if chance.p50_usd_month > 0 else 'less'}"
    )


def distribution_figure(chance: MonteCarlo) -> Sketch:
    """Histogram of the monthly difference; below zero self-hosting wins."""
    difference = chance.difference_usd_month
    low, high = np.quantile(difference, [0.005, 0.995])
    if low == high:
        low, high = low - 1, high + 1
    edges = np.linspace(low, high, _BINS + 1)
    counts, _ = np.histogram(difference, bins=edges)
    middle = (edges[:-1] + edges[1:]) / 2
    title = (
        f"Eight draws in ten lie between {usd(chance.p10_usd_month)} and "
        f"{usd(chance.p90_usd_month)} a month"
    )
    figure = base_figure(title, "Self-hosting less API [USD a month]", "Share of draws [%]")
    for name, part, colour in (
        ("self-hosting is cheaper", middle < 0, SELF_HOSTING),
        ("the API is cheaper", middle >= 0, API),
    ):
        figure.add_bar(
            x=middle[part],
            y=counts[part] / chance.n_draws * 100,
            width=edges[1] - edges[0],
            name=name,
            marker={"color": colour},
            hovertemplate="%{x:,.0f} USD a month<br>%{y:.2f} % of draws<extra></extra>",
        )
    for word, value in (("P10", chance.p10_usd_month), ("P90", chance.p90_usd_month)):
        upright(figure, value, dash="dot", width=1.5)
        figure.add_annotation(
            x=value, y=1, yref="paper", text=word, showarrow=False, xanchor="left", yanchor="top"
        )
    return figure
