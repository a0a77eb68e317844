"""Results that list one record per request: LLMPerf's individual responses and kin."""

from __future__ import annotations

from statistics import fmean, median
from typing import Any

from calculators.evidence.benchmark_runs import Run
from calculators.evidence.benchmark_text import number

Record = dict[str, Any]
_FIRST, _WHOLE = "ttft_s", "end_to_end_latency_s"
_INPUT, _OUTPUT = "number_input_tokens", "number_output_tokens"


def is_request_list(values: list[Any]) -> bool:
    """Whether JSON values are LLMPerf's records, one per request.

    Examples
    --------
    >>> is_request_list([{"ttft_s": 0.5, "end_to_end_latency_s": 2.0}])
    True
    """
    records = [value for value in values if isinstance(value, dict)]
    return bool(records) and _FIRST in records[0] and _WHOLE in records[0]


def request_list_runs(values: list[Any]) -> list[Run]:
    """The requests without an error as one run; how many ran at once is not in such a file.

    Parameters
    ----------
    values : the records

    Returns
    -------
    list with one Run, none where no request succeeded

    Examples
    --------
    >>> one = {"ttft_s": 0.5, "end_to_end_latency_s": 2.5, "number_output_tokens": 101,
    ...        "number_input_tokens": 500, "error_code": None}
    >>> bad = {"ttft_s": 0, "end_to_end_latency_s": 0, "error_code": 429}
    >>> run = request_list_runs([one, bad])[0]
    >>> run.values["tpot_ms"], run.facts["completed"], run.facts["failed"]
    (20.0, 1, 1)
    """
    records = [value for value in values if isinstance(value, dict)]
    good = [record for record in records if not record.get("error_code") and _timed(record)]
    facts: Record = {"completed": len(good), "failed": len(records) - len(good)}
    run = Run("requests", facts, statistics={"ttft_ms": "median", "tpot_ms": "median"})
    if good:
        run.values["ttft_ms"] = median(number(r[_FIRST]) or 0.0 for r in good) * 1e3
        facts["input_tok"] = fmean(number(r.get(_INPUT)) or 0.0 for r in good)
        facts["output_tok"] = fmean(number(r.get(_OUTPUT)) or 0.0 for r in good)
        tokens = [time for r in good if (time := _token_ms(r)) is not None]
        if tokens:
            run.values["tpot_ms"] = median(tokens)
    return [run]


def _timed(record: Record) -> bool:
    return (number(record.get(_FIRST)) or 0.0) > 0 and (number(record.get(_WHOLE)) or 0.0) > 0


def _token_ms(record: Record) -> float | None:
    n_output = number(record.get(_OUTPUT)) or 0.0
    if n_output < 2:
        return None
    return (
        ((number(record[_WHOLE]) or 0.0) - (number(record[_FIRST]) or 0.0)) / (n_output - 1) * 1e3
    )
