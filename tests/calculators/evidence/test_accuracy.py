"""Rows of a small file: what is priced, what is skipped, what is assumed, and the sums."""

import time

import numpy as np
import pandas as pd
import pytest

from calculators.evidence.accuracy import score_rows, scored_only, summarise

ROW = {
    "engine": "vLLM",
    "model": "Llama-3.1-8B",
    "params_b": 8.03,
    "weight_bits": 16.0,
    "weight_format": "bf16",
    "kv_bits": 16,
    "gpu": "H100-SXM-80GB",
    "n_gpus": 1,
    "tp": 1,
    "pp": 1,
    "scenario": "single_stream_decode",
    "batch_or_concurrency": 1,
    "input_tokens": 100,
    "output_tokens": 200,
    "metric": "tpot_ms",
    "value": 7.0,
    "notes": "",
    "quality": "A",
}


def rows(*changes):
    return pd.DataFrame([ROW | change for change in changes])


def one(catalog, **change):
    return score_rows(rows(change), catalog).iloc[0]


def test_no_prediction_is_faster_than_the_bytes(catalog):
    # 16.06e9 bytes less the embedding of 128,256 x 4,096 x 2, at 3.35e12 byte/s
    floor_ms = (8.03e9 * 2 - 128_256 * 4096 * 2) / 3.35e12 * 1e3
    assert floor_ms < one(catalog).predicted < 3 * floor_ms


def test_the_same_row_in_other_units(catalog):
    scored = score_rows(rows({}, {"metric": "output_tok_s_per_user", "value": 140.0}), catalog)
    assert scored.predicted[0] * scored.predicted[1] == pytest.approx(1000)


def test_an_unknown_card_is_skipped_and_says_why(catalog):
    row = one(catalog, gpu="Cerebras WSE-9")
    assert np.isnan(row.predicted) and "Cerebras WSE-9" in row.skipped


def test_an_unknown_model_is_dense_and_says_so(catalog):
    row = one(catalog, model="Brandnew-8B")
    assert "dense with 8.03 billion" in row.assumed
    assert row.predicted == pytest.approx(one(catalog).predicted, rel=0.1)


def test_an_unknown_model_of_unknown_size_is_skipped(catalog):
    row = one(catalog, model="Brandnew", params_b=None)
    assert "params_b" in row.skipped
    assert "params_b" in one(catalog, model="Brandnew-30B-A3B", params_b=None).skipped
    named = one(catalog, model="Brandnew-9B", params_b=None)
    assert "dense with 9 billion parameters, as its name says" in named.assumed


@pytest.mark.parametrize(("field", "word"), [("scenario", "dreaming"), ("metric", "joules")])
def test_unknown_scenarios_and_metrics_are_skipped(catalog, field, word):
    row = one(catalog, **{field: word})
    assert word in row.skipped


@pytest.mark.parametrize("field", ["n_gpus", "tp", "pp"])
def test_an_absurd_number_of_cards_is_skipped(catalog, field):
    row = one(catalog, **{field: 1e20})
    assert np.isnan(row.predicted) and row.skipped.startswith(
        f"{field} is 1e+20; allowed are 1 to 65,536"
    )


def test_blank_lengths_and_parallelism_take_stated_defaults(catalog):
    row = one(
        catalog,
        scenario="offline_throughput",
        metric="output_tok_s_total",
        batch_or_concurrency=None,
        input_tokens=None,
        output_tokens=None,
        tp=None,
        n_gpus=8,
    )
    assert row.assumed == "1 of 8 cards to a replica; 300 input tokens; 300 output tokens"
    alone = one(
        catalog,
        scenario="offline_throughput",
        metric="output_tok_s_total",
        batch_or_concurrency=None,
        input_tokens=300,
        output_tokens=300,
    )
    assert row.predicted == pytest.approx(8 * alone.predicted)


def test_a_value_of_zero_has_no_ratio(catalog):
    row = one(catalog, value=0)
    assert row.predicted > 0 and np.isnan(row.ratio)


def test_a_missing_column_is_named(catalog):
    with pytest.raises(ValueError, match="gpu"):
        score_rows(rows({}).drop(columns="gpu"), catalog)


def test_data_parallel_attention_in_notes_changes_the_prediction(catalog):
    wide = {
        "model": "Qwen3-235B-A22B",
        "n_gpus": 8,
        "tp": 8,
        "scenario": "server",
        "batch_or_concurrency": 256,
    }
    plain, split = (one(catalog, **wide, notes=n) for n in ("", "attention_dp=8, moe_ep=8"))
    assert plain.predicted != pytest.approx(split.predicted, rel=0.01)


def test_grades_c_and_d_are_priced_but_not_counted(catalog):
    scored = score_rows(rows({}, {"quality": "C"}, {"quality": "D"}, {"quality": ""}), catalog)
    assert scored.predicted.notna().all()
    assert len(scored_only(scored)) == 2


def test_summary_of_known_ratios():
    scored = pd.DataFrame(
        {
            "ratio": [1.0, 1.2, 0.7, 2.5],
            "value": [10.0] * 4,
            "bound": [20.0] * 4,
            "family": ["tpot"] * 4,
            "engine": ["a", "a", "b", "b"],
        }
    )
    line = summarise(scored).iloc[0]
    assert line.median_abs_error_frac == pytest.approx(0.25)  # of 0, 0.2, 0.3, 1.5
    assert (line.within_25_frac, line.within_2x_frac) == (0.5, 0.75)
    assert line.bound_error_frac == 1.0
    assert summarise(scored, "engine").n_rows.tolist() == [2, 2]


def test_a_thousand_predictions_cost_far_less_than_a_hundred_times_ten(catalog):
    def cpu_s(n: int) -> float:
        table = rows(*({"batch_or_concurrency": i % 64 + 1, "tp": 1} for i in range(n)))
        start = time.process_time()
        score_rows(table, catalog)
        return time.process_time() - start

    cpu_s(10)
    assert cpu_s(1000) < 50 * min(cpu_s(10) for _ in range(5))


def test_requests_beyond_what_memory_holds_wait_and_do_not_slow_each_other(catalog):
    load = {"scenario": "server", "gpu": "RTX-4090-24GB", "input_tokens": 2000}
    load["output_tokens"] = 1000  # 24 GB hold 16 GB of weights and some 130 kB a token
    tpot = [one(catalog, **load, batch_or_concurrency=n).predicted for n in (64, 256)]
    ttft = [
        one(catalog, **load, batch_or_concurrency=n, metric="ttft_ms").predicted
        for n in (1, 64, 256)
    ]
    assert tpot[0] == pytest.approx(tpot[1])
    assert ttft[2] > 3 * ttft[1] > 3 * ttft[0]
