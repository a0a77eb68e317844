"""Quality: differences of two result files, published losses by format."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np

from app.figures.marks import upright
from app.figures.sketch import Sketch
from app.figures.theme import FORBIDDEN, OVERHEAD, SELF_HOSTING, SERIES, SYMBOLS, base_figure
from app.formatting import number, percent
from app.quality_words import p_value
from calculators.evidence.published_loss import LossRow
from calculators.evidence.quality import Comparison
from calculators.evidence.quality_differences import TaskDifference
from calculators.specs import WeightFormat

_MOST_TASKS = 24
_NAME_CHARS = 27
_Z95 = 1.96
_SMALL_RISE = 0.03


def forest_finding(comparison: Comparison) -> str:
    """The worst task beside the mean, in words."""
    mean = comparison.mean
    if mean is None:
        worst = max(comparison.perplexities, key=lambda d: d.difference, default=None)
        if worst is None:
            return "No share of right answers is in both files"
        change = 100 * (np.exp(worst.difference) - 1)
        return f"Perplexity on {worst.task} changes by {change:+.1f} %"
    worst = mean.worst
    return (
        f"The mean changes by {100 * mean.difference:+.1f} points, "
        f"{_short(worst.task)} by {100 * worst.difference:+.1f}"
    )


def forest_height(comparison: Comparison) -> int:
    """Pixels that give each task its own line."""
    n_shares = sum(d.is_share for d in comparison.leaves)
    n_shown = min(n_shares or len(comparison.perplexities), _MOST_TASKS)
    return 170 + 22 * max(n_shown, 2)


def _short(task: str) -> str:
    name = task.rsplit("|", 1)[-1]
    return name if len(name) <= _NAME_CHARS else name[: _NAME_CHARS - 1] + "…"


def _label(task: str) -> str:
    return escape(_short(task))


def forest_figure(comparison: Comparison) -> Sketch:
    """Differences with 95 % intervals, the worst on top; what broke is marked."""
    shown = [d for d in comparison.leaves if d.is_share]
    figure = base_figure(escape(forest_finding(comparison)), "Quantized less baseline [points]", "")
    if not shown:
        return _perplexity_bars(figure, comparison)
    ordered = sorted(shown, key=lambda d: d.worse or 0.0)[-_MOST_TASKS:]
    broken = {id(d) for d in comparison.broken}
    for name, part, colour, symbol in (
        ("significantly worse", [d for d in ordered if id(d) in broken], FORBIDDEN, "diamond"),
        ("not significant", [d for d in ordered if id(d) not in broken], SELF_HOSTING, "circle"),
    ):
        _add_intervals(figure, part, name, colour, symbol)
    figure.update_yaxes(
        categoryorder="array",
        categoryarray=[_label(d.task) for d in ordered],
        dtick=1,
        tickfont={"size": 11},
    )
    upright(figure, 0, width=1)
    return figure


def _add_intervals(
    figure: Sketch, part: Sequence[TaskDifference], name: str, colour: str, symbol: str
) -> None:
    figure.add_scatter(
        x=[100 * d.difference for d in part],
        y=[_label(d.task) for d in part],
        error_x={
            "array": [100 * _Z95 * d.stderr if d.stderr is not None else 0 for d in part],
            "thickness": 1.2,
            "width": 3,
        },
        mode="markers",
        name=name,
        marker={"color": colour, "symbol": symbol, "size": 9},
        customdata=[
            [f"{d.baseline:.4g}", f"{d.quantized:.4g}", _p_text(d), escape(d.metric)] for d in part
        ],
        hovertemplate=(
            "%{y}, %{customdata[3]}<br>%{customdata[0]} to %{customdata[1]}: %{x:+.2f} points<br>"
            "%{customdata[2]}<extra></extra>"
        ),
    )


def _p_text(d: TaskDifference) -> str:
    return "no standard error" if d.p_adjusted is None else f"p (Holm) {p_value(d.p_adjusted)}"


def _perplexity_bars(figure: Sketch, comparison: Comparison) -> Sketch:
    shown = [d for d in comparison.perplexities if d.is_primary and not d.flag]
    figure.add_bar(
        x=[100 * (np.exp(d.difference) - 1) for d in shown],
        y=[_label(d.task) for d in shown],
        orientation="h",
        marker={"color": SELF_HOSTING},
        customdata=[[number(d.baseline), number(d.quantized)] for d in shown],
        hovertemplate="%{y}: %{customdata[0]} to %{customdata[1]}, %{x:+.1f} %<extra></extra>",
        width=0.5,
    )
    figure.update_xaxes(title={"text": "Change of perplexity [%], more is worse"})
    return figure


def perplexity_finding(formats: Sequence[WeightFormat]) -> str:
    """Where the loss of the GGUF types takes off, in words."""
    known = sorted((f for f in formats if f.ppl_delta), key=lambda f: f.whole_file_bits or f.bits)
    if not known:
        return "No published perplexity"
    small = [f for f in known if (f.ppl_delta or 0) / BASE_PPL <= _SMALL_RISE]
    doubled = [f for f in known if (f.ppl_delta or 0) >= BASE_PPL]
    parts = []
    if small:
        bits = number(small[0].whole_file_bits or small[0].bits)
        parts.append(f"within {percent(_SMALL_RISE)} down to {bits} bits ({small[0].name})")
    if doubled:
        bits = number(doubled[-1].whole_file_bits or doubled[-1].bits)
        parts.append(f"more than doubled at {bits} bits ({doubled[-1].name})")
    return "Perplexity is " + ", ".join(parts)


BASE_PPL = 6.2332  # Llama 3 8B in 16 bits on the same text, as the source of the table says


def perplexity_figure(formats: Sequence[WeightFormat], chosen: str) -> Sketch:
    """Rise of perplexity of published formats against their bits; the chosen one stands out."""
    known = [f for f in formats if f.ppl_delta]
    figure = base_figure(
        perplexity_finding(formats), "Bits per weight, whole file (GGUF)", "Rise of perplexity [%]"
    )
    for name, part, colour, size in (
        ("published, Llama 3 8B", [f for f in known if f.id != chosen], OVERHEAD, 8),
        ("the scenario's format", [f for f in known if f.id == chosen], SELF_HOSTING, 13),
    ):
        if part:
            figure.add_scatter(
                x=[f.whole_file_bits or f.bits for f in part],
                y=[100 * (f.ppl_delta or 0) / BASE_PPL for f in part],
                mode="markers",
                name=name,
                marker={"color": colour, "size": size},
                customdata=[[f.name, f.kl_divergence] for f in part],
                hovertemplate=(
                    "%{customdata[0]}, %{x:.3g} bits<br>perplexity %{y:+.3g} %<br>"
                    "divergence %{customdata[1]:.3g}<extra></extra>"
                ),
            )
    figure.update_yaxes(type="log", dtick=1)
    figure.update_layout(showlegend=True)
    return figure


def loss_finding(rows: Sequence[LossRow]) -> str:
    """The spread of one format over tasks, in words."""
    four = [r for r in rows if r.format_id in ("awq-int4", "gptq-int4", "nf4")]
    low, high = (100 * f(r.worse_frac for r in four) if four else 0.0 for f in (min, max))
    return f"4 bits cost between {low:.1f} and {high:.1f} % of the score, by task and method"


def loss_figure(rows: Sequence[LossRow], names: dict[str, str]) -> Sketch:
    """Loss of score by format, one mark for each task, with one standard error."""
    figure = base_figure(loss_finding(rows), "Loss of the 16-bit score [%]", "")
    for n, task in enumerate(dict.fromkeys(r.task for r in rows)):
        part = [r for r in rows if r.task == task]
        figure.add_scatter(
            x=[100 * r.worse_frac for r in part],
            y=[names.get(r.format_id, r.format_id.upper()) for r in part],
            error_x={"array": [100 * (r.stderr_frac or 0) for r in part], "thickness": 1},
            mode="markers",
            name=task,
            marker={"color": SERIES[n], "symbol": SYMBOLS[n], "size": 9},
            hovertemplate=f"%{{y}}, {task}<br>%{{x:.2f}} % lower<extra></extra>",
        )
    upright(figure, 0, width=1)
    figure.update_yaxes(automargin=True, autorange="reversed")
    return figure
