"""Files of benchmark tools, written small in each tool's shape; figures worked out by hand."""

from __future__ import annotations

import json

import pytest

from calculators.evidence.benchmark_files import BenchmarkFile, BenchmarkFileError, read_benchmark
from calculators.evidence.benchmark_runs import COLUMNS

VLLM = {
    "date": "20260101-000000",
    "backend": "vllm",
    "model_id": "meta-llama/Llama-3.1-8B-Instruct",
    "tokenizer_id": "meta-llama/Llama-3.1-8B-Instruct",
    "num_prompts": 100,
    "request_rate": "inf",
    "burstiness": 1.0,
    "max_concurrency": 16,
    "duration": 50.0,
    "completed": 100,
    "total_input_tokens": 102_400,
    "total_output_tokens": 12_800,
    "request_throughput": 2.0,
    "request_goodput:": None,
    "output_throughput": 256.0,
    "total_token_throughput": 2304.0,
    "mean_ttft_ms": 90.0,
    "median_ttft_ms": 80.0,
    "p99_ttft_ms": 400.0,
    "mean_tpot_ms": 61.0,
    "median_tpot_ms": 60.0,
    "mean_itl_ms": 60.5,
    "median_itl_ms": 59.0,
}


def read(value: object, name: str = "result.json", **given) -> BenchmarkFile:
    return read_benchmark(json.dumps(value).encode(), name, **given)


def figures(file: BenchmarkFile) -> dict[str, float]:
    return dict(zip(file.rows["metric"], file.rows["value"], strict=True))


def only(file: BenchmarkFile, column: str) -> object:
    (value,) = set(file.rows[column])
    return value


def test_vllm_has_lengths_concurrency_and_medians():
    file = read(VLLM, gpu="H100 SXM", n_gpus=2)
    assert tuple(file.rows.columns) == COLUMNS
    assert figures(file) == {"output_tok_s_total": 256.0, "tpot_ms": 60.0, "ttft_ms": 80.0}
    assert (only(file, "input_tokens"), only(file, "output_tokens")) == (1024.0, 128.0)
    assert only(file, "batch_or_concurrency") == 16
    assert (only(file, "scenario"), only(file, "engine"), file.tool) == ("server", "vLLM", "vllm")
    assert (file.needs, only(file, "n_gpus"), only(file, "tp")) == ((), 2, 2)


def test_card_and_number_of_cards_are_asked_for():
    assert read(VLLM, "8xH100.json").needs == ("gpu", "n_gpus")


def test_cards_follow_from_the_parallelism_that_the_file_states():
    file = read(VLLM | {"tensor_parallel_size": 4, "pipeline_parallel_size": 2, "gpu": "H200"})
    assert (file.needs, only(file, "n_gpus"), only(file, "tp"), only(file, "pp")) == ((), 8, 4, 2)


@pytest.mark.parametrize("rate", ["inf", float("inf"), "Infinity"])
def test_all_requests_at_once_are_an_offline_run(rate):
    file = read(VLLM | {"max_concurrency": None, "request_rate": rate})
    assert only(file, "scenario") == "offline_throughput"
    assert figures(file) == {"output_tok_s_total": 256.0}
    assert any("queueing" in note for note in file.notes)


def test_a_request_rate_gives_concurrency_by_littles_law():
    file = read(VLLM | {"max_concurrency": None, "request_rate": 2.0})
    request_s = 0.080 + 0.060 * 127
    assert only(file, "batch_or_concurrency") == pytest.approx(2.0 * request_s)


def test_fewer_prompts_than_concurrency_limit_it():
    assert only(read(VLLM | {"max_concurrency": 256}), "batch_or_concurrency") == 100


def test_sweep_is_one_run_for_each_entry_and_keeps_the_sequence_limit():
    runs = [VLLM | {"max_num_seqs": 4}, VLLM | {"output_throughput": 512.0, "max_num_seqs": 4}]
    rows = read(runs).rows
    assert rows.loc[rows["metric"] == "output_tok_s_total", "value"].tolist() == [256.0, 512.0]
    assert rows["notes"].str.contains("max_num_seqs=4").all()


