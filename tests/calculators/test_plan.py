"""The plan as a whole: a bill by hand, the reference arithmetic, keys that move figures."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings

from calculators.cautions import cautions, idle_fields
from calculators.link import from_query
from calculators.plan import plan
from calculators.provenance import sources
from calculators.report import plan_report
from calculators.scenario import Scenario
from calculators.verdict import verdict
from tests.strategies import legal_links
from tests.worlds import API_ID, api, card, model, quote, small_catalog


def of(catalog, **changes):
    return plan(replace(Scenario(), **changes), catalog)


def test_the_default_bill_by_hand(tiny_catalog):
    base = of(tiny_catalog)
    assert base.n_cards == 1
    # the middle of three quotes for 730 hours, and the upkeep; 300 million tokens at 0.88 USD
    assert base.self_host_usd_month == pytest.approx(2.5 * 730 + 4000)
    assert base.api_usd_month == pytest.approx(300 * 0.88)
    answer = verdict(base)
    assert answer.choice == "api"
    assert answer.headline == "Buy it from the API: 5,561 USD a month cheaper (22x)."


def test_batch_17_at_duty_30_percent_of_the_reference(tiny_catalog):
    base = of(
        tiny_catalog,
        basis="bound",
        batch=17,
        duty_frac=0.3,
        rate_usd_h=2.5,
        hours_month=720.0,
        upkeep_usd_month=0.0,
    )
    assert base.bound.step_s * 1e3 == pytest.approx(14.93, abs=0.005)
    assert base.bound.output_tok_s == pytest.approx(1139, abs=0.5)
    assert base.self_host_usd_month == pytest.approx(1800)
    assert base.usd_per_mtok_output == pytest.approx(2.03, abs=0.005)
    # input and output together: seven tokens for each output token
    assert base.usd_per_mtok_total == pytest.approx(2.0323 / 7, abs=0.001)


def test_the_bound_holds_17_sequences_and_a_real_engine_fewer(tiny_catalog):
    base = of(tiny_catalog)
    assert base.bound.max_batch == 17
    assert base.calibrated.max_batch < 17


def test_duty_and_demand_are_two_sides_of_one_thing(tiny_catalog):
    forward = of(tiny_catalog, demand_mtok=200.0, profile="flat", load_frac=1.0)
    duty = float(forward.bills.duty_frac)
    back = of(tiny_catalog, duty_frac=duty, profile="flat", load_frac=1.0)
    assert back.demand_mtok_month == pytest.approx(200.0)
    assert back.self_host_usd_month == pytest.approx(forward.self_host_usd_month)


def test_duty_keeps_one_replica_whatever_the_profile(tiny_catalog):
    base = of(tiny_catalog, duty_frac=0.9)
    assert float(base.bills.n_replicas) == 1
    assert float(base.bills.duty_frac) == pytest.approx(0.9)
    assert bool(base.bills.carried)


def test_what_does_not_fit_has_no_bill(tiny_catalog):
    base = of(tiny_catalog, weight_format="bf16")
    assert not base.fits
    assert math.isnan(base.self_host_usd_month)
    assert verdict(base).choice == "api"
    assert base.n_cards == 0
    report = plan_report(base)
    assert report["cost"]["self_host_usd_month"] is None
    json.dumps(report, allow_nan=False)


def test_an_unknown_api_price_is_no_answer():
    base = plan(Scenario(), small_catalog(api_prices={}))
    assert verdict(base).choice == "unknown"
    assert any("no API price of this model" in text for text in base.warnings)


def test_a_card_without_any_price_is_no_answer():
    base = plan(
        Scenario(),
        small_catalog(rental_prices=(), accelerators={"h100-sxm": card(price_usd=None)}),
    )
    assert verdict(base).choice == "unknown"
    assert "not known" in verdict(base).text


def test_a_card_that_nobody_rents_is_counted_as_bought_and_that_is_said():
    base = plan(Scenario(), small_catalog(rental_prices=()))
    # a server of 320,000 USD in the middle for eight cards of 30,000 USD adds a third
    assert base.card_cost.how.startswith(
        "no rent in the catalog; bought (price and 33 % for its server)"
    )
    assert any("no rent in the catalog" in text for text in base.warnings)


@pytest.mark.parametrize(("high", "said"), [(4, False), (5, True)])
def test_a_range_of_sequences_is_said_where_it_is_one(tiny_catalog, high, said):
    base = of(tiny_catalog)
    small = replace(base.fit, cache_budget_bytes=1.0, low_sequences=4, high_sequences=high)
    told = cautions(replace(base, fit=small))
    assert any("between 4 and" in text for text in told) is said


def test_quotes_after_the_day_of_the_facts_do_not_count(tiny_catalog):
    from datetime import date

    late = small_catalog(rental_prices=(quote(2.0), quote(9.0, "z", seen=date(2026, 12, 24))))
    assert plan(Scenario(), late).card_cost.usd_h == 2.0


def test_reasons_beat_money_and_say_what_they_cost(tiny_catalog):
    answer = verdict(of(tiny_catalog, why=("data",)))
    assert answer.choice == "self-host"
    assert "the data must stay in-house" in answer.headline
    assert "5,561 USD a month more than the API" in answer.reason


def test_a_fleet_that_is_too_small_is_said(tiny_catalog):
    base = of(tiny_catalog, n_replicas=1, demand_mtok=1e6)
    assert "cannot carry" in verdict(base).headline
    assert not bool(base.bills.carried)


def test_objectives_limit_the_batch(tiny_catalog):
    free = of(tiny_catalog)
    tight = of(tiny_catalog, tpot_ms=free.calibrated.tpot_s * 1e3 * 0.8)
    assert 1 <= tight.calibrated.batch < free.calibrated.batch
    assert tight.calibrated.tpot_s <= free.calibrated.tpot_s * 0.8
    impossible = of(tiny_catalog, tpot_ms=0.1)
    assert not impossible.calibrated.meets_objectives
    assert any("objectives" in text for text in impossible.warnings)


def test_not_like_for_like_is_said():
    other = small_catalog(api_prices={API_ID: api(), "openai/mini": api(id="openai/mini")})
    base = plan(Scenario(api="openai/mini"), other)
    assert any(text.startswith("Not like for like") for text in base.warnings)


def test_an_api_price_of_the_scenario_keeps_cache_and_tiers_in_ratio(tiny_catalog):
    base = of(tiny_catalog, api_input_usd_mtok=2.0, api_output_usd_mtok=10.0)
    # 3,000 in and 500 out: 0.006 + 0.005 USD; 85,714 requests
    assert base.api_usd_month == pytest.approx(0.011 * 300e6 / 3500)


def test_fields_without_effect_are_named(tiny_catalog):
    scenario = Scenario(residual_frac=0.5, term_months=24, start_minutes=3.0)
    assert set(idle_fields(scenario, tiny_catalog)) == {
        "residual_frac",
        "term_months",
        "start_minutes",
    }
    assert any(
        text.startswith("term: has no effect") for text in plan(scenario, tiny_catalog).warnings
    )


@pytest.mark.parametrize("billing", ["reserved", "owned"])
def test_autoscaling_saves_nothing_on_cards_paid_around_the_clock(tiny_catalog, billing):
    always = of(tiny_catalog, billing=billing)
    scaled = of(tiny_catalog, billing=billing, autoscale="10")
    assert scaled.self_host_usd_month == always.self_host_usd_month
    assert any(text.startswith("autoscale: has no effect") for text in scaled.warnings)
    rented = of(tiny_catalog, demand_mtok=5000.0)
    less = of(tiny_catalog, demand_mtok=5000.0, autoscale="10")
    assert less.self_host_usd_month < rented.self_host_usd_month


def test_less_than_a_year_reserved_is_paid_as_on_demand():
    catalog = small_catalog(rental_prices=(quote(3.0), quote(1.0, kind="reserved-1y")))
    months = {
        term: of(catalog, billing="reserved", term_months=term).card_cost.usd_h for term in (6, 12)
    }
    assert months == {6: 3.0, 12: 1.0}


def test_every_fact_of_the_plan_has_a_source_and_an_age(tiny_catalog):
    lines = sources(of(tiny_catalog))
    assert {line.fact.split(":")[0] for line in lines} == {
        "Model", "Card", "Weight format", "Cache format", "Engine", "Rent", "API price",
    }  # fmt: skip
    assert all(line.title and line.age_days >= 0 for line in lines)


def test_old_prices_are_stale():
    from datetime import date

    old = small_catalog(rental_prices=(quote(2.0, seen=date(2026, 8, 1)),))
    assert [line.stale for line in sources(plan(Scenario(), old)) if line.is_price] == [True, False]


@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(legal_links)
def test_any_accepted_link_makes_a_plan(link):
    catalog = small_catalog()
    scenario, problems = from_query(link, catalog)
    assert problems == ()
    report = plan_report(plan(scenario, catalog), problems)
    json.dumps(report, allow_nan=False)
    assert set(report) >= {"scenario", "problems", "fit", "speed", "cost", "verdict", "warnings"}


def test_keys_of_the_report(tiny_catalog):
    report = plan_report(of(tiny_catalog))
    assert set(report["fit"]) >= {
        "fits", "limit", "weights_gib", "kv_bytes_per_tok", "kv_capacity_tok", "max_sequences",
        "cards",
    }  # fmt: skip
    for basis in ("bound", "calibrated"):
        assert set(report["speed"][basis]) >= {
            "step_s", "tpot_s", "ttft_s", "output_tok_s", "batch", "band_frac"
        }  # fmt: skip
    assert set(report["cost"]) >= {
        "self_host_usd_month", "api_usd_month", "usd_per_mtok_output", "usd_per_mtok_total",
        "break_even_mtok_month", "n_cards",
    }  # fmt: skip
    assert set(report["verdict"]) >= {"choice", "text", "flips"}
    assert report["fit"]["kv_bytes_per_tok"] == 327_680


def test_without_an_api_the_middle_provider_of_the_model_is_taken():
    ids = ("a/m", "b/m", "c/m")
    lists = {
        id_: api(price, price, id=id_) for id_, price in zip(ids, (3.0, 1.0, 2.0), strict=True)
    }
    catalog = small_catalog(api_prices=lists, models={"llama-3.3-70b": model(api_ids=ids)})
    base = plan(Scenario(), catalog)
    assert base.api.id == "c/m"
    assert base.api_usd_month == pytest.approx(300 * 2.0)
    assert not any("like for like" in text for text in base.warnings)


def test_dedicated_endpoints_are_paid_by_the_hour(tiny_catalog):
    base = of(tiny_catalog, dedicated_usd_h=6.0, n_dedicated=2, demand_mtok=1.0)
    assert base.api_usd_month == pytest.approx(2 * 6 * 730)
    assert any("dedicated endpoints paid by the hour" in text for text in base.warnings)
    assert of(tiny_catalog, dedicated_usd_h=6.0, demand_mtok=5000.0).api_usd_month == 6 * 730


def test_a_list_without_cheap_hours_or_cache_prices_is_said(tiny_catalog):
    texts = of(tiny_catalog, api_off_peak_frac=0.5, cached_frac=0.5, api_batch_frac=0.1).warnings
    assert any("no cheap hours" in text for text in texts)
    assert any("no price for cached input" in text for text in texts)
    assert any("no price for batch" in text for text in texts)


def test_a_shape_that_cannot_be_is_said(tiny_catalog):
    assert any(t.startswith("topk: has no effect") for t in of(tiny_catalog, top_k=9).warnings)
    moe = of(tiny_catalog, n_experts=8, top_k=9).warnings
    assert any(t.startswith("topk: a token uses at most the 8") for t in moe)
    dense = of(tiny_catalog, size_b=7.0, active_b=8.0).warnings
    assert any(t.startswith("active: 8 billion cannot be") for t in dense)


def test_an_overloaded_fleet_is_busy_all_the_time_and_not_more(tiny_catalog):
    base = of(tiny_catalog, n_replicas=1, demand_mtok=1e7)
    assert float(base.bills.duty_frac) == 1.0
