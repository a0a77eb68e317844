"""Files that are no results: always one sentence, never a crash."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calculators.evidence.benchmark_files import BenchmarkFileError, read_benchmark
from calculators.evidence.benchmark_keys import SETTING_NAMES
from calculators.evidence.benchmark_text import MAX_BYTES

BAD = {
    "empty": (b"", "empty"),
    "blank": (b"  \n", "empty"),
    "zip": (b"PK\x03\x04rest", "zip archive"),
    "gzip": (b"\x1f\x8b\x08rest", "gzip archive"),
    "binary": (b"\x80\x81\x82\xff", "binary"),
    "nul": (b'{"a": "\x00"}', "binary"),
    "large": (b" {" + b" " * MAX_BYTES, "at most 10 MB"),
    "broken JSON": (b'{"a": 1', "broken JSON"),
    "deep": (b"[" * 100_000, "nested|broken"),
    "deep and whole": (b'{"a":' * 40 + b"1" + b"}" * 40, "nested"),
    "no result": (b'{"hello": "world", "answer": 42}', "hello"),
    "numbers": (b"[1, 2, 3]", "no dictionary"),
    "empty list": (b"[]", "no record"),
    "yaml": (b"benchmarks:\n  - metrics: {}\n", "YAML"),
    "header only": (b"a,b,c\n", "no record"),
    "strings for figures": (b'{"median_ttft_ms": "fast", "output_throughput": "x"}', "known"),
    "not a number": (b'{"median_ttft_ms": NaN, "output_throughput": Infinity}', "known"),
    "negative": (b'{"median_ttft_ms": -5, "max_concurrency": 4}', "holds no"),
    "guidellm without benchmarks": (b'{"benchmarks": []}', "known"),
    "guidellm with junk": (b'{"benchmarks": [{"metrics": {"request_latency": []}}]}', "holds no"),
}


@pytest.mark.parametrize("name", BAD)
def test_one_sentence_names_the_problem(name):
    data, words = BAD[name]
    with pytest.raises(BenchmarkFileError, match=words) as caught:
        read_benchmark(data, "file")
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


def test_a_broken_last_line_leaves_the_others():
    good = {"median_ttft_ms": 50.0, "max_concurrency": 4, "model": "m"}
    file = read_benchmark((json.dumps(good) + '\n{"median_ttft_ms": 6').encode())
    assert file.rows["value"].tolist() == [50.0]
    assert any("not JSON" in note for note in file.notes)


KEYS = st.sampled_from(
    [
        *sorted(SETTING_NAMES),
        *("median_ttft_ms", "mean_tpot", "p99_itl_ms", "output_throughput", "benchmarks"),
        *("metrics", "successful", "unit", "avg", "n_prompt", "n_gen", "avg_ts", "test", "t/s"),
        *("ttft_s", "end_to_end_latency_s", "batch_size", "input_len", "output_len", "x"),
        *("number_output_tokens", "time_to_first_token", "input_config", "total_num_tokens"),
    ]
)
LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.sampled_from(["", "inf", "1,000", "vllm", "pp512", "1e999", "-3"]),
)
JSON = st.recursive(
    LEAVES,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(KEYS, inner, max_size=8)),
    max_leaves=30,
)


@settings(max_examples=400, deadline=None)
@given(JSON)
def test_any_json_is_read_or_refused(value):
    try:
        file = read_benchmark(json.dumps(value).encode(), "upload.json", gpu="H100", n_gpus=1)
    except BenchmarkFileError:
        return
    assert (file.rows["value"] > 0).all()


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(data):
    try:
        read_benchmark(data, "upload")
    except BenchmarkFileError:
        return


def test_a_table_of_empty_cells_is_refused_in_a_sentence():
    with pytest.raises(BenchmarkFileError, match="no cell with a text"):
        read_benchmark(b",\n , \n", "empty.csv")


@pytest.mark.parametrize("name", ["completed", "duration", "max_concurrency"])
@pytest.mark.parametrize("value", [-1, 0])
def test_settings_below_one_decide_no_unit(name, value):
    run = {"completed": 320, "duration": 415.0, "max_concurrency": 32, "ttft": 15.2, "e2el": 41.5}
    try:
        read_benchmark(json.dumps(run | {name: value}).encode())
    except BenchmarkFileError as error:
        assert str(error)


@pytest.mark.parametrize("value", [[32], "many", {}, True])
def test_a_concurrency_that_is_no_number_is_blank_beside_a_request_rate(value):
    run = {"completed": 320, "duration": 415.0, "request_rate": 2.0, "max_concurrency": value}
    file = read_benchmark(json.dumps(run | {"mean_ttft_ms": 90.0, "mean_e2el_ms": 900.0}).encode())
    assert {row["value"] for row in file.rows.to_dict("records")} >= {90.0}
