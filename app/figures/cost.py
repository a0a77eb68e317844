"""Pictures of money: both bills, unit cost over batch, cost over batch and duty."""

from __future__ import annotations

import math

import numpy as np

from app.figures.marks import log_range, vertical_line
from app.figures.sketch import Sketch
from app.figures.theme import API, FORBIDDEN, SELF_HOSTING, base_figure
from app.formatting import number, usd
from calculators.cost.curves import bill_curves, drawn_range_mtok
from calculators.plan import Plan


def bills_finding(plan: Plan) -> str:
    """The finding of the picture of both bills, in words."""
    own, api = plan.self_host_usd_month, plan.api_usd_month
    at = f"At {number(plan.demand_mtok_month)} million tokens a month"
    if not plan.fits and math.isfinite(api):
        return f"{at} the API costs {usd(api)}; the model does not fit these cards"
    if not math.isfinite(own) or not math.isfinite(api):
        return f"{at} one of the bills is not known"
    volume = plan.break_even_mtok_month
    says = f"{at} self-hosting costs {usd(own)}, the API {usd(api)}"
    if volume is None:
        return f"{says}; the bills do not cross"
    return f"{says}; they cross at {number(volume)} million"


def bills_over_volume(plan: Plan, *, marginal: bool = False) -> Sketch:
    """Both bills against volume: staircase, line, crossings and the present demand."""
    low, high = drawn_range_mtok(plan)
    curves = bill_curves(plan, low_mtok=low, high_mtok=high)
    figure = base_figure(
        bills_finding(plan), "Demand [million tokens a month]", "Bill [USD a month]"
    )
    x = curves.demand_mtok_month
    hover = "%{x:,.4~g} million tokens<br>%{y:,.0f} USD a month"
    if math.isfinite(plan.self_host_usd_month):
        figure.add_scatter(
            x=x,
            y=curves.self_host_usd_month,
            customdata=curves.n_replicas,
            name="Self-hosting",
            line={"color": SELF_HOSTING, "width": 3},
            hovertemplate=hover + "<br>%{customdata:.0f} replicas<extra>Self-hosting</extra>",
        )
    drawn = np.isfinite(curves.marginal_usd_month) & (curves.marginal_usd_month > 0)
    if marginal and np.any(drawn):
        figure.add_scatter(
            x=x,
            y=curves.marginal_usd_month,
            name="Hardware already there (energy alone)",
            line={"color": SELF_HOSTING, "width": 2, "dash": "dot"},
            hovertemplate=hover + "<extra>Energy alone</extra>",
        )
    if math.isfinite(plan.api_usd_month):
        figure.add_scatter(
            x=x,
            y=curves.api_usd_month,
            name="API",
            line={"color": API, "width": 3, "dash": "dash"},
            hovertemplate=hover + "<extra>API</extra>",
        )
    _mark_crossings(figure, plan, high)
    if plan.demand_mtok_month > 0:
        vertical_line(figure, plan.demand_mtok_month, "your demand", y=0.08)
    figure.update_xaxes(type="log", dtick=1, tickformat=",", range=log_range(low, high))
    figure.update_yaxes(type="log", dtick=1, tickformat=",")
    return figure


def _mark_crossings(figure: Sketch, plan: Plan, high: float) -> None:
    shown = [c for c in plan.crossings if c.demand_mtok_month <= high]
    if not shown:
        return
    figure.add_scatter(
        x=[c.demand_mtok_month for c in shown],
        y=[c.usd_month for c in shown],
        mode="markers",
        name="Crossing",
        marker={"size": 10, "symbol": "diamond", "color": FORBIDDEN},
        customdata=[f"{c.cheaper_above} is cheaper above" for c in shown],
        hovertemplate="%{x:,.4~g} million tokens<br>%{customdata}<extra>Crossing</extra>",
    )
