"""Pictures of the paging lab."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.figures.sketch import Sketch
from app.figures.theme import CACHE, DASHES, OVERHEAD, SEQUENTIAL, SERIES, base_figure
from app.formatting import number, percent
from calculators.labs.paging_results import CACHED, FREE, RESERVED, SHARED, PagingRun

MAX_COLUMNS, MAX_ROWS = 200, 128
# What a cell shows: free, reserved, cached for later, shared, then shades that part sequences.
STATES = ("free", "reserved, empty", "cached for later", "shared")
SHADES = SEQUENTIAL[2:]
N_SHADES = len(SHADES)
COLOURS = ("rgba(128,128,128,0.12)", "#E0A79F", OVERHEAD, CACHE, *SHADES)


def picture_finding(run: PagingRun) -> str:
    """How much of the held memory is empty, in words."""
    summary = run.summary
    return (
        f"{summary.policy.capitalize()}: {percent(summary.waste_frac)} of what is held is empty, "
        f"{number(summary.n_mean_sequences)} sequences at once while others wait"
    )


def picture(run: PagingRun) -> Sketch:
    """Every block over time, coloured by the sequence that holds it."""
    figure = base_figure(picture_finding(run), "Step (one token for every sequence)", "Block")
    stride = max(1, -(-len(run.picture) // MAX_COLUMNS))
    blocks = max(1, -(-run.picture.shape[1] // MAX_ROWS))
    cells = run.picture[::stride, ::blocks]
    n_colours = len(COLOURS)
    figure.add_heatmap(
        z=_codes(cells).T,
        x=np.linspace(0, run.summary.n_steps, len(cells), endpoint=False).round(),
        y=np.arange(cells.shape[1]) * blocks,
        customdata=_words(cells).T,
        zmin=-0.5,
        zmax=n_colours - 0.5,
        colorscale=[
            [edge / n_colours, colour]
            for index, colour in enumerate(COLOURS)
            for edge in (index, index + 1)
        ],
        showscale=False,
        hovertemplate="step %{x}, block %{y}: %{customdata}<extra></extra>",
    )
    for index, name in enumerate((*STATES, "sequences, by shade")):
        figure.add_scatter(
            x=[None],
            y=[None],
            mode="markers",
            name=name,
            marker={
                "color": COLOURS[min(index, len(STATES) + 1)],
                "symbol": "square",
                "size": 11,
                "line": {"width": 1, "color": OVERHEAD},
            },
        )
    return figure


def _codes(cells: np.ndarray) -> np.ndarray:
    codes = len(STATES) + cells % N_SHADES
    for code, state in enumerate((FREE, RESERVED, CACHED, SHARED)):
        codes = np.where(cells == state, code, codes)
    return codes


def _words(cells: np.ndarray) -> np.ndarray:
    words = np.char.add("sequence ", cells.astype(str))
    for name, state in zip(STATES, (FREE, RESERVED, CACHED, SHARED), strict=True):
        words = np.where(cells == state, name, words)
    return words


def held_finding(runs: Sequence[PagingRun]) -> str:
    """How many sequences each way holds, in words."""
    first, last = runs[0].summary, runs[-1].summary
    return (
        f"The same memory holds {number(first.n_mean_sequences)} sequences when each reserves its "
        f"limit, {number(last.n_mean_sequences)} in blocks"
    )


def held_over_time(runs: Sequence[PagingRun]) -> Sketch:
    """Sequences at work over time for each way to allocate."""
    figure = base_figure(held_finding(runs), "Step", "Sequences at once")
    colours = (OVERHEAD, SERIES[1], SERIES[0], CACHE)
    for run, colour, dash in zip(runs, colours, DASHES, strict=False):
        stride = max(1, len(run.steps) // 600)
        shown = run.steps.iloc[::stride]
        figure.add_scatter(
            x=shown.step,
            y=shown.n_active,
            name=run.summary.policy,
            line={"color": colour, "dash": dash, "shape": "hv"},
        )
    return figure