def test_seconds_without_a_suffix_are_told_by_littles_law():
    seconds = {
        "model_id": "m",
        "max_concurrency": 32,
        "duration": 100.0,
        "completed": 320,
        "total_output_tokens": 32_000,
        "median_ttft": 1.5,
        "median_e2el": 10.0,
        "median_tpot": 0.085,
    }
    assert figures(read(seconds))["ttft_ms"] == pytest.approx(1500.0)
    assert figures(read(seconds))["tpot_ms"] == pytest.approx(85.0)
    milliseconds = seconds | {"median_ttft": 1500.0, "median_e2el": 10_000.0, "median_tpot": 85.0}
    assert figures(read(milliseconds))["tpot_ms"] == pytest.approx(85.0)


def test_speculative_decoding_is_seen_in_the_figures_and_in_names():
    several_tokens_a_chunk = read(VLLM | {"mean_itl_ms": 180.0, "median_itl_ms": 150.0})
    assert only(several_tokens_a_chunk, "quality") == "C"
    assert only(read(VLLM, "run_spec-mtp_conc16.json"), "quality") == "C"
    assert only(read(VLLM | {"accept_length": 2.7}), "quality") == "C"
    assert only(read(VLLM, "run_spec-none_conc16.json"), "quality") == "A"
    assert only(read(VLLM | {"accept_length": 1.0}), "quality") == "A"


def test_no_completed_request_is_a_sentence_and_a_mixed_sweep_keeps_the_rest():
    none = VLLM | {"completed": 0, "failed": 100, "output_throughput": 0.0}
    with pytest.raises(BenchmarkFileError, match="No request completed"):
        read(none)
    mixed = read([none, VLLM])
    assert len(mixed.rows) == 3
    assert any("completed no request" in note for note in mixed.notes)


def test_figures_that_contradict_the_counts_are_noted():
    file = read(VLLM | {"output_throughput": 999.0})
    assert any("count / duration is 256" in note for note in file.notes)


def test_a_wrapped_result_takes_the_servers_cards_and_the_real_lengths():
    wrapped = {
        "hw": "b200",
        "model": "openai/gpt-oss-120b",
        "framework": "vllm",
        "image": "vllm/vllm-openai:v0.22.0",
        "precision": "fp4",
        "isl": 1024,
        "osl": 1024,
        "tp": 4,
        "conc": 64,
        "metrics": {
            "successful_requests": 640,
            "total_token_throughput": 4000.0,
            "output_token_throughput": 1000.0,
            "request_throughput": 5.0,
            "median_ttft_ms": 40.0,
            "median_tpot_ms": 6.0,
        },
        "gpu": {"n_gpus": 8, "mean_power_per_gpu_w": 300.0},
    }
    file = read(wrapped)
    assert (only(file, "gpu"), only(file, "n_gpus"), file.needs) == ("b200", 4, ())
    assert (only(file, "input_tokens"), only(file, "output_tokens")) == (600.0, 200.0)
    assert (only(file, "engine_version"), only(file, "weight_format")) == ("0.22.0", "mxfp4")


def test_sglang_lines_are_one_run_each_with_tpot_from_the_request_time():
    line = {
        "backend": "sglang",
        "dataset_name": "random",
        "request_rate": 4.0,
        "max_concurrency": None,
        "random_range_ratio": 0.0,
        "total_input_tokens": 50_000,
        "total_output_tokens": 10_100,
        "duration": 25.0,
        "completed": 100,
        "output_throughput": 404.0,
        "mean_e2e_latency_ms": 2100.0,
        "median_ttft_ms": 100.0,
        "median_itl_ms": 15.0,
    }
    data = "\n".join(json.dumps(line | {"request_rate": rate}) for rate in (4.0, float("inf")))
    file = read_benchmark(data.encode(), "sglang_llama3.3-70b.jsonl")
    online = file.rows[file.rows["scenario"] == "server"].set_index("metric")["value"]
    assert online["tpot_ms"] == pytest.approx(20.0)
    assert (file.tool, only(file, "engine"), only(file, "model")) == (
        "sglang",
        "SGLang",
        "llama-3.3-70b",
    )
    assert set(file.rows["scenario"]) == {"server", "offline_throughput"}


