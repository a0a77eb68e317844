"""Pictures of serving: throughput and latency over concurrency, and over the request rate."""

from __future__ import annotations

import numpy as np

from app.figures.marks import band, log_range, upright, vertical_line
from app.figures.sketch import Sketch
from app.figures.theme import FORBIDDEN, OVERHEAD, SELF_HOSTING, SERIES, base_figure
from app.formatting import count, duration, number, percent, quantity
from calculators.plan import Plan
from calculators.serving_answers import LoadCurve, ServingAnswers

UPPER, LOWER = [0.56, 1.0], [0.0, 0.46]
FIRST_TOKEN, EACH_TOKEN = SERIES[2], SERIES[5]


def load_finding(plan: Plan, answers: ServingAnswers) -> str:
    """What more requests at once buy and cost, in words."""
    at, curve = plan.calibrated, answers.curve
    best = float(curve.output_tok_s.max())
    if at.batch < curve.n_held:
        return (
            f"{count(at.batch)} requests at once give {quantity(at.output_tok_s, 'tok/s')} within "
            f"the objectives; memory would hold {count(curve.n_held)} ({quantity(best, 'tok/s')})"
        )
    return (
        f"Memory ends at {count(curve.n_held)} requests at once and "
        f"{quantity(best, 'tok/s')}: more of them only wait"
    )


def load_figure(plan: Plan, answers: ServingAnswers) -> Sketch:
    """Output speed above, TTFT and TPOT below, over the number of requests at once."""
    curve = answers.curve
    figure = base_figure(load_finding(plan, answers), "Requests at once", "Output [tok/s]")
    bands = {
        "output": (curve.output_tok_s, answers.rate_band_frac, SELF_HOSTING, "y"),
        "time per output token": (curve.tpot_s * 1e3, answers.tpot_band_frac, EACH_TOKEN, "y2"),
        "time to first token": (curve.ttft_s * 1e3, answers.ttft_band_frac, FIRST_TOKEN, "y2"),
    }
    for name, (values, spread, colour, axis) in bands.items():
        if spread:
            _band(figure, curve.concurrency, values, spread, colour, axis)
        unit = "tok/s" if axis == "y" else "ms"
        dash = "dash" if name == "time to first token" else "solid"
        figure.add_scatter(
            x=curve.concurrency,
            y=values,
            yaxis=axis,
            name=name,
            line={"color": colour, "width": 2.5, "dash": dash},
            hovertemplate=f"%{{x:,.0f}} at once<br>%{{y:.3g}} {unit}<extra>{name}</extra>",
        )
    _objectives(figure, plan)
    _regions(figure, curve)
    _scenario_point(figure, plan)
    last = float(curve.concurrency[-1])
    figure.update_layout(
        xaxis={"type": "log", "range": log_range(1, last), "dtick": "D2", "anchor": "y2"},
        yaxis={"domain": UPPER, "rangemode": "tozero"},
        yaxis2={"domain": LOWER, "type": "log", "dtick": 1, "title": {"text": "Time [ms]"}},
    )
    return figure


def _band(
    figure: Sketch, x: np.ndarray, y: np.ndarray, band: float, colour: str, axis: str
) -> None:
    """The error band of the class: from value / (1 + band) to value x (1 + band)."""
    figure.add_scatter(
        x=np.concatenate([x, x[::-1]]),
        y=np.concatenate([y * (1 + band), y[::-1] / (1 + band)]),
        yaxis=axis,
        fill="toself",
        fillcolor=colour,
        opacity=0.18,
        line={"width": 0},
        mode="lines",
        hoverinfo="skip",
        showlegend=False,
    )


def _objectives(figure: Sketch, plan: Plan) -> None:
    for name, value, colour in (
        ("TTFT objective", plan.scenario.ttft_ms, FIRST_TOKEN),
        ("TPOT objective", plan.scenario.tpot_ms, EACH_TOKEN),
    ):
        if value is not None:
            figure.add_shape(
                type="line",
                x0=0,
                x1=1,
                xref="paper",
                y0=value,
                y1=value,
                yref="y2",
                line={"color": colour, "dash": "dot", "width": 1.5},
            )
            figure.add_annotation(
                x=0, xref="paper", y=np.log10(value), yref="y2", text=name, showarrow=False,
                xanchor="left", yanchor="bottom",
            )  # fmt: skip


