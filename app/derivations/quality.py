"""The Quality page's figures: two result files compared, and what others published."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from app.derivations.derivation import Derivation, derived
from app.derivations.derivation import amount as a
from app.figures.quality import BASE_PPL
from app.formatting import number, percent
from calculators.evidence.lm_eval_files import EvalFile
from calculators.evidence.published_loss import Evaluation, PublishedLoss, loss_frac, loss_rows
from calculators.evidence.quality import Comparison, MeanDifference, compare
from calculators.evidence.quality_differences import TaskDifference, task_difference
from calculators.specs import WeightFormat

PUBLISHED = "Published score"
UNKNOWN = float("nan")
_MOST_LINES = 40
_LEAST_P = 1e-6  # smaller ones are only said to be smaller


def compared(comparison: Comparison) -> tuple[Derivation, ...]:
    """All figures of two result files side by side."""
    return (
        *(
            (_mean(comparison.mean, comparison.leaves), _worst(comparison.mean))
            if comparison.mean
            else ()
        ),
        *(_perplexity(d) for d in comparison.perplexities if d.is_primary and not d.flag),
        _broken(comparison),
        _abilities(comparison.abilities),
        _tasks(comparison),
    )


def _points(b: float, q: float, change: float) -> str:
    return f"100 x ({a(q, 6)} - {a(b, 6)}) = {100 * change:+.1f} points"


def _mean(mean: MeanDifference, leaves: Sequence[TaskDifference]) -> Derivation:
    lines = [_points(mean.baseline, mean.quantized, mean.difference)]
    if mean.stderr:
        squares = sum((d.stderr or 0.0) ** 2 for d in leaves if d.is_share)
        lines.insert(
            0,
            f"standard error: 100 x sqrt({a(squares, 6)} summed squares) / {mean.n_tasks} tasks = "
            f"{100 * mean.stderr:.1f} points",
        )
    return derived(
        "Mean change",
        f"The mean score of the {mean.n_tasks} tasks that are in both files, each counted once: "
        "quantized less baseline. Its standard error is the root of the summed squares of the "
        "tasks' errors over their number.",
        "\n".join(lines),
        "your file",
        compare,
        known=mean.difference,
    )


def _worst(mean: MeanDifference) -> Derivation:
    worst = mean.worst
    return derived(
        "Worst task",
        f"{worst.label}: the task that lost most.",
        _points(worst.baseline, worst.quantized, worst.difference),
        "your file",
        task_difference,
        known=worst.difference,
    )


def _perplexity(d: TaskDifference) -> Derivation:
    change = 100 * (d.quantized / d.baseline - 1)
    return derived(
        f"Perplexity, {d.task}",
        "The perplexity after over the one before; more is worse.",
        f"{a(d.quantized, 6)} / {a(d.baseline, 6)} - 1 = {change:+.1f} %",
        "your file",
        task_difference,
        known=change,
    )


def _broken(comparison: Comparison) -> Derivation:
    counted, broken = len(comparison.leaves), len(comparison.broken)
    lines = [f"{counted} tasks that count - {counted - broken} that did not = {broken}"]
    tested = sorted((d for d in comparison.leaves if d.p is not None), key=lambda d: d.p or 0.0)
    for d in comparison.broken[:_MOST_LINES]:
        lines.append(_broken_line(d, tested))
    return derived(
        "Tasks that broke",
        "Tasks whose score fell by more than chance explains. The chance of such a fall without "
        "any true loss (p) is multiplied by the number of tasks that fell no more clearly, because "
        "among many tasks some fall by chance (Holm's correction); what is then still under 5 % "
        "counts. Where no error is known, a fall of a tenth of the score counts.",
        "\n".join(lines),
        "your file",
        compare,
    )


def _broken_line(d: TaskDifference, tested: Sequence[TaskDifference]) -> str:
    """Why one task counts as broken: its corrected p, or its fall over its score."""
    name = d.label.replace(": ", " ")
    if d.p_adjusted is None:
        fall = 1 - d.quantized / d.baseline if not d.is_perplexity else d.quantized / d.baseline - 1
        return f"{name}, no error known: 10 % <= {a(100 * abs(fall))} %"
    place, worst = max(
        enumerate(tested[: tested.index(d) + 1]),
        key=lambda pair: (len(tested) - pair[0]) * (pair[1].p or 0.0),
    )
    p, n = worst.p or 0.0, len(tested) - place
    if p < _LEAST_P:
        return f"{name}, p times tasks: {_LEAST_P:.6f} or less x {n} tasks <= 5 %"
    return f"{name}, p times tasks: {a(p)} x {n} tasks <= 5 %"


def _abilities(abilities: Sequence[MeanDifference]) -> Derivation:
    lines = [
        f"{one.name}: {_points(one.baseline, one.quantized, one.difference)}" for one in abilities
    ]
    return derived(
        "Table: by ability",
        "The mean over the tasks of one ability, quantized less baseline.",
        "\n".join(lines),
        "your file",
        compare,
    )


def _tasks(comparison: Comparison) -> Derivation:
    lines = []
    ordered = sorted(comparison.differences, key=lambda d: -(d.worse or 0.0))[:_MOST_LINES]
    for d in ordered:
        lines += _task_lines(d, comparison.baseline, comparison.quantized)
    return derived(
        "Chart and table: every score",
        "The standard error of a difference is the root of both files' squared errors (smaller "
        "where both files hold the answers themselves, which are then compared one by one); z is "
        "the difference over that error: beyond about 2 it is hardly chance. The chart's whiskers "
        "are 1.96 errors to each side.",
        "\n".join(lines),
        "your file",
        task_difference,
    )


def _task_lines(d: TaskDifference, baseline: EvalFile, quantized: EvalFile) -> list[str]:
    name, lines = d.label.replace(": ", " "), []
    errors = [_stderr(d, file) for file in (baseline, quantized)]
    plain = not d.is_paired and not d.is_perplexity and d.is_share
    if plain and d.stderr is not None and None not in errors:
        b, q = (a(error, 6) for error in errors)
        lines.append(f"{name}, error: sqrt({b} x {b} + {q} x {q}) = {d.stderr:.4f}")
    if d.z is not None and d.stderr:
        lines.append(f"{name}, z: {a(d.difference, 6)} / {a(d.stderr, 6)} = {d.z:+.1f}")
    return lines


def _stderr(d: TaskDifference, file: EvalFile) -> float | None:
    """The error that a file states for a score of 0 to 1; None where it states none."""
    [*found] = [
        score
        for score in file.scores
        if (score.task, score.metric, score.filter) == (d.task, d.metric, d.filter)
    ]
    if not found or found[0].value > 1:
        return None
    return found[0].stderr


def published(known: PublishedLoss, names: Mapping[str, str]) -> tuple[Derivation, ...]:
    """The chart of published losses: each point's own two scores."""
    by_ability: dict[str, list[str]] = {}
    for one in known.evaluations:
        if one.ability != "language modelling":
            by_ability.setdefault(one.ability, []).extend(_losses(one, names))
    return tuple(
        derived(
            f"Chart: published loss in {ability}",
            "How much of the score of the original in 16 bits is lost. Close to guessing, a score "
            "has little left to lose.",
            "\n".join(lines),
            "measured",
            loss_frac,
            (PUBLISHED,),
        )
        for ability, lines in by_ability.items()
    )


