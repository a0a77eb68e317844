"""Pictures of unit cost: over the batch with the cache wall, and over batch and duty."""

from __future__ import annotations

import numpy as np

from app.figures.marks import band, log_range, vertical_line
from app.figures.sketch import Sketch
from app.figures.theme import (
    CACHE,
    FORBIDDEN,
    OVERHEAD,
    SELF_HOSTING,
    SEQUENTIAL,
    WEIGHTS,
    base_figure,
    hatching,
)
from app.formatting import number, usd
from calculators.cost.unit_curves import UnitCurves, duty_grid_usd, shown_batches, unit_curves
from calculators.plan import Plan

DUTIES = (0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0)
HEAT_BATCHES = (1, 2, 4, 8, 16, 32, 64, 128, 256)


def batch_finding(plan: Plan) -> str:
    """What the batch picture shows, in words."""
    most = plan.performance.max_batch
    if most < 1:
        return f"Not one sequence fits: {plan.performance.limit_text}"
    at = unit_curves(plan, [most])
    bound, served = float(at.weights_only_usd[0]), float(at.served_usd[0])
    return (
        f"Memory stops at {most} at once: {usd(served)} a million output tokens at full load, "
        f"where the reference arithmetic says {usd(bound)}"
    )


def cost_over_batch(plan: Plan) -> Sketch:
    """USD per million output tokens against the batch, four layers of truth, and the cache wall."""
    curves = unit_curves(plan, shown_batches(plan))
    figure = base_figure(
        batch_finding(plan),
        "Batch [sequences at once]",
        "Hardware cost [USD per million output tokens]",
    )
    for name, usd_, step, colour, dash in _layers(curves):
        figure.add_scatter(
            x=curves.batch,
            y=usd_,
            customdata=step * 1e3,
            name=name,
            line={"color": colour, "dash": dash, "width": 2.5},
            hovertemplate=(
                "batch %{x:,.0f}<br>%{y:.3g} USD per million output<br>"
                f"step %{{customdata:.3g}} ms<extra>{name}</extra>"
            ),
        )
    _wall(figure, plan.calibrated.max_batch, "engine's memory ends", curves.batch[-1])
    if plan.scenario.basis == "bound":
        _wall(figure, plan.bound.max_batch, "label's memory ends", curves.batch[-1])
    figure.update_xaxes(type="log", dtick="D2", range=log_range(1, curves.batch[-1]))
    figure.update_yaxes(type="log", dtick="D2")
    return figure


def _layers(curves: UnitCurves) -> list[tuple[str, np.ndarray, np.ndarray, str, str]]:
    return [
        ("weights only (ceiling)", curves.weights_only_usd, curves.weights_only_s, OVERHEAD, "dot"),
        ("and cache reads", curves.with_cache_usd, curves.with_cache_s, CACHE, "dash"),
        ("calibrated step", curves.calibrated_usd, curves.calibrated_s, WEIGHTS, "dashdot"),
        ("served, with prefill", curves.served_usd, curves.served_s, SELF_HOSTING, "solid"),
    ]


def _wall(figure: Sketch, most: int, text: str, last: float) -> None:
    if most < 1:
        return
    band(figure, most, last, FORBIDDEN)
    vertical_line(figure, most, text, color=FORBIDDEN, width=2, dash="solid")


def duty_finding(plan: Plan) -> str:
    """What the heatmap shows, in words."""
    performance = plan.performance
    if performance.batch < 1:
        return "No batch fits this card, whatever the duty cycle"
    duty = float(plan.bills.duty_frac)
    here = plan.usd_per_mtok_output
    return (
        f"At batch {performance.batch} and {number(duty * 100)} % duty a million output tokens "
        f"costs {usd(here)} in hardware"
    )


def cost_over_batch_and_duty(plan: Plan) -> Sketch:
    """USD per million output tokens over batch and duty; cells that memory forbids are hatched."""
    batches = np.unique([*HEAT_BATCHES, max(plan.performance.batch, 1)])
    grid = duty_grid_usd(plan, batches, DUTIES)
    columns, rows = np.arange(len(batches)), np.arange(len(DUTIES))
    cells = np.array([[[batch, duty] for batch in batches] for duty in DUTIES])
    texts = np.array([[number(value) for value in row] for row in grid])
    figure = base_figure(duty_finding(plan), "Batch [sequences at once]", "Duty cycle")
    figure.add_heatmap(
        x=columns,
        y=rows,
        z=np.log10(grid),
        customdata=cells,
        text=np.where(batches > plan.performance.max_batch, "", texts),
        hovertext=texts,
        texttemplate="%{text}",
        # The light half of the scale, on which the figures in the cells can be read.
        colorscale=[[i / 2, colour] for i, colour in enumerate(SEQUENTIAL[:3])],
        showscale=False,
        hovertemplate=(
            "batch %{customdata[0]:.0f}, duty %{customdata[1]:.0%}<br>"
            "%{hovertext} USD per million output<extra></extra>"
        ),
    )
    _hatch(figure, columns[batches > plan.performance.max_batch], len(DUTIES))
    figure.update_xaxes(tickvals=columns, ticktext=[str(batch) for batch in batches])
    figure.update_yaxes(
        tickvals=rows,
        ticktext=[f"{duty * 100:g} %" for duty in DUTIES],
        range=[-0.5, len(DUTIES) - 0.5],
    )
    return figure


def _hatch(figure: Sketch, columns: np.ndarray, n_rows: int) -> None:
    """Hatch the columns of the batches that memory forbids."""
    if not columns.size:
        return
    figure.add_bar(
        x=columns,
        y=[n_rows] * columns.size,
        base=-0.5,
        width=1,
        marker={
            "color": "rgba(0,0,0,0)",
            "pattern": hatching() | {"size": 9, "solidity": 0.25},
        },
        hoverinfo="skip",
        name="memory forbids",
        showlegend=True,
    )
