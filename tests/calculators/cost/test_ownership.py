"""Ownership: depreciation by hand, present value against numpy-financial's definition, payback."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calculators.cost.energy import co2_kg_month
from calculators.cost.ownership import (
    falling,
    monthly_rate_frac,
    net_present_value_usd,
    owned_card_usd_month,
    owned_flows_usd,
    payback_month,
)
from calculators.cost.ways import ways
from calculators.plan import plan
from calculators.scenario import Scenario

FLOWS = st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=60)


@given(FLOWS)
def test_present_value_at_no_discount_is_the_sum(flows):
    assert net_present_value_usd(flows, discount_frac_year=0.0) == pytest.approx(sum(flows))


@given(FLOWS, st.floats(0.0, 0.5))
def test_present_value_is_the_discounted_sum(flows, rate):
    by_hand = sum(flow / (1 + rate) ** (month / 12) for month, flow in enumerate(flows))
    assert net_present_value_usd(flows, discount_frac_year=rate) == pytest.approx(
        by_hand, rel=1e-9, abs=1e-6
    )


def test_monthly_rate_compounds_to_the_yearly_one():
    assert float((1 + monthly_rate_frac(0.08)) ** 12) == pytest.approx(1.08)


def test_owned_card_by_hand():
    # 36,000 USD over 36 months to a third: 666.67; 0.7 kW x 730 h x 1.2 x 0.10 = 61.32;
    # 0.7 kW x 200 USD = 140
    monthly = owned_card_usd_month(
        price_usd=36_000,
        residual_frac=1 / 3,
        horizon_months=36,
        energy_kwh=0.7 * 730 * 1.2,
        energy_usd_kwh=0.10,
        power_w=700,
        colocation_usd_kw=200,
    )
    assert float(monthly) == pytest.approx(666.6667 + 61.32 + 140, abs=1e-3)


@given(st.integers(1, 8), st.floats(0, 1), st.integers(1, 60))
def test_depreciation_and_purchase_are_the_same_money(n_cards, residual, months):
    flows = owned_flows_usd(
        n_cards=n_cards,
        price_usd=1000.0,
        residual_frac=residual,
        running_usd_month=0.0,
        n_months=months,
    )
    straight_line = owned_card_usd_month(
        price_usd=1000.0,
        residual_frac=residual,
        horizon_months=months,
        energy_kwh=0.0,
        energy_usd_kwh=0.0,
    )
    assert flows.sum() == pytest.approx(float(straight_line) * months * n_cards)


def test_prices_fall_by_the_year():
    assert falling(100.0, fall_frac_year=0.3, n_months=25)[[0, 12, 24]] == pytest.approx(
        [100.0, 70.0, 49.0]
    )


def test_payback():
    assert payback_month([1000, 0, 0, 0, 0], [250] * 5) == 4
    assert payback_month([1000], [250]) is None


def test_every_way_pays_for_the_same_service(tiny_catalog):
    base = plan(Scenario(upkeep_usd_month=100.0, build_usd=500.0, horizon_months=12), tiny_catalog)
    found = {way.name: way for way in ways(base)}
    rent = 2.5 * 730  # the middle quote
    assert found["On demand"].flows_usd[:2] == pytest.approx([rent + 600, rent + 100])
    price = 30_000 * (320_000 / 240_000)  # the card's share of a server of 300,000 to 340,000 USD
    running = 0.7 * 1.2 * 730 * 0.1 + 0.7 * 200
    assert found["Bought"].flows_usd[0] == pytest.approx(price + running + 600)
    assert found["Bought"].flows_usd[-1] == pytest.approx(-0.3 * price)
    assert found["API"].flows_usd == pytest.approx(np.full(12, 264.0))


@pytest.mark.parametrize("billing", ["on-demand", "spot"])
def test_lost_spot_time_is_made_up_once_and_by_spot_alone(tiny_catalog, billing):
    scenario = Scenario(billing=billing, spot_interruption_frac=0.5, upkeep_usd_month=0.0)
    base = plan(scenario, tiny_catalog)
    on_demand = replace(scenario, billing="on-demand")
    one = plan(on_demand, tiny_catalog).bills.capacity_mtok_month
    full = replace(scenario, demand_mtok=0.9 * float(one))  # one card, or two that are away half
    found = {way.name: way.flows_usd[0] for way in ways(plan(full, tiny_catalog))}
    assert base.n_cards == 1
    assert found["On demand"] == pytest.approx(2.5 * 730)
    spot = plan(replace(full, billing="spot"), tiny_catalog)
    assert spot.n_cards == 2
    assert found["Spot"] == pytest.approx(spot.self_host_usd_month)


def test_a_reservation_keeps_its_cards_until_its_term_ends(tiny_catalog):
    one = plan(Scenario(), tiny_catalog).bills.capacity_mtok_month
    scenario = Scenario(
        demand_mtok=1.5 * float(one), growth_frac=-0.9, horizon_months=24, upkeep_usd_month=0.0
    )
    flows = {way.name: way.flows_usd for way in ways(plan(scenario, tiny_catalog))}
    cards = flows["Reserved one year"] / flows["Reserved one year"][-1]
    assert cards == pytest.approx([2.0] * 12 + [1.0] * 12)
    # 1.5 x 0.1^(t / 12) <= 1 from t = 2.2 months on
    assert flows["On demand"] / (2.5 * 730) == pytest.approx([2.0] * 3 + [1.0] * 21)


def test_growing_demand_buys_cards_when_they_are_needed(tiny_catalog):
    scenario = Scenario(growth_frac=3.0, demand_mtok=1500.0, horizon_months=24, residual_frac=0.0)
    base = plan(scenario, tiny_catalog)
    flows = {way.name: way.flows_usd for way in ways(base)}["Bought"]
    extra = flows[:24] - flows[:24].min()
    bought = round(extra.sum() / 40_000) if extra.max() > 1000 else 0
    last = plan(replace(scenario, demand_mtok=1500.0 * 4 ** (23 / 12)), tiny_catalog)
    first = plan(scenario, tiny_catalog)
    assert bought >= last.n_cards - first.n_cards >= 1


def test_emissions_by_hand(tiny_catalog):
    base = plan(Scenario(grid_g_kwh=400.0, pue=1.5, hours_month=700.0), tiny_catalog)
    # 0.7 kW x 1.5 x 700 h = 735 kWh; 400 g each
    assert co2_kg_month(base) == pytest.approx(294.0)
    assert np.isnan(co2_kg_month(plan(Scenario(), tiny_catalog)))
