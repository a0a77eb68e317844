"""The Quality page's rows: published statements, task differences, what stands apart."""

from __future__ import annotations

from collections.abc import Mapping

from app.formatting import number, percent
from calculators.evidence.lm_eval_files import EvalFile
from calculators.evidence.published_loss import PublishedLoss
from calculators.evidence.quality import Comparison, MeanDifference
from calculators.evidence.quality_differences import TaskDifference

_MOST_ROWS = 40


def statement_rows(published: PublishedLoss, names: Mapping[str, str]) -> list[dict[str, object]]:
    """What papers say by ability, and what nobody said with a source."""
    said: list[dict[str, object]] = [
        {
            "Ability": s.ability,
            "Formats": ", ".join(names.get(f, f) for f in s.formats),
            "Change": "" if s.change_frac is None else percent(s.change_frac),
            "What is said": s.text,
            "Source": s.source.title,
        }
        for s in published.statements
    ]
    unknown: list[dict[str, object]] = [
        {"Ability": u.ability, "Formats": "", "Change": "", "What is said": u.text, "Source": ""}
        for u in published.unknown
    ]
    return said + unknown


def compared_files(comparison: Comparison) -> str:
    """Which two files are compared, and which model each says that it holds."""
    baseline, quantized = comparison.baseline, comparison.quantized
    return f"Baseline: {_file_words(baseline)}. Quantized: {_file_words(quantized)}."


def _file_words(file: EvalFile) -> str:
    name = file.filename or "a file without a name"
    return f"{name}, of {file.model}" if file.model else f"{name}, which names no model"


def comparison_metrics(comparison: Comparison) -> list[tuple[str, str, str, str]]:
    """The mean beside the worst, and how many tasks broke."""
    mean = comparison.mean
    entries = []
    if mean:
        error = "" if mean.stderr is None else f"standard error {100 * mean.stderr:.1f} points"
        entries += [
            (
                "Mean change",
                _points(mean.difference),
                f"of 100, over {mean.n_tasks} tasks; {error}".removesuffix("; "),
                "measured",
            ),
            (
                "Worst task",
                _points(mean.worst.difference),
                f"of 100, {mean.worst.label}",
                "measured",
            ),
        ]
    pairs = [d for d in comparison.perplexities if d.is_primary and not d.flag]
    entries += [
        (
            f"Perplexity, {d.task}",
            f"{100 * (d.quantized / d.baseline - 1):+.1f} %",
            f"{number(d.baseline)} to {number(d.quantized)}",
            "measured",
        )
        for d in pairs[:2]
    ]
    broken = len(comparison.broken)
    entries.append(("Tasks that broke", str(broken), f"of {len(comparison.leaves)} that count", ""))
    return entries


def _points(change: float) -> str:
    return f"{100 * change:+.1f} points"


def ability_rows(comparison: Comparison) -> list[dict[str, object]]:
    """Mean and worst of each ability, so that a mean hides nothing."""
    return [_ability_row(ability) for ability in comparison.abilities]


def _ability_row(ability: MeanDifference) -> dict[str, object]:
    error = "" if ability.stderr is None else f" ± {100 * ability.stderr:.1f}"
    return {
        "Ability": ability.name,
        "Tasks": ability.n_tasks,
        "Mean change [points]": f"{100 * ability.difference:+.1f}{error}",
        "Worst task": ability.worst.task,
        "Its change [points]": f"{100 * ability.worst.difference:+.1f}",
    }


def p_value(p: float) -> str:
    """A p-value as people write it."""
    return "below 0.0001" if p < 1e-4 else f"{p:.2g}"


def task_caption(comparison: Comparison) -> str:
    """What the table of scores shows, and how many it leaves out."""
    n_all = len(comparison.differences)
    shown = f"The worst {_MOST_ROWS} of {n_all} scores" if n_all > _MOST_ROWS else "Every score"
    return f"{shown} that {'are' if n_all > _MOST_ROWS else 'is'} in both files"


def task_rows(comparison: Comparison) -> list[dict[str, object]]:
    """Every score in both files, the worst first."""
    ordered = sorted(comparison.differences, key=lambda d: -(d.worse or 0.0))
    return [_task_row(d, d in comparison.broken) for d in ordered[:_MOST_ROWS]]


def _task_row(d: TaskDifference, is_broken: bool) -> dict[str, object]:
    return {
        "Task": d.label + (" (a mean of tasks)" if d.is_group else ""),
        "Baseline": number(d.baseline, 4),
        "Quantized": number(d.quantized, 4),
        "Standard error": "" if d.stderr is None else f"{d.stderr:.4f}",
        "z": "" if d.z is None else f"{d.z:+.1f}",
        "p (Holm)": "" if d.p_adjusted is None else p_value(d.p_adjusted),
        "": d.flag or ("worse" if is_broken else ""),
    }


def unmatched_lines(comparison: Comparison) -> list[str]:
    """What only one of the files has."""
    return [
        f"Only in the {where}: {len(only)} ({', '.join(only[:8])}{', ...' * (len(only) > 8)})."
        for where, only in (
            ("baseline", comparison.only_baseline),
            ("quantized run", comparison.only_quantized),
        )
        if only
    ]
