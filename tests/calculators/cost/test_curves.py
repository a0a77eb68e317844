"""The curves of the pictures hold what the bills say."""

import numpy as np
import pytest

from calculators.cost.bills import bills
from calculators.cost.curves import bill_curves, drawn_range_mtok, energy_usd_month
from calculators.plan import plan
from calculators.scenario import Scenario


def test_both_sides_of_each_jump_are_drawn(tiny_catalog):
    base = plan(Scenario(upkeep_usd_month=0.0), tiny_catalog)
    curves = bill_curves(base, low_mtok=100.0, high_mtok=20_000.0)
    steps = np.diff(curves.self_host_usd_month)
    jumps = np.flatnonzero(steps > 1.0)
    assert jumps.size >= 3
    gaps = np.diff(curves.demand_mtok_month)[jumps] / curves.demand_mtok_month[jumps]
    assert (gaps < 1e-6).all()


def test_points_are_bills(tiny_catalog):
    base = plan(Scenario(), tiny_catalog)
    curves = bill_curves(base, low_mtok=10.0, high_mtok=1000.0, n_points=5)
    for volume, own in zip(curves.demand_mtok_month, curves.self_host_usd_month, strict=True):
        one = bills(base.money.with_(demand_mtok_month=float(volume)))
        assert own == pytest.approx(float(one.self_host_usd_month))


def test_energy_by_hand(tiny_catalog):
    base = plan(Scenario(n_cards=2), tiny_catalog)
    # 3 replicas x 2 cards x 0.7 kW x 1.2 x 730 h x 0.10 USD
    assert float(energy_usd_month(base, np.array(3.0))) == pytest.approx(367.92)


def test_the_picture_holds_the_demand(tiny_catalog):
    low, high = drawn_range_mtok(plan(Scenario(), tiny_catalog))
    assert low < 300 < high
