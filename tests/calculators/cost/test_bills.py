"""Both bills: whole replicas, a staircase, autoscaling, bursts; money by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calculators.cost.bills import MoneyInputs, bills
from calculators.cost.replicas import paid_replicas

# A replica that finishes 1 request of 1,000 tokens a second: 2,628 million tokens in 730 hours.
ONE = MoneyInputs(
    demand_mtok_month=0.0,
    request_tok=1000,
    capacity_req_s=1.0,
    card_usd_month=2000.0,
    n_cards=2,
    upkeep_usd_month=3000.0,
    build_usd_month=100.0,
    network_usd_month=50.0,
    api_usd_request=0.002,
)


def test_a_bill_by_hand():
    both = bills(ONE.with_(demand_mtok_month=2700.0))
    # 2,700 of 2,628 million: two replicas of two cards at 2,000 USD; people 3,150 USD.
    assert float(both.n_replicas) == 2
    assert float(both.self_host_usd_month) == pytest.approx(2 * 2 * 2000 + 3150)
    # 2.7 million requests at 0.002 USD
    assert float(both.api_usd_month) == pytest.approx(5400.0)
    assert float(both.duty_frac) == pytest.approx(2700 / (2 * 2628))


def test_peak_load_and_lost_time_shrink_what_a_replica_carries():
    both = bills(ONE.with_(demand_mtok_month=500.0, peak=4.0, load_frac=0.8, lost_frac=0.1))
    # 2,628 x 0.8 x 0.9 / 4 = 473.04 million: 500 need two
    assert float(both.n_replicas) == 2
    assert float(both.capacity_mtok_month) == pytest.approx(2 * 473.04)


def test_a_demand_that_equals_the_capacity_needs_no_further_replica():
    assert float(bills(ONE.with_(demand_mtok_month=2628.0)).n_replicas) == 1
    assert float(bills(ONE.with_(demand_mtok_month=2628.1)).n_replicas) == 2


def test_a_fixed_fleet_is_not_credited_with_more_than_it_makes():
    both = bills(ONE.with_(demand_mtok_month=6000.0, n_replicas=2))
    assert not bool(both.carried)
    assert float(both.capacity_mtok_month) == pytest.approx(2 * 2628)
    assert float(both.n_replicas) == 2


def test_spares_are_paid_and_do_not_serve():
    both = bills(ONE.with_(demand_mtok_month=100.0, n_spare=1))
    assert float(both.n_replicas) == 2
    assert float(both.capacity_mtok_month) == pytest.approx(2628)


def test_bursts_go_to_the_api():
    both = bills(ONE.with_(demand_mtok_month=4000.0, split_frac=0.5))
    # half of 4,000 million fits one replica; half of 8,000 USD goes to the API
    assert float(both.n_replicas) == 1
    assert float(both.burst_usd_month) == pytest.approx(4000.0)
    assert float(both.self_host_usd_month) == pytest.approx(4000 + 3150 + 4000)


def test_nothing_of_our_own_needs_no_fleet():
    both = bills(ONE.with_(demand_mtok_month=4000.0, split_frac=0.0))
    assert float(both.n_replicas) == 0
    assert float(both.hardware_usd_month) == 0


def test_a_replica_that_makes_nothing_carries_nothing():
    both = bills(ONE.with_(demand_mtok_month=10.0, capacity_req_s=0.0))
    assert math.isinf(float(both.n_replicas))


def test_autoscaling_pays_for_the_hours_and_the_tails():
    hourly = np.zeros(168)
    hourly[:42] = 4.0  # a quarter of the week at four times the mean
    both = bills(
        ONE.with_(
            demand_mtok_month=2628.0,
            peak=4.0,
            hourly=hourly,
            idle_minutes=60.0,
            start_minutes=30.0,
        )
    )
    # four replicas for 42 hours, one start and one stop of each: (4 x 42 + 4 x 1.5) / 168
    assert float(both.n_replicas) == 4
    assert float(both.n_paid_replicas) == pytest.approx((168 + 6) / 168)


def test_autoscaling_never_pays_more_than_the_peak_fleet():
    hourly = np.tile([2.0, 0.0], 84)
    paid = paid_replicas(
        demand_mtok_month=1.0,
        replica_mean_mtok_month=2.0,
        hourly=hourly,
        idle_minutes=600.0,
        start_minutes=600.0,
    )
    assert float(paid) == 1.0


@pytest.mark.parametrize(
    ("needed", "hours_paid"),
    [
        ([2, 0, 0, 0], 1 + 2.5),  # stops: 1.5 h of idling, 1 h of starting
        ([2, 0, 2, 0], 4),  # needed again sooner: goes on
        ([4, 2, 2, 2], 4 + 1 + 2.5),
        ([0, 0, 0, 0], 0),
    ],
)
def test_a_replica_goes_on_over_a_gap_shorter_than_idling_and_starting(needed, hours_paid):
    paid = paid_replicas(
        demand_mtok_month=1.0,
        replica_mean_mtok_month=2.0,
        hourly=np.array(needed, float),
        idle_minutes=90.0,
        start_minutes=60.0,
    )
    assert float(paid) == pytest.approx(hours_paid / 4)


demands = st.floats(0.001, 1e6)


@given(
    demands,
    demands,
    st.lists(st.floats(0.0, 9.0), min_size=6, max_size=6).filter(any),
    st.floats(1.0, 10_080.0),
    st.floats(0.0, 1440.0),
)
def test_an_autoscaled_bill_never_falls_when_demand_rises(a, b, week, idle, start):
    low, high = (
        float(
            paid_replicas(
                demand_mtok_month=demand,
                replica_mean_mtok_month=10.0,
                hourly=np.array(week),
                idle_minutes=idle,
                start_minutes=start,
            )
        )
        for demand in sorted((a, b))
    )
    assert low <= high * (1 + 1e-12)


@given(demands, demands, st.floats(1.0, 20.0), st.floats(0.1, 1.0), st.integers(0, 3))
def test_the_bill_never_falls_when_demand_rises(a, b, peak, load, spare):
    low, high = sorted((a, b))
    shape = ONE.with_(peak=peak, load_frac=load, n_spare=spare)
    less = bills(shape.with_(demand_mtok_month=low))
    more = bills(shape.with_(demand_mtok_month=high))
    assert float(less.self_host_usd_month) <= float(more.self_host_usd_month)
    assert float(less.api_usd_month) <= float(more.api_usd_month)


@given(st.lists(demands, min_size=1, max_size=20), st.floats(1.0, 10.0))
def test_many_at_once_equal_one_by_one(volumes, peak):
    shape = ONE.with_(peak=peak)
    together = bills(shape.with_(demand_mtok_month=np.array(volumes)))
    alone = [bills(shape.with_(demand_mtok_month=v)).self_host_usd_month for v in volumes]
    assert np.allclose(together.self_host_usd_month, alone)


@given(demands, st.floats(1.0, 10.0), st.floats(0.2, 1.0))
def test_the_fleet_carries_its_demand_with_whole_replicas(volume, peak, load):
    both = bills(ONE.with_(demand_mtok_month=volume, peak=peak, load_frac=load))
    assert bool(both.carried)
    assert float(both.n_replicas) == int(both.n_replicas) >= 1
    assert 0 <= float(both.duty_frac) <= 1
