"""A sketch becomes the figure that Plotly's own methods would have made, call by call."""

from __future__ import annotations

import json
from base64 import b64decode
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

from app.component.body import figure_body
from app.figures.sketch import Sketch

LAYOUT = {"title": {"text": "a"}, "xaxis": {"title": {"text": "x"}}, "height": None}


def filled(figure: Sketch | go.Figure) -> None:
    figure.add_scatter(x=[1, 2], y=[3, 4], line={"dash": "dot"})
    figure.add_bar(x=[1], y=[2], marker={"color": "#123456"})
    figure.add_heatmap(z=[[1, 2]])
    figure.add_contour(z=[[1, 2], [3, 4]])
    figure.add_annotation(x=1, y=1, yref="paper", text="here")
    figure.add_shape(type="line", x0=0, x1=1, y0=2, y1=2, line={"width": 2})
    figure.update_layout(barmode="stack", xaxis={"type": "log", "range": [0, 1]})
    figure.update_xaxes(dtick=1, range=[0, 2])
    figure.update_yaxes(title={"text": "y"})


def test_plotly_itself_makes_the_same_figure_of_the_same_calls() -> None:
    sketch, figure = Sketch(LAYOUT), go.Figure(layout=LAYOUT)
    filled(sketch)
    filled(figure)
    assert sketch.plotly().to_dict() == figure.to_dict()


def test_an_update_keeps_what_else_a_part_holds_and_the_given_layout_as_it_was() -> None:
    sketch = Sketch(LAYOUT)
    sketch.update_layout(xaxis={"title": {"font": {"size": 9}}})
    assert sketch.plotly().layout.xaxis.title.text == "x"
    assert sketch.plotly().layout.xaxis.title.font.size == 9
    assert LAYOUT["xaxis"] == {"title": {"text": "x"}}


def test_a_part_that_plotly_does_not_know_is_refused() -> None:
    sketch = Sketch(LAYOUT)
    sketch.add_scatter(x=[1], y=[2], lien={"dash": "dot"})
    with pytest.raises(ValueError, match="lien"):
        sketch.plotly()


def plain(part: Any) -> Any:
    """A part of a figure's JSON with typed arrays as lists of numbers."""
    if isinstance(part, dict) and "bdata" in part:
        numbers = np.frombuffer(b64decode(part["bdata"]), dtype=part["dtype"])
        shape = [int(n) for n in part["shape"].split(",")] if "shape" in part else [-1]
        return numbers.reshape(shape).tolist()
    if isinstance(part, dict):
        return {name: plain(value) for name, value in part.items()}
    return [plain(value) for value in part] if isinstance(part, list) else part


def test_the_browser_gets_what_plotly_would_send() -> None:
    sketch = Sketch(LAYOUT)
    filled(sketch)
    sketch.add_scatter(x=np.array([0.1, 2.5]), y=pd.Series([1, 2]), text=np.array(["a", "b"]))
    sketch.add_heatmap(z=np.array([[0.5, 1.5], [2.5, 3.5]]), customdata=np.array([[1, 2], [3, 4]]))
    sketch.add_bar(x=["a", "b"], y=[np.float64(1.5), float("nan")], base=None)
    sent = json.loads(figure_body(sketch))
    assert plain(sent) == plain(json.loads(figure_body(sketch.plotly())))
    assert sent["data"][6]["y"] == [1.5, None]
    assert "height" not in sent["layout"]
