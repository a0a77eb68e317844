"""A figure as the JSON that the chart component takes, without the template."""

from __future__ import annotations

import plotly.graph_objects as go


def figure_body(figure: go.Figure) -> str:
    """The figure's JSON; the browser adds the template of the reader's theme."""
    layout = figure.layout
    kept, layout.template = layout.template, None
    try:
        return figure.to_json(validate=False)
    finally:
        layout.template = kept
