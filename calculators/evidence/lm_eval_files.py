"""Result files of lm-evaluation-harness (0.3 to today) and lighteval as scores by task."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from calculators.evidence.eval_fields import (
    is_better_higher,
    n_choices_of,
    n_samples_of,
    number_of,
    shots_of,
    version_of,
)
from calculators.evidence.eval_groups import GroupTree, group_tree
from calculators.evidence.eval_layouts import (
    model_of,
    settings_of,
    split_metric,
    split_task,
    tool_of,
)
from calculators.evidence.eval_metrics import PLACEHOLDERS

MAX_BYTES = 50_000_000
MAX_TASKS = 20_000
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
Samples = Mapping[tuple[str, str, str], Mapping[str, float]]


class EvalFileError(ValueError):
    """A result file that cannot be read; the message says why and what is needed."""


@dataclass(frozen=True)
class EvalScore:
    """One metric of one task. `stderr` is None where the file has none that can be used.

    `value` is as the file has it: it can be infinite or NaN, and 0 to 100 instead of 0 to 1.
    """

    task: str
    metric: str
    filter: str
    value: float
    stderr: float | None
    n_shot: int | None
    version: str | None
    higher_is_better: bool | None
    n_samples: int | None
    n_choices: int | None
    group: str | None
    is_group: bool

    @property
    def key(self) -> tuple[str, str, str]:
        """Return what identifies the score in another file: task, metric and filter."""
        return self.task, self.metric, self.filter


@dataclass(frozen=True)
class EvalFile:
    """The scores of a result file, with the settings that must agree for a comparison."""

    filename: str
    tool: str
    model: str | None
    tasks: tuple[str, ...]
    scores: tuple[EvalScore, ...]
    settings: Mapping[str, str]
    samples: Samples = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def read_eval_file(data: bytes, filename: str = "") -> EvalFile:
    """Read a result file: every number that is a score, with its error, shots and version.

    Parameters
    ----------
    data : bytes [JSON, up to 50 MB]
    filename : str [shown, and compared with what the file says of its model]

    Returns
    -------
    file : EvalFile

    Raises
    ------
    EvalFileError
        If it is not JSON, too large, or has no scores by task.

    Notes
    -----
    Placeholders (`alias`, `bypass`), text, NaN and infinity are no scores: they are named in the
    notes. Basis: measured, by the file.

    References
    ----------
    https://github.com/EleutherAI/lm-evaluation-harness (0.3 to 0.4.12),
    https://github.com/huggingface/lighteval; layouts as known on 2026-11-30.

    Examples
    --------
    >>> read_eval_file(b'{"results": {"arc": {"acc": 0.5, "acc_stderr": 0.1}}}').scores[0].value
    0.5
    """
    document = _document(data, filename)
    results = _results(document)
    notes: list[str] = []
    tree = group_tree(document, results)
    scores = tuple(_scores(document, results, tree, notes))
    notes += _group_shot_notes(scores)
    keys = {score.key for score in scores}
    return EvalFile(
        filename=filename,
        tool=tool_of(document),
        model=model_of(document),
        tasks=tuple(split_task(raw)[0] for raw in results),
        scores=scores,
        settings=settings_of(document),
        samples=_samples(document.get("samples"), keys),
        notes=tuple(dict.fromkeys(notes)),
    )


def _group_shot_notes(scores: tuple[EvalScore, ...]) -> list[str]:
    """Some versions write 0 shots for a group, whatever its tasks had."""
    groups = {s.task: s.n_shot for s in scores if s.is_group and s.n_shot is not None}
    leaf_shots = {s.n_shot for s in scores if not s.is_group and s.n_shot is not None}
    odd = [task for task, shots in groups.items() if leaf_shots and shots not in leaf_shots]
    if not odd:
        return []
    shots = "/".join(str(n) for n in sorted(leaf_shots))
    return [
        f"The file gives {groups[odd[0]]} few-shot examples for the group {odd[0]} and {shots} for "
        "the tasks: the tasks' count is used."
    ]


def _document(data: bytes, filename: str) -> dict[str, Any]:
    name = f"{filename[:80]!r}" if filename else "The file"
    if len(data) > MAX_BYTES:
        raise EvalFileError(f"{name} is larger than 50 MB: leave out the samples.")
    try:
        document = json.loads(data)
    except RecursionError:
        raise EvalFileError(f"{name} is nested too deeply to be a result file.") from None
    except ValueError as error:
        reason = str(error)[:80]
        raise EvalFileError(f"{name} is not JSON ({reason}): send results_*.json.") from None
    if not isinstance(document, dict):
        raise EvalFileError(f"{name} is not a result file: its JSON is not an object.")
    return document


def _results(document: dict[str, Any]) -> dict[str, dict[str, Any]]:
    results = document.get("results")
    if isinstance(results, list):
        results = {_listed_name(row): row for row in results if isinstance(row, dict)}
    if not isinstance(results, dict):
        keys = ", ".join(str(key)[:30] for key in list(document)[:6]) or "none"
        raise EvalFileError(
            f"The file has no 'results' by task; its keys are: {keys}. Needed is a results file of "
            "lm-evaluation-harness or lighteval."
        )
    if len(results) > MAX_TASKS:
        raise EvalFileError(f"The file has over {MAX_TASKS:,} tasks.")
    found = {str(task): row for task, row in results.items() if isinstance(row, dict)}
    if not found:
        raise EvalFileError("The file's 'results' hold no task.")
    return found


def _listed_name(row: dict[str, Any]) -> str:
    task, prompt = row.get("task_name", row.get("task", "")), row.get("prompt_name")
    return f"{task}+{prompt}" if prompt else str(task)


def _scores(
    document: dict[str, Any],
    results: dict[str, dict[str, Any]],
    tree: GroupTree,
    notes: list[str],
) -> Iterator[EvalScore]:
    for raw, row in results.items():
        task, shots = split_task(raw)
        for name, value in _latest(row, raw, notes).items():
            metric, filter_name = split_metric(str(name))
            if metric.lower() in PLACEHOLDERS or "stderr" in metric or metric.endswith("_name"):
                if metric == "bypass":
                    notes.append(f"{raw}: 'bypass' is a placeholder, not a score.")
                continue
            number = number_of(value)
            if number is None:
                continue
            if not math.isfinite(number):
                notes.append(f"{raw}: {metric} is {number}: it cannot be compared.")
            yield EvalScore(
                task=task,
                metric=metric,
                filter=filter_name,
                value=number,
                stderr=_stderr(_latest(row, raw, []), metric, filter_name),
                n_shot=shots if shots is not None else shots_of(document, raw),
                version=version_of(document, raw),
                higher_is_better=is_better_higher(document, raw, metric),
                n_samples=n_samples_of(document, raw, row),
                n_choices=n_choices_of(document, raw),
                group=tree.parent.get(raw),
                is_group=raw in tree.groups,
            )


def _latest(row: dict[str, Any], task: str, notes: list[str]) -> dict[str, Any]:
    runs = {name: run for name, run in row.items() if isinstance(run, dict) and _DAY.match(name)}
    if not runs:
        return row
    if len(runs) > 1:
        notes.append(f"{task}: {len(runs)} runs in the file, the latest is read.")
    return runs[max(runs)]


def _stderr(row: dict[str, Any], metric: str, filter_name: str) -> float | None:
    suffix = f",{filter_name}" if filter_name else ""
    value = number_of(row.get(f"{metric}_stderr{suffix}"))
    return value if value is not None and 0 <= value < math.inf else None


def _samples(part: Any, keys: set[tuple[str, str, str]]) -> Samples:
    found: dict[tuple[str, str, str], dict[str, float]] = {}
    if not isinstance(part, dict):
        return found
    for task, metric, filter_name in keys:
        rows = part.get(task)
        for row in rows if isinstance(rows, list) else ():
            if not isinstance(row, dict) or row.get("filter", filter_name) != (
                filter_name or "none"
            ):
                continue
            value = row.get(metric)
            number = number_of(int(value) if isinstance(value, bool) else value)
            if number is not None and "doc_id" in row:
                identity = f"{row['doc_id']} {row.get('doc_hash', '')}"
                found.setdefault((task, metric, filter_name), {})[identity] = number
    return found
