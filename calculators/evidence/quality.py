"""What quantization cost: two result files compared task by task, with errors and significance."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from calculators.evidence.eval_metrics import perplexity_rank, primary_rank
from calculators.evidence.lm_eval_files import EvalFile, EvalFileError, EvalScore
from calculators.evidence.quality_checks import comparison_warnings
from calculators.evidence.quality_differences import TaskDifference, metric_scales, task_difference
from calculators.evidence.quality_tests import holm_p_values, normal_p_value

_BROKEN_WITHOUT_STDERR = 0.1  # a fall of a tenth of the score, where no error is known
_CONFIDENCE_Z = 1.645  # 95 %, one-sided


@dataclass(frozen=True)
class MeanDifference:
    """The mean over the tasks of one ability, or over all, beside the worst of them."""

    name: str
    n_tasks: int
    baseline: float
    quantized: float
    difference: float
    stderr: float | None
    p: float | None
    worst: TaskDifference

    @property
    def largest_loss_frac(self) -> float | None:
        """Return the mean loss that the data do not rule out (95 %, one-sided)."""
        if self.stderr is None:
            return None
        return max(-self.difference + _CONFIDENCE_Z * self.stderr, 0.0)


@dataclass(frozen=True)
class Comparison:
    """Two result files side by side. `mean` is None where no share is in both."""

    baseline: EvalFile
    quantized: EvalFile
    differences: tuple[TaskDifference, ...]
    mean: MeanDifference | None
    abilities: tuple[MeanDifference, ...]
    broken: tuple[TaskDifference, ...]
    only_baseline: tuple[str, ...]
    only_quantized: tuple[str, ...]
    warnings: tuple[str, ...]

    @property
    def leaves(self) -> tuple[TaskDifference, ...]:
        """Return one score for each task that is no mean of others and measures something."""
        return tuple(d for d in self.differences if d.is_primary and not d.is_group and not d.flag)

    @property
    def perplexities(self) -> tuple[TaskDifference, ...]:
        """Return the differences of perplexities, natural logarithms."""
        return tuple(d for d in self.differences if d.is_perplexity)


def compare(baseline: EvalFile, quantized: EvalFile) -> Comparison:
    """Compare the result files of a model before and after quantization, task by task.

    difference = quantized - baseline; stderr = sqrt(stderr_b^2 + stderr_q^2), or that of the
    paired differences where both files hold the samples; z = difference / stderr

    Parameters
    ----------
    baseline, quantized : EvalFile

    Returns
    -------
    comparison : Comparison

    Raises
    ------
    EvalFileError
        If no task and metric is in both files.

    Notes
    -----
    Independent errors ignore that both runs answered the same questions: they are too wide, so a
    small loss can go unseen. Holm's correction holds the chance of one false alarm among all leaf
    tasks at 5 %. Means weigh tasks alike and count no task twice. Basis: measured.

    References
    ----------
    Holm, Scandinavian Journal of Statistics 6 (1979) 65; McNemar, Psychometrika 12 (1947) 153;
    Miller, "Adding error bars to evals", arXiv:2411.00640; as known on 2026-11-30.

    Examples
    --------
    >>> from calculators.evidence.lm_eval_files import read_eval_file
    >>> a = read_eval_file(b'{"results": {"t": {"acc": 0.5, "acc_stderr": 0.03}}}')
    >>> b = read_eval_file(b'{"results": {"t": {"acc": 0.4, "acc_stderr": 0.04}}}')
    >>> round(compare(a, b).differences[0].z, 2)
    -2.0
    """
    pairs = _pairs(baseline, quantized)
    if not pairs:
        raise EvalFileError(_nothing_in_common(baseline, quantized))
    found = [task_difference(b, q, baseline, quantized) for b, q in pairs]
    differences = _adjusted(_with_primaries(found))
    leaves = [d for d in differences if d.is_primary and not d.is_group and not d.flag]
    shares = [d for d in leaves if d.is_share]
    names = dict.fromkeys(d.ability for d in shares)
    notes = (*_flag_notes(differences), *_scale_notes(baseline, quantized))
    return Comparison(
        baseline=baseline,
        quantized=quantized,
        differences=tuple(differences),
        mean=_mean("all tasks", shares) if shares else None,
        abilities=tuple(_mean(name, [d for d in shares if d.ability == name]) for name in names),
        broken=tuple(sorted((d for d in leaves if _is_broken(d)), key=lambda d: -(d.worse or 0))),
        only_baseline=_only(baseline, quantized),
        only_quantized=_only(quantized, baseline),
        warnings=comparison_warnings(baseline, quantized, pairs, notes),
    )


def _flag_notes(differences: Sequence[TaskDifference]) -> tuple[str, ...]:
    flagged: dict[str, list[str]] = {}
    for d in differences:
        if d.flag and d.is_primary:
            flagged.setdefault(d.flag, []).append(d.task)
    return tuple(
        f"Left out of the mean, {flag}: {', '.join(tasks[:5])}{', ...' * (len(tasks) > 5)}."
        for flag, tasks in flagged.items()
    )


def _scale_notes(baseline: EvalFile, quantized: EvalFile) -> tuple[str, ...]:
    first, second = metric_scales(baseline), metric_scales(quantized)
    notes = []
    for metric in dict.fromkeys((*first, *second)):
        both = metric in first and metric in second
        where = "both files" if both else "the baseline" if metric in first else "the quantized run"
        notes.append(f"{metric} runs from 0 to 100 in {where}: read as a share of 100.")
    return tuple(notes)


def _pairs(baseline: EvalFile, quantized: EvalFile) -> list[tuple[EvalScore, EvalScore]]:
    other = {score.key: score for score in quantized.scores if math.isfinite(score.value)}
    return [
        (score, other[score.key])
        for score in baseline.scores
        if score.key in other and math.isfinite(score.value)
    ]


def _nothing_in_common(baseline: EvalFile, quantized: EvalFile) -> str:
    shown = [", ".join(list(f.tasks)[:3]) or "none" for f in (baseline, quantized)]
    shared = set(baseline.tasks) & set(quantized.tasks)
    what = "score of the tasks in common that is a number" if shared else "task in common"
    return (
        f"The files have no {what}: the baseline has {shown[0]}; the quantized model {shown[1]}. "
        "Run both with the same tasks."
    )


def _with_primaries(found: Sequence[TaskDifference]) -> list[TaskDifference]:
    best: dict[str, tuple[int, int]] = {}
    for place, d in enumerate(found):
        rank = perplexity_rank(d.metric)
        order = (primary_rank(d.metric) if rank is None else 20 + rank, place)
        if d.task not in best or order < best[d.task]:
            best[d.task] = order
    chosen = {place for _, place in best.values()}
    return [replace(d, is_primary=place in chosen) for place, d in enumerate(found)]


def _adjusted(found: Sequence[TaskDifference]) -> list[TaskDifference]:
    tested = [
        place
        for place, d in enumerate(found)
        if d.is_primary and not d.is_group and not d.flag and d.p is not None
    ]
    adjusted = holm_p_values([found[place].p or 0.0 for place in tested])
    by_place = dict(zip(tested, adjusted, strict=True))
    return [replace(d, p_adjusted=by_place.get(place)) for place, d in enumerate(found)]


def _mean(name: str, tasks: Sequence[TaskDifference]) -> MeanDifference:
    errors = [d.stderr for d in tasks]
    known = [e for e in errors if e is not None]
    difference = sum(d.difference for d in tasks) / len(tasks)
    stderr = math.hypot(*known) / len(tasks) if len(known) == len(tasks) else None
    return MeanDifference(
        name=name,
        n_tasks=len(tasks),
        baseline=sum(d.baseline for d in tasks) / len(tasks),
        quantized=sum(d.quantized for d in tasks) / len(tasks),
        difference=difference,
        stderr=stderr,
        p=normal_p_value(difference / stderr) if stderr else None,
        worst=max(tasks, key=lambda d: d.worse if d.worse is not None else -math.inf),
    )


def _is_broken(d: TaskDifference) -> bool:
    if d.worse is None or d.worse <= 0:
        return False
    if d.p_adjusted is not None:
        return d.is_significant
    if d.is_perplexity:
        return d.worse > math.log1p(_BROKEN_WITHOUT_STDERR)
    return d.is_share and d.worse > _BROKEN_WITHOUT_STDERR * abs(d.baseline)


def _only(file: EvalFile, other: EvalFile) -> tuple[str, ...]:
    keys = {score.key for score in other.scores}
    tasks = set(other.tasks)
    missing = [task for task in file.tasks if task not in tasks]
    metrics = [
        f"{score.task} ({score.metric}{',' + score.filter if score.filter else ''})"
        for score in file.scores
        if score.key not in keys and score.task in tasks
    ]
    return tuple(dict.fromkeys((*missing, *metrics)))
