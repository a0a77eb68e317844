"""Scenarios side by side: what differs, which is cheapest, kept in one link."""

from dataclasses import replace

from calculators.compare import compare, differing_inputs, pinned, side_by_side
from calculators.link import from_query, to_query
from calculators.plan import plan
from calculators.scenario import Scenario


def test_only_inputs_that_differ_are_listed():
    rows = differing_inputs([Scenario(), Scenario(rate_usd_h=2.0, why=("data",))])
    assert rows == [
        ("Hourly rate", ("the catalog's median", "2")),
        ("Reasons that are not about money", ("none", "data")),
    ]


def test_a_link_carries_the_scenarios_that_are_compared(tiny_catalog):
    kept = [Scenario(demand_mtok=5000.0), Scenario(n_cards=2, profile="flat")]
    now = Scenario(rate_usd_h=1.0, compared="|".join(pinned(each) for each in kept))
    read, problems = from_query(to_query(now, pinned=True, asof=None), tiny_catalog)
    assert problems == ()
    scenarios, found = side_by_side(read, tiny_catalog)
    assert (scenarios, found) == ((now, *kept), ())


def test_a_kept_scenario_drops_its_own_comparison():
    assert pinned(Scenario(compared="v=1|v=1")) == "v=1"


def test_more_than_three_are_refused():
    read, problems = from_query({"cmp": "v=1|v=1|v=1|v=1"})
    assert read.compared == ""
    assert "up to 3" in str(problems[0])


def test_what_was_wrong_with_a_kept_link_is_said(tiny_catalog):
    _, problems = side_by_side(Scenario(compared="v=1&cards=0"), tiny_catalog)
    assert [problem.key for problem in problems] == ["cards"]


def test_the_lowest_bill_of_either_side_is_marked(tiny_catalog):
    dear, cheap = (
        plan(replace(Scenario(), demand_mtok=volume), tiny_catalog) for volume in (900.0, 300.0)
    )
    assert compare([dear, cheap]).cheapest == 1
    assert compare([cheap, dear]).cheapest == 0
