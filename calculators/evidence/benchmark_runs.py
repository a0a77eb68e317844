"""One benchmark run as rows of measurements: what was measured, at which load, on what."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from calculators.evidence.benchmark_text import number

COLUMNS = (
    *("id", "source", "engine", "engine_version", "model", "params_b", "weight_bits"),
    *("weight_format", "kv_bits", "gpu", "n_gpus", "tp", "pp", "scenario", "batch_or_concurrency"),
    *("input_tokens", "output_tokens", "metric", "value", "notes", "source_group", "quality"),
    "unscored",
)
SPECULATIVE_RATIO = 1.35  # time between chunks over time per token: several tokens a chunk
SPECULATIVE_NOTE = (
    "speculative decoding is on: the time of a token is not that of a step, so it is not scored"
)
_SETTINGS = (
    *("engine", "engine_version", "model", "params_b", "weight_bits", "weight_format", "kv_bits"),
    *("gpu", "n_gpus", "tp", "pp"),
)


@dataclass(slots=True)
class Run:
    """A run: `facts` of the deployment and the load, `values` in tok/s, 1/s and ms."""

    label: str
    facts: dict[str, Any] = field(default_factory=dict)
    values: dict[str, float] = field(default_factory=dict)
    statistics: dict[str, str] = field(default_factory=dict)  # mean or median, per value
    notes: list[str] = field(default_factory=list)
    unscored: str = ""  # why the run cannot count
    asks: tuple[str, ...] = ()  # facts without which the run cannot be read
    fixed: set[str] = field(default_factory=set)  # lengths (input, output) that the caller set

    def fact(self, name: str) -> float | None:
        return number(self.facts.get(name))

    def note(self, text: str) -> None:
        if text not in self.notes:
            self.notes.append(text)

    def leave_unscored(self, reason: str) -> None:
        self.unscored = self.unscored or reason
        self.note(reason)


def complete(run: Run) -> None:
    """Derive what follows from the run's own figures: lengths, rates, time per token, concurrency.

    mean length = tokens / completed requests; TPOT = (request time - TTFT) / (output - 1);
    concurrency = requests per second x request time (Little's law) where none was set

    Parameters
    ----------
    run : changed in place

    Examples
    --------
    >>> run = Run("one", {"completed": 10, "total_output_tokens": 1010, "duration_s": 20.0},
    ...           {"e2e_ms": 2100.0, "ttft_ms": 100.0})
    >>> complete(run)
    >>> run.facts["output_tok"], run.values["tpot_ms"], run.values["requests_per_s"]
    (101.0, 20.0, 0.5)
    """
    _lengths(run)
    _rates(run)
    _whole_batch(run)
    values, output = run.values, run.fact("output_tok") or 0.0
    whole_ms = values.get("mean_e2e_ms") or values.get("e2e_ms")
    if "tpot_ms" in values:
        pass
    elif "itl_ms" in values and (run.facts.get("itl_is_tpot") or not whole_ms):
        values["tpot_ms"] = values["itl_ms"]
        run.statistics["tpot_ms"] = run.statistics.get("itl_ms", "")
        run.note("TPOT is the time between tokens that the tool reports")
    elif whole_ms and "ttft_ms" in values and output > 1:
        values["tpot_ms"] = (whole_ms - values["ttft_ms"]) / (output - 1)
        run.note("TPOT is (request time - TTFT) / (output - 1)")
    _speculation(run)
    if run.facts.get("concurrency") is None:
        _concurrency(run)


def _lengths(run: Run) -> None:
    completed = run.fact("completed")
    for side in ("input", "output"):
        total = run.fact(f"total_{side}_tokens")
        if total is not None and completed and side not in run.fixed:
            run.facts[f"{side}_tok"] = total / completed
    rate, values = run.values.get("requests_per_s"), run.values
    counted = run.fact("total_output_tokens") or run.facts.get("measured_lengths")
    if rate and "output_tok_s" in values and not counted:
        _mean_length(run, "output", values["output_tok_s"] / rate)
        if "total_tok_s" in values:
            _mean_length(run, "input", (values["total_tok_s"] - values["output_tok_s"]) / rate)


def _whole_batch(run: Run) -> None:
    """Output rate of a batch that starts and ends together: batch x output / its time."""
    batch_ms, n = run.values.get("batch_ms"), run.fact("concurrency")
    output = run.fact("output_tok")
    if batch_ms and n and output:
        run.values["output_tok_s"] = n * output / batch_ms * 1e3
        run.note("the rate is batch x output tokens / time of the whole batch, prompts included")


def _mean_length(run: Run, side: str, mean_tok: float) -> None:
    nominal = run.fact(f"{side}_tok")
    if mean_tok > 0 and side not in run.fixed:
        run.facts[f"{side}_tok"] = mean_tok
        if nominal and not 0.8 < mean_tok / nominal < 1.25:
            run.note(f"{side} is {mean_tok:.0f} tokens by the rates, not {nominal:.0f} as labelled")


def _rates(run: Run) -> None:
    duration, completed = run.fact("duration_s"), run.fact("completed")
    if not duration or duration <= 0:
        return
    derived = {"requests_per_s": completed, "output_tok_s": run.fact("total_output_tokens")}
    for name, amount in derived.items():
        if amount:
            stated = run.values.setdefault(name, amount / duration)
            if not 0.95 < stated * duration / amount < 1.05:
                run.note(f"{name} is {stated:.4g}, but count / duration is {amount / duration:.4g}")


def _speculation(run: Run) -> None:
    chunk, token = run.values.get("itl_ms"), run.values.get("tpot_ms")
    same = run.statistics.get("itl_ms") == run.statistics.get("tpot_ms")
    several = bool(chunk and token and same and chunk / token > SPECULATIVE_RATIO)
    grouped = run.values.get("chunk_ms")
    several = several or bool(grouped and chunk and grouped / chunk > SPECULATIVE_RATIO)
    if several or run.facts.get("speculative"):
        run.leave_unscored(SPECULATIVE_NOTE)


def _concurrency(run: Run) -> None:
    values, facts = run.values, run.facts
    at_once = facts.get("request_rate") == "inf" or facts.get("request_rate") is None
    rate, output = values.get("requests_per_s"), run.fact("output_tok")
    request_ms = values.get("mean_e2e_ms") or values.get("e2e_ms")
    if request_ms is None and {"ttft_ms", "tpot_ms"} <= values.keys() and output:
        request_ms = values["ttft_ms"] + values["tpot_ms"] * (output - 1)
    if at_once and facts.get("request_rate") == "inf":
        facts["scenario"] = "offline_throughput"
        run.note("all requests were sent at once: TTFT is mostly queueing and is left out")
    elif rate and request_ms:
        facts["concurrency"] = max(rate * request_ms / 1e3, 1.0)
        run.note("concurrency is requests per second x request time (Little's law)")
        if asked := number(facts.get("request_rate")):
            run.note(f"requests arrived at {asked:g} a second, one by one")
    elif facts.get("scenario") is None:
        run.leave_unscored("how many requests ran at once is not in the file: not scored")


def rows_of(run: Run, *, source: str, tool: str, index: int) -> list[dict[str, Any]]:
    """The run as rows in the columns of the measurements, one row per metric.

    Parameters
    ----------
    run : completed
    source, tool : name of the file and of the tool
    index : number of the run in the file

    Returns
    -------
    list of dict

    Examples
    --------
    >>> run = Run("one", {"concurrency": 8}, {"output_tok_s": 100.0, "ttft_ms": 50.0})
    >>> [(row["metric"], row["value"]) for row in rows_of(run, source="f", tool="vllm", index=0)]
    [('output_tok_s_total', 100.0), ('ttft_ms', 50.0)]
    """
    scenario = run.facts.get("scenario") or "server"
    rows = []
    for metric, value in _metrics(run, scenario):
        row: dict[str, Any] = {name: run.facts.get(name) for name in _SETTINGS}
        row |= {
            "id": f"{tool}-{index + 1}-{metric}",
            "source": source,
            "scenario": scenario,
            "batch_or_concurrency": run.fact("concurrency"),
            "input_tokens": run.fact("input_tok"),
            "output_tokens": run.fact("output_tok"),
            "metric": metric,
            "value": value,
            "notes": _row_notes(run, metric),
            "source_group": tool,
            "quality": "C" if run.unscored else "A",
            "unscored": run.unscored,
        }
        rows.append(row)
    return rows


def _metrics(run: Run, scenario: str) -> list[tuple[str, float]]:
    names = {"output_tok_s": "output_tok_s_total", "total_tok_s": "total_tok_s"}
    if scenario == "server":
        names |= {"tpot_ms": "tpot_ms", "ttft_ms": "ttft_ms"}
    if scenario in ("prefill", "single_stream_decode"):
        names = {"prefill_tok_s": "prefill_tok_s", "output_tok_s": "output_tok_s_per_user"}
    if "output_tok_s" in run.values:
        names.pop("total_tok_s", None)
    found = [(metric, run.values[name]) for name, metric in names.items() if name in run.values]
    return [(metric, value) for metric, value in found if value > 0]


def _row_notes(run: Run, metric: str) -> str:
    statistic = run.statistics.get(metric)
    parts = [run.label, f"{statistic} over requests" if statistic else "", *run.notes]
    limit = run.fact("max_num_seqs")
    parts.append(f"max_num_seqs={limit:.0f}" if limit else "")
    return "; ".join(part for part in parts if part)
