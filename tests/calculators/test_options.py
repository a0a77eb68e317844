"""The grid says what single plans say; ranked, filtered by objectives, Pareto front."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from calculators.options import options, options_table
from calculators.plan import plan
from calculators.scenario import Scenario


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"demand_mtok": 20_000.0, "tpot_ms": 40.0, "ttft_ms": 1500.0},
        {"model": "qwen3-30b-a3b", "prefix_tok": 500, "n_open": 3},
        {"model": "gemma-3-27b", "billing": "owned"},
        {"model": "deepseek-v3", "parallel": "expert", "demand_mtok": 9000.0},
    ],
    ids=lambda changes: ",".join(changes) or "default",
)
def test_rows_of_the_grid_equal_single_plans(catalog, changes):
    scenario = replace(Scenario(tpot_ms=100.0), **changes)
    found = options(scenario, catalog)
    assert found.n_meet == len(found.table) > 0
    rng = np.random.default_rng(0)
    for index in rng.choice(len(found.table), min(25, len(found.table)), replace=False):
        row = found.table.iloc[int(index)]
        one = plan(
            replace(
                scenario,
                gpu=row.card,
                n_cards=int(row.cards_per_replica),
                weight_format=row.weight_format,
                cache_format=row.cache_format,
            ),
            catalog,
        )
        assert one.calibrated.batch == row.batch
        assert one.calibrated.tpot_s * 1e3 == pytest.approx(row.tpot_ms, rel=1e-9)
        assert one.self_host_usd_month == pytest.approx(row.usd_month, rel=1e-9)


def test_ranked_by_bill_and_the_front_is_not_beaten(catalog):
    found = options(Scenario(), catalog)
    bills = found.table["usd_month"].to_numpy()
    assert (np.diff(bills) >= 0).all()
    front = found.front
    for _, row in front.iterrows():
        better = (found.table["usd_month"] <= row.usd_month) & (
            found.table["tpot_ms"] < row.tpot_ms
        )
        assert not better.any()
    assert options_table(found)["rank"].tolist()[:3] == [1, 2, 3]


def test_objectives_hold_in_every_row(catalog):
    found = options(Scenario(tpot_ms=20.0, ttft_ms=500.0), catalog)
    assert (found.table["tpot_ms"] <= 20.0 + 1e-9).all()
    assert (found.table["ttft_ms"] <= 500.0 + 1e-9).all()


def test_nothing_fits_is_an_empty_table(catalog):
    found = options(Scenario(size_b=20_000.0, bits=16.0), catalog)
    assert found.table.empty and found.n_fit == 0


def test_where_no_price_is_known_the_table_is_empty_and_can_be_filtered(catalog):
    found = options(Scenario(), catalog.model_copy(update={"rental_prices": ()}))
    assert found.table.empty and found.n_considered == 0
    assert list(found.front.columns) == list(found.table.columns)
    kept = found.table[found.table["weight_bits"] >= 4.0]
    assert list(kept.columns) == list(found.table.columns)


def test_what_a_card_has_no_units_for_is_left_out_or_said(catalog):
    table = options(Scenario(), catalog).table
    with_fp4 = {card.id for card in catalog.accelerators.values() if card.fp4_dense_tflops}
    nvfp4_caches = set(table[table["cache_format"] == "nvfp4"]["card"])
    assert nvfp4_caches and nvfp4_caches <= with_fp4
    ampere = table[table["card"] == "a100-80gb-sxm"]
    assert set(ampere[ampere["in_16_bits"]]["weight_format"]) >= {"fp8", "nvfp4"}
    assert not ampere[ampere["weight_format"].isin(["bf16", "awq-int4"])]["in_16_bits"].any()
    blackwell = table[(table["card"] == "b200") & (table["weight_format"] == "nvfp4")]
    assert len(blackwell) and not blackwell["in_16_bits"].any()


def test_formats_of_experts_are_ranked_for_models_with_experts_alone(catalog):
    dense = set(options(Scenario(), catalog).table["weight_format"])
    experts = set(options(Scenario(model="gpt-oss-120b"), catalog).table["weight_format"])
    assert "mxfp4" in experts and "mxfp4" not in dense
    assert "mxfp4-linear" not in dense | experts
