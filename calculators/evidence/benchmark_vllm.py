"""What vLLM's offline benchmarks write: the latency of a batch, the throughput of many requests."""

from __future__ import annotations

from statistics import median
from typing import Any

from calculators.evidence.benchmark_runs import Run
from calculators.evidence.benchmark_text import number

Record = dict[str, Any]
LENGTHS = ("input_tok", "output_tok")
_SETTINGS = {
    "model": "model",
    "input_len": "input_tok",
    "output_len": "output_tok",
    "batch_size": "concurrency",
    "tensor_parallel_size": "tp",
    "pipeline_parallel_size": "pp",
    "data_parallel_size": "dp",
    "quantization": "precision",
    "kv_cache_dtype": "kv",
    "max_num_seqs": "max_num_seqs",
    "speculative_config": "speculative",
}


def database_results(records: list[Any]) -> list[Any]:
    """Records that vLLM writes for PyTorch's benchmark database as results, else as they are.

    One record holds one figure, with the tool's settings; those of one run become one result.

    Parameters
    ----------
    records : JSON values

    Returns
    -------
    list

    Examples
    --------
    >>> record = {"benchmark": {"extra_info": {"args": {"max_concurrency": 4}}},
    ...           "metric": {"name": "median_ttft_ms", "benchmark_values": [80.0]}}
    >>> database_results([record])
    [{'max_concurrency': 4, 'median_ttft_ms': 80.0}]
    """
    merged: dict[str, Record] = {}
    for record in records:
        metric, benchmark = _object(record, "metric"), _object(record, "benchmark")
        if not metric or not benchmark:
            return records
        args = _object(_object(benchmark, "extra_info"), "args")
        values = metric.get("benchmark_values")
        result = merged.setdefault(repr(sorted(args.items(), key=str)), {})
        result |= args | _object(metric, "extra_info")
        if isinstance(values, list) and values:
            result[str(metric.get("name"))] = values[0]
        if name := _object(record, "model").get("name"):
            result["model_id"] = name
    return list(merged.values())


def _object(value: Any, name: str) -> Record:
    found = value.get(name) if isinstance(value, dict) else None
    return found if isinstance(found, dict) else {}


def offline_runs(records: list[Any]) -> list[Run]:
    """The runs of `vllm bench latency` and `vllm bench throughput`; none where it is neither.

    Parameters
    ----------
    records : JSON values

    Returns
    -------
    list of Run

    Notes
    -----
    The results name no lengths: a run lists what it needs in `asks`.

    Examples
    --------
    >>> (run,) = offline_runs([{"avg_latency": 2.1, "percentiles": {"50": 2.0}, "latencies": []}])
    >>> run.values, run.asks
    ({'batch_ms': 2000.0}, ('input_tok', 'output_tok', 'concurrency'))
    """
    found = [_offline_run(r) for r in records if isinstance(r, dict)]
    return [run for run in found if run is not None]


def _offline_run(record: Record) -> Run | None:
    facts: Record = {fact: record[name] for name, fact in _SETTINGS.items() if name in record}
    facts |= {"engine": "vLLM", "model": record.get("model_id") or facts.get("model")}
    if "avg_latency" in record:
        return _latency_run(record, facts)
    if "total_num_tokens" in record and "tokens_per_second" in record:
        return _throughput_run(record, facts)
    return None


def _latency_run(record: Record, facts: Record) -> Run:
    """All requests of a batch from the start of the first to the end of the last."""
    run = Run("latency", facts | {"scenario": "batched_decode"})
    run.asks = (*LENGTHS, "concurrency")
    percentiles, times = record.get("percentiles"), record.get("latencies")
    middle = number(percentiles.get("50")) if isinstance(percentiles, dict) else None
    if middle is None and isinstance(times, list):
        middle = median([t for item in times if (t := number(item))] or [0.0])
    seconds = middle or number(record.get("avg_latency"))
    if seconds and seconds > 0:
        run.values["batch_ms"] = seconds * 1e3
    return run


def _throughput_run(record: Record, facts: Record) -> Run:
    """All requests at once; tokens in and out together, so that one length tells the other."""
    facts |= {"scenario": "offline_throughput", "concurrency": None}
    run = Run("throughput", facts | {"completed": record.get("num_requests")})
    run.asks = LENGTHS
    speed, total = number(record["tokens_per_second"]), number(record["total_num_tokens"])
    if speed and speed > 0:
        run.values["total_tok_s"] = speed
    completed = run.fact("completed")
    if total and completed:
        run.facts["tokens_per_request"] = total / completed
    return run
