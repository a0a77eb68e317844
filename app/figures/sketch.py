"""A figure in the making: its parts as plain dictionaries, a Plotly figure at the end.

Plotly's own `add_` and `update_` methods check and copy the figure at every call: a picture of
ten parts takes five times as long as one that is handed over whole.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import plotly.graph_objects as go


class Sketch:
    """Gathers traces, marks and axes; takes those calls of a Plotly figure that pictures use."""

    def __init__(self, layout: Mapping[str, Any]) -> None:
        self.traces: list[dict[str, Any]] = []
        self.annotations: list[dict[str, Any]] = []
        self.shapes: list[dict[str, Any]] = []
        self.layout: dict[str, Any] = dict(layout)

    def add_scatter(self, **trace: Any) -> None:
        """Points or a line."""
        self.traces.append({"type": "scatter", **trace})

    def add_bar(self, **trace: Any) -> None:
        """Bars."""
        self.traces.append({"type": "bar", **trace})

    def add_heatmap(self, **trace: Any) -> None:
        """Coloured cells."""
        self.traces.append({"type": "heatmap", **trace})

    def add_contour(self, **trace: Any) -> None:
        """Lines of equal value."""
        self.traces.append({"type": "contour", **trace})

    def add_annotation(self, **annotation: Any) -> None:
        """A text."""
        self.annotations.append(annotation)

    def add_shape(self, **shape: Any) -> None:
        """A line or an area; see `marks`."""
        self.shapes.append(shape)

    def update_layout(self, **layout: Any) -> None:
        """Set parts of the layout; what else a part holds stays."""
        self.layout = _merged(self.layout, layout)

    def update_xaxes(self, **axis: Any) -> None:
        """Set properties of the x axis."""
        self.update_layout(xaxis=axis)

    def update_yaxes(self, **axis: Any) -> None:
        """Set properties of the first y axis."""
        self.update_layout(yaxis=axis)

    def plotly(self) -> go.Figure:
        """The Plotly figure, checked once."""
        marks = {"annotations": self.annotations, "shapes": self.shapes}
        drawn = {name: parts for name, parts in marks.items() if parts}
        return go.Figure(data=self.traces, layout=self.layout | drawn)


def _merged(kept: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    both = dict(kept)
    for key, value in new.items():
        before = both.get(key)
        if isinstance(before, dict) and isinstance(value, dict):
            value = _merged(before, value)
        both[key] = value
    return both