def _losses(one: Evaluation, names: Mapping[str, str]) -> list[str]:
    base = one.baseline[0]
    lines = []
    for format_id, (value, _) in one.scores.items():
        worse = loss_frac(baseline=base, quantized=value, measure=one.measure)
        formula = f"{a(value)} / {a(base)} - 1"
        if abs(value / base - 1 - worse) > 1e-9:
            formula = f"1 - {a(value)} / {a(base)}"
        what = f"{names.get(format_id, format_id)}, {one.model}, {one.task}".replace(": ", " ")
        lines.append(f"{what}: {formula} = {percent(worse)}")
    return lines


def perplexities(formats: Sequence[WeightFormat]) -> Derivation:
    """The chart of perplexity by format: what was added, over that of the original."""
    lines = [
        f"{fmt.name}: {a(fmt.ppl_delta)} / {BASE_PPL} = {number(100 * fmt.ppl_delta / BASE_PPL)} %"
        for fmt in formats
        if fmt.ppl_delta
    ]
    return derived(
        "Chart: perplexity by format",
        f"What a format adds to the perplexity of Llama 3 8B, over the {BASE_PPL} that its 16-bit "
        "original has on the same text.",
        "\n".join(lines),
        "measured",
        loss_frac,
        (PUBLISHED,),
    )


def statements() -> Derivation:
    """The table of what papers say by ability."""
    return Derivation(
        "Table: published by ability",
        "Each line repeats what a paper or a model card states; its source stands beside it.",
        "",
        "measured",
        loss_rows,
        (PUBLISHED,),
    )
