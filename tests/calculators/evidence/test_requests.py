"""How many requests run at once, and how long a prompt waits for others'."""

import numpy as np
import pandas as pd
import pytest

from calculators.evidence.accuracy import score_rows
from calculators.evidence.prediction import pass_wait_s
from calculators.evidence.requests import wave_sequences
from calculators.evidence.workloads import is_windowed, n_table_requests

OVERVIEW = "TensorRT-LLM@1 docs/source/performance/perf-overview.md"
ROW = {
    "engine": "TensorRT-LLM",
    "model": "Llama-3.1-8B",
    "gpu": "H100-SXM-80GB",
    "weight_format": "fp16",
    "weight_bits": 16,
    "n_gpus": 1,
    "tp": 1,
    "input_tokens": 5000,
    "output_tokens": 500,
}


def predicted(catalog, **changes):
    return score_rows(pd.DataFrame([ROW | {"value": 1.0} | changes]), catalog).predicted[0]


def offline(catalog, **changes):
    kind = {"scenario": "offline_throughput", "metric": "output_tok_s_total"}
    return predicted(catalog, **kind, **changes)


def ttft(catalog, concurrency, **changes):
    kind = {"scenario": "server", "metric": "ttft_ms", "batch_or_concurrency": concurrency}
    return predicted(catalog, **kind, **changes)


def test_equal_requests_run_in_whole_waves():
    # 1,001 requests of 500 at once take three waves, not 2.002
    assert wave_sequences(np.array([500.0]), np.array([1001.0]))[0] == pytest.approx(1001 / 3)


def test_a_last_wave_of_few_requests_costs_throughput(catalog):
    many = offline(catalog)
    one_more = offline(catalog, notes="num_prompts=100")
    assert one_more < many


def test_requests_of_the_published_tables_are_known_by_their_lengths():
    assert n_table_requests(OVERVIEW, input_tok=128, output_tok=128) == 30_000
    assert n_table_requests(OVERVIEW, input_tok=130, output_tok=128) == np.inf


def test_a_static_batch_holds_the_scratch_of_its_prompts_too(catalog):
    assert offline(catalog, notes="in-flight batching OFF") < offline(catalog)


def test_a_client_that_skips_the_start_sees_less_of_the_queue(catalog):
    burst, spread = ttft(catalog, 50), ttft(catalog, 50, notes="genai-perf sweep")
    assert ttft(catalog, 1) < spread
    assert ttft(catalog, 1) < burst
    assert is_windowed("AIPerf") and not is_windowed("benchmark_serving.py")
    assert is_windowed("requests arrived at 2 a second, one by one")


@pytest.mark.parametrize("clients", [5, 25, 50])
def test_the_wait_behind_passes_is_near_that_of_a_simulated_loop(clients):
    prompt, output, passed, work_s, step_s = 5000, 500, 8192, 0.3, 0.02
    waits, request_s = loop(clients, prompt, output, passed, work_s, step_s)
    known = pass_wait_s(
        n_sequences=np.array([clients]),
        prompt_tok=np.array([prompt]),
        pass_tok=np.array([passed]),
        work_s=np.array([work_s]),
        request_s=np.array([request_s]),
    )[0]
    first_s = work_s + step_s
    assert first_s + known == pytest.approx(first_s + waits, rel=0.2)


def loop(clients, prompt, output, passed, work_s, step_s):
    """Mean wait before and beside others' prompts and request time, pass by pass, equal requests.

    Every pass gives each decoding request a token and processes up to `passed` prompt tokens in
    order of arrival; the first two rounds of requests are dropped.
    """
    now, sent, ended = 0.0, clients, 0
    waiting = [[0.0, prompt] for _ in range(clients)]
    decoding, first_s, total = [], [], 8 * clients
    while ended < total:
        budget, done = passed - len(decoding), []
        for request in waiting:
            taken = min(budget, request[1])
            request[1] -= taken
            budget -= taken
            if not request[1]:
                done.append(request)
        now += step_s + (passed - len(decoding) - budget) / prompt * work_s
        waiting = waiting[len(done) :]
        decoding = [left - 1 for left in decoding]
        n_ends = sum(left == 0 for left in decoding)
        ended += n_ends
        waiting += [[now, prompt] for _ in range(min(n_ends, total - sent))]
        sent = min(sent + n_ends, total)
        decoding = [left for left in decoding if left] + [output - 1] * len(done)
        first_s += [now - start for start, _ in done]
    late = first_s[2 * clients :]
    return sum(late) / len(late) - work_s - step_s, now / 8


def test_rows_that_say_the_same_are_read_alike_the_second_time(catalog):
    rows = pd.DataFrame([ROW | {"scenario": "server", "metric": "tpot_ms", "value": 1.0}] * 2)
    rows["batch_or_concurrency"] = [4, np.nan]
    first, again = score_rows(rows, catalog), score_rows(rows, catalog)
    assert first.predicted[0] != first.predicted[1]
    pd.testing.assert_frame_equal(first, again)
