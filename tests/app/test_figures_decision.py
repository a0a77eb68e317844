"""Pictures of bills, ways to pay and ranges: titles of their own, nothing forgotten."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from app.figures import theme
from app.figures.compare import bills_side_by_side, compare_finding
from app.figures.ownership import payments_finding
from app.figures.sensitivity import tornado_figure
from calculators.cost.ownership import Way
from calculators.evidence.sensitivity import Bar, Spread


def bills(self_hosting: float, api: float) -> SimpleNamespace:
    return SimpleNamespace(self_host_usd_month=self_hosting, api_usd_month=api)


def test_compared_bills_are_written_at_the_bars():
    figure = bills_side_by_side([bills(6913.2, 193.0), bills(2000.0, float("nan"))])
    assert [tuple(bar.text) for bar in figure.data] == [("6,913", "2,000"), ("193", "not known")]
    assert figure.layout.title.text.replace("<br>", " ") == (
        "USD a month: 2,000 to 6,913 self-hosted, 193 from the API"
    )


def test_a_scenario_alone_has_narrow_bars_and_a_title_of_its_own():
    one, four = ([bills(100.0, 50.0)] * n for n in (1, 4))
    assert bills_side_by_side(one).layout.bargap > bills_side_by_side(four).layout.bargap
    assert bills_side_by_side(one).layout.title.text != compare_finding(one)


def test_what_is_paid_in_all_is_said_from_least_to_most():
    ways = [
        Way(name=name, flows_usd=np.array([total]), npv_usd=0.0, total_usd=total, note="")
        for name, total in (("Bought", 500.0), ("API", 120.0), ("Spot", 900.0))
    ]
    assert payments_finding(ways) == "Paid in all: from 120 USD (API) to 900 USD (Spot)"
    assert payments_finding(ways[:1]) == "Paid in all: 500 USD (Bought)"


def spread(label: str) -> Spread:
    return Spread(label, "k", label, "USD", now=2.0, low=1.0, high=3.0, why="test")


def test_an_input_that_moves_nothing_is_said_to():
    bars = [Bar(spread("Rate"), 900.0, 1400.0), Bar(spread("Peak"), 1000.0, 1000.0)]
    figure = tornado_figure(bars, 1000.0)
    assert [(note.y, note.text) for note in figure.layout.annotations] == [
        ("Peak", "changes nothing")
    ]


def test_the_ends_of_a_range_wear_no_side_s_colour_and_differ_in_pattern_too():
    low, high = tornado_figure([Bar(spread("Rate"), 900.0, 1400.0)], 1000.0).data
    assert not {low.marker.color, high.marker.color} & set(theme.COLOURS.values())
    assert (low.marker.pattern.shape, high.marker.pattern.shape) == ("/", None)


def test_the_lowest_bill_is_that_of_the_column_marked_cheapest():
    now, kept = bills(6900.0, 193.0), bills(50.0, 193.0)
    assert "self-hosting in the scenario Kept 1:" in compare_finding([now, kept])
    assert "self-hosting in the present scenario:" in compare_finding([kept, now])
    assert "the API in every scenario:" in compare_finding([now, now])
