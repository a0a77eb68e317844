"""One look for every chart: colours with one meaning each, a light and a dark template.

The six colours keep a distance of at least 11 (OKLab x 100) from each other for normal,
deuteranope, protanope and tritanope sight, and a contrast of at least 3 on both backgrounds
(tests/app/test_theme.py computes both). The browser gives a figure the template of the
reader's theme.
"""

from __future__ import annotations

from textwrap import wrap
from typing import Any

import plotly.io as pio

from app.figures.sketch import Sketch

SELF_HOSTING = "#4693F1"
API = "#C77F3E"
WEIGHTS = "#824ACA"
CACHE = "#237568"
OVERHEAD = "#978F9B"
FORBIDDEN = "#C52D1F"

COLOURS = {
    "self-hosting": SELF_HOSTING,
    "API": API,
    "weights": WEIGHTS,
    "cache": CACHE,
    "overhead": OVERHEAD,
    "forbidden": FORBIDDEN,
}
# Series without a fixed meaning (cards, engines, models): tell them apart by dash and marker too.
# Neighbours in this order keep a distance of at least 6 for every kind of sight.
SERIES = ("#0072B2", "#C2570C", "#B0508F", "#00875F", "#909090", "#8A6D00", "#5B6BC0", "#A1584B",
          "#00838F", "#5E7B2E")  # fmt: skip
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "x", "cross", "star", "triangle-down")
SEQUENTIAL = ("#E8F0FB", "#B9D2F4", "#86B2EC", "#5590DC", "#2F6FC0", "#174F99", "#0A3470")

BACKGROUND = {"light": "#FFFFFF", "dark": "#14171B"}
_TEXT = {"light": "#1B1F24", "dark": "#E8EAED"}
_GRID = {"light": "#DDE1E6", "dark": "#343A42"}
_HOVER = {"light": "#FFFFFF", "dark": "#20252B"}
FONT = "system-ui, -apple-system, Segoe UI, Roboto, Noto Sans, DejaVu Sans, sans-serif"
TITLE_CHARS = 78
COLORBAR = {
    "outlinewidth": 0,
    "ticks": "outside",
    "thickness": 12,
    "title": {"side": "right", "font": {"size": 13}},
}
# At the foot of the chart, below whatever the axis needs.
LEGEND = {
    "orientation": "h",
    "x": 0,
    "xref": "container",
    "y": 0,
    "yref": "container",
    "yanchor": "bottom",
}


def hatching(shape: str = "/") -> dict[str, Any]:
    """The `marker.pattern` of bars that are not possible (memory forbids them)."""
    return {"shape": shape, "fgcolor": FORBIDDEN, "size": 7, "solidity": 0.35}


def striped() -> dict[str, Any]:
    """The `marker.pattern` of bars that stand beside others of another colour."""
    return {
        "shape": "/",
        "size": 6,
        "solidity": 0.3,
        "fillmode": "overlay",
        "fgcolor": "rgba(255,255,255,0.8)",
    }


def _axis(grid: str) -> dict[str, Any]:
    return {
        "gridcolor": grid,
        "linecolor": grid,
        "zerolinecolor": grid,
        "tickcolor": grid,
        "ticks": "outside",
        "automargin": True,
        # Whole numbers: a logarithmic axis would else say "2 5 10" and "100k".
        "tickformat": ",",
        "hoverformat": ",.5~r",
        "title": {"standoff": 8, "font": {"size": 13}},
    }


def template(mode: str) -> dict[str, Any]:
    """The Plotly template of a theme, "light" or "dark"."""
    text, grid = _TEXT[mode], _GRID[mode]
    return {
        "layout": {
            "colorway": list(SERIES),
            "colorscale": {"sequential": [[i / 6, c] for i, c in enumerate(SEQUENTIAL)]},
            "coloraxis": {"colorbar": COLORBAR},
            "font": {"family": FONT, "size": 13, "color": text},
            "title": {
                "font": {"size": 15, "weight": 600},
                "x": 0,
                "xref": "paper",
                "xanchor": "left",
            },
            "paper_bgcolor": "rgba(0,0,0,0)",
            "plot_bgcolor": "rgba(0,0,0,0)",
            "xaxis": _axis(grid),
            "yaxis": _axis(grid),
            "hoverlabel": {
                "bgcolor": _HOVER[mode],
                "bordercolor": grid,
                "font": {"color": text, "family": FONT},
                "align": "left",
            },
            "hovermode": "closest",
            "legend": LEGEND,
            "margin": {"l": 56, "r": 16, "t": 56, "b": 48},
            "annotationdefaults": {"font": {"color": text, "size": 12}, "arrowcolor": text},
            "shapedefaults": {"line": {"color": text}},
        },
        "data": {
            "heatmap": [{"colorbar": COLORBAR, "type": "heatmap"}],
            "bar": [{"type": "bar", "marker": {"line": {"width": 0}}}],
        },
    }


# A template costs each new figure 2 ms of copying; the browser gives the reader's one instead.
pio.templates.default = None


def base_figure(
    title_finding: str, x_title: str, y_title: str, *, height: int | None = None
) -> Sketch:
    """An empty figure whose title says the finding and whose axes carry their units.

    Zoom and hidden legend entries stay while a slider moves (`uirevision`).
    """
    lines = wrap(title_finding, TITLE_CHARS) or [""]
    return Sketch(
        {
            "title": {"text": "<br>".join(lines)},
            "xaxis": {"title": {"text": x_title}},
            "yaxis": {"title": {"text": y_title}},
            "uirevision": "scenario",
            "height": height,
            "margin": {"t": 36 + 20 * len(lines)},
        }
    )
