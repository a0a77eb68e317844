"""Files that benchmark tools write, as rows of measurements that can be scored."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from calculators.evidence.benchmark_batches import (
    is_llama_bench,
    is_one_batch,
    llama_bench_runs,
    one_batch_runs,
)
from calculators.evidence.benchmark_derived import complete
from calculators.evidence.benchmark_flat import flat_runs
from calculators.evidence.benchmark_given import Given
from calculators.evidence.benchmark_guidellm import guidellm_runs, is_guidellm
from calculators.evidence.benchmark_guidellm_tables import guidellm_table_report, is_guidellm_table
from calculators.evidence.benchmark_objects import (
    is_metric_objects,
    is_metric_table,
    metric_object_runs,
    metric_table_runs,
)
from calculators.evidence.benchmark_records import is_record_list, record_list_runs
from calculators.evidence.benchmark_requests import is_request_list, request_list_runs
from calculators.evidence.benchmark_runs import COLUMNS, Run, rows_of
from calculators.evidence.benchmark_settings import settle
from calculators.evidence.benchmark_tables import is_measurement_table, measurement_table
from calculators.evidence.benchmark_text import (
    BenchmarkFileError,
    Content,
    read_content,
    table_records,
)
from calculators.evidence.benchmark_vllm import database_results, offline_runs
from calculators.wording import counted

__all__ = ["BenchmarkFile", "BenchmarkFileError", "read_benchmark"]
WANTED = ("gpu", "n_gpus", "model")
ASKED = ("input_tok", "output_tok", "concurrency")


@dataclass(frozen=True, slots=True)
class BenchmarkFile:
    """A benchmark file, read: its rows in the columns of the measurements, and what is missing.

    `needs` names what the file does not say and nobody may guess (fields of `Given`); `notes` are
    sentences on what was assumed or is odd.
    """

    tool: str
    version: str
    rows: pd.DataFrame
    notes: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()


def read_benchmark(data: bytes, filename: str = "", **said: Any) -> BenchmarkFile:
    """Read what a benchmark tool wrote, or a table of measurements, as rows that can be scored.

    Known are vLLM (serve, throughput, sweeps), SGLang (serving, offline, one batch), guidellm,
    genai-perf, AIPerf, LLMPerf, trtllm-bench, llama-bench, and tables or JSON of the same keys.

    Parameters
    ----------
    data : the file, at most 10 MB
    filename : its name, for the rows' source; a model that the file leaves out is read from it
    said : fields of `Given` (gpu, n_gpus, engine, model, weight_format, input_tok, output_tok,
        concurrency) by the caller; they win over what a result says, which is noted, and fill the
        blanks of a table of measurements

    Returns
    -------
    BenchmarkFile

    Raises
    ------
    BenchmarkFileError
        a file that is empty, too large, broken, of an unknown kind, or without a completed request

    Notes
    -----
    Latencies are medians where the tool gives them. Runs under speculative decoding and runs whose
    concurrency cannot be known are read with quality C, which is never scored.

    Examples
    --------
    >>> file = read_benchmark(b'{"model_id": "m", "backend": "vllm", "max_concurrency": 8, '
    ...                       b'"completed": 10, "output_throughput": 100.0}', gpu="H100", n_gpus=1)
    >>> file.rows[["metric", "value", "batch_or_concurrency"]].values.tolist(), file.needs
    ([['output_tok_s_total', 100.0, 8.0]], ())
    """
    content = read_content(data)
    if content.kind == "csv" and is_measurement_table(content.values):
        frame, table_notes = measurement_table(content.values, Given(filename, **said))
        return BenchmarkFile("measurements", "", frame, tuple(table_notes))
    tool, runs = _runs(content)
    given = Given(filename, tool, **said)
    kept = _completed(runs)
    for run in kept:
        settle(run, given)
        complete(run)
    rows = [
        row
        for index, run in enumerate(kept)
        for row in rows_of(run, source=filename or "upload", tool=tool, index=index)
    ]
    needs = _needs(kept)
    if not rows and not (needs and any(run.asks and run.values for run in kept)):
        raise BenchmarkFileError(
            f"The file looks like {tool}'s, but holds no throughput, TTFT or TPOT to compare."
        )
    frame = pd.DataFrame(rows, columns=list(COLUMNS)).fillna(value=np.nan)
    notes = dict.fromkeys([*content.notes, *(n for run in runs for n in run.notes)])
    version = next((str(r.facts["tool_version"]) for r in kept if r.facts.get("tool_version")), "")
    return BenchmarkFile(tool, version, frame, tuple(notes), needs)


def _needs(runs: list[Run]) -> tuple[str, ...]:
    """What no run says, or a run cannot do without, in the names of `Given`."""
    missing = [name for name in WANTED if not any(run.facts.get(name) for run in runs)]
    asked = {name for run in runs for name in run.asks if not run.fact(name)}
    if any(run.fact("tokens_per_request") for run in runs) and "input_tok" in asked:
        asked.discard("input_tok")
    return (*missing, *(name for name in ASKED if name in asked))


Reader = tuple[Callable[[Any], bool], Callable[[Any], tuple[str, list[Run]]]]


def _runs(content: Content) -> tuple[str, list[Run]]:
    rows = content.values
    if content.kind == "csv" and is_metric_table(rows):
        return "genai-perf", metric_table_runs(rows)
    if content.kind == "csv" and is_guidellm_table(rows):
        return "guidellm", guidellm_runs(guidellm_table_report(rows))
    records = rows if content.kind == "json" else table_records(rows) if rows else []
    records = database_results(records)
    if not records:
        raise BenchmarkFileError("The file holds no record.")
    if is_record_list(records):
        return "aiperf", record_list_runs(records)
    if is_request_list(records):
        return "llmperf", request_list_runs(records)
    first = next((record for record in records if isinstance(record, dict)), None)
    if first is None:
        raise BenchmarkFileError("The file is JSON, but holds no result: no dictionary in it.")
    if is_llama_bench(first):
        return "llama-bench", llama_bench_runs([r for r in records if is_llama_bench(r)])
    if is_guidellm(first):
        return "guidellm", _with_version(first, guidellm_runs(first))
    if is_metric_objects(first):
        tool, runs = metric_object_runs(first)
        return tool, _with_version(first, runs)
    offline = offline_runs(records)
    if offline:
        return "vllm", offline
    if is_one_batch(first):
        return "sglang", one_batch_runs([r for r in records if is_one_batch(r)])
    return _by_keys(records)


def _by_keys(records: list[Any]) -> tuple[str, list[Run]]:
    tool, runs = flat_runs(records)
    if runs:
        return tool, runs
    keys = sorted(
        {str(key) for record in records[:5] if isinstance(record, dict) for key in record}
    )
    raise BenchmarkFileError(
        "The file names no throughput, TTFT or TPOT that is known; its keys are "
        f"{', '.join(keys[:8]) or 'none'}{' ...' if len(keys) > 8 else ''}."
    )


def _with_version(report: dict[str, Any], runs: list[Run]) -> list[Run]:
    metadata = report.get("metadata")
    named = (metadata or {}).get("guidellm_version") if isinstance(metadata, dict) else None
    for run in runs:
        run.facts.setdefault("tool_version", named or report.get("aiperf_version"))
    return runs


def _completed(runs: list[Run]) -> list[Run]:
    kept = [run for run in runs if run.fact("completed") != 0]
    if runs and not kept:
        failed = sum(int(run.fact("failed") or 0) for run in runs)
        raise BenchmarkFileError(f"No request completed ({failed:,} failed): nothing to score.")
    for run in runs:
        if run.fact("completed") == 0:
            run.note(f"run {run.label or 'without a name'} completed no request and was left out")
        elif run.fact("failed"):
            failed = int(run.fact("failed") or 0)
            run.note(f"{counted(failed, 'request')} failed and left no figures")
    return kept
