"""Pictures of the batching lab."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.figures.sketch import Sketch
from app.figures.theme import DASHES, OVERHEAD, SELF_HOSTING, SERIES, SYMBOLS, WEIGHTS, base_figure
from app.formatting import duration, percent
from calculators.labs.batching_results import BatchingRun

MAX_SLOTS, MAX_BARS = 16, 120
ROOM_FRAC, ROW_GAP = 0.94, 0.1
STAGES = (
    ("prefill", "admitted_s", "first_token_s", WEIGHTS),
    ("decode", "first_token_s", "last_token_s", SELF_HOSTING),
    ("finished, not returned", "last_token_s", "returned_s", OVERHEAD),
)


def timeline_finding(runs: Sequence[BatchingRun]) -> str:
    """How much of the slots' time is idle, in words."""
    static, continuous = runs[0].summary, runs[1].summary
    return (
        f"Static batches leave {percent(static.idle_frac)} of the slots' time idle, "
        f"continuous ones {percent(continuous.idle_frac)}"
    )


def timeline(runs: Sequence[BatchingRun]) -> Sketch:
    """Who sits in which slot when: the first slots and the same stretch of time for each policy."""
    figure = base_figure(timeline_finding(runs), "Time [s]", "Slot")
    until = _stretch(runs)
    for row, run in enumerate(runs):
        axis = f"y{row + 1}" if row else "y"
        shown = _shown(run, until)
        known = np.stack([shown[name] for name in ("request", "input_tok", "output_tok")], axis=1)
        for name, start, end, colour in STAGES:
            figure.add_bar(
                base=shown[start],
                x=np.maximum(np.minimum(shown[end], until) - shown[start], 0.0),
                y=shown["slot"],
                yaxis=axis,
                orientation="h",
                name=name,
                legendgroup=name,
                showlegend=row == 0,
                marker={"color": colour, "line": {"width": 0.5, "color": "rgba(128,128,128,0.6)"}},
                customdata=known,
                hovertemplate=(
                    "request %{customdata[0]}: %{customdata[1]:,} in, %{customdata[2]:,} out"
                    f"<extra>{name}</extra>"
                ),
            )
        _row(figure, axis, row, len(runs), run.summary.policy, _slots(runs))
    last = f"y{len(runs)}" if len(runs) > 1 else "y"
    figure.update_layout(barmode="overlay", xaxis={"range": [0, until], "anchor": last})
    return figure


def _shown(run: BatchingRun, until_s: float) -> dict[str, np.ndarray]:
    """Columns of the requests in the first slots that start in the stretch of time."""
    columns = {name: column.to_numpy() for name, column in run.requests.items()}
    kept = (columns["slot"] < MAX_SLOTS) & (columns["admitted_s"] < until_s)
    return {str(name): values[kept] for name, values in columns.items()}


def _row(figure: Sketch, axis: str, row: int, n_rows: int, policy: str, n_slots: int) -> None:
    """The upright axis of a policy, rows from the top, and the policy's name above it."""
    height = (1 - ROW_GAP * (n_rows - 1)) / n_rows
    low = max(1 - height - row * (height + ROW_GAP), 0.0)
    domain = [low * ROOM_FRAC, (low + height) * ROOM_FRAC]  # clear of the title
    upright = {"title": {"text": "Slot"}, "domain": domain, "range": [-0.6, n_slots - 0.4]}
    figure.update_layout(**{axis.replace("y", "yaxis"): upright})
    figure.add_annotation(
        x=0, xref="paper", xanchor="left", y=domain[1], yref="paper", yanchor="bottom",
        text=policy, showarrow=False, font={"size": 13},
    )  # fmt: skip


def _slots(runs: Sequence[BatchingRun]) -> int:
    return min(max(int(run.requests.slot.max()) for run in runs) + 1, MAX_SLOTS)


def _stretch(runs: Sequence[BatchingRun]) -> float:
    """Time in which the shown slots of the busiest policy take so many requests."""
    ends = []
    for run in runs:
        seen = np.sort(run.requests.admitted_s[run.requests.slot < MAX_SLOTS].to_numpy())
        last = float(run.requests.returned_s.max())
        ends.append(float(seen[MAX_BARS]) if len(seen) > MAX_BARS else last)
    return max(min(ends), 1e-9)


def waits_finding(runs: Sequence[BatchingRun]) -> str:
    """What a user waits for, in words."""
    static, continuous = runs[0].summary, runs[1].summary
    return (
        f"Half of the users have their answer after {duration(continuous.completion.p50_s)} "
        f"in continuous batches, after {duration(static.completion.p50_s)} in static ones"
    )


def waits(runs: Sequence[BatchingRun]) -> Sketch:
    """Share of requests answered within a time: first token and completion of each policy."""
    figure = base_figure(
        waits_finding(runs), "Seconds since the request came", "Share of requests [%]"
    )
    shares = np.linspace(0, 100, 101)
    for index, run in enumerate(runs):
        table = run.requests
        for name, column, dash in (
            ("first token", "first_token_s", DASHES[1]),
            ("whole answer", "returned_s", DASHES[0]),
        ):
            waited = np.percentile(table[column] - table.arrival_s, shares)
            figure.add_scatter(
                x=np.maximum(waited, 1e-3),
                y=shares,
                name=f"{run.summary.policy}: {name}",
                mode="lines+markers",
                line={"color": SERIES[index], "dash": dash},
                marker={"symbol": SYMBOLS[index], "size": 8, "maxdisplayed": 6},
            )
    figure.update_xaxes(type="log", dtick=1)
    return figure
