"""Marks on logarithmic axes: Plotly wants a line's value plain and a text's value as its log."""

from __future__ import annotations

import math
from typing import Any

import plotly.graph_objects as go


def vertical_line(figure: go.Figure, x: float, text: str, *, y: float = 1.0, **line: Any) -> None:
    """A vertical line at x on a logarithmic x axis, with a text at the height y (0 to 1)."""
    figure.add_vline(x=x, line={"dash": "dot", "width": 1.5} | line)
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


def log_range(low: float, high: float) -> list[float]:
    """The range of a logarithmic axis from low to high."""
    return [math.log10(low), math.log10(high)]
