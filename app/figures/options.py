"""Every feasible configuration: monthly bill against time per token, and the front."""

from __future__ import annotations

from html import escape

import numpy as np
import pandas as pd

from app.figures.marks import level
from app.figures.sketch import Sketch
from app.figures.theme import API, OVERHEAD, SELF_HOSTING, base_figure
from app.formatting import count, usd
from calculators.options import Options

_MOST_POINTS = 400
_HOVER = (
    "%{customdata[0]} x %{customdata[6]}<br>%{customdata[7]}, cache %{customdata[8]}, "
    "batch %{customdata[4]}<br>%{y:,.0f} USD a month<br>%{x:.3g} ms per token"
)
_TAKEN = ("n_cards", "card", "weight_format", "cache_format", "batch", "cards_per_replica")
_NAMES = ("card_name", "weight_name", "cache_name")


def options_finding(found: Options) -> str:
    """The cheapest configuration and how many compete with it, in words."""
    if found.table.empty:
        return "No configuration fits and meets the objectives"
    best = found.table.iloc[0]
    return (
        f"Cheapest self-hosted of {count(found.n_meet)}: {best.n_cards:.0f} x {best.card_name} "
        f"with {best.weight_name} at {usd(best.usd_month)} a month; "
        f"the API asks {usd(best.api_usd_month)}"
    )


def _title(found: Options) -> str:
    """The finding in the width of a picture: the page's verdict names the configuration."""
    if found.table.empty:
        return options_finding(found)
    best = found.table.iloc[0]
    return (
        f"{count(found.n_meet)} configurations: the cheapest costs {usd(best.usd_month)} a month, "
        f"the API {usd(best.api_usd_month)}"
    )


def cost_against_latency(found: Options, shown: pd.DataFrame) -> Sketch:
    """Bill against time per output token; the front is what no other beats in both."""
    figure = base_figure(
        _title(found), "Time per output token [ms]", "Self-hosting bill [USD a month]"
    )
    front = shown[shown["pareto"]]
    rest = shown[~shown["pareto"]].head(_MOST_POINTS)
    for name, part, marker in (
        ("feasible", rest, {"size": 6, "color": OVERHEAD, "opacity": 0.5}),
        ("front: cheapest at its speed", front, {"size": 11, "color": SELF_HOSTING}),
    ):
        figure.add_scatter(
            x=part["tpot_ms"],
            y=part["usd_month"],
            mode="markers+lines" if part is front else "markers",
            line={"color": SELF_HOSTING, "shape": "hv"},
            marker=marker,
            name=name,
            customdata=_texts(part),
            hovertemplate=_HOVER + f"<extra>{name}</extra>",
        )
    if not shown.empty and shown["api_usd_month"].iloc[0] > 0:
        bill = float(shown["api_usd_month"].iloc[0])
        level(figure, bill, color=API, dash="dash", width=2)
        figure.add_annotation(
            x=0, xref="paper", y=bill, yref="y", text="API bill", showarrow=False,
            xanchor="left", yanchor="bottom",
        )  # fmt: skip
    figure.update_yaxes(rangemode="tozero")
    return figure


def _texts(part: pd.DataFrame) -> np.ndarray:
    """What the hover shows of each point and a click on it takes, by row."""
    columns = ([_text(v) for v in part[name].tolist()] for name in (*_TAKEN, *_NAMES))
    # An array of texts is one object for Plotly; it would look into each of nested lists.
    return np.array(list(columns), dtype=str).T


def _text(value: object) -> str:
    return escape(f"{value:g}" if isinstance(value, float) else str(value))
