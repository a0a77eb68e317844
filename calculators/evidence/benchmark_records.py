"""AIPerf's export of single requests, one record in a line, as a run."""

from __future__ import annotations

from statistics import fmean, median
from typing import Any

from calculators.evidence.benchmark_keys import UNIT_MS, plain
from calculators.evidence.benchmark_runs import Run
from calculators.evidence.benchmark_text import number

Record = dict[str, Any]
_LATENCIES = {
    "time_to_first_token": "ttft_ms",
    "inter_token_latency": "itl_ms",
    "request_latency": "e2e_ms",
}
_LENGTHS = {"input_sequence_length": "input", "output_sequence_length": "output"}
_PROFILING = "profiling"
_NS_IN_S = 1e9


def is_record_list(values: list[Any]) -> bool:
    """Whether JSON values are AIPerf's records, one per request.

    Examples
    --------
    >>> is_record_list([{"metadata": {"request_start_ns": 1}, "metrics": {}}])
    True
    """
    first = next((value for value in values if isinstance(value, dict)), {})
    about, metrics = first.get("metadata"), first.get("metrics")
    return isinstance(about, dict) and "request_start_ns" in about and isinstance(metrics, dict)


def record_list_runs(values: list[Any]) -> list[Run]:
    """The requests that ended without an error as one run, those of the warm-up left out.

    duration = last end - first start; the rest follows as in `benchmark_derived.complete`

    Parameters
    ----------
    values : the records

    Returns
    -------
    list with one Run

    Examples
    --------
    >>> record = {"metadata": {"request_start_ns": 0, "request_end_ns": 2_000_000_000},
    ...           "metrics": {"time_to_first_token": {"value": 0.5, "unit": "sec"},
    ...                       "output_sequence_length": {"value": 11, "unit": "tokens"}}}
    >>> run = record_list_runs([record])[0]
    >>> run.values["ttft_ms"], run.facts["total_output_tokens"], run.facts["duration_s"]
    (500.0, 11.0, 2.0)
    """
    records = [value for value in values if isinstance(value, dict) and _counts(value)]
    good = [record for record in records if not record.get("error")]
    run = Run("requests", {"completed": len(good), "failed": len(records) - len(good)})
    for name, quantity in _LATENCIES.items():
        found = [ms for record in good if (ms := _milliseconds(record, name)) is not None]
        if found:
            run.values[quantity] = median(found)
            run.statistics[quantity] = "median"
            if quantity == "e2e_ms":
                run.values["mean_e2e_ms"] = fmean(found)
    for name, side in _LENGTHS.items():
        found = [n for record in good if (n := number(_metric(record, name).get("value")))]
        if found:
            run.facts[f"total_{side}_tokens"] = sum(found)
    starts, ends = _times(good, "request_start_ns"), _times(good, "request_end_ns")
    if starts and ends:
        run.facts["duration_s"] = (max(ends) - min(starts)) / _NS_IN_S
    run.facts["itl_is_tpot"] = True
    return [run]


def _counts(record: Record) -> bool:
    about = record.get("metadata")
    phase = about.get("benchmark_phase") if isinstance(about, dict) else None
    return phase in (None, _PROFILING)


def _metric(record: Record, name: str) -> Record:
    metrics = record.get("metrics")
    found = metrics.get(name) if isinstance(metrics, dict) else None
    return found if isinstance(found, dict) else {}


def _milliseconds(record: Record, name: str) -> float | None:
    metric = _metric(record, name)
    value, scale = number(metric.get("value")), UNIT_MS.get(plain(str(metric.get("unit") or "ms")))
    return value * scale if value is not None and value > 0 and scale else None


def _times(records: list[Record], name: str) -> list[float]:
    abouts = (record.get("metadata") for record in records)
    found = (number(about.get(name)) for about in abouts if isinstance(about, dict))
    return [time for time in found if time is not None]
