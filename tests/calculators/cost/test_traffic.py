import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calculators.cost.traffic import duty_cycle, hourly_demand, peak_to_mean, replicas_needed
from calculators.cost.traffic_profiles import weekly_profile


def test_peak_to_mean_over_several_weeks():
    weeks = np.ones((3, 168))
    weeks[1, :84] = 3
    assert peak_to_mean(weeks).tolist() == [1.0, 1.5, 1.0]


def test_hourly_demand_sums_to_the_share_of_a_week_in_a_month():
    week = hourly_demand(
        demand_tok_month=np.array([730e6, 1460e6]), profile=weekly_profile("office-hours")
    )
    assert week.shape == (2, 168)
    assert week.sum(axis=1) == pytest.approx([168e6, 336e6])


def test_hourly_demand_of_the_720_hour_month():
    flat = hourly_demand(demand_tok_month=720.0, profile=weekly_profile("flat"), hours_month=720)
    assert flat == pytest.approx(np.ones(168))


@given(st.floats(0, 1e9), st.floats(1e-3, 1e6))
def test_replicas_carry_the_demand_and_one_fewer_would_not(demand, capacity):
    n = replicas_needed(demand_tok_s=demand, capacity_tok_s=capacity)
    assert n * capacity >= demand * (1 - 1e-8) - 1e-9
    assert n == 0 or (n - 1) * capacity < demand


def test_a_replica_without_capacity_is_refused():
    with pytest.raises(ValueError, match="capacity_tok_s"):
        replicas_needed(demand_tok_s=1.0, capacity_tok_s=[1.0, 0.0])


def test_duty_of_office_hours_on_a_fleet_sized_for_the_peak_is_mean_over_peak():
    profile = weekly_profile("office-hours")
    demand = hourly_demand(demand_tok_month=730e6, profile=profile)
    duty = duty_cycle(demand_tok=demand, capacity_tok_s=demand.max() / 3600 / 4, n_replicas=4)
    assert duty == pytest.approx(1 / peak_to_mean(profile))


def test_duty_never_exceeds_1_and_falls_with_more_replicas():
    demand = hourly_demand(demand_tok_month=730e6, profile=weekly_profile("office-hours"))
    duty = duty_cycle(
        demand_tok=np.tile(demand, (3, 1)), capacity_tok_s=100.0, n_replicas=np.array([1, 2, 1000])
    )
    assert 1 > duty[0] > duty[1] > duty[2]
    assert duty[2] == pytest.approx(1e6 / (1000 * 100 * 3600))
