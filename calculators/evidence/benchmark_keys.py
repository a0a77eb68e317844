"""What the keys of benchmark files mean: a quantity, a statistic and a unit, or a setting."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

_LATENCIES = {
    "ttft_ms": ("ttft", "time_to_first_token", "first_time_to_token", "first_token_latency"),
    "tpot_ms": ("tpot", "time_per_output_token"),
    "whole_ms_tok": ("latency_ms_per_token", "latency_per_token"),  # TTFT spread over the tokens
    "itl_ms": ("itl", "inter_token_latency"),
    "chunk_ms": ("inter_chunk_latency",),
    "e2e_ms": ("e2el", "e2e_latency", "end_to_end_latency", "request_latency", "req_latency"),
}
_RATES = {
    "output_tok_s": (
        *("output_throughput", "output_token_throughput", "output_tok_s", "output_tokens_per_s"),
        *("output_tokens_per_second", "output_toks_per_s", "output_throughput_token_per_s"),
        *("output_throughput_tok_s", "system_output_throughput_tok_s", "throughput_token_per_s"),
        *("output_token_throughput_per_sec", "output_token_throughput_tokens_sec"),
        *("output_token_throughput_tok_s", "output_throughput_tokens_s", "gen_throughput"),
    ),
    "total_tok_s": (
        *("total_token_throughput", "total_throughput", "total_tokens_per_second"),
        *("tokens_per_second", "system_total_throughput_tok_s", "total_tok_s"),
        *("overall_throughput", "total_output_throughput_tok_s", "total_token_throughput_tok_s"),
    ),
    "requests_per_s": (
        *("request_throughput", "requests_per_second", "req_s", "rps", "requests_per_s"),
        *("request_throughput_req_s", "request_throughput_per_sec"),
    ),
}
_RATE_NAMES = {name: quantity for quantity, names in _RATES.items() for name in names}
_SETTINGS = {
    "model": (
        *("model_id", "model", "model_name", "model_path", "served_model_name", "backend_model"),
        *("hf_model", "tokenizer_id", "tokenizer_path"),
    ),
    "concurrency": (
        *("max_concurrency", "conc", "concurrency", "num_concurrent_requests", "users"),
        *("concurrent_requests", "avg_num_concurrent_requests", "num_concurrent"),
        *("maximum_request_concurrency", "max_request_concurrency"),
    ),
    "request_rate": (
        *("request_rate", "traffic_request_rate", "request_rate_configured_rps", "qps"),
        "target_rate",
    ),
    "completed": (
        *("completed", "successful_requests", "num_completed_requests", "n_completed"),
        *("successful", "completed_requests"),
    ),
    "failed": ("failed", "failed_requests", "number_errors", "errored", "num_failed"),
    "n_prompts": ("num_prompts", "num_requests", "num_requests_started", "n_prompts"),
    "duration_s": (
        *("duration", "benchmark_duration", "elapsed_time", "duration_s", "wall_time_s"),
        *("benchmark_duration_s", "total_latency"),
    ),
    "total_input_tokens": ("total_input_tokens", "total_prompt_tokens", "total_input"),
    "total_output_tokens": (
        *("total_output_tokens", "total_generated_tokens", "total_completion_tokens"),
        *("total_output", "total_generated"),
    ),
    "input_tok": (
        *("number_input_tokens_mean", "avg_input_length", "mean_input_tokens", "isl", "input_len"),
        *("input_tokens", "input_token_length", "random_input_len", "input_length", "prompt_len"),
    ),
    "output_tok": (
        *("number_output_tokens_mean", "avg_output_length", "mean_output_tokens", "osl"),
        *("output_len", "output_tokens", "output_token_length", "random_output_len"),
        "output_length",
    ),
    "gpu": (
        *("gpu", "gpu_name", "gpu_type", "hw", "hardware", "accelerator", "device_name", "card"),
        *("gpu_model", "device"),
    ),
    "n_gpus": ("n_gpus", "num_gpus", "gpu_count", "n_gpu", "gpus", "world_size", "num_gpu"),
    "tp": ("tp", "tp_size", "tensor_parallel_size", "tensor_parallel", "tensor_parallelism"),
    "pp": ("pp", "pp_size", "pipeline_parallel_size", "pipeline_parallel"),
    "ep": ("ep", "ep_size", "expert_parallel_size"),
    "dp": ("dp", "dp_size", "data_parallel_size"),
    "engine": ("framework", "engine", "inference_engine", "server", "server_type"),
    "backend": ("backend", "endpoint_type"),
    "engine_version": (
        *("engine_version", "vllm_version", "sglang_version", "server_version", "image"),
        "framework_version",
    ),
    "precision": ("precision", "quantization", "quant", "weight_format", "weight_dtype", "dtype"),
    "kv": ("kv_cache_dtype", "kv_dtype", "kv_cache_format"),
    "max_num_seqs": ("max_num_seqs",),
    "batch_size": ("batch_size",),
    "accepted": ("accept_length", "avg_accept_length", "spec_accept_length", "acc_length"),
    "cache_hit": ("cache_hit_rate", "cache_hit_rate_pct", "prefix_cache_hit_rate"),
    "speculative": (
        *("speculative_algorithm", "speculative_config", "spec_decoding", "speculative"),
        *("spec_decode", "speculative_model", "num_speculative_tokens", "spec"),
        *("spec_decode_acceptance_rate", "spec_decode_acceptance_length", "acceptance_rate"),
    ),
    "tool_version": ("aiperf_version", "guidellm_version", "genai_perf_version"),
}
SETTING_NAMES = {name: fact for fact, names in _SETTINGS.items() for name in names}
SETTING_RANK = {name: i for names in _SETTINGS.values() for i, name in enumerate(names)}
_STATISTICS = {
    **dict.fromkeys(("mean", "avg", "average"), "mean"),
    **dict.fromkeys(("median", "p50", "50"), "median"),
}
UNIT_MS = {
    **dict.fromkeys(("ms", "millis", "milliseconds"), 1.0),
    **dict.fromkeys(("s", "sec", "secs", "seconds"), 1e3),
    **dict.fromkeys(("us", "microseconds"), 1e-3),
    **dict.fromkeys(("ns", "nanoseconds"), 1e-6),
}
_FILLERS = {"", "results", "result", "quantiles", "percentiles", "in", "value", "metric", "overall"}


@dataclass(frozen=True, slots=True)
class Meaning:
    """A quantity in the project's unit: value x `scale`; scale None where no unit is named."""

    quantity: str
    statistic: str = ""
    scale: float | None = 1.0