def test_sglang_one_batch_is_a_decode_and_a_prefill_run():
    record = {
        "run_name": "default",
        "batch_size": 8,
        "input_len": 256,
        "output_len": 32,
        "prefill_latency": 0.1,
        "prefill_throughput": 20_480.0,
        "median_decode_latency": 0.01,
        "median_decode_throughput": 800.0,
        "total_latency": 0.5,
        "overall_throughput": 4608.0,
    }
    file = read(record)
    assert figures(file) == {"tpot_ms": 10.0, "prefill_tok_s": 20_480.0}
    assert only(file, "batch_or_concurrency") == 8


def distribution(mean: float, median: float, count: int = 10) -> dict:
    good = {"mean": mean, "median": median, "count": count, "percentiles": {"p99": 9e9}}
    return {"successful": good, "errored": {"mean": 0.0, "median": 0.0, "count": 0}}


def guidellm(strategy: dict, **changes) -> dict:
    metrics = {
        "request_totals": {"successful": 10, "errored": 2, "incomplete": 1, "total": 13},
        "requests_per_second": distribution(0.5, 0.5),
        "request_concurrency": distribution(7.5, 8.0),
        "request_latency": distribution(2.0, 2.1),
        "prompt_token_count": distribution(512.0, 512.0),
        "output_token_count": distribution(256.0, 256.0),
        "time_to_first_token_ms": distribution(30.0, 25.0),
        "time_per_output_token_ms": distribution(8.0, 8.0),
        "inter_token_latency_ms": distribution(7.0, 7.5),
        "output_tokens_per_second": distribution(128.0, 0.0),
    }
    return {"config": {"strategy": strategy}, "metrics": metrics | changes, "requests": {}}


@pytest.mark.parametrize(
    ("strategy", "concurrency"),
    [
        ({"type_": "synchronous"}, 1.0),
        ({"type_": "concurrent", "streams": 4}, 4.0),
        ({"type_": "constant", "rate": 2.0}, 7.5),
        ({"type_": "throughput"}, 7.5),
    ],
)
def test_guidellm_strategies(strategy, concurrency):
    report = {
        "metadata": {"guidellm_version": "0.7.1"},
        "args": {"model": "Qwen/Qwen2.5-7B-Instruct"},
        "benchmarks": [guidellm(strategy)],
    }
    file = read(report, "benchmarks.json")
    expected = {"output_tok_s_total": 128.0, "tpot_ms": 7.5, "ttft_ms": 25.0}
    assert (file.tool, file.version, figures(file)) == ("guidellm", "0.7.1", expected)
    assert only(file, "batch_or_concurrency") == concurrency
    assert only(file, "model") == "Qwen/Qwen2.5-7B-Instruct"
    assert any("2 requests failed" in note for note in file.notes)


def test_an_older_guidellm_report_keeps_its_metrics_beside_the_rest():
    benchmark = guidellm({})
    flat = {"args": {"strategy": {"type_": "synchronous"}}, **benchmark["metrics"]}
    flat["worker"] = {"backend_model": "org/model"}
    file = read({"benchmarks": [flat]})
    assert figures(file)["ttft_ms"] == 25.0
    assert only(file, "model") == "org/model"


