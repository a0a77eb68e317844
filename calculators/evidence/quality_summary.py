"""The comparison of two result files in words: for the page and for the memo."""

from __future__ import annotations

import re

from calculators.evidence.quality import Comparison, MeanDifference
from calculators.evidence.quality_differences import TaskDifference

_MOST_ROWS = 12
_LEAST_POINTS = 0.05  # smaller ones would read as 0.0


def verdict_text(comparison: Comparison) -> str:
    """Return the finding of a comparison in one or two sentences.

    Parameters
    ----------
    comparison : Comparison

    Returns
    -------
    text : str [sentences]

    Notes
    -----
    "No significant change" is never written as "no loss": the loss that the data cannot rule out
    stands beside it. Basis: measured.

    References
    ----------
    Own wording.

    Examples
    --------
    >>> from calculators.evidence.lm_eval_files import read_eval_file
    >>> from calculators.evidence.quality import compare
    >>> a = read_eval_file(b'{"results": {"t": {"acc": 0.5, "acc_stderr": 0.01}}}')
    >>> b = read_eval_file(b'{"results": {"t": {"acc": 0.4, "acc_stderr": 0.01}}}')
    >>> verdict_text(compare(a, b))[:60]
    '1 of 1 task is significantly worse: t (acc) by 10.0 points. '
    """
    parts = [_broken_text(comparison), _mean_text(comparison.mean), _perplexity_text(comparison)]
    text = " ".join(part for part in parts if part)
    return text or "No score in both files can be judged: see the warnings."


def _broken_text(comparison: Comparison) -> str:
    broken = [d for d in comparison.broken if not d.is_perplexity]
    if not broken:
        return ""
    worst = broken[0]
    n_tasks = len([d for d in comparison.leaves if not d.is_perplexity])
    noun = "task is" if n_tasks == 1 else "tasks are" if len(broken) > 1 else "tasks is"
    how = "significantly " if worst.p_adjusted is not None else ""
    text = f"{len(broken)} of {n_tasks} {noun} {how}worse: {worst.label} by {_points(worst)}"
    return f"{text} the most." if len(broken) > 1 else f"{text}."


def _mean_text(mean: MeanDifference | None) -> str:
    if mean is None:
        return ""
    count = f"{mean.n_tasks} task" + ("s" if mean.n_tasks != 1 else "")
    if mean.stderr == 0:
        return f"The answers of {count} are the same in both files: the mean did not move."
    if mean.stderr is None or mean.p is None:
        change = f"The mean of {count} changed by {100 * mean.difference:+.1f} points"
        return f"{change}; without standard errors nobody can say whether that is chance."
    change = f"{_few(mean.difference, '+')} points (standard error {_few(mean.stderr)})"
    if mean.p < 0.05:
        word = "fell" if mean.difference < 0 else "rose"
        return f"The mean of {count} {word} significantly: {change}."
    loss = mean.largest_loss_frac or 0.0
    found = f"No significant change of the mean of {count}: {change}."
    if not loss:
        return f"{found} A loss of the mean is ruled out (95 %, one-sided); a gain is not shown."
    return (
        f"{found} That is not 'no loss': a mean loss of up to {_few(loss)} points is not ruled "
        "out (95 %, one-sided)."
    )


def _few(share: float, sign: str = "") -> str:
    """A share in points with one decimal, or two digits where that would read as nothing."""
    points = 100 * share
    fine = abs(points) >= _LEAST_POINTS or points == 0
    return f"{points:{sign}.1f}" if fine else f"{points:{sign}.1g}"


def _perplexity_text(comparison: Comparison) -> str:
    pairs = [d for d in comparison.perplexities if d.is_primary and not d.flag]
    if not pairs:
        return ""
    worst = max(pairs, key=lambda d: d.worse or 0.0)
    ratio = worst.quantized / worst.baseline
    error = "" if worst.stderr is not None else " (no standard error in the files)"
    return (
        f"Perplexity on {worst.task}: {worst.baseline:.4g} to {worst.quantized:.4g}, "
        f"{100 * (ratio - 1):+.1f} %{error}."
    )


