"""The difference of one score between two result files, with its error, and what spoils it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from calculators.evidence.eval_metrics import is_bounded, perplexity_rank
from calculators.evidence.eval_tasks import ability_of, chance_frac
from calculators.evidence.lm_eval_files import EvalFile, EvalScore
from calculators.evidence.quality_tests import mcnemar_p_value, normal_p_value, paired_stderr

SIGNIFICANT_P = 0.05
_SCRAP_FRAC = 0.02  # a share this near to 0 in both files measures nothing
_LEAST_PAIRS = 10
_BINOMIAL = {"acc", "acc_norm", "exact_match", "em", "qem", "extractive_match"}


@dataclass(frozen=True)
class TaskDifference:
    """One score in both files. Shares are 0 to 1; `difference` is quantized less baseline.

    For perplexities `difference` is of natural logarithms. `worse` is positive where quality fell,
    None where the metric has no better direction. `p_adjusted` is Holm's over the leaf tasks.
    """

    task: str
    metric: str
    filter: str
    ability: str
    baseline: float
    quantized: float
    difference: float
    stderr: float | None
    z: float | None
    p: float | None
    p_adjusted: float | None
    is_paired: bool
    worse: float | None
    n_samples: int | None
    is_group: bool
    is_primary: bool
    is_perplexity: bool
    is_share: bool
    flag: str

    @property
    def is_significant(self) -> bool:
        """Tell whether the change stands after the correction for many tasks."""
        return self.p_adjusted is not None and self.p_adjusted < SIGNIFICANT_P

    @property
    def label(self) -> str:
        """Return task, metric and filter in one line."""
        extra = f", {self.filter}" if self.filter not in ("", "none") else ""
        return f"{self.task} ({self.metric}{extra})"


def metric_scales(file: EvalFile) -> dict[str, float]:
    """Return the metrics that a file writes as 0 to 100, with their scale of 100.

    Parameters
    ----------
    file : EvalFile

    Returns
    -------
    scales : dict of str to float [metric to what its values are divided by]

    Notes
    -----
    Told from the largest value: a share above 1.5 can only be one of 100. Basis: convention.

    References
    ----------
    Own rule.

    Examples
    --------
    >>> from calculators.evidence.lm_eval_files import read_eval_file
    >>> metric_scales(read_eval_file(b'{"results": {"t": {"acc": 71.5}}}'))
    {'acc': 100.0}
    """
    largest: dict[str, float] = {}
    for score in file.scores:
        if is_bounded(score.metric) and math.isfinite(score.value):
            largest[score.metric] = max(largest.get(score.metric, 0.0), abs(score.value))
    return {metric: 100.0 for metric, value in largest.items() if 1.5 < value <= 100}


def task_difference(
    b: EvalScore, q: EvalScore, baseline: EvalFile, quantized: EvalFile
) -> TaskDifference:
    """Return the difference of one score between two files, with its error and significance.

    difference = quantized - baseline (of logarithms for a perplexity); stderr as `compare` says

    Parameters
    ----------
    b, q : EvalScore [the same task, metric and filter in both files]
    baseline, quantized : EvalFile [where they come from, for scales and samples]

    Returns
    -------
    difference : TaskDifference

    Notes
    -----
    Basis: measured.

    References
    ----------
    Miller, "Adding error bars to evals", arXiv:2411.00640; as known on 2026-11-30.

    Examples
    --------
    >>> from calculators.evidence.lm_eval_files import read_eval_file
    >>> a = read_eval_file(b'{"results": {"t": {"ppl": 5.0}}}')
    >>> b = read_eval_file(b'{"results": {"t": {"ppl": 6.0}}}')
    >>> round(task_difference(a.scores[0], b.scores[0], a, b).difference, 4)  # ln(6 / 5)
    0.1823
    """
    b_scales, q_scales = metric_scales(baseline), metric_scales(quantized)
    b_value, q_value = (s.value / f.get(s.metric, 1.0) for s, f in ((b, b_scales), (q, q_scales)))
    b_error = _error(b, b_value, b_scales)
    q_error = _error(q, q_value, q_scales)
    is_perplexity = perplexity_rank(b.metric) is not None and b_value > 0 and q_value > 0
    logs = is_perplexity and "bits" not in b.metric
    if logs:
        b_error, q_error = (
            None if e is None else e / v for e, v in ((b_error, b_value), (q_error, q_value))
        )
    change = math.log(q_value / b_value) if logs else q_value - b_value
    paired = _paired(b, baseline, quantized, b_scales, q_scales)
    stderr, p = paired if paired else _independent(change, b_error, q_error)
    higher = b.higher_is_better
    return TaskDifference(
        task=b.task,
        metric=b.metric,
        filter=b.filter,
        ability=ability_of(b.task),
        baseline=b_value,
        quantized=q_value,
        difference=change,
        stderr=stderr,
        z=change / stderr if stderr else None,
        p=p,
        p_adjusted=None,
        is_paired=paired is not None,
        worse=None if higher is None else -change if higher else change,
        n_samples=b.n_samples,
        is_group=b.is_group or q.is_group,
        is_primary=False,
        is_perplexity=is_perplexity,
        is_share=is_bounded(b.metric) and max(abs(b_value), abs(q_value)) <= 1.0,
        flag=_flag(b, b_value, q_value, b_error, q_error),
    )


def _error(score: EvalScore, value: float, scales: Mapping[str, float]) -> float | None:
    """Return the file's error, or for a share of right answers the binomial one."""
    if score.stderr is not None:
        return score.stderr / scales.get(score.metric, 1.0)
    if is_binomial(score) and 0 <= value <= 1:
        return math.sqrt(value * (1 - value) / ((score.n_samples or 2) - 1))
    return None


