"""What the server does once before the first visitor."""

from __future__ import annotations

import gc
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

from app import compute, plotly_bundle
from app.component.body import figure_body
from app.figures import theme
from app.figures.marks import vertical_line
from calculators.scenario import Scenario
from catalogs.loader import CatalogError

_CONTEXT_LOGGER = "streamlit.runtime.scriptrunner_utils.script_run_context"


def warm_up() -> None:
    """Load the facts, price one scenario, write one chart of each type, pack Plotly's script.

    A catalog that cannot be read is not an error here: each page says what is wrong with it.
    """
    logging.getLogger(_CONTEXT_LOGGER).setLevel(logging.ERROR)  # there is no session yet
    with suppress(CatalogError):
        compute.plan(Scenario())
    figure = theme.base_figure("warm-up", "x", "y")
    figure.add_scatter(x=[1, 2], y=[1, 2])
    figure.add_bar(x=[1], y=[1])
    figure.add_heatmap(z=[[1, 2]])
    vertical_line(figure, 1, "x")
    figure_body(figure)
    plotly_bundle.bundle()


@asynccontextmanager
async def lifespan(_app: Any) -> AsyncIterator[None]:
    """Warm up, then freeze the heap.

    A collection looks at every object that is not frozen: that was two thirds of a run's time.
    Streamlit's own collection after each run is off (runner.postScriptGC); Python's stays on.
    """
    warm_up()
    gc.collect()
    gc.freeze()
    yield
