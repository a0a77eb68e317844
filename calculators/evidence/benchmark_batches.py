"""Results of fixed batches: llama-bench and SGLang's one-batch runs."""

from __future__ import annotations

import re
from typing import Any

from calculators.evidence.benchmark_keys import plain
from calculators.evidence.benchmark_runs import Run
from calculators.evidence.benchmark_text import number

Record = dict[str, Any]
_TEST = re.compile(r"^(pp|tg)\s*(\d+)(?:\s*@\s*d(\d+))?$")
_TYPE = re.compile(
    r"\b(I?Q\d\w*|F16|BF16|F32|MXFP4\w*|TQ\d\w*)\b(?:\s*-\s*(Small|Medium|Large))?", re.I
)
_ENDINGS = {"small": "_s", "medium": "_m", "large": "_l", "": ""}
_SPECULATIVE_TOK = 1.05  # tokens a step from which more than one is meant
_BYTES = {"gib": 2**30, "mib": 2**20}


def is_llama_bench(record: Any) -> bool:
    """Whether a record is one of llama-bench, from JSON, JSON lines, CSV or Markdown.

    Examples
    --------
    >>> is_llama_bench({"n_prompt": 512, "n_gen": 0, "avg_ts": 100.0})
    True
    """
    if not isinstance(record, dict):
        return False
    return {"n_prompt", "n_gen", "avg_ts"} <= record.keys() or {"test", "t/s"} <= record.keys()


def llama_bench_runs(records: list[Record]) -> list[Run]:
    """One run for each test of llama-bench: prompt processing or generation of one stream.

    Parameters
    ----------
    records : as it wrote them

    Returns
    -------
    list of Run; combined prompt-and-generation tests are left out

    Examples
    --------
    >>> test = {"n_prompt": 0, "n_gen": 128, "avg_ts": 95.5, "model_type": "llama 7B Q4_K - Medium",
    ...         "model_size": 4081004544, "model_n_params": 6738415616, "gpu_info": "RTX 4090"}
    >>> run = llama_bench_runs([test])[0]
    >>> run.facts["weight_format"], round(run.facts["weight_bits"], 2), run.values
    ('gguf-q4_k_m', 4.85, {'output_tok_s': 95.5})
    """
    return [run for record in records if (run := _llama_run(record)) is not None]


def _llama_run(record: Record) -> Run | None:
    prompt, generated, depth = _lengths(record)
    speed = number(str(record.get("avg_ts", record.get("t/s", ""))).split("±")[0])
    if speed is None or (prompt and generated) or not (prompt or generated):
        return None
    run = Run("pp" if prompt else "tg", _llama_facts(record))
    run.facts |= {"concurrency": 1, "input_tok": prompt or depth}
    if prompt:
        run.facts["scenario"] = "prefill"
        run.values["prefill_tok_s"] = speed
    else:
        run.facts |= {"scenario": "single_stream_decode", "output_tok": generated}
        run.values["output_tok_s"] = speed
    return run


def _lengths(record: Record) -> tuple[float, float, float]:
    test = _TEST.match(str(record.get("test", "")).strip())
    if test:
        n, depth = float(test[2]), float(test[3] or 0)
        return (n, 0.0, depth) if test[1] == "pp" else (0.0, n, depth)
    counts = [number(record.get(name)) or 0.0 for name in ("n_prompt", "n_gen", "n_depth")]
    return counts[0], counts[1], counts[2]


def _llama_facts(record: Record) -> Record:
    described = str(record.get("model_type") or record.get("model") or "")
    form = _TYPE.search(described)
    size, params = _size_bytes(record), _params(record)
    facts: Record = {"engine": "llama.cpp", "model": _llama_model(described, form)}
    if form:
        name = form[1].lower() + _ENDINGS[(form[2] or "").lower()]
        facts["weight_format"] = f"gguf-{name}"
    if size and params:
        facts |= {"weight_bits": size * 8 / params, "params_b": params / 1e9}
    if number(record.get("build_number")):
        facts["engine_version"] = f"b{record['build_number']}"
    cards = [card.strip() for card in str(record.get("gpu_info") or "").split(",") if card.strip()]
    if cards:
        facts |= {"gpu": cards[0], "n_gpus": len(cards), "tp": 1, "pp": len(cards)}
    return facts


def _llama_model(described: str, form: re.Match[str] | None) -> str:
    return (described[: form.start()] if form else described).strip(" -")


def _size_bytes(record: Record) -> float | None:
    given = str(record.get("model_size") or record.get("size") or "")
    value, unit = number(given.split(" ")[0]), plain(given.rpartition(" ")[2])
    return value * _BYTES.get(unit, 1) if value else None


def _params(record: Record) -> float | None:
    given = str(record.get("model_n_params") or record.get("params") or "")
    value = number(given.split(" ")[0])
    return (
        value * (1e9 if given.endswith("B") else 1e6 if given.endswith("M") else 1)
        if value
        else None
    )


def is_one_batch(record: Any) -> bool:
    """Whether a record is one of SGLang's bench_one_batch runs.

    Examples
    --------
    >>> is_one_batch({"batch_size": 8, "input_len": 256, "output_len": 16, "latency": 1.0})
    True
    """
    return isinstance(record, dict) and {"batch_size", "input_len", "output_len"} <= record.keys()


def one_batch_runs(records: list[Record]) -> list[Run]:
    """One decode run, and one prefill run where it was timed, for each of SGLang's batches.

    Parameters
    ----------
    records : as bench_one_batch or bench_one_batch_server wrote them

    Returns
    -------
    list of Run

    Examples
    --------
    >>> record = {"batch_size": 8, "input_len": 256, "output_len": 16,
    ...           "median_decode_throughput": 800.0, "prefill_throughput": 9000.0}
    >>> [(run.facts["scenario"], run.values) for run in one_batch_runs([record])]
    [('batched_decode', {'tpot_ms': 10.0}), ('prefill', {'prefill_tok_s': 9000.0})]
    """
    runs = []
    for record in records:
        batch = number(record["batch_size"])
        shared = {
            "engine": "SGLang",
            "concurrency": batch,
            "input_tok": number(record["input_len"]),
            "output_tok": number(record["output_len"]),
            "model": record.get("model_path"),
            "speculative": (number(record.get("acc_length")) or 0.0) > _SPECULATIVE_TOK,
            "cache_hit": record.get("cache_hit_rate"),
        }
        decode = number(record.get("median_decode_throughput", record.get("output_throughput")))
        first = number(record.get("prefill_throughput", record.get("input_throughput")))
        label = str(record.get("run_name") or "batch")
        step_ms = batch / decode * 1e3 if batch and decode else None
        for scenario, name, value in (
            ("batched_decode", "tpot_ms", step_ms),
            ("prefill", "prefill_tok_s", first),
        ):
            if value and value > 0:
                runs.append(Run(label, shared | {"scenario": scenario}, {name: value}))
    return runs
