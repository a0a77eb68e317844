"""The nearest measurement: units turned into tokens a second, distance by hand, what differs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from calculators.evidence.comparable import comparable
from calculators.evidence.nearest import (
    WEIGHTS,
    distance_factors,
    nearest,
    own_setting,
)
from calculators.plan import plan
from calculators.scenario import Scenario


@pytest.fixture
def priced(tiny_catalog):
    return plan(replace(Scenario(), batch=8), tiny_catalog)


def row(id_: str, **changes):
    """A measurement of the scenario's very setting, unless changed."""
    given = {
        "id": id_,
        "source_group": "a",
        "quality": "A",
        "engine": "vllm",
        "model": "llama-3.3-70b",
        "params_b": np.nan,
        "weight_bits": 4.0,
        "gpu": "h100-sxm",
        "n_gpus": 1.0,
        "tp": 1.0,
        "pp": 1.0,
        "scenario": "server",
        "batch_or_concurrency": 8.0,
        "input_tokens": 3000.0,
        "output_tokens": 500.0,
        "metric": "tpot_ms",
        "value": 40.0,
        "predicted": 50.0,
    }
    return given | changes


def table(*rows):
    return pd.DataFrame(list(rows))


def found(priced, rate, *rows, **given):
    return nearest(comparable(table(*rows), priced.catalog, rate), priced, **given)


def test_the_same_setting_is_at_distance_one(priced):
    [one] = found(priced, "each", row("x"))
    assert one.distance_factor == pytest.approx(1)
    assert one.differences == ()
    assert (one.tok_s, one.predicted_tok_s) == (25.0, 20.0)
    assert one.error_factor == pytest.approx(1.25)


def test_units_become_tokens_a_second(priced):
    decode = {"scenario": "batched_decode", "metric": "output_tok_s_total", "value": 240.0}
    [one] = found(priced, "each", row("x", **decode))
    assert one.tok_s == 30.0
    [all_] = found(priced, "replica", row("x", **decode))
    assert all_.tok_s == 240.0
    single = {"scenario": "single_stream_decode", "metric": "output_tok_s_per_user", "value": 55.0}
    [alone] = found(priced, "replica", row("x", **single))
    assert alone.tok_s == 55.0
    assert "batch: 1 instead of 8" in alone.differences
    # 8 cards with 2 to a replica are 4 replicas
    offline = {"scenario": "offline_throughput", "metric": "output_tok_s_total", "value": 4000.0,
               "n_gpus": 8.0, "tp": 2.0, "batch_or_concurrency": np.nan}  # fmt: skip
    [many] = found(priced, "replica", row("x", **offline))
    assert many.tok_s == 1000.0
    assert "batch not given" in many.differences
    assert "2 x h100-sxm instead of 1 x H100 80GB" in many.differences


def test_time_per_token_under_load_says_nothing_of_the_replica(priced):
    assert found(priced, "replica", row("x")) == []


def test_distance_by_hand(priced):
    own = own_setting(priced)
    settings = {name: np.array([own[name], own[name]]) for name in WEIGHTS}
    settings["bits"] = np.array([8.0, np.nan])
    settings["batch"] = np.array([8.0, 32.0])
    # twice the bits at weight 0.7; unknown bits count as twofold, four times the batch at 0.8
    expected = [2**0.7, 2**0.7 * 4**0.8]
    assert distance_factors(settings, own) == pytest.approx(expected)


def test_the_nearer_one_comes_first(priced):
    rows = [
        row("far", source_group="b", batch_or_concurrency=64.0),
        row("near", source_group="c", batch_or_concurrency=9.0),
        row("middle", source_group="d", weight_bits=8.0),
    ]
    assert [one.id for one in found(priced, "each", *rows)] == ["near", "middle", "far"]
    assert [one.id for one in found(priced, "each", *rows)[:1]] == ["near"]


def test_one_of_a_source_and_only_good_grades(priced):
    rows = [
        row("second", batch_or_concurrency=10.0),
        row("first", batch_or_concurrency=9.0),
        row("estimate", quality="C", source_group="b"),
        row("unpriced", predicted=np.nan, source_group="c"),
    ]
    assert [one.id for one in found(priced, "each", *rows)] == ["first"]


def test_an_unknown_model_counts_by_its_parameters(priced):
    [one] = found(priced, "each", row("x", model="Other 35B", params_b=35.0))
    # half the active parameters, half of all at weight 0.3, another model at 1.05
    assert one.distance_factor == pytest.approx(2**1.3 * 1.05)
    assert "billion active parameters: 35 instead of 70" in one.differences


def test_nothing_to_compare_where_nothing_fits(tiny_catalog):
    priced = plan(Scenario(weight_format="bf16"), tiny_catalog)
    assert found(priced, "each", row("x")) == []