def test_genai_perf_and_aiperf_exports():
    export = {
        "request_throughput": {"unit": "requests/sec", "avg": 2.5},
        "request_count": {"unit": "requests", "avg": 50.0},
        "request_latency": {"unit": "ms", "avg": 1600.0, "p50": 1500.0, "p99": 3000.0},
        "time_to_first_token": {"unit": "ms", "avg": 60.0, "p50": 50.0},
        "inter_token_latency": {"unit": "ms", "avg": 11.0, "p50": 10.0},
        "output_token_throughput": {"unit": "tokens/sec", "avg": 250.0},
        "output_token_throughput_per_user": {"unit": "tokens/sec/user", "avg": 95.0},
        "output_sequence_length": {"unit": "tokens", "avg": 100.0},
        "input_sequence_length": {"unit": "tokens", "avg": 550.0},
        "input_config": {
            "model_names": ["meta/llama3-8b"],
            "perf_analyzer": {"stimulus": {"concurrency": 4}},
        },
    }
    file = read(export, "profile_export_genai_perf.json")
    expected = {"output_tok_s_total": 250.0, "tpot_ms": 10.0, "ttft_ms": 50.0}
    assert (file.tool, figures(file)) == ("genai-perf", expected)
    assert (only(file, "batch_or_concurrency"), only(file, "output_tokens")) == (4, 100.0)
    newer = read(export | {"aiperf_version": "0.9.0"})
    assert (newer.tool, newer.version) == ("aiperf", "0.9.0")
    seconds = read(export | {"time_to_first_token": {"unit": "s", "avg": 0.06, "p50": 0.05}})
    assert figures(seconds)["ttft_ms"] == pytest.approx(50.0)


def test_genai_perf_csv():
    text = (
        "Metric,avg,min,max,p99,p50\n"
        'Time To First Token (ms),"1,060.00",20,90,85,"1,050.00"\n'
        "Inter Token Latency (ms),11.0,9,12,12,10.0\n"
        "Output Sequence Length (tokens),100,90,110,110,100\n"
        "Input Sequence Length (tokens),550,550,550,550,550\n"
        "\n"
        "Metric,Value\n"
        "Output Token Throughput (per sec),250.0\n"
        "Request Throughput (per sec),2.5\n"
    )
    file = read_benchmark(text.encode(), "profile_export_genai_perf.csv")
    assert figures(file) == {"output_tok_s_total": 250.0, "tpot_ms": 10.0, "ttft_ms": 1050.0}
    assert only(file, "output_tokens") == 100.0


def test_llmperf_levels_take_the_first_token_out_of_the_time_between_tokens():
    level = {
        "version": "2023-08-31",
        "model": "org/model",
        "mean_input_tokens": 750,
        "results_inter_token_latency_s_mean": 0.030,
        "results_inter_token_latency_s_quantiles_p50": 0.029,
        "results_ttft_s_mean": 0.150,
        "results_ttft_s_quantiles_p50": 0.140,
        "results_end_to_end_latency_s_mean": 3.15,
        "results_request_output_throughput_token_per_s_mean": 33.0,
        "results_number_input_tokens_mean": 600.0,
        "results_number_output_tokens_mean": 101.0,
        "results_mean_output_throughput_token_per_s": 60.0,
        "results_num_completed_requests": 20,
        "results_num_completed_requests_per_min": 40.0,
        "results_error_rate": 0.0,
    }
    levels = {str(n): level | {"num_concurrent_requests": n} for n in (2, 4)}
    file = read(levels)
    two = file.rows[file.rows["batch_or_concurrency"] == 2].set_index("metric")["value"]
    assert two.to_dict() == pytest.approx(
        {"output_tok_s_total": 60.0, "tpot_ms": 30.0, "ttft_ms": 150.0}
    )
    assert (file.tool, only(file, "input_tokens"), only(file, "output_tokens")) == (
        "llmperf",
        600.0,
        101.0,
    )


def test_llmperf_requests_are_medians_that_are_not_scored():
    good = {"error_code": None, "ttft_s": 0.5, "end_to_end_latency_s": 2.5}
    good |= {"number_output_tokens": 101, "number_input_tokens": 500}
    bad = {"error_code": 429, "ttft_s": 0, "end_to_end_latency_s": 0}
    file = read([good, bad, good])
    assert figures(file) == pytest.approx({"tpot_ms": 20.0, "ttft_ms": 500.0})
    assert only(file, "quality") == "C"


