"""Marks on logarithmic axes: Plotly wants a line's value plain and a text's value as its log."""

from __future__ import annotations

import math
from typing import Any

from app.figures.sketch import Sketch

_AREA: dict[str, Any] = {"type": "rect", "opacity": 0.1, "line": {"width": 0}, "layer": "below"}


def vertical_line(figure: Sketch, x: float, text: str, *, y: float = 1.0, **line: Any) -> None:
    """A vertical line at x on a logarithmic x axis, with a text at the height y (0 to 1)."""
    upright(figure, x, **{"dash": "dot", "width": 1.5} | line)
    figure.add_annotation(
        x=math.log10(x),
        y=y,
        yref="paper",
        text=text,
        showarrow=False,
        xanchor="left",
        yanchor="top",
        xshift=4,
    )


def upright(figure: Sketch, x: float, **line: Any) -> None:
    """A vertical line over the whole height."""
    figure.add_shape(type="line", x0=x, x1=x, y0=0, y1=1, yref="paper", line=line)


def level(figure: Sketch, y: float, **line: Any) -> None:
    """A horizontal line over the whole width."""
    figure.add_shape(type="line", x0=0, x1=1, xref="paper", y0=y, y1=y, line=line)


def band(figure: Sketch, x0: float, x1: float, colour: str) -> None:
    """A light band over the whole height, behind the curves."""
    figure.add_shape(**_AREA, x0=x0, x1=x1, y0=0, y1=1, yref="paper", fillcolor=colour)


def strip(figure: Sketch, y0: float, y1: float, colour: str) -> None:
    """A light band over the whole width, behind the curves."""
    figure.add_shape(**_AREA, x0=0, x1=1, xref="paper", y0=y0, y1=y1, fillcolor=colour)


def log_range(low: float, high: float) -> list[float]:
    """The range of a logarithmic axis from low to high."""
    return [math.log10(low), math.log10(high)]