def _points(d: TaskDifference) -> str:
    return f"{100 * abs(d.difference):.1f} points" if d.is_share else f"{abs(d.difference):.3g}"


def summary_markdown(comparison: Comparison) -> str:
    """Return the comparison as a section of Markdown for the memo.

    Parameters
    ----------
    comparison : Comparison

    Returns
    -------
    markdown : str [text; names from the files are escaped]

    Notes
    -----
    At most twelve tasks are shown, the worst first; the page has all. Basis: measured.

    References
    ----------
    CommonMark 0.31.

    Examples
    --------
    >>> from calculators.evidence.lm_eval_files import read_eval_file
    >>> from calculators.evidence.quality import compare
    >>> a = read_eval_file(b'{"results": {"t": {"acc": 0.5}}}')
    >>> summary_markdown(compare(a, a)).splitlines()[0]
    '## Quality: quantized against baseline'
    """
    names = [
        f"{label}: {_escaped(file.model or file.filename or 'not named')} ({_escaped(file.tool)})"
        for label, file in (("Baseline", comparison.baseline), ("Quantized", comparison.quantized))
    ]
    lines = ["## Quality: quantized against baseline", "", _escaped(verdict_text(comparison)), ""]
    lines += [f"- {name}" for name in names]
    if comparison.mean:
        worst = comparison.mean.worst
        lines.append(
            f"- Mean {100 * comparison.mean.difference:+.2f} points; worst task "
            f"{_escaped(worst.label)} {100 * worst.difference:+.2f} points"
        )
    lines += ["", *_ability_table(comparison), "", *_task_table(comparison), ""]
    lines += [f"- {_escaped(warning)}" for warning in comparison.warnings]
    for label, only in (
        ("baseline", comparison.only_baseline),
        ("quantized run", comparison.only_quantized),
    ):
        if only:
            shown = _escaped(", ".join(only[:5]))
            lines.append(f"- Only in the {label}: {len(only)} ({shown}{', ...' * (len(only) > 5)})")
    lines.append(
        "- Significance: two-sided, Holm's correction over the tasks; errors taken as independent "
        "unless both files hold the answers (then McNemar's exact test)."
    )
    return "\n".join(lines) + "\n"


def _ability_table(comparison: Comparison) -> list[str]:
    if not comparison.abilities:
        return []
    rows = ["| Ability | Tasks | Mean change [points] | Worst task |", "|---|---:|---:|---|"]
    for ability in comparison.abilities:
        worst = ability.worst
        rows.append(
            f"| {ability.name} | {ability.n_tasks} | {_with_error(ability)} | "
            f"{_escaped(worst.task)} {100 * worst.difference:+.1f} |"
        )
    return rows


def _with_error(mean: MeanDifference) -> str:
    error = "" if mean.stderr is None else f" ± {100 * mean.stderr:.1f}"
    return f"{100 * mean.difference:+.1f}{error}"


def _task_table(comparison: Comparison) -> list[str]:
    shown = [d for d in comparison.differences if d.is_primary and not d.is_group]
    worst_first = sorted(shown, key=lambda d: -(d.worse if d.worse is not None else 0.0))
    rows = [
        "| Task | Baseline | Quantized | Change | p (Holm) | |",
        "|---|---:|---:|---:|---:|---|",
    ]
    for d in worst_first[:_MOST_ROWS]:
        p = "" if d.p_adjusted is None else f"{d.p_adjusted:.2g}"
        change = f"{100 * (d.quantized / d.baseline - 1):+.1f} %" if d.is_perplexity else ""
        change = change or (
            f"{100 * d.difference:+.1f} points" if d.is_share else f"{d.difference:+.4g}"
        )
        mark = d.flag or ("worse" if d in comparison.broken else "")
        values = f"{d.baseline:.4g} | {d.quantized:.4g}"
        rows.append(f"| {_escaped(d.label)} | {values} | {change} | {p} | {mark} |")
    if len(worst_first) > _MOST_ROWS:
        rows.append(f"| and {len(worst_first) - _MOST_ROWS} more | | | | | |")
    return rows


def _escaped(text: str) -> str:
    return re.sub(r"([\\`*_\[\]<>|#~$])", r"\\\1", text.replace("\n", " "))[:400]
