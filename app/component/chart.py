"""Mounts a Plotly figure in the page, several times faster than Streamlit's own chart."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, TypeAlias

import plotly.graph_objects as go
import streamlit as st

from app.component.body import figure_body
from app.figures import theme
from app.figures.sketch import Sketch
from app.plotly_bundle import BUNDLE_PATH

Figure: TypeAlias = Sketch | go.Figure | str  # a figure, or its JSON

_HERE = Path(__file__).parent
_HTML = '<div class="breakeven-plot" role="figure"></div><p class="breakeven-alt"></p>'


def _script() -> str:
    constants = {
        "BUNDLE_PATH": BUNDLE_PATH,
        "TEMPLATES": {"light": theme.template("light"), "dark": theme.template("dark")},
    }
    head = "".join(f"const {name} = {json.dumps(value)};\n" for name, value in constants.items())
    return head + (_HERE / "chart.js").read_text(encoding="utf-8")


_mount = st.components.v2.component(
    "breakeven_chart",
    html=_HTML,
    css=(_HERE / "chart.css").read_text(encoding="utf-8"),
    js=_script(),
    isolate_styles=False,
)


def _message(figure: Figure, *, alt: str, height: int, clickable: bool) -> bytes:
    body = figure if isinstance(figure, str) else figure_body(figure)
    head = json.dumps({"alt": alt, "height": height, "clickable": clickable})
    return f'{head[:-1]}, "figure": {body}}}'.encode()


def chart(
    figure: Figure, *, key: str, alt: str, height: int, clickable: bool = False
) -> dict[str, Any] | None:
    """Show a figure, or its JSON; the point that was clicked, or None.

    A point is {"x", "y", "customdata", "curve", "name"}.
    """
    message = _message(figure, alt=alt, height=height, clickable=clickable)
    result = _mount(data=message, key=key, on_click_change=lambda: None)
    return result.click