def _regions(figure: Sketch, curve: LoadCurve) -> None:
    """Shaded: beyond what memory holds, and where an objective is missed before that."""
    last = float(curve.concurrency[-1])
    within = curve.concurrency <= curve.n_held
    missed = curve.concurrency[within & ~curve.meets]
    if len(missed):
        _shade(figure, float(missed[0]), float(curve.n_held), OVERHEAD)
        vertical_line(figure, float(missed[0]), "objective missed", y=0.52)
    _shade(figure, float(curve.n_held), last, FORBIDDEN)
    vertical_line(figure, curve.n_held, "memory ends", color=FORBIDDEN, dash="solid")


def _shade(figure: Sketch, x0: float, x1: float, colour: str) -> None:
    band(figure, x0, x1, colour)


def _scenario_point(figure: Sketch, plan: Plan) -> None:
    at = plan.calibrated
    figure.add_scatter(
        x=[at.batch],
        y=[at.output_tok_s],
        name="your scenario",
        mode="markers",
        marker={"size": 12, "symbol": "diamond", "color": SELF_HOSTING, "line": {"width": 1}},
        hovertemplate=f"your scenario: {at.batch} at once<extra></extra>",
    )


def rate_finding(answers: ServingAnswers) -> str:
    """What arriving at random does to the wait, in words."""
    used = float(answers.now.utilisation_frac[1])
    if bool(answers.now.saturated[1]):
        return (
            f"The busiest hour asks for {percent(used)} of what a replica can do: "
            "the queue grows without end"
        )
    late = float(answers.now.ttft_p95_s[1])
    return (
        f"In the busiest hour a replica is used to {percent(used)}; one request in twenty waits "
        f"more than {duration(late)} for its first token"
    )


def rate_figure(answers: ServingAnswers) -> Sketch:
    """Median and 95th percentile of TTFT over the request rate, with the demand's hours."""
    loop, now = answers.open, answers.now
    figure = base_figure(
        rate_finding(answers), "Requests a second at one replica", "Time to first token [s]"
    )
    used = np.stack([loop.utilisation_frac * 100, loop.mean_batch], axis=1)
    for name, values, dash in (
        ("half of the requests", loop.ttft_p50_s, "solid"),
        ("19 in 20", loop.ttft_p95_s, "dash"),
    ):
        figure.add_scatter(
            x=loop.requests_per_s,
            y=values,
            customdata=used,
            name=name,
            line={"color": FIRST_TOKEN, "dash": dash, "width": 2.5},
            hovertemplate=(
                "%{x:.3g} a second (%{customdata[0]:.0f} %)<br>within %{y:.3g} s<br>"
                f"%{{customdata[1]:.1f}} at work<extra>{name}</extra>"
            ),
        )
    end = loop.capacity_per_s
    band(figure, end, end * 1.12, FORBIDDEN)
    upright(figure, end, color=FORBIDDEN, width=2)
    figure.add_annotation(
        x=end, y=1, yref="paper", text=f"saturated at {number(end)} a second", showarrow=False,
        xanchor="right", yanchor="top", xshift=-6,
    )  # fmt: skip
    ends = [float(loop.ttft_p50_s.min()), float(loop.ttft_p95_s.max())]
    hours = (("mean hour", "dot"), ("busiest hour", "dashdot"))
    for x, (text, dash) in zip(now.requests_per_s, hours, strict=True):
        if x < end * 1.12:
            figure.add_scatter(
                x=[x, x], y=ends, mode="lines", name=text, hoverinfo="name+x",
                line={"color": SELF_HOSTING, "dash": dash, "width": 2},
            )  # fmt: skip
    figure.update_xaxes(range=[0, end * 1.12])
    figure.update_yaxes(type="log", dtick=1)
    return figure
