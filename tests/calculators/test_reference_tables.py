"""The reference tables come out to the digit, through the same formulas as the pages."""

from __future__ import annotations

import pytest

from calculators.cost.unit_cost import reference_duty_cycle_cost, reference_unit_cost, usd_per_mtok
from calculators.fit.reference import reference_fits, reference_kv_capacity
from calculators.speed.reference import roofline_break_even, single_stream_floor
from tests.golden import reference as golden


def test_roofline():
    rows = [
        (name, round(ridge), round(at16), round(at4))
        for name, _, _, ridge, at16, at4 in roofline_break_even()["rows"]
    ]
    assert rows == golden.ROOFLINE


def test_single_stream_floor():
    assert [
        (round(ms, 1), round(rate)) for *_, ms, rate in single_stream_floor()["rows"]
    ] == golden.FLOOR
    assert [row[2] for row in single_stream_floor()["weight_read_bytes"]] == [140e9, 35e9]


def test_kv_cache_capacity():
    table = reference_kv_capacity()
    assert table["per_token_kib"] == 320
    assert table["one_8k_conversation_gib"] == 2.5
    assert table["batch_74_at_8k_gib"] == 185
    rows = [(b, round(w, 1), round(c, 1), *n) for b, w, c, *n in table["rows"]]
    assert rows == golden.KV_CAPACITY


def test_fits():
    rows = [
        (*row[:3], *(round(x, 1) for x in row[3:6]), row[6]) for row in reference_fits()["rows"]
    ]
    # 23.45 GiB is printed as 23.5: half up, where Python rounds the binary value
    assert [row[:3] for row in rows] == [row[:3] for row in golden.FITS]
    for row, expected in zip(reference_fits()["rows"], golden.FITS, strict=True):
        assert row[3:6] == pytest.approx(expected[3:6], abs=0.0501)
        assert row[6] is expected[6]


def test_unit_cost():
    rows = [
        (batch, round(ms, 2), round(total), round(each, 1), round(usd, 3))
        for batch, ms, total, each, usd in reference_unit_cost()["rows"]
    ]
    assert rows == golden.UNIT_COST


def test_duty_cycle_cost():
    table = reference_duty_cycle_cost()
    assert table["rent_usd_month"] == 1800
    for (batch, tok_s, costs), expected in zip(table["rows"], golden.DUTY_COST, strict=True):
        assert (batch, round(tok_s)) == expected[:2]
        assert costs == pytest.approx(expected[2], abs=0.005)


def test_cache_reads_alone_more_than_double_the_unit_cost():
    # 17 sequences of 8,192 tokens at 320 KiB: 45.6 GB beside 35 GB of weights, at 0.7 x 3.35 TB/s
    step_s = (35e9 + 17 * 8192 * 327_680) / (0.7 * 3.35e12)
    assert float(usd_per_mtok(usd_h=2.5, tok_s=17 / step_s)) == pytest.approx(1.40, abs=0.01)
