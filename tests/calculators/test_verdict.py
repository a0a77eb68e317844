"""Flip values: putting them back in turns the verdict."""

from __future__ import annotations

from dataclasses import replace

import pytest

from calculators.flips import flips
from calculators.link import from_query, to_query
from calculators.plan import plan
from calculators.scenario import Scenario
from calculators.verdict import verdict, why_api
from tests.worlds import small_catalog

CASES = {
    "default": {},
    "high volume": {"demand_mtok": 20_000.0, "upkeep_usd_month": 500.0},
    "near": {"demand_mtok": 3000.0, "upkeep_usd_month": 100.0, "rate_usd_h": 0.9},
    "owned": {"billing": "owned", "demand_mtok": 3000.0, "upkeep_usd_month": 0.0},
    "duty": {"duty_frac": 0.4, "upkeep_usd_month": 0.0},
    "four cards": {"n_cards": 4, "demand_mtok": 9000.0, "weight_format": "bf16"},
    "cached": {"cached_frac": 0.5, "api_batch_frac": 0.5, "demand_mtok": 5000.0},
}


@pytest.mark.parametrize("name", CASES)
def test_putting_a_flip_value_back_turns_the_verdict(tiny_catalog, name):
    base = plan(replace(Scenario(), **CASES[name]), tiny_catalog)
    found = flips(base)
    assert found
    for flip in found:
        query = to_query(base.scenario)
        changed = dict(part.split("=", 1) for part in query.split("&") if part) | flip.changes
        scenario, problems = from_query(changed, tiny_catalog)
        assert not any(problem.key in flip.changes for problem in problems)
        turned = plan(scenario, tiny_catalog)
        assert verdict(turned).choice != verdict(base).choice, flip


def test_flips_are_sorted_by_how_near_they_are(tiny_catalog):
    factors = [
        max(flip.factor, 1 / flip.factor)
        for flip in flips(plan(Scenario(demand_mtok=5000.0), tiny_catalog))
        if flip.factor
    ]
    assert factors == sorted(factors)


def test_never_because(tiny_catalog):
    base = plan(Scenario(), tiny_catalog)
    assert base.break_even_mtok_month is None
    assert why_api(base).startswith("Self-hosting never wins here: a copy of the model on these")
    assert "costs 1,825 USD a month" in why_api(base)


def test_break_even_is_where_the_bills_are_equal(tiny_catalog):
    base = plan(Scenario(rate_usd_h=0.5, upkeep_usd_month=100.0), tiny_catalog)
    volume = base.break_even_mtok_month
    at = plan(replace(base.scenario, demand_mtok=volume), tiny_catalog)
    assert at.self_host_usd_month == pytest.approx(at.api_usd_month, abs=0.01)
    assert verdict(base).choice == "api"
    assert f"{volume:,.0f}" in verdict(base).reason


def test_no_flip_without_both_bills():
    assert flips(plan(Scenario(), small_catalog(api_prices={}))) == ()
