"""Results that keep an object for each metric: genai-perf and AIPerf, as JSON and CSV."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from calculators.evidence.benchmark_flat import flat_runs
from calculators.evidence.benchmark_keys import meaning, plain
from calculators.evidence.benchmark_runs import Run
from calculators.evidence.benchmark_text import number, table_records

Object = dict[str, Any]


def first_entry(value: Any, names: tuple[str, ...], kind: type) -> Any:
    """The first entry of such a name and kind, the shallowest first."""
    level = [value]
    while level:
        for item in level:
            if isinstance(item, dict):
                for name in names:
                    if isinstance(item.get(name), kind) and item[name]:
                        return item[name]
        level = [inner for item in level for inner in _inner(item)]
    return None


def _inner(item: Any) -> Iterator[Any]:
    parts = item.values() if isinstance(item, dict) else item if isinstance(item, list) else ()
    return (part for part in parts if isinstance(part, dict | list))


def is_metric_objects(value: Any) -> bool:
    """Whether a JSON value keeps {"unit", "avg", ...} objects, as genai-perf and AIPerf do.

    Examples
    --------
    >>> is_metric_objects({"time_to_first_token": {"unit": "ms", "avg": 20.0}})
    True
    """
    if not isinstance(value, dict):
        return False
    objects = (v for v in value.values() if isinstance(v, dict))
    return sum("unit" in v and "avg" in v for v in objects) >= 1


def metric_object_runs(value: Object) -> tuple[str, list[Run]]:
    """The run of a genai-perf or AIPerf export.

    Parameters
    ----------
    value : the JSON export

    Returns
    -------
    (tool, one Run)

    Examples
    --------
    >>> export = {"time_to_first_token": {"unit": "ms", "avg": 25.0, "p50": 20.0},
    ...           "input_config": {"model_names": ["m"], "loadgen": {"concurrency": 4}}}
    >>> tool, (run,) = metric_object_runs(export)
    >>> run.facts["model"], run.facts["concurrency"], run.values["ttft_ms"]
    ('m', 4, 20.0)
    """
    flat: Object = {}
    for key, metric in value.items():
        if isinstance(metric, dict) and "unit" in metric:
            _add_metric(flat, plain(key), plain(str(metric["unit"])), metric)
    config = value.get("input_config")
    config = config if isinstance(config, dict) else {}
    flat["model"] = _model_name(config)
    flat["gpu"] = first_entry(value.get("telemetry_data"), ("gpu_name",), str)
    flat["concurrency"] = _first_number(config, ("concurrency",))
    flat["request_rate"] = _first_number(config, ("request_rate",))
    tool = (
        "aiperf" if "aiperf_version" in value or "aiperf" in str(config)[:20_000] else "genai-perf"
    )
    _, runs = flat_runs([flat])
    cached = value.get("theoretical_prefix_cache_hit")
    hit = number(cached.get("avg")) if isinstance(cached, dict) else None
    for run in runs:
        run.facts |= {"itl_is_tpot": True, "measured_lengths": True}
        if hit and hit > _SHARED_PERCENT:
            run.leave_unscored(f"{hit:.0f} % of the prompts is in the cache already: not scored")
    return tool, runs


_SHARED_PERCENT = 10
_COUNTS = {
    "request_count": "completed",
    "error_request_count": "failed",
    "output_sequence_length": "output_tok",
    "input_sequence_length": "input_tok",
    "benchmark_duration": "duration_s",
}


def _add_metric(flat: Object, name: str, unit: str, metric: Object) -> None:
    mean = metric.get("avg")
    if name in _COUNTS:
        flat[{"output_tok": "osl", "input_tok": "isl"}.get(_COUNTS[name], _COUNTS[name])] = mean
        return
    unit = unit if unit in ("ms", "s", "sec", "us", "ns") else ""
    for statistic, key in (("mean", "avg"), ("median", "p50")):
        label = f"{statistic}_{name}_{unit}".strip("_")
        found = meaning(label)
        if found is None or number(metric.get(key)) is None:
            continue
        if statistic == "mean" or found.quantity.endswith("_ms"):
            flat[label] = metric[key]


def _model_name(config: Object) -> Any:
    for name in ("model_names", "model", "formatted_model_name", "model_name"):
        for kind in (list, str):
            found = first_entry(config, (name,), kind)
            if found:
                return found[0] if isinstance(found, list) else found
    return None


def _first_number(value: Any, names: tuple[str, ...]) -> Any:
    for kind in (int, float):
        found = first_entry(value, names, kind)
        if found:
            return found
    return None


def is_metric_table(rows: list[list[str]]) -> bool:
    """Whether CSV rows are a genai-perf or AIPerf export.

    Examples
    --------
    >>> is_metric_table([["Metric", "avg", "p50"]])
    True
    """
    return bool(rows) and rows[0][0].strip() == "Metric"


def metric_table_runs(rows: list[list[str]]) -> list[Run]:
    """The run of a genai-perf or AIPerf CSV export: two tables, one below the other.

    Parameters
    ----------
    rows : of the CSV file

    Returns
    -------
    list with one Run

    Examples
    --------
    >>> rows = [["Metric", "avg", "p50"], ["Time To First Token (ms)", "25.0", "20.0"],
    ...         ["Metric", "Value"], ["Request Throughput (per sec)", "2.5"]]
    >>> metric_table_runs(rows)[0].values
    {'ttft_ms': 20.0, 'requests_per_s': 2.5}
    """
    flat: Object = {}
    heads = [i for i, row in enumerate(rows) if row[0].strip() == "Metric"]
    for start, end in zip(heads, [*heads[1:], len(rows)], strict=True):
        for record in table_records(rows[start:end]):
            name, _, unit = record.get("Metric", "").partition("(")
            cells = {key.strip(): cell for key, cell in record.items()}
            cells.setdefault("avg", cells.get("Value", ""))
            _add_metric(flat, plain(name), plain(unit), cells)
    flat["gpu"] = _card_in(rows)
    runs = flat_runs([flat])[1]
    for run in runs:
        run.facts |= {"itl_is_tpot": True, "measured_lengths": True}
    return runs


def _card_in(rows: list[list[str]]) -> str | None:
    """The card in AIPerf's table of telemetry, which stands below its metrics."""
    heads = [(i, row.index("GPU_Name")) for i, row in enumerate(rows) if "GPU_Name" in row]
    if not heads:
        return None
    start, column = heads[0]
    return next((row[column] for row in rows[start + 1 :] if len(row) > column), None)
