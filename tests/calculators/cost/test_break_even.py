"""Crossings: equal to the cent inside a step, a change of order across a jump; flip values."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from calculators.cost.bills import MoneyInputs, bills
from calculators.cost.break_even import crossings, flip_value, step_volumes

# A replica carries 100 million tokens a month (of 10^6 tokens a request) and costs 1,000 USD.
HUNDRED = MoneyInputs(
    demand_mtok_month=0.0,
    request_tok=1e6,
    capacity_req_s=100 / (730 * 3600),
    card_usd_month=1000.0,
    api_usd_request=12.0,  # USD per million tokens here
)


def test_crossings_by_hand():
    # API 12 V; fleet 1,000 up to 100, 2,000 up to 200, ... equal at 83.33; at 100 the API asks
    # 1,200 and the fleet jumps to 2,000: the order changes; equal again at 166.67; jump at 200 ...
    found = crossings(HUNDRED, up_to_mtok_month=299.0)
    volumes = [(c.kind, round(c.demand_mtok_month, 2), c.cheaper_above) for c in found]
    assert volumes == [
        ("equal", 83.33, "self-host"),
        ("jump", 100.0, "api"),
        ("equal", 166.67, "self-host"),
        ("jump", 200.0, "api"),
        ("equal", 250.0, "self-host"),
    ]


def test_dear_replicas_never_win():
    assert crossings(HUNDRED.with_(api_usd_request=9.0), up_to_mtok_month=10_000.0) == ()


def test_a_fixed_fleet_wins_only_up_to_what_it_carries():
    found = crossings(HUNDRED.with_(n_replicas=2), up_to_mtok_month=1000.0)
    assert (round(found[0].demand_mtok_month, 2), found[0].cheaper_above) == (166.67, "self-host")
    assert found[-1].cheaper_above == "api"
    assert found[-1].demand_mtok_month <= 1000.0


@given(
    api=st.floats(0.5, 60.0),
    upkeep=st.floats(0.0, 20_000.0),
    spare=st.integers(0, 2),
    peak=st.floats(1.0, 5.0),
)
def test_bills_are_equal_at_a_crossing_and_change_order_across_it(api, upkeep, spare, peak):
    shape = HUNDRED.with_(api_usd_request=api, upkeep_usd_month=upkeep, n_spare=spare, peak=peak)
    for crossing in crossings(shape, up_to_mtok_month=2500.0)[:12]:
        volume = crossing.demand_mtok_month
        sides = bills(shape.with_(demand_mtok_month=volume * np.array([1 - 1e-5, 1 + 1e-5])))
        before, after = sides.difference_usd_month
        assert (after < 0) == (crossing.cheaper_above == "self-host")
        assert (before < 0) != (after < 0)
        if crossing.kind == "equal":
            both = bills(shape.with_(demand_mtok_month=volume))
            assert float(both.self_host_usd_month) == pytest.approx(
                float(both.api_usd_month), abs=0.01
            )


@given(st.floats(1.0, 500.0))
def test_no_crossing_is_missed(volume):
    found = crossings(HUNDRED, up_to_mtok_month=600.0)
    below = [c for c in found if c.demand_mtok_month < volume]
    assume(all(abs(c.demand_mtok_month - volume) > 1e-3 for c in found))
    wins = below[-1].cheaper_above == "self-host" if below else False
    difference = float(bills(HUNDRED.with_(demand_mtok_month=volume)).difference_usd_month)
    assert (difference < 0) == wins


def test_steps_of_an_autoscaled_fleet_follow_every_hour_of_the_week():
    hourly = np.r_[np.full(84, 1.5), np.full(84, 0.5)]
    shape = HUNDRED.with_(hourly=hourly, idle_minutes=1.0, peak=1.5)
    steps = step_volumes(shape, up_to_mtok_month=210.0)
    # the busy half fills a replica at 100 / 1.5, the quiet half at 100 / 0.5
    assert {round(float(v), 2) for v in steps} == {66.67, 133.33, 200.0}


def test_flip_value_is_on_the_far_side():
    value = flip_value(lambda x: 7.0 - x, now=1.0, low=0.01, high=100.0)
    assert value == pytest.approx(7.0, rel=1e-6)
    assert 7.0 - value < 0
    assert flip_value(lambda x: x + 1.0, now=1.0, low=0.01, high=100.0) is None


def test_flip_value_takes_the_nearer_of_two():
    # negative between 2 and 8: from 10 the nearer turn is at 8, from 1 at 2
    curve = lambda x: (x - 2) * (x - 8)  # noqa: E731
    assert flip_value(curve, now=10.0, low=0.1, high=100.0) == pytest.approx(8.0, rel=1e-6)
    assert flip_value(curve, now=1.0, low=0.1, high=100.0) == pytest.approx(2.0, rel=1e-6)
