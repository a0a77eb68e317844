"""Second opinions in words: how near, how far apart, and whether it matters."""

from __future__ import annotations

from dataclasses import replace

from app.figures.second_opinion import opinion_finding, opinions_figure
from app.opinion_rows import matters, neighbour_rows, opinion_metrics, opinion_rows, outcome_rows
from calculators.evidence.nearest import Neighbour
from calculators.evidence.opinion import AS_PRINTED, OURS, PEAK
from calculators.evidence.second_opinion import second_opinion
from calculators.plan import plan
from calculators.scenario import Scenario

NEAR = Neighbour("a-1", "a", "Some 70B on 2 cards", 30.0, 40.0, 3.2, ("batch: 1 instead of 8",))


def asked(catalog, **changes):
    priced = plan(replace(Scenario(batch=8), **changes), catalog)
    return priced, second_opinion(priced, {"each": [NEAR], "replica": [NEAR]})


def test_rows_compare_with_ours(tiny_catalog):
    _, found = asked(tiny_catalog)
    rows = {row["Method"]: row for row in opinion_rows(found.each)}
    assert rows[OURS]["Times ours"] == "1"
    assert rows[AS_PRINTED]["Answer [tok/s]"] == "30"
    assert all(row["Why it differs"] for row in rows.values())


def test_money_leaves_out_another_setting(tiny_catalog):
    _, found = asked(tiny_catalog)
    assert AS_PRINTED not in {row["Method"] for row in outcome_rows(found.outcomes)}


def test_neighbours_say_how_near_they_are():
    [row] = neighbour_rows([NEAR], {"a": "A report"})
    assert row["How near"] == "comparable, 3.2x away"
    assert row["What is different"] == "batch: 1 instead of 8"
    assert row["Source"] == "A report, a-1"


def test_whether_it_matters(tiny_catalog):
    cheap = asked(tiny_catalog)
    assert matters(*cheap).startswith("It does not matter") and "the API" in matters(*cheap)
    # a million tokens cost 0.88 USD at the API: 17,600 USD a month; cards by the hour, no people
    dear, cheap = (
        asked(tiny_catalog, demand_mtok=20_000.0, upkeep_usd_month=0.0, rate_usd_h=rate)
        for rate in (2.0, 0.5)
    )
    bills = {outcome.method: outcome.usd_month for outcome in dear[1].outcomes}
    assert bills[PEAK] < 17_600 < bills[OURS]
    assert matters(*dear).startswith("It matters")
    assert matters(*cheap) == (
        "It does not matter for the answer: by every method self-hosting is cheaper."
    )
    missing = asked(tiny_catalog, weight_format="bf16")
    assert "cannot be said" in matters(*missing)


def test_the_figure_has_a_mark_for_each_method_and_ours_at_one(tiny_catalog):
    _, found = asked(tiny_catalog)
    figure = opinions_figure(found)
    [ours] = [trace for trace in figure.data if trace.name == OURS]
    assert set(ours.x) == {1.0} and len(ours.y) == 5
    assert len({trace.marker.symbol for trace in figure.data}) > 5
    assert "x on this scenario" in opinion_finding(found)


def test_a_scenario_that_does_not_fit_has_metrics_and_a_figure(tiny_catalog):
    _, found = asked(tiny_catalog, weight_format="bf16")
    assert opinion_metrics(found)[-1][1] == "not known"
    assert opinion_metrics(found)[1][2] == "apart; ours is not known"  # without a unit
    assert len(opinions_figure(found).data) >= 4
