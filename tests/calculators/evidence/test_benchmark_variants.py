"""Variants of what benchmark tools write: other versions, odd values, other ways to save it.

The shapes are those of vLLM 0.33, SGLang 0.5, guidellm 0.1 to 0.8, AIPerf 0.13 and genai-perf
0.0.16, read in their packages; the figures are made up and worked out by hand.
"""

from __future__ import annotations

import gzip
import json

import pytest

from calculators.evidence.benchmark_files import BenchmarkFile, BenchmarkFileError, read_benchmark

VLLM = {
    "endpoint_type": "vllm",
    "backend": "vllm",
    "label": None,
    "model_id": "meta-llama/Llama-3.1-8B-Instruct",
    "num_prompts": 100,
    "request_rate": "inf",
    "max_concurrency": 16,
    "duration": 50.0,
    "completed": 100,
    "failed": 0,
    "total_input_tokens": 102_400,
    "total_output_tokens": 12_800,
    "request_throughput": 2.0,
    "request_goodput": None,
    "output_throughput": 256.0,
    "total_token_throughput": 2304.0,
    "mean_ttft_ms": 90.0,
    "median_ttft_ms": 80.0,
    "mean_tpot_ms": 61.0,
    "median_tpot_ms": 60.0,
}
FIGURES = {"output_tok_s_total": 256.0, "tpot_ms": 60.0, "ttft_ms": 80.0}
SGLANG = {
    "backend": "sglang",
    "request_rate": 8.0,
    "max_concurrency": None,
    "server_info": {
        "model_path": "meta-llama/Llama-3.1-70B-Instruct",
        "tp_size": 4,
        "device": "cuda",
        "quantization": "fp8",
    },
    "duration": 60.0,
    "completed": 480,
    "total_input_tokens": 240_000,
    "total_output_tokens": 60_000,
    "total_output_tokens_retokenized": 59_990,
    "request_throughput": 8.0,
    "output_throughput": 1000.0,
    "mean_e2e_latency_ms": 2600.0,
    "median_ttft_ms": 100.0,
    "median_tpot_ms": 19.5,
    "concurrency": 20.8,
}


def read(value: object, name: str = "result.json", **said) -> BenchmarkFile:
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    return read_benchmark(data, name, **said)


def figures(file: BenchmarkFile) -> dict[str, float]:
    return dict(zip(file.rows["metric"], file.rows["value"], strict=True))


def only(file: BenchmarkFile, column: str) -> object:
    (value,) = set(file.rows[column])
    return value


TEXT = json.dumps(VLLM)
SAVED = {
    "byte order mark": b"\xef\xbb\xbf" + TEXT.encode(),
    "UTF-16": TEXT.encode("utf-16"),
    "Windows line ends": TEXT.replace(", ", ",\r\n").encode(),
    "numbers as strings": json.dumps(
        {k: str(v) if isinstance(v, int | float) else v for k, v in VLLM.items()}
    ).encode(),
    "lists in lists": json.dumps([[VLLM]]).encode(),
    "after another record": json.dumps([{"seed": 1}, VLLM]).encode(),
    "with goodput": json.dumps(VLLM | {"request_goodput:": 1.2}).encode(),
    "with a probe": json.dumps(VLLM | {"probe_median_ttft_ms": 5.0}).encode(),
    "with a client's queue": json.dumps(VLLM | {"median_client_queue_time_ms": 900.0}).encode(),
    "speculation off": json.dumps(VLLM | {"speculative_config": None}).encode(),
    "microseconds": json.dumps(
        {k: v for k, v in VLLM.items() if not k.startswith("median")}
        | {"median_ttft_us": 80_000.0, "median_tpot_us": 60_000.0}
    ).encode(),
    "objects of statistics": json.dumps(
        {k: v for k, v in VLLM.items() if not k.endswith("_ms")}
        | {"ttft_ms": {"mean": 90.0, "p50": 80.0}, "tpot_ms": {"percentiles": {"50": 60.0}}}
    ).encode(),
}


@pytest.mark.parametrize("how", SAVED)
def test_the_same_run_saved_otherwise_has_the_same_figures(how):
    file = read(SAVED[how])
    assert figures(file) == pytest.approx(FIGURES)
    assert (only(file, "batch_or_concurrency"), only(file, "input_tokens")) == (16, 1024)