def test_trtllm_bench_report():
    report = {
        "engine": {"model": "meta-llama/Llama-3.1-8B", "backend": "Pytorch", "version": "1.1.0"},
        "world_info": {"tp_size": 2, "pp_size": 1, "world_size": 2, "max_batch_size": 512},
        "request_info": {
            "num_requests": 100,
            "avg_num_concurrent_requests": 40.0,
            "avg_input_length": 1000.0,
            "avg_output_length": 1000.0,
        },
        "performance": {
            "total_latency_ms": 20_000.0,
            "request_throughput_req_s": 5.0,
            "system_output_throughput_tok_s": 5000.0,
            "system_total_throughput_tok_s": 10_000.0,
            "output_throughput_per_gpu_tok_s": 2500.0,
        },
    }
    file = read(report, gpu="H200")
    assert figures(file) == {"output_tok_s_total": 5000.0}
    assert (only(file, "n_gpus"), only(file, "tp"), only(file, "engine")) == (2, 2, "TensorRT-LLM")
    assert only(file, "batch_or_concurrency") == 40.0


LLAMA = {
    "build_commit": "abc",
    "build_number": 4567,
    "gpu_info": "NVIDIA GeForce RTX 4090, NVIDIA GeForce RTX 4090",
    "model_filename": "m.gguf",
    "model_type": "llama 8B Q4_K - Medium",
    "model_size": 4_912_000_000,
    "model_n_params": 8_030_000_000,
    "n_prompt": 512,
    "n_gen": 0,
    "avg_ts": 9000.5,
}


def test_llama_bench_json_lines_and_markdown_agree():
    tests = [LLAMA, LLAMA | {"n_prompt": 0, "n_gen": 128, "avg_ts": 120.25}]
    expected = {"prefill_tok_s": 9000.5, "output_tok_s_per_user": 120.25}
    file = read(tests)
    assert (file.tool, figures(file)) == ("llama-bench", expected)
    assert (only(file, "gpu"), only(file, "n_gpus")) == ("NVIDIA GeForce RTX 4090", 2)
    assert only(file, "weight_format") == "gguf-q4_k_m"
    assert only(file, "weight_bits") == pytest.approx(4_912 * 8 / 8_030)
    lines = "\n".join(json.dumps(test) for test in tests)
    assert figures(read_benchmark(lines.encode())) == expected
    table = (
        "| model | size | params | backend | ngl | test | t/s |\n"
        "| --- | ---: | ---: | --- | --: | ---: | ---: |\n"
        "| llama 8B Q4_K - Medium | 4.57 GiB | 8.03 B | CUDA | 99 | pp512 | 9000.50 ± 4.2 |\n"
        "| llama 8B Q4_K - Medium | 4.57 GiB | 8.03 B | CUDA | 99 | tg128 | 120.25 ± 0.1 |\n"
    )
    shown = read_benchmark(table.encode(), "bench.md")
    assert figures(shown) == expected
    assert shown.needs == ("gpu", "n_gpus")
    assert only(shown, "weight_bits") == pytest.approx(4.57 * 2**30 * 8 / 8.03e9)


THROUGHPUT = {
    "elapsed_time": 50.0,
    "num_requests": 1000,
    "total_num_tokens": 400_000,
    "requests_per_second": 20.0,
    "tokens_per_second": 8000.0,
}
LATENCY = {
    "avg_latency": 4.1,
    "latencies": [4.0, 4.0, 4.3],
    "percentiles": {"10": 4.0, "50": 4.0, "99": 4.3},
}


def test_vllm_throughput_counts_tokens_in_and_out():
    file = read(THROUGHPUT, gpu="H100", n_gpus=1, model="m")
    assert figures(file) == {"total_tok_s": 8000.0}
    assert only(file, "scenario") == "offline_throughput"
    assert file.needs == ("output_tok",)


def test_one_length_of_a_throughput_run_tells_the_other():
    # 400,000 tokens / 1,000 requests = 400 tokens each
    assert only(read(THROUGHPUT, output_tok=100), "input_tokens") == 300
    assert only(read(THROUGHPUT, input_tok=150), "output_tokens") == 250
    both = read(THROUGHPUT, input_tok=150, output_tok=150)
    assert any("400 tokens a request, not 300" in note for note in both.notes)


