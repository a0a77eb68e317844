"""A sketch becomes the figure that Plotly's own methods would have made, call by call."""

from __future__ import annotations

import plotly.graph_objects as go
import pytest

from app.figures.sketch import Sketch

LAYOUT = {"title": {"text": "a"}, "xaxis": {"title": {"text": "x"}}, "height": None}


def filled(figure: Sketch | go.Figure) -> None:
    figure.add_scatter(x=[1, 2], y=[3, 4], line={"dash": "dot"})
    figure.add_bar(x=[1], y=[2], marker_color="#123456")
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
