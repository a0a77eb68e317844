"""What the server does once before the first visitor."""

from __future__ import annotations

import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import plotly.graph_objects as go

from app.figures import theme


def warm_charts() -> None:
    """Build and write one chart of each type, so that Plotly's lazy imports are done."""
    figure = theme.base_figure("warm-up", "x", "y")
    for trace in (go.Scatter(x=[1, 2], y=[1, 2]), go.Bar(x=[1], y=[1]), go.Heatmap(z=[[1, 2]])):
        figure.add_trace(trace)
    figure.add_vline(x=1, annotation_text="x")
    figure.to_json()


@asynccontextmanager
async def lifespan(_app: Any) -> AsyncIterator[None]:
    """Warm up, then freeze the heap.

    Streamlit collects the whole heap after each run; what is frozen here is not looked at again,
    which saves about two thirds of a run's time.
    """
    warm_charts()
    gc.collect()
    gc.freeze()
    yield