def is_binomial(score: EvalScore) -> bool:
    """Tell whether a score without an error is a share of right answers of known number.

    Parameters
    ----------
    score : EvalScore

    Returns
    -------
    binomial : bool [flag]

    Notes
    -----
    stderr = sqrt(p (1 - p) / (n - 1)) then stands for the missing one. Basis: bound.

    References
    ----------
    lm-evaluation-harness, mean_stderr of answers that are 0 or 1.

    Examples
    --------
    >>> from calculators.evidence.lm_eval_files import read_eval_file
    >>> text = b'{"results": {"t": {"acc,none": 0.5}}, "n-samples": {"t": {"effective": 101}}}'
    >>> is_binomial(read_eval_file(text).scores[0])
    True
    """
    counted = score.metric in _BINOMIAL and not score.is_group
    return score.stderr is None and counted and (score.n_samples or 0) > 1


def _independent(
    change: float, b_error: float | None, q_error: float | None
) -> tuple[float | None, float | None]:
    if b_error is None or q_error is None:
        return None, None
    stderr = math.hypot(b_error, q_error)
    return (stderr, normal_p_value(change / stderr)) if stderr > 0 else (None, None)


def _paired(
    score: EvalScore,
    baseline: EvalFile,
    quantized: EvalFile,
    b_scales: Mapping[str, float],
    q_scales: Mapping[str, float],
) -> tuple[float, float] | None:
    b_rows, q_rows = baseline.samples.get(score.key, {}), quantized.samples.get(score.key, {})
    shared = sorted(set(b_rows) & set(q_rows))
    if len(shared) < _LEAST_PAIRS or len(shared) < 0.9 * max(len(b_rows), len(q_rows)):
        return None
    b = np.array([b_rows[doc] for doc in shared]) / b_scales.get(score.metric, 1.0)
    q = np.array([q_rows[doc] for doc in shared]) / q_scales.get(score.metric, 1.0)
    stderr = paired_stderr(baseline=b, quantized=q)
    if np.isin(np.concatenate([b, q]), (0.0, 1.0)).all():
        return stderr, mcnemar_p_value(n_lost=int(np.sum(b > q)), n_gained=int(np.sum(q > b)))
    change = float(np.mean(q - b))
    return stderr, normal_p_value(change / stderr) if stderr > 0 else 1.0


def _flag(
    b: EvalScore, b_value: float, q_value: float, b_error: float | None, q_error: float | None
) -> str:
    if perplexity_rank(b.metric) in (0, 1, 2) and b_value > 1000:
        return "the baseline's perplexity is that of a broken run"
    if not is_bounded(b.metric):
        return ""
    if max(b_value, q_value) <= _SCRAP_FRAC and min(b_value, q_value) >= 0:
        return "near 0 in both files: the task or its scoring is broken"
    if b_value == q_value == 1.0:
        return "perfect in both files: a loss cannot show, the scoring may be broken"
    chance = chance_frac(b.task, b.n_choices)
    if chance is not None and b.metric.startswith("acc"):
        margin = 2 * max(b_error or 0.0, q_error or 0.0, 0.005)
        if b_value <= chance + margin and q_value <= chance + margin:
            return "at the level of guessing in both files: a loss cannot show"
    return ""