def test_vllm_latency_asks_for_lengths_and_batch():
    assert read(LATENCY, gpu="H100", n_gpus=1, model="m").needs == (
        *("input_tok", "output_tok", "concurrency"),
    )
    file = read(
        *(LATENCY,), gpu="H100", n_gpus=1, model="m", input_tok=512, output_tok=100, concurrency=8
    )
    # 8 answers of 100 tokens in the median of 4 s
    assert (file.needs, figures(file)) == ((), {"output_tok_s_total": 200.0})
    assert (only(file, "scenario"), only(file, "batch_or_concurrency")) == ("batched_decode", 8)
    assert (only(file, "input_tokens"), only(file, "output_tokens")) == (512, 100)


def test_latency_without_percentiles_takes_the_median_of_its_times():
    told = {"input_tok": 512, "output_tok": 100, "concurrency": 1}
    times = {"avg_latency": 9.0, "latencies": [1.0, 2.0, 30.0]}
    assert figures(read(times, **told)) == {"output_tok_s_total": 50.0}
    assert figures(read({"avg_latency": 5.0}, **told)) == {"output_tok_s_total": 20.0}


def test_records_for_pytorchs_database_hold_the_settings_of_the_tool():
    arguments = {"input_len": 32, "output_len": 128, "batch_size": 4, "tensor_parallel_size": 2}
    record = {
        "benchmark": {"name": "vLLM benchmark", "extra_info": {"args": arguments}},
        "model": {"name": "m"},
        "metric": {
            "name": "latency",
            "benchmark_values": [2.0, 2.0],
            "extra_info": {"avg_latency": 2.0, "percentiles": {"50": 2.0}},
        },
    }
    file = read([record], gpu="L4", model="m")
    assert (file.needs, only(file, "n_gpus")) == ((), 2)
    assert figures(file) == {"output_tok_s_total": 4 * 128 / 2.0}


def test_measurements_pass_through():
    text = (
        "engine,model,gpu,n_gpus,scenario,metric,value,my column\n"
        "vLLM,m,H100,1,server,ttft_ms,50,x\n"
        "vLLM,m,,1,server,ttft_ms,60,y\n"
    )
    file = read_benchmark(text.encode(), "rows.csv", gpu="A100")
    assert file.rows["gpu"].tolist() == ["H100", "A100"]
    assert file.rows["my column"].tolist() == ["x", "y"]
    assert file.tool == "measurements"


def test_the_caller_wins_over_the_file():
    file = read(VLLM, engine="SGLang", model="other", weight_format="fp8")
    assert (only(file, "engine"), only(file, "model")) == ("SGLang", "other")
    assert (only(file, "weight_format"), only(file, "weight_bits")) == ("fp8", 8.0)


def test_what_the_caller_says_against_the_file_is_said_plainly():
    own = VLLM | {"gpu": "NVIDIA L4", "tensor_parallel_size": 4, "quantization": "awq"}
    file = read(own, gpu="H100", n_gpus=8, model="other", input_tok=1000, concurrency=16)
    assert set(file.notes) >= {
        "card: the file says NVIDIA L4, you said H100: taken H100",
        "cards: the file says 4, you said 8: taken 8",
        "2 replicas of 4 cards",
        "model: the file says meta-llama/Llama-3.1-8B-Instruct, you said other: taken other",
        "input tokens: the file says 1,024, you said 1,000: taken 1,000",
    }
    assert not any("requests at once" in note for note in file.notes)  # 16 in both
    assert (only(file, "gpu"), only(file, "n_gpus"), only(file, "tp")) == ("H100", 8, 4)
    assert (only(file, "input_tokens"), only(file, "output_tokens")) == (1000, 128)


def test_replicas_follow_from_the_cards_of_one():
    file = read(VLLM, gpu="L4", n_gpus=8, tp=2)
    assert (only(file, "n_gpus"), only(file, "tp"), only(file, "pp")) == (8, 2, 1)
    assert "4 replicas of 2 cards" in file.notes
    assert read(VLLM, gpu="L4", tp=2).needs == ("n_gpus",)


