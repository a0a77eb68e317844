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
    fixed: set[str] = field(default_factory=set)  # input, output, concurrency that the caller set

    def fact(self, name: str) -> float | None:
        return number(self.facts.get(name))

    def note(self, text: str) -> None:
        if text not in self.notes:
            self.notes.append(text)

    def leave_unscored(self, reason: str) -> None:
        self.unscored = self.unscored or reason
        self.note(reason)


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
    if scenario == "batched_decode":
        names |= {"tpot_ms": "tpot_ms"}
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
