"""Every printed equation comes out to the figure that the page shows."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app import explanations
from app.cost_rows import way_rows
from app.derivations.derivation import BASIS_WORDS
from app.sentences import flip_rows, home_metrics, layers_of_truth
from calculators.cost.ways import ways
from calculators.evidence.second_opinion import second_opinion
from calculators.evidence.sensitivity import monte_carlo, tornado
from calculators.flips import flips
from calculators.memory_answers import memory_answers
from calculators.options import options
from calculators.plan import plan
from calculators.scenario import Scenario
from tests.app.equations import sides

SCENARIOS = {
    "default": {},
    "reference": {"basis": "bound", "batch": 17, "duty_frac": 0.3},
    "duty": {"duty_frac": 0.25, "n_replicas": 2},
    "large": {"demand_mtok": 50_000.0, "n_spare": 1, "split_frac": 0.7, "batch": 8},
    "autoscaled": {"demand_mtok": 8000.0, "autoscale": "15", "build_usd": 36_000.0},
    "bought": {"billing": "owned", "grid_g_kwh": 380.0, "growth_frac": 0.4, "n_cards": 2},
    "spot": {"billing": "spot", "profile": "flat", "prefix_tok": 1024, "n_open": 3},
    "reserved": {"billing": "reserved", "term_months": 36, "ttft_ms": 900.0},
    "cached": {"cached_frac": 0.5, "cache_write_frac": 0.2, "api_batch_frac": 0.3},
    "experts": {"model": "deepseek-v3", "gpu": "h200-sxm", "n_cards": 8, "weight_format": "fp8"},
    "data-parallel": {"model": "gpt-oss-120b", "weight_format": "mxfp4", "n_cards": 2,
                      "parallel": "expert"},
    "sglang": {"engine": "sglang", "demand_mtok": 2000.0},
    "trt": {"engine": "tensorrt-llm", "demand_mtok": 9000.0},
    "windows": {"model": "gemma-3-27b", "context_tok": 16_384, "n_open": 2},
    "states": {"model": "qwen3-next-80b-a3b", "n_cards": 2, "weight_format": "fp8"},
    "one token": {"output_tok": 1},
    "cheap own": {"upkeep_usd_month": 0.0, "demand_mtok": 4000.0, "rate_usd_h": 0.5},
    "does not fit": {"weight_format": "bf16"},
    "no demand": {"demand_mtok": 0.0},
    "all at the API": {"split_frac": 0.0},
}  # fmt: skip


@pytest.fixture(scope="module", params=SCENARIOS)
def priced(request, catalog):
    return plan(replace(Scenario(), **SCENARIOS[request.param]), catalog)


def of_every_page(priced):
    found = ways(priced) if priced.fits else ()
    pages = {
        "home": explanations.home(priced),
        "unit cost": explanations.unit_cost(priced),
        "break-even": explanations.break_even(priced),
        "ownership": explanations.own_or_rent(priced, found),
        "roofline": explanations.roofline(priced),
        "options": explanations.options(priced, options(priced.scenario, priced.catalog)),
        "compare": explanations.compare([priced, priced]),
    }
    answers = memory_answers(priced.deployment, priced.scenario, priced.catalog)
    pages["memory"] = explanations.memory_page(priced, answers)
    pages["second opinion"] = explanations.second_opinion(priced, second_opinion(priced))
    if priced.chance is not None:
        bars = tornado(priced.money, priced.spreads)
        pages["sensitivity"] = explanations.sensitivity(priced, priced.chance, bars)
    return pages


def test_equations_come_out(priced):
    for page, derivations in of_every_page(priced).items():
        for one in derivations:
            for line in one.formula.splitlines():
                values, rounding, sign = sides(line)
                if sign == "<=":
                    assert values[0] <= values[1], f"{page}, {one.figure}: {line}"
                    continue
                for value in values[:-1]:
                    error = abs(value - values[-1])
                    assert error <= 1.02 * rounding + 0.003 * abs(value), (
                        f"{page}, {one.figure}: {line} is {value}"
                    )


def test_each_figure_says_what_it_rests_on(priced):
    for derivations in of_every_page(priced).values():
        names = [one.figure for one in derivations]
        assert len(set(names)) == len(names)
        for one in derivations:
            assert one.basis in BASIS_WORDS
            assert one.sentence.strip().endswith((".", "!")) or not one.formula
            assert one.function.__doc__


@pytest.mark.parametrize("changes", SCENARIOS.values(), ids=SCENARIOS)
def test_what_is_unknown_has_no_equation(catalog, changes):
    priced = plan(replace(Scenario(), **changes), catalog)
    for derivations in of_every_page(priced).values():
        for one in derivations:
            for word in ("not known", "unlimited", "nan", "inf "):
                assert word not in one.formula, one


def shown(derivations, figure: str) -> str:
    [one] = [one for one in derivations if one.figure == figure]
    return one.formula.splitlines()[-1].split(" = ")[-1]


@pytest.mark.parametrize("changes", [{}, {"basis": "bound"}, {"demand_mtok": 8000.0}])
def test_home_shows_the_same_figures(catalog, changes):
    priced = plan(replace(Scenario(), **changes), catalog)
    derivations = explanations.home(priced)
    metrics = {label: value for label, value, *_ in home_metrics(priced)}
    for label in ("Self-hosting, a month", "API, a month"):
        assert shown(derivations, label) == f"{metrics[label]} a month"
    assert shown(derivations, "Speed for each user") in metrics["Speed for each user"]
    assert shown(derivations, "Fits?") in metrics["Fits?"]


def test_tables_show_the_same_figures(catalog):
    priced = plan(Scenario(), catalog)
    found = ways(priced)
    best = min(way.npv_usd for way in found)
    payments = shown(
        explanations.own_or_rent(priced, found), "Chart and table: payments and present value"
    )
    assert payments.replace(" USD", "") == way_rows(found)[0]["Present value [USD]"]
    assert payments == f"{best:,.0f} USD"
    turn = shown(explanations.home(priced), "Table: what would turn the answer")
    assert turn == flip_rows(flips(priced))[0]["Turns at"]
    layers = [one for one in explanations.unit_cost(priced) if one.figure.startswith("Table")]
    rows = [row for row in layers_of_truth(priced) if row["Batch"] == str(priced.calibrated.batch)]
    lines = layers[0].formula.splitlines()
    assert [line.split(" = ")[-1] for line in lines] == [
        f"{row['USD per million output']} USD" for row in rows[:3]
    ]


def test_the_default_bill_is_spelled_out(tiny_catalog):
    # one card at the middle of 2, 2.50 and 4 USD for 730 hours, and 4,000 USD of upkeep
    first = explanations.home(plan(Scenario(), tiny_catalog))[0]
    assert first.formula == (
        "1 replica x 1 card x 1,825 USD a card + 4,000 USD upkeep + 0 USD build + 0 USD network + "
        "0 USD left to the API = 5,825 USD a month"
    )


def test_own_ranges_move_the_marks(catalog):
    priced = plan(Scenario(), catalog)
    wide = [
        replace(s, low=s.low / 2, high=s.high * 2, why="your own range") for s in priced.spreads
    ]
    chance, bars = monte_carlo(priced.money, wide, seed=1), tornado(priced.money, wide)
    wins = explanations.sensitivity(priced, chance, bars)[3]
    count = int((chance.difference_usd_month < 0).sum())
    assert wins.formula.startswith(f"{count:,} / 10,000 draws")


def test_the_reader_of_equations_notices_a_wrong_one():
    assert sides("2 x 3 cards = 6")[0] == [6.0, 6.0]
    assert sides("max(1 ; ceil(300 / 290)) + 1 spare = 3 replicas")[0] == [3.0, 3.0]
    assert sides("1,000 ms / 30 ms - 50 % = 32.8 tok/s")[0] == pytest.approx(
        [32.8333, 32.8], abs=1e-3
    )
