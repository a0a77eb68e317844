"""A figure as plain dictionaries, in the words of Plotly.

Plotly's own figure checks and copies its parts at every call, which was half of a page's time.
The browser takes the parts as they are; `plotly` gives Plotly's own figure, which checks them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import plotly.graph_objects as go


class Sketch:
    """Traces, marks and axes; takes those calls of a Plotly figure that pictures use."""

    def __init__(self, layout: Mapping[str, Any]) -> None:
        self._traces: list[dict[str, Any]] = []
        self._annotations: list[dict[str, Any]] = []
        self._shapes: list[dict[str, Any]] = []
        self._layout: dict[str, Any] = dict(layout)

    def add_scatter(self, **trace: Any) -> None:
        """Points or a line."""
        self._traces.append({"type": "scatter", **trace})

    def add_bar(self, **trace: Any) -> None:
        """Bars."""
        self._traces.append({"type": "bar", **trace})

    def add_heatmap(self, **trace: Any) -> None:
        """Coloured cells."""
        self._traces.append({"type": "heatmap", **trace})

    def add_contour(self, **trace: Any) -> None:
        """Lines of equal value."""
        self._traces.append({"type": "contour", **trace})

    def add_annotation(self, **annotation: Any) -> None:
        """A text."""
        self._annotations.append(annotation)

    def add_shape(self, **shape: Any) -> None:
        """A line or an area; see `marks`."""
        self._shapes.append(shape)

    def update_layout(self, **layout: Any) -> None:
        """Set parts of the layout; what else a part holds stays."""
        self._layout = _merged(self._layout, layout)

    def update_xaxes(self, **axis: Any) -> None:
        """Set properties of the x axis."""
        self.update_layout(xaxis=axis)

    def update_yaxes(self, **axis: Any) -> None:
        """Set properties of the first y axis."""
        self.update_layout(yaxis=axis)

    @property
    def parts(self) -> dict[str, Any]:
        """The traces and the layout as Plotly's script in the browser takes them."""
        marks = {"annotations": self._annotations, "shapes": self._shapes}
        drawn = {name: found for name, found in marks.items() if found}
        return {"data": self._traces, "layout": self._layout | drawn}

    def plotly(self) -> go.Figure:
        """Plotly's own figure; a part that Plotly does not know is an error."""
        return go.Figure(self.parts)

    @property
    def data(self) -> tuple[Any, ...]:
        """The traces as Plotly understands them."""
        return self.plotly().data

    @property
    def layout(self) -> Any:
        """The layout as Plotly understands it."""
        return self.plotly().layout

    def to_plotly_json(self) -> dict[str, Any]:
        """The traces and the layout, checked, as dictionaries."""
        return self.plotly().to_plotly_json()


def _merged(kept: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    both = dict(kept)
    for key, value in new.items():
        before = both.get(key)
        if isinstance(before, dict) and isinstance(value, dict):
            value = _merged(before, value)
        both[key] = value
    return both
