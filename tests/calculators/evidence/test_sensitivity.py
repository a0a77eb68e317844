"""Monte Carlo against an analytic case; the tornado by hand; maps and flips agree."""

from __future__ import annotations

from dataclasses import replace
from math import erf, log, sqrt

import numpy as np
import pytest

from calculators.cost.bills import MoneyInputs, bills
from calculators.evidence.sensitivity import (
    Spread,
    difference_usd_month,
    flip_map,
    monte_carlo,
    tornado,
)
from calculators.plan import plan
from calculators.scenario import Scenario

MONEY = MoneyInputs(
    demand_mtok_month=100.0,
    request_tok=1e6,
    capacity_req_s=1.0,
    card_usd_month=1000.0,
    api_usd_request=12.0,
)
CARD = Spread("card_usd_month", "rate", "Rate", "USD", 1000.0, 500.0, 2000.0, "a test")
API = Spread("api_usd_request", "apiin", "API", "USD", 12.0, 10.0, 14.4, "a test")


def test_chance_of_a_log_normal_rate_is_that_of_the_normal_distribution():
    # self-hosting wins while the card costs under 1,200 USD; ln(rate / 1000) has a standard
    # deviation of ln 2 / 1.2816, so the chance is Phi(ln 1.2 / sd)
    sd = log(2) / 1.2815515655
    expected = 0.5 * (1 + erf(log(1.2) / sd / sqrt(2)))
    run = monte_carlo(MONEY, [CARD], seed=3, n_draws=200_000)
    assert run.self_host_wins_frac == pytest.approx(expected, abs=4 * run.standard_error_frac)
    assert run.p10_usd_month == pytest.approx(500 - 1200, abs=10)
    assert run.p90_usd_month == pytest.approx(2000 - 1200, abs=20)


def test_the_same_seed_gives_the_same_draws():
    one, two = (monte_carlo(MONEY, [CARD, API], seed=7, n_draws=500) for _ in range(2))
    assert np.array_equal(one.difference_usd_month, two.difference_usd_month)
    other = monte_carlo(MONEY, [CARD, API], seed=8, n_draws=500)
    assert not np.array_equal(one.difference_usd_month, other.difference_usd_month)


def test_two_independent_inputs_widen_the_difference():
    one = monte_carlo(MONEY, [API], seed=0)
    both = monte_carlo(MONEY, [API, CARD], seed=0)
    assert np.ptp(both.difference_usd_month) > np.ptp(one.difference_usd_month)


def test_tornado_by_hand():
    first, second = tornado(MONEY, [API, CARD])
    assert first.spread is CARD
    assert (first.at_low_usd_month, first.at_high_usd_month) == (500 - 1200, 2000 - 1200)
    assert (second.at_low_usd_month, second.at_high_usd_month) == (1000 - 1000, 1000 - 1440)


def test_each_side_of_an_uneven_range_has_its_own_width():
    uneven = Spread("card_usd_month", "rate", "Rate", "USD", 1000.0, 900.0, 3000.0, "a test")
    z = np.array([-1.2815515655, 0.0, 1.2815515655])
    assert uneven.factors(z) == pytest.approx([0.9, 1.0, 3.0])


def test_the_map_holds_the_differences_of_single_plans():
    x, y = np.array([500.0, 1500.0]), np.array([6.0, 24.0])
    grid = flip_map(MONEY, CARD, API, x, y)
    assert grid.shape == (2, 2)
    one = bills(MONEY.with_(card_usd_month=1500.0, api_usd_request=6.0)).difference_usd_month
    assert grid[0, 1] == pytest.approx(float(one))


def test_a_fleet_that_cannot_carry_the_demand_never_wins():
    small = MONEY.with_(n_replicas=1, demand_mtok_month=1e9)
    assert np.isinf(difference_usd_month(small))


def test_points_on_either_side_of_the_maps_border_turn_the_verdict_when_put_back(catalog):
    """Rate and API price of neighbouring cells, written into the link, planned anew."""
    scenario = replace(Scenario(), demand_mtok=20_000.0, input_tok=1000, output_tok=1000)
    now = plan(scenario, catalog)
    by_key = {spread.key: spread for spread in now.spreads}
    rate, price = by_key["rate"], by_key["apiin"]
    x, y = rate.now * np.geomspace(0.1, 10, 21), price.now * np.geomspace(0.1, 10, 21)
    cheaper = flip_map(now.money, rate, price, x, y) < 0
    turns = np.argwhere(cheaper[:, 1:] != cheaper[:, :-1])
    assert len(turns) >= 3
    for row, column in turns[:: len(turns) // 3]:
        for c in (column, column + 1):
            again = plan(
                replace(scenario, rate_usd_h=x[c], api_input_usd_mtok=y[row],
                        api_output_usd_mtok=y[row]),
                catalog,
            )  # fmt: skip
            wins = again.self_host_usd_month < again.api_usd_month
            assert wins == cheaper[row, c]