def plain(key: str) -> str:
    """A key in lower case with single underscores.

    Examples
    --------
    >>> plain("Time To First Token (ms)"), plain("request_goodput:")
    ('time_to_first_token_ms', 'request_goodput')
    """
    return re.sub(r"[^a-z0-9]+", "_", key.lower()).strip("_")


@lru_cache(maxsize=4096)
def meaning(key: str) -> Meaning | None:
    """The quantity that a key names, with its statistic and unit; None where it names none.

    Spread, extremes, tails and figures per user, per card or per request name none.

    Parameters
    ----------
    key : as the file has it

    Returns
    -------
    Meaning or None

    Examples
    --------
    >>> meaning("median_ttft_ms")
    Meaning(quantity='ttft_ms', statistic='median', scale=1.0)
    >>> meaning("p99_ttft_ms") is None, meaning("mean_itl").scale is None
    (True, True)
    """
    name = plain(key)
    for quantity, aliases in _LATENCIES.items():
        for alias in aliases:
            padded = f"_{name}_"
            if f"_{alias}_" in padded:
                rest = padded.replace(f"_{alias}_", "_", 1).strip("_")
                unit = "ms" if "_ms_" in f"_{alias}_" else None
                return _latency(quantity, rest, unit)
    return _rate(name)


def _latency(quantity: str, rest: str, unit: str | None) -> Meaning | None:
    statistic, scale = "", UNIT_MS["ms"] if unit else None
    for word in rest.split("_"):
        if word in _STATISTICS:
            statistic = _STATISTICS[word]
        elif word in UNIT_MS:
            scale = UNIT_MS[word]
        elif word not in _FILLERS:
            return None
    return Meaning(quantity, statistic, scale)


def _rate(name: str) -> Meaning | None:
    words = [word for word in name.split("_") if word not in _FILLERS]
    statistic = next((_STATISTICS[word] for word in words if word in _STATISTICS), "")
    rest = "_".join(word for word in words if word not in _STATISTICS)
    if rest == "num_completed_requests_per_min":
        return Meaning("requests_per_s", statistic, 1 / 60)
    quantity = _RATE_NAMES.get(rest)
    return Meaning(quantity, statistic) if quantity else None


def setting(key: str) -> str | None:
    """The setting that a key names, or None.

    Examples
    --------
    >>> setting("max_concurrency"), setting("Tensor-Parallel-Size"), setting("seed")
    ('concurrency', 'tp', None)
    """
    name = plain(key)
    name = name.removeprefix("results_") if name.startswith("results_") else name
    return SETTING_NAMES.get(name)
