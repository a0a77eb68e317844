"""Reports of guidellm, 0.1 to 0.7."""

from __future__ import annotations

from statistics import median
from typing import Any

from calculators.evidence.benchmark_flat import flat_runs
from calculators.evidence.benchmark_objects import first_entry
from calculators.evidence.benchmark_runs import Run
from calculators.evidence.benchmark_text import number

Object = dict[str, Any]
_GUIDELLM = {
    "time_to_first_token_ms": "ttft_ms",
    "inter_token_latency_ms": "itl_ms",
    "requests_per_second": "requests_per_s",
    "output_tokens_per_second": "output_tok_s",
    "tokens_per_second": "total_tok_s",
}
_LATENCIES = ("ttft_ms", "itl_ms")


def is_guidellm(value: Any) -> bool:
    """Whether a JSON value is a guidellm report.

    Examples
    --------
    >>> is_guidellm({"benchmarks": [{"metrics": {}}]})
    True
    """
    benchmarks = value.get("benchmarks") if isinstance(value, dict) else None
    return isinstance(benchmarks, list) and any(isinstance(b, dict) for b in benchmarks)


def guidellm_runs(report: Object) -> list[Run]:
    """One run for each benchmark of a guidellm report (0.1 to 0.7), successful requests only.

    Parameters
    ----------
    report : the JSON report

    Returns
    -------
    list of Run

    Notes
    -----
    TPOT is its inter-token latency, since its time per output token holds the first one. A run
    without a set concurrency has the mean number of requests that were under way.

    Examples
    --------
    >>> report = {"benchmarks": [{"config": {"strategy": {"type_": "synchronous"}}, "metrics": {
    ...     "time_to_first_token_ms": {"successful": {"median": 20.0, "count": 5}}}}]}
    >>> guidellm_runs(report)[0].values
    {'ttft_ms': 20.0}
    """
    shared = {key: value for key, value in report.items() if key != "benchmarks"}
    benchmarks = (b for b in report["benchmarks"] if isinstance(b, dict))
    return [_guidellm_run(benchmark, shared) for benchmark in benchmarks]


def _guidellm_run(benchmark: Object, shared: Object) -> Run:
    settings = {key: v for key, v in benchmark.items() if key not in ("requests", "metrics")}
    strategy = first_entry(settings, ("strategy",), dict) or {}
    kind = str(strategy.get("type_") or strategy.get("kind") or benchmark.get("mode") or "")
    run = Run(kind)
    for name in ("model", "backend_model"):
        run.facts["model"] = run.facts.get("model") or first_entry([settings, shared], (name,), str)
    if isinstance(benchmark.get("results"), list):
        return _single_requests(run, benchmark["results"], kind)
    metrics = benchmark.get("metrics")
    metrics = metrics if isinstance(metrics, dict) else benchmark
    for key, quantity in _GUIDELLM.items():
        wanted = "median" if quantity in _LATENCIES else "mean"
        value = _of(metrics.get(key), wanted)
        if value is not None:
            run.values[quantity] = value
            run.statistics[quantity] = wanted
    if (latency_s := _of(metrics.get("request_latency"), "median")) is not None:
        run.values["e2e_ms"] = latency_s * 1e3
    run.facts["input_tok"] = _of(metrics.get("prompt_token_count"), "mean")
    run.facts["output_tok"] = _of(metrics.get("output_token_count"), "mean")
    run.facts["concurrency"] = _guidellm_concurrency(run, kind, strategy, metrics)
    totals = metrics.get("request_totals", benchmark.get("request_totals"))
    if isinstance(totals, dict):
        run.facts["completed"], run.facts["failed"] = (
            totals.get("successful"),
            totals.get("errored"),
        )
    run.facts |= {"itl_is_tpot": True, "measured_lengths": True}
    if not run.values:
        run.values = next(iter(flat_runs([benchmark])[1]), run).values
    return run


def _single_requests(run: Run, results: list[Any], kind: str) -> Run:
    """A run of guidellm 0.1, which lists its requests with times in seconds."""
    good = [(r, times) for r in results if isinstance(r, dict) and (times := _times(r))]
    run.facts |= {"completed": len(good), "failed": len(results) - len(good)}
    run.statistics |= {"ttft_ms": "median", "e2e_ms": "median"}
    if not good:
        return run
    run.values["ttft_ms"] = median(first for _, (_, _, first) in good) * 1e3
    run.values["e2e_ms"] = median(end - start for _, (start, end, _) in good) * 1e3
    for side, name in (("input", "prompt_token_count"), ("output", "output_token_count")):
        run.facts[f"total_{side}_tokens"] = sum(number(r.get(name)) or 0.0 for r, _ in good)
    run.facts["duration_s"] = max(t[1] for _, t in good) - min(t[0] for _, t in good)
    run.facts["concurrency"] = 1.0 if kind == "synchronous" else None
    run.facts["request_rate"] = "inf" if kind == "throughput" else 1.0
    return run


def _times(request: Object) -> tuple[float, float, float] | None:
    """Start, end and time to first token [s] of a request that ended."""
    start, end = number(request.get("start_time")), number(request.get("end_time"))
    first = number(request.get("first_token_time"))
    if start is None or end is None or not first or first < 0 or end <= start:
        return None
    return start, end, first


def _guidellm_concurrency(run: Run, kind: str, strategy: Object, metrics: Object) -> float | None:
    mean = _of(metrics.get("request_concurrency"), "mean")
    streams = number(strategy.get("streams"))
    if kind == "synchronous":
        return 1.0
    if kind == "concurrent" and streams:
        return streams
    if mean is not None:
        run.note("concurrency is the mean number of requests that were under way")
    return mean


def _of(metric: Any, statistic: str) -> float | None:
    """A statistic of the successful requests, or of all where they are not told apart."""
    if isinstance(metric, dict):
        inner = metric.get("successful")
        metric = inner if isinstance(inner, dict) else metric
        if number(metric.get("count")) == 0:
            return None
        return number(metric.get(statistic))
    return number(metric)
