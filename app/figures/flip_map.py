"""Where two inputs turn the answer: a map whose white line is the break-even."""

from __future__ import annotations

import numpy as np

from app.figures.sketch import Sketch
from app.figures.theme import API, SELF_HOSTING, base_figure
from calculators.evidence.sensitivity import Spread, flip_map
from calculators.plan import Plan

_GRID = 61
_INK = "#1B1F24"  # on the map's light middle, in both themes


def map_finding(plan: Plan, across: Spread, down: Spread) -> str:
    """What the map shows, in words."""
    side = "the API" if plan.self_host_usd_month >= plan.api_usd_month else "self-hosting"
    return f"Where {across.label.lower()} and {down.label.lower()} turn the answer; now {side} wins"


def flip_map_figure(plan: Plan, across: Spread, down: Spread) -> Sketch:
    """Which side wins over two inputs, from a tenth to ten times their present values."""
    x = np.geomspace(across.now / 10, across.now * 10, _GRID)
    y = np.geomspace(down.now / 10, down.now * 10, _GRID)
    difference = flip_map(plan.money, across, down, x, y)
    size = np.nanmax(np.abs(np.where(np.isfinite(difference), difference, np.nan)))
    shown = np.sign(difference) * np.log1p(np.minimum(np.abs(difference), size))
    most = float(np.log1p(size)) or 1.0
    figure = base_figure(
        map_finding(plan, across, down),
        f"{across.label} [{across.unit or 'ratio'}]",
        f"{down.label} [{down.unit or 'ratio'}]",
    )
    figure.add_heatmap(
        x=x,
        y=y,
        z=shown,
        zmin=-most,
        zmax=most,
        customdata=np.where(np.isfinite(difference), difference, np.nan),
        colorscale=[[0, SELF_HOSTING], [0.5, "#FFFFFF"], [1, API]],
        showscale=False,
        hovertemplate=(
            "%{x:.3g} and %{y:.3g}<br>self-hosting less API %{customdata:,.0f} USD a month"
            "<extra></extra>"
        ),
    )
    _mark(figure, across.now, down.now)
    figure.update_xaxes(type="log")
    figure.update_yaxes(type="log")
    return figure


def _mark(figure: Sketch, x: float, y: float) -> None:
    """The present point, and what the colours mean."""
    figure.add_scatter(
        x=[x],
        y=[y],
        mode="markers+text",
        text=["now"],
        textposition="top center",
        marker={"size": 12, "symbol": "x", "color": _INK},
        textfont={"color": _INK},
        hoverinfo="skip",
        showlegend=False,
    )
    for name, colour in (("self-hosting is cheaper", SELF_HOSTING), ("the API is cheaper", API)):
        figure.add_scatter(
            x=[None], y=[None], mode="markers", name=name, marker={"color": colour, "size": 10}
        )
