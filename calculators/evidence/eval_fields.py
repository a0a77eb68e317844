"""Single fields of evaluation result files: numbers, shots, versions, samples, choices."""

from __future__ import annotations

import math
from typing import Any

from calculators.evidence.eval_layouts import part_of
from calculators.evidence.eval_metrics import is_higher_better


def number_of(value: Any) -> float | None:
    """Return a value of a result file as a number; text, flags and lists are none.

    Parameters
    ----------
    value : object [a cell]

    Returns
    -------
    number : float or None [as written; NaN and infinity stay]

    Notes
    -----
    Basis: as given.

    References
    ----------
    lm-evaluation-harness and lighteval result layouts.

    Examples
    --------
    >>> number_of("N/A"), number_of(1)
    (None, 1.0)
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number


def version_of(document: dict[str, Any], task: str) -> str | None:
    """Return the version of a task, or None.

    Parameters
    ----------
    document : dict [a result file]
    task : str [name in the file]

    Returns
    -------
    version : str or None [text]

    Notes
    -----
    Basis: as given.

    References
    ----------
    lm-evaluation-harness and lighteval result layouts.

    Examples
    --------
    >>> version_of({"versions": {"a": 2.0}}, "a")
    '2'
    """
    value = part_of(document, "versions").get(task)
    return f"{value:g}" if isinstance(value, float) else str(value) if value is not None else None


def is_better_higher(document: dict[str, Any], task: str, metric: str) -> bool | None:
    """Tell the better direction of a metric: the file's word goes before what is known of it.

    Parameters
    ----------
    document : dict [a result file]
    task : str [name in the file]
    metric : str [name]

    Returns
    -------
    higher : bool or None [flag]

    Notes
    -----
    Basis: as given.

    References
    ----------
    lm-evaluation-harness and lighteval result layouts.

    Examples
    --------
    >>> is_better_higher({}, "a", "ppl")
    False
    """
    given = part_of(document, "higher_is_better").get(task)
    value = given.get(metric) if isinstance(given, dict) else None
    return value if isinstance(value, bool) else is_higher_better(metric)


def n_samples_of(document: dict[str, Any], task: str, row: dict[str, Any]) -> int | None:
    """Return how many questions a task had, or None.

    Parameters
    ----------
    document : dict [a result file]
    task : str [name in the file]
    row : dict [the task's results]

    Returns
    -------
    n_samples : int or None [questions]

    Notes
    -----
    Basis: as given.

    References
    ----------
    lm-evaluation-harness and lighteval result layouts.

    Examples
    --------
    >>> n_samples_of({"n-samples": {"a": {"original": 9, "effective": 5}}}, "a", {})
    5
    """
    given = part_of(document, "n-samples").get(task)
    count = number_of(given.get("effective")) if isinstance(given, dict) else None
    if count is None:
        summary = part_of(document, "summary_tasks").get(task)
        if isinstance(summary, dict):
            parts = [number_of(summary.get(part)) for part in ("truncated", "non_truncated")]
            count = sum(part for part in parts if part is not None) or None
    count = count if count is not None else number_of(row.get("sample_len"))
    return int(count) if count is not None and 0 < count < math.inf else None


def n_choices_of(document: dict[str, Any], task: str) -> int | None:
    """Return how many answers a multiple-choice task offers, or None.

    Parameters
    ----------
    document : dict [a result file]
    task : str [name in the file]

    Returns
    -------
    n_choices : int or None [answers]

    Notes
    -----
    Basis: as given.

    References
    ----------
    lm-evaluation-harness and lighteval result layouts.

    Examples
    --------
    >>> n_choices_of({"configs": {"a": {"doc_to_choice": ["A", "B"]}}}, "a")
    2
    """
    config = part_of(document, "configs").get(task)
    choices = config.get("doc_to_choice") if isinstance(config, dict) else None
    return len(choices) if isinstance(choices, list) and len(choices) > 1 else None


def shots_of(document: dict[str, Any], task: str) -> int | None:
    """Return the few-shot count of a task from wherever the file has it.

    Parameters
    ----------
    document : dict [a result file]
    task : str [name in the file]

    Returns
    -------
    n_shot : int or None [shots]

    Notes
    -----
    Basis: as given.

    References
    ----------
    lm-evaluation-harness: `n-shot` by task (0.4), `config.num_fewshot` (0.3).

    Examples
    --------
    >>> shots_of({"n-shot": {"gsm8k": 5}}, "gsm8k")
    5
    """
    by_task = part_of(document, "n-shot").get(task)
    config = part_of(part_of(document, "configs"), task).get("num_fewshot")
    general = part_of(document, "config").get("num_fewshot", document.get("num_fewshot"))
    for value in (by_task, config, general):
        if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e6:
            return int(value)
    return None