def test_runs_that_were_appended_are_told_apart_with_and_without_a_line_break():
    second = json.dumps(VLLM | {"max_concurrency": 32})
    for between in ("", "\n", "\r\n"):
        file = read((TEXT + between + second).encode())
        assert sorted(set(file.rows["batch_or_concurrency"])) == [16, 32]


def test_a_printed_result_is_read():
    printed = """
============ Serving Benchmark Result ============
Successful requests:                     100
Maximum request concurrency:             16
Benchmark duration (s):                  50.00
Total input tokens:                      102400
Total generated tokens:                  12800
Request throughput (req/s):              2.00
Output token throughput (tok/s):         256.00
---------------Time to First Token----------------
Mean TTFT (ms):                          90.00
Median TTFT (ms):                        80.00
Median TPOT (ms):                        60.00
"""
    file = read(printed.encode(), "bench.log", model="m")
    assert figures(file) == FIGURES
    assert (only(file, "batch_or_concurrency"), only(file, "output_tokens")) == (16, 128)


REFUSED = {
    "gzip": (gzip.compress(TEXT.encode()), "gzip archive"),
    "cut off": (TEXT[:-30].encode(), "broken JSON"),
    "embeddings": (
        {k: v for k, v in VLLM.items() if not k.endswith("_ms") and "output" not in k}
        | {"input_sequence_throughput": 2.0, "median_e2el_ms": 480.0},
        "embeddings",
    ),
    "nothing completed": (VLLM | {"completed": 0, "failed": 100}, "No request completed"),
    "no latency": ({"avg_latency": "NaN", "latencies": [], "percentiles": {}}, "holds no"),
    "guidellm's wide table": (
        b"Run Info,Time to First Token\nRun ID,Successful ms\n,Median\nx,80\n",
        "three lines",
    ),
    "evaluations": ({"results": {"arc_easy": {"acc,none": 0.5}}}, "no throughput"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_cannot_be_scored_is_refused_by_name(what):
    value, words = REFUSED[what]
    with pytest.raises(BenchmarkFileError, match=words):
        read(value)


@pytest.mark.parametrize("value", ["80 ms", "NaN", float("inf"), -5.0, "fast"])
def test_a_figure_that_is_none_is_named_and_the_mean_takes_its_place(value):
    file = read(VLLM | {"median_ttft_ms": value})
    assert figures(file)["ttft_ms"] == 90.0
    assert any("median_ttft_ms is" in note and "no figure" in note for note in file.notes)


def test_counts_that_cannot_be_are_left_out():
    file = read(VLLM | {"completed": 10**30, "total_input_tokens": 10**400})
    assert file.rows["output_tokens"].isna().all() and file.rows["input_tokens"].isna().all()
    assert any("too few" in note for note in file.notes)
    below = read(VLLM | {"max_concurrency": -4})
    assert "a concurrency of -4 is none: left out" in below.notes


def test_seconds_under_keys_of_milliseconds_are_told_by_the_load():
    # 16 at once over 2 requests a second take 8 s, not 8 ms
    wrong = {k: v / 1e3 if k.endswith("_ms") else v for k, v in VLLM.items()}
    file = read(wrong)
    assert figures(file) == pytest.approx(FIGURES)
    assert any("labelled ms are seconds" in note for note in file.notes)
    assert not any("labelled ms" in note for note in read(VLLM).notes)


def test_a_rate_below_the_concurrency_that_was_set_decides():
    file = read(VLLM | {"request_rate": 2.0, "max_concurrency": 64})
    request_s = 0.080 + 0.060 * 127
    assert only(file, "batch_or_concurrency") == pytest.approx(2.0 * request_s)
    kept = read(VLLM | {"request_rate": 2.0, "max_concurrency": 64}, concurrency=64)
    assert only(kept, "batch_or_concurrency") == 64


@pytest.mark.parametrize(
    "on",
    [
        {"spec_decode_acceptance_rate": 71.0},
        {"speculative_config": "{'method': 'eagle'}"},
        {"diffusion_steps_per_canvas": 8.0},
    ],
)
def test_steps_of_several_tokens_are_not_scored(on):
    file = read(VLLM | on)
    assert only(file, "quality") == "C" and only(file, "unscored")


def test_records_for_pytorchs_database_are_one_run():
    def record(name: str, value: float) -> dict:
        args = {"backend": "vllm", "max_concurrency": 16, "request_rate": "inf"}
        extra = {k: v for k, v in VLLM.items() if not k.endswith("_ms") and k not in args}
        return {
            "benchmark": {"name": "vLLM benchmark", "extra_info": {"args": args}},
            "model": {"name": "org/model-8B"},
            "metric": {"name": name, "benchmark_values": [value], "extra_info": extra},
        }

    file = read([record("median_ttft_ms", 80.0), record("median_tpot_ms", 60.0)])
    assert (figures(file), only(file, "model")) == (FIGURES, "org/model-8B")


def test_sglangs_measured_concurrency_is_not_its_limit():
    file = read(SGLANG)
    assert only(file, "batch_or_concurrency") == pytest.approx(8 * 2.6)  # rate x request time
    assert (file.needs, only(file, "n_gpus"), only(file, "weight_format")) == (("gpu",), 4, "fp8")
    at_once = read(json.dumps(SGLANG | {"request_rate": float("inf")}).encode())
    assert only(at_once, "scenario") == "offline_throughput"


def test_sglangs_offline_run_has_all_requests_at_once():
    result = {
        "backend": "engine",
        "successful_requests": 100,
        "total_latency": 50.0,
        "total_input_tokens": 100_000,
        "total_output_tokens": 20_000,
        "output_throughput": 400.0,
        "last_gen_throughput": 500.0,
    }
    file = read(result, model="m")
    assert (only(file, "scenario"), only(file, "quality")) == ("offline_throughput", "A")
    assert (only(file, "engine"), figures(file)) == ("SGLang", {"output_tok_s_total": 400.0})


@pytest.mark.parametrize(
    ("odd", "said"),
    [
        ({"acc_length": 2.9}, "speculative"),
        ({"cache_hit_rate": 0.5}, "50% of the prompts is in the cache"),
    ],
)
def test_one_batch_with_speculation_or_a_warm_cache_is_not_scored(odd, said):
    batch = {"batch_size": 4, "input_len": 1024, "output_len": 16, "output_throughput": 400.0}
    plain = {"acc_length": -1, "cache_hit_rate": 0.0}
    assert only(read(batch | plain, model="m"), "quality") == "A"
    assert said in only(read(batch | plain | odd, model="m"), "unscored")


def test_prompts_that_were_cached_are_not_scored():
    cached = {"cache_report": {"total_cached_tokens": 200_000, "cache_hit_rate_pct": 83.3}}
    assert "83%" in only(read(SGLANG | cached), "unscored")


def test_a_client_in_the_files_name_is_not_the_server():
    file = read(SGLANG | {"backend": "lmdeploy", "server_info": None}, "sglang_bench.jsonl")
    assert only(file, "engine") == "LMDeploy TurboMind"


def test_guidellm_of_the_first_version_lists_its_requests():
    requests = [
        {
            "prompt_token_count": 100,
            "output_token_count": 11,
            "start_time": 1000.0 + 2.0 * i,
            "end_time": 1002.0 + 2.0 * i,
            "first_token_time": 0.5,
        }
        for i in range(5)
    ]
    report = {"benchmarks": [{"mode": "synchronous", "results": requests}], "args": {"model": "m"}}
    file = read(report)
    # 11 tokens in 2 s; (2 - 0.5) s for the 10 after the first
    assert figures(file) == pytest.approx(
        {"output_tok_s_total": 5.5, "tpot_ms": 150.0, "ttft_ms": 500.0}
    )
    assert (only(file, "batch_or_concurrency"), only(file, "input_tokens")) == (1, 100)


def test_guidellms_table_is_its_report():
    head = (
        "Name,Successful Requests,Successful Requests per second mean,"
        "Successful Prompt token count mean,Successful Output token count mean,"
        "Successful Time to first token ms median,Successful Inter token latency ms median,"
        "Successful Output tokens per second mean,Errored Requests,Args,Worker\n"
    )
    row = (
        'concurrent@8,50,2,512,128,88,30,256,1,"{""strategy"": {""type_"": ""concurrent"", '
        '""streams"": 8}}","{""backend_model"": ""org/m-8B""}"\n'
    )
    file = read((head + row).encode(), "benchmarks.csv")
    assert figures(file) == {"output_tok_s_total": 256.0, "tpot_ms": 30.0, "ttft_ms": 88.0}
    assert (only(file, "batch_or_concurrency"), only(file, "model")) == (8, "org/m-8B")
    assert "1 request failed and left no figures" in file.notes


def _metric(unit: str, mean: float, middle: float) -> dict:
    return {"unit": unit, "avg": mean, "p50": middle}


AIPERF = {
    "aiperf_version": "0.13.0",
    "time_to_first_token": _metric("sec", 0.09, 0.08),
    "inter_token_latency": _metric("ms", 31.0, 30.0),
    "output_token_throughput": _metric("tokens/sec", 256.0, 250.0),
    "request_count": _metric("requests", 100, 100),
    "benchmark_duration": _metric("sec", 50.0, 50.0),
    "output_sequence_length": _metric("tokens", 128, 128),
    "input_sequence_length": _metric("tokens", 512, 512),
    "input_config": {"endpoint": {"model_names": ["m-8B"]}, "loadgen": {"concurrency": 8}},
}


def test_aiperf_has_means_of_rates_and_the_card_of_its_telemetry():
    gpus = {"gpu_0": {"gpu_name": "NVIDIA H100 80GB HBM3"}}
    telemetry = {"telemetry_data": {"endpoints": {"localhost": {"gpus": gpus}}}}
    file = read(AIPERF | telemetry)
    assert figures(file) == {"output_tok_s_total": 256.0, "tpot_ms": 30.0, "ttft_ms": 80.0}
    assert (only(file, "gpu"), file.needs) == ("NVIDIA H100 80GB HBM3", ("n_gpus",))


def test_aiperfs_table_names_the_card_below_its_metrics():
    text = (
        "Metric,avg,p50\nTime to First Token (ms),90,80\nInter Token Latency (ms),31,30\n\n"
        "Metric,Value\nOutput Token Throughput (tokens/sec),256.00\n\n\n"
        "Endpoint,GPU_Index,GPU_Name,Metric,avg\nlocalhost,0,NVIDIA H100,GPU Power Usage (W),400\n"
    )
    assert only(read(text.encode(), "x.csv", model="m"), "gpu") == "NVIDIA H100"


def test_aiperfs_records_of_single_requests_are_one_run():
    def record(start_s: float, **more) -> dict:
        start_ns = int(start_s * 1e9)
        return {
            "metadata": {
                "request_start_ns": start_ns,
                "request_end_ns": start_ns + 2_000_000_000,
                "benchmark_phase": "profiling",
            },
            "metrics": {
                "time_to_first_token": {"value": 500.0, "unit": "ms"},
                "inter_token_latency": {"value": 0.015, "unit": "sec"},
                "request_latency": {"value": 2000.0, "unit": "ms"},
                "input_sequence_length": {"value": 512, "unit": "tokens"},
                "output_sequence_length": {"value": 101, "unit": "tokens"},
            },
            "error": None,
        } | more

    warm = record(-60.0)
    warm["metadata"]["benchmark_phase"] = "warmup"
    lines = [warm, *(record(float(i)) for i in range(7)), record(7.0, error={"code": 500})]
    file = read("\n".join(map(json.dumps, lines)).encode(), "profile_export.jsonl", model="m")
    # seven requests of two seconds, a second apart: 8 s in all, 101 tokens each
    assert figures(file) == pytest.approx(
        {"output_tok_s_total": 7 * 101 / 8, "tpot_ms": 15.0, "ttft_ms": 500.0}
    )
    assert only(file, "batch_or_concurrency") == pytest.approx(7 / 8 * 2)
    assert (file.tool, only(file, "quality")) == ("aiperf", "A")
    assert "1 request failed and left no figures" in file.notes


def test_runs_under_the_names_of_formats_have_those_formats():
    runs = {f: {"profiles": {"a": VLLM, "b": VLLM}} for f in ("bf16", "fp8")}
    file = read(runs)
    assert file.rows["weight_format"].tolist() == ["bf16"] * 6 + ["fp8"] * 6
