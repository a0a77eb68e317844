"""Pictures of accuracy: predicted against published, and the error of each group."""

from __future__ import annotations

from html import escape
from textwrap import shorten

import numpy as np
import pandas as pd

from app.figures.marks import log_range
from app.figures.sketch import Sketch
from app.figures.theme import FORBIDDEN, OVERHEAD, SELF_HOSTING, SERIES, SYMBOLS, base_figure
from app.formatting import percent
from calculators.evidence.accuracy import summarise

MOST_GROUPS = 8
MOST_BARS = 16
BAR_PX = 26
AROUND_BARS_PX = 170  # title, axis and legend
NAME_CHARS = 20
OTHERS = "others"
UNITS = {
    "tpot_ms": "ms per token",
    "ttft_ms": "ms to first token",
    "prefill_tok_s": "prompt tok/s",
    "output_tok_s_total": "output tok/s",
    "output_tok_s_per_user": "tok/s of one user",
    "total_tok_s": "input and output tok/s",
}


def predicted_finding(rows: pd.DataFrame) -> str:
    """What the picture of predictions says, in words."""
    line = summarise(rows).iloc[-1]
    if len(rows) == 1:
        ratio = float(rows["ratio"].iloc[0])
        return f"The prediction is {ratio:.2f} times the published value"
    return (
        f"Half of {len(rows):,} predictions are within {percent(line.median_abs_error_frac)} of "
        f"the published value; {percent(line.within_2x_frac)} within a factor of two"
    )


def predicted_figure(rows: pd.DataFrame, by: str) -> Sketch:
    """Predicted against published, one colour and mark for each of the most frequent groups."""
    units = [UNITS[metric] for metric in dict.fromkeys(rows["metric"])]
    unit = units[0] if len(units) == 1 else "each in its own unit"
    figure = base_figure(
        predicted_finding(rows), f"Published [{unit}]", f"Predicted [{unit}]", height=520
    )
    groups = _grouped(rows[by])
    for position, name in enumerate(_by_frequency(groups)):
        part = rows[groups == name]
        figure.add_scatter(
            x=part["value"],
            y=part["predicted"],
            mode="markers",
            name=escape(name),
            text=_hover(part),
            hovertemplate="%{text}<extra></extra>",
            marker={
                "color": OVERHEAD if name == OTHERS else SERIES[position % len(SERIES)],
                "symbol": SYMBOLS[position % len(SYMBOLS)],
                "size": 6,
                "opacity": 0.75,
            },
        )
    low, high = _limits(rows)
    for factor, dash in ((1.0, "solid"), (2.0, "dot"), (0.5, "dot")):
        figure.add_scatter(
            x=[low, high],
            y=[low * factor, high * factor],
            mode="lines",
            line={"color": OVERHEAD, "dash": dash, "width": 1.2},
            hoverinfo="skip",
            showlegend=False,
        )
    figure.update_xaxes(type="log", range=log_range(low, high))
    figure.update_yaxes(type="log", range=log_range(low, high))
    figure.update_layout(legend={"itemsizing": "constant"})
    return figure


def _by_frequency(groups: np.ndarray) -> list[str]:
    """The names with most rows first, the rest of them last."""
    counted = pd.Series(groups).value_counts(sort=True).index
    return sorted(counted, key=lambda name: name == OTHERS)


def _grouped(column: pd.Series) -> np.ndarray:
    names = column.fillna("").astype(str)
    kept = set(names.value_counts().index[:MOST_GROUPS])
    return np.array([name if name in kept else OTHERS for name in names], dtype=object)


def _hover(rows: pd.DataFrame) -> list[str]:
    names = ("engine", "model", "gpu", "value", "predicted", "metric")
    return [
        f"{escape(engine)}, {escape(model)} on {escape(card)}<br>"
        f"published {value:.3g}, predicted {predicted:.3g} {UNITS[metric]}"
        for engine, model, card, value, predicted, metric in zip(
            *(rows[name].tolist() for name in names), strict=True
        )
    ]


def _limits(rows: pd.DataFrame) -> tuple[float, float]:
    both = np.concatenate([rows["value"].to_numpy(float), rows["predicted"].to_numpy(float)])
    both = both[both > 0]
    return (float(both.min()) / 1.5, float(both.max()) * 1.5) if len(both) else (1.0, 10.0)


def error_finding(summary: pd.DataFrame) -> str:
    """What the picture of errors says, in words."""
    shown = summary.sort_values("n_rows", ascending=False).head(MOST_BARS)
    worst = shown.loc[shown.median_abs_error_frac.idxmax()]
    best = shown.loc[shown.median_abs_error_frac.idxmin()]
    return (
        f"Of those with most rows, {best.iloc[0]} is predicted best "
        f"({percent(best.median_abs_error_frac)}), {worst.iloc[0]} worst "
        f"({percent(worst.median_abs_error_frac)})"
    )


def error_height(summary: pd.DataFrame) -> int:
    """Pixels that give each group of the picture of errors a line of its own."""
    return AROUND_BARS_PX + BAR_PX * min(len(summary), MOST_BARS)


def _short(name: str) -> str:
    """A name cut after whole words where it would take the width of the picture."""
    cut = shorten(name, NAME_CHARS, placeholder=" …")
    return cut if len(cut) > 2 else f"{name[: NAME_CHARS - 2]} …"


def error_figure(summary: pd.DataFrame) -> Sketch:
    """Median error of each group, beside that of the reference arithmetic on the same rows."""
    shown = summary.sort_values("n_rows", ascending=False).head(MOST_BARS)
    shown = shown.sort_values("median_abs_error_frac", ascending=False)
    groups = list(zip(shown.iloc[:, 0].astype(str), shown.n_rows, strict=True))
    names = [escape(f"{name} ({n})") for name, n in groups]
    figure = base_figure(escape(error_finding(summary)), "Median absolute error", "")
    for label, column, colour, symbol in (
        ("calibrated", "median_abs_error_frac", SELF_HOSTING, "circle"),
        ("reference arithmetic", "bound_error_frac", FORBIDDEN, "x"),
    ):
        figure.add_scatter(
            x=shown[column] * 100,
            y=names,
            mode="markers",
            name=label,
            marker={"color": colour, "symbol": symbol, "size": 10},
            hovertemplate="%{y}<br>%{x:.1f} %<extra>" + label + "</extra>",
        )
    both = shown[["median_abs_error_frac", "bound_error_frac"]].to_numpy(float)
    steps = 1 if np.nanmax(both) > 10 * np.nanmin(both) else "D2"
    figure.update_xaxes(type="log", dtick=steps, ticksuffix=" %", tickangle=0)
    short = [escape(f"{_short(name)} ({n})") for name, n in groups]
    figure.update_yaxes(tickvals=names, ticktext=short, tickfont={"size": 12})
    figure.update_layout(legend={"itemsizing": "constant"})
    return figure