def test_requests_that_arrive_one_by_one_have_no_burst_of_a_start():
    notes = set(read(VLLM | {"max_concurrency": None, "request_rate": 2.0}).rows["notes"])
    assert all("requests arrived at 2 a second" in note for note in notes)
    assert not any("requests arrived" in note for note in read(VLLM).rows["notes"])


def test_fewer_cards_than_the_split_of_the_file_hold_one_replica():
    file = read(VLLM | {"tensor_parallel_size": 4}, n_gpus=2)
    assert (only(file, "n_gpus"), only(file, "tp"), only(file, "pp")) == (2, 2, 1)
    assert any("does not divide 2" in note for note in file.notes)


def test_a_number_before_the_card_counts_the_cards():
    file = read(VLLM | {"gpu": "8x NVIDIA H100"})
    assert (only(file, "gpu"), only(file, "n_gpus"), file.needs) == ("NVIDIA H100", 8, ())


@pytest.mark.parametrize("device", ["cuda", "8", "N/A"])
def test_a_device_that_is_no_card_is_asked_for(device):
    assert read(VLLM | {"gpu": device}).needs == ("gpu", "n_gpus")


def test_an_engine_that_is_stated_is_kept_under_its_own_name():
    assert only(read(VLLM | {"engine": "Ollama"}), "engine") == "Ollama"
    assert only(read(VLLM | {"server": "http://localhost:8000"}), "engine") == "vLLM"
    assert only(read(VLLM | {"framework": "SomeServer 2"}), "engine") == "SomeServer 2"


def test_a_quantized_model_computes_in_16_bits_without_being_of_16_bits():
    file = read(VLLM | {"model_id": "org/Llama-3.1-8B-AWQ", "dtype": "bfloat16"})
    assert only(file, "weight_format") == "int4-awq"
    assert only(read(VLLM | {"dtype": "bfloat16"}), "weight_format") == "bf16"


def test_a_model_that_is_nowhere_is_asked_for():
    result = {key: value for key, value in VLLM.items() if not key.endswith("_id")}
    assert read(result, "run.json", gpu="L4", n_gpus=1).needs == ("model",)
    assert read(result, "qwen3-8b_run.json", gpu="L4", n_gpus=1).needs == ()


def test_a_table_keeps_what_its_rows_say_and_the_caller_fills_the_rest():
    text = (
        "engine,model,gpu,scenario,metric,value\n"
        "vLLM,m,H100,server,ttft_ms,5\n"
        ",m,,server,ttft_ms,6\n"
    )
    file = read_benchmark(text.encode(), "rows.csv", gpu="A100", engine="SGLang", n_gpus=2)
    assert file.rows["gpu"].tolist() == ["H100", "A100"]
    assert file.rows["engine"].tolist() == ["vLLM", "SGLang"]
    assert file.rows["n_gpus"].tolist() == [2, 2]
    assert "gpu: 1 of 2 rows name their own, which is kept; A100 is put into the others" in (
        file.notes
    )


def test_a_file_name_that_names_another_engine_is_believed_and_noted():
    file = read(VLLM, "atom_tp4_conc16.json")
    assert only(file, "engine") == "ATOM"
    assert any("file's name" in note for note in file.notes)


@pytest.mark.parametrize("mark", [";", "\t"])
def test_tables_separated_by_semicolons_or_tabs_have_decimal_commas(mark):
    head = ["engine", "gpu", "scenario", "metric", "value"]
    cells = ["llama.cpp", "RTX 4090", "single_stream_decode", "output_tok_s_per_user", "127,5"]
    data = "\n".join(mark.join(row) for row in (head, cells)).encode()
    rows = read_benchmark(data, model="Llama-3-8B").rows
    assert rows[["model", "value"]].values.tolist() == [["Llama-3-8B", 127.5]]


def test_columns_that_a_table_of_measurements_lacks_are_named():
    with pytest.raises(BenchmarkFileError, match="lacks the columns metric, value;"):
        read_benchmark(b"engine,model,gpu,scenario\nvllm,m,H100,server")
