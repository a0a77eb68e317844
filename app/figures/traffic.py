"""Traffic: the week as a heatmap, demand against replicas, lengths of requests."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from app.figures.sketch import Sketch
from app.figures.theme import API, OVERHEAD, SELF_HOSTING, SEQUENTIAL, base_figure
from app.formatting import number
from calculators.cost.traffic_fleet import WeekOfDemand
from calculators.cost.traffic_measured import PERCENTILES, Traffic

DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_SECONDS = 3600.0


def week_finding(week_tok: NDArray[np.float64], *, averaged: bool = False) -> str:
    """When the week is busiest, and how far above the mean, in words.

    `averaged`: the hours are means over the days of a log, below the busiest hour that it saw.
    """
    ratio = float(week_tok.max() / week_tok.mean())
    if ratio < 1.005:
        return "Every hour of the week asks for the same: the peak is the mean"
    hour = int(np.argmax(week_tok))
    when = f"{DAYS[hour // 24]} {hour % 24:02d}:00"
    if averaged:
        return f"Averaged over the log, {when} is the busiest hour: {ratio:.2g} times the mean"
    return f"{when} is the busiest hour: {ratio:.2g} times the mean"


def week_figure(week_tok: NDArray[np.float64], *, averaged: bool = False) -> Sketch:
    """Tokens per second of each hour of the week, days down, hours across."""
    figure = base_figure(week_finding(week_tok, averaged=averaged), "Hour of the day", "")
    figure.add_heatmap(
        z=week_tok.reshape(7, 24) / _SECONDS,
        x=[f"{hour:02d}" for hour in range(24)],
        y=list(DAYS),
        colorscale=[[i / (len(SEQUENTIAL) - 1), c] for i, c in enumerate(SEQUENTIAL)],
        zmin=0,
        zmax=float(week_tok.max()) / _SECONDS or 1.0,
        xgap=1,
        ygap=1,
        colorbar={"title": {"text": "tok/s"}},
        hovertemplate="%{y} %{x}:00<br>%{z:.3s} tok/s, input and output<extra></extra>",
    )
    figure.update_yaxes(autorange="reversed")
    figure.update_xaxes(type="category", dtick=3)
    return figure


def demand_finding(n_mean: int, n_peak: int) -> str:
    """What the peak costs beyond the mean, in replicas, in words."""
    if n_peak == n_mean:
        return f"The peak needs no more replicas than the mean: {n_peak}"
    return f"The mean needs {n_mean} replica{'s' * (n_mean != 1)}, the peak {n_peak}"


def demand_figure(week: WeekOfDemand) -> Sketch:
    """The week's demand by hour against what the replicas for mean and peak carry."""
    week_tok, n_mean, n_peak = week.week_tok, week.n_mean, week.n_peak
    figure = base_figure(
        demand_finding(n_mean, n_peak), "Hour of the week, from Monday 00:00", "Tokens per second"
    )
    figure.add_scatter(
        x=np.arange(week_tok.size),
        y=week_tok / _SECONDS,
        line={"shape": "hv", "color": SELF_HOSTING},
        fill="tozeroy",
        name="demand, input and output",
        hovertemplate="hour %{x}<br>%{y:.3s} tok/s<extra></extra>",
    )
    sizes = {n_mean: "for the mean", n_peak: "for the peak"}  # one line where both are equal
    for dash, (n, words) in zip(("dash", "dot"), sizes.items(), strict=False):
        figure.add_scatter(
            x=[0, week_tok.size],
            y=[n * week.replica_tok_s] * 2,
            mode="lines",
            line={"color": OVERHEAD, "dash": dash},
            name=f"replicas {words}: {n}",
            hovertemplate=f"replicas {words}, {n}: %{{y:.3s}} tok/s<extra></extra>",
        )
    figure.update_xaxes(tickvals=list(range(0, 169, 24)), ticktext=[*DAYS, ""])
    figure.update_yaxes(rangemode="tozero")
    return figure


def length_finding(traffic: Traffic) -> str:
    """How long requests are in the middle and at the long end, in words."""
    parts = []
    for word, quantiles in (
        ("inputs", traffic.input_quantiles_tok),
        ("outputs", traffic.output_quantiles_tok),
    ):
        if quantiles is not None:
            middle, long = (number(quantiles[PERCENTILES.index(p)]) for p in (50, 95))
            parts.append(f"half of the {word} stay below {middle} tokens, 95 % below {long}")
    return "; ".join(parts)[:1].upper() + "; ".join(parts)[1:]


def length_figure(traffic: Traffic) -> Sketch:
    """Share of requests up to a length, inputs and outputs."""
    figure = base_figure(length_finding(traffic), "Tokens of a request", "Requests up to it [%]")
    series: Sequence[tuple[str, NDArray[np.float64] | None, str, str]] = (
        ("input", traffic.input_quantiles_tok, SELF_HOSTING, "solid"),
        ("output", traffic.output_quantiles_tok, API, "dash"),
    )
    for name, quantiles, colour, dash in series:
        if quantiles is not None:
            figure.add_scatter(
                x=np.maximum(quantiles, 1),
                y=PERCENTILES,
                name=name,
                mode="lines+markers",
                line={"color": colour, "dash": dash},
                hovertemplate=f"%{{y}} % of the {name}s up to %{{x:,.0f}} tokens<extra></extra>",
            )
    figure.update_xaxes(type="log")
    return figure
