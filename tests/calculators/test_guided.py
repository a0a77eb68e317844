"""Answers of a newcomer: the demand by hand, cards that fit, own cards, work that can wait."""

from dataclasses import replace

import pytest

from calculators.guided import Answers, Task, demand_mtok_month, guided, usual_cards
from calculators.scenario import Scenario
from calculators.specs import ApiPrice

CHAT = Task("Chat", 1500, 400, 8192, "office-hours", 12, 2000, 60)
NIGHT = Task("Summaries", 8000, 600, 16384, "nightly-batch", 10)


@pytest.mark.parametrize(
    "unit,amount,expected",
    [
        # 2,000 people x 12 requests x 365 / 12 x 5 / 7 days x 1,900 tokens
        ("people", 2000, 2000 * 12 * 365 / 12 * 5 / 7 * 1900 / 1e6),
        ("requests-day", 3000, 3000 * 365 / 12 * 1900 / 1e6),
        ("requests-month", 20_000_000, 20_000_000 * 1900 / 1e6),
        ("mtok-day", 3, 3 * 365 / 12),
        # 40 x 60 requests in the busiest hour of an even week, 730 hours
        ("at-once", 40, 40 * 60 * 730 * 1900 / 1e6),
    ],
)
def test_the_demand_by_hand(unit, amount, expected):
    assert demand_mtok_month(CHAT, amount, unit, "flat") == pytest.approx(expected)


def test_people_at_once_fill_the_busiest_hour_alone():
    # office hours peak at 38 of levels that sum to 5 x 404 + 2 x 48 over 168 hours
    day = (1, 1, 1, 1, 1, 1, 3, 8, 22, 34, 38, 37, 28, 33, 38, 37, 33, 24, 12, 8, 6, 4, 2, 1)
    weekend = (1, 1, 1, 1, 1, 1, 1, 1, 2, 3, 4, 4, 3, 3, 4, 4, 3, 3, 2, 2, 2, 2, 1, 1)
    peak = 38 / ((5 * sum(day) + 2 * sum(weekend)) / 168)
    found = demand_mtok_month(CHAT, 40, "at-once", "office-hours")
    assert found == pytest.approx(40 * 60 * 730 * 1900 / 1e6 / peak)


@pytest.mark.parametrize("model", ["llama-3.1-8b", "llama-3.3-70b", "deepseek-v3.2"])
@pytest.mark.parametrize("way", ["rent", "buy"])
def test_new_cards_fit_carry_the_demand_and_answer_in_time(catalog, model, way):
    found = guided(Answers(CHAT, model, 5000, "people", way=way), catalog)
    assert found.fits
    assert bool(found.bills.carried)
    assert found.performance.meets_objectives
    assert found.deployment.accelerator in usual_cards(catalog)
    assert found.scenario.billing == {"rent": "on-demand", "buy": "owned"}[way]


def test_no_usual_card_that_does_the_same_is_much_cheaper(catalog):
    from calculators.plan import plan

    found = guided(Answers(CHAT, "llama-3.1-8b", 5000, "people"), catalog)
    for card in usual_cards(catalog):
        for n_cards in (1, 2, 4, 8):
            other = plan(replace(found.scenario, gpu=card.id, n_cards=n_cards), catalog)
            ready = other.fits and other.performance.meets_objectives and other.bills.carried
            if ready:
                assert other.self_host_usd_month > found.self_host_usd_month / 1.2 - 1e-6


def test_own_cards_cost_their_electricity_and_are_as_many_as_there_are(catalog):
    own = Answers(CHAT, "gpt-oss-120b", 50, "people", way="have", card="h100-sxm", n_cards=4)
    found = guided(replace(own, staff_usd_month=0.0), catalog)
    assert found.n_cards == 1
    # 700 W x PUE 1.2 x 730 hours x 0.10 USD
    assert found.self_host_usd_month == pytest.approx(0.7 * 1.2 * 730 * 0.10)
    many = guided(replace(own, amount=1e6), catalog)
    assert many.n_cards == 4
    assert not bool(many.bills.carried)


def test_a_model_too_large_in_its_own_format_takes_a_smaller_one_on_own_cards(catalog):
    own = Answers(CHAT, "qwen3-32b", 1, "people", way="have", card="rtx-4090")
    found = guided(own, catalog)
    assert found.fits
    assert found.scenario.weight_format == "awq-int4"
    assert not guided(replace(own, model="llama-3.3-70b"), catalog).fits


def test_what_nobody_waits_for_goes_to_the_api_as_a_batch_where_it_has_that_price(catalog):
    answers = Answers(NIGHT, "llama-3.3-70b", 20_000, "requests-month")
    found = guided(answers, catalog)
    assert found.scenario.autoscale == "30"
    assert found.api is not None
    assert found.scenario.api_batch_frac == (1.0 if found.api.batch else 0.0)
    half: dict[str, ApiPrice] = {
        id_: price.model_copy(update={"batch": price.rates})
        for id_, price in catalog.api_prices.items()
    }
    batched = guided(answers, catalog.model_copy(update={"api_prices": half}))
    assert batched.scenario.api_batch_frac == 1.0


def test_data_that_must_stay_on_rented_cards_is_questioned(catalog):
    asked = Answers(CHAT, "llama-3.3-70b", 100, "people", data_must_stay=True)
    warned = [text for text in guided(asked, catalog).warnings if "provider's building" in text]
    assert len(warned) == 1
    bought = guided(replace(asked, way="buy"), catalog)
    assert not any("provider's building" in text for text in bought.warnings)


def test_a_company_s_own_price_list_is_kept_for_the_model_that_it_serves(catalog):
    id_ = next(id_ for id_ in catalog.models["llama-3.3-70b"].api_ids if id_ in catalog.api_prices)
    known = catalog.model_copy(update={"defaults": {"api": id_}})
    assert guided(Answers(CHAT, "llama-3.3-70b", 100, "people"), known).scenario.api == id_
    assert guided(Answers(CHAT, "llama-3.1-8b", 100, "people"), known).scenario.api is None


def test_before_the_first_quotes_the_default_card_stands(catalog):
    known = catalog.model_copy(update={"rental_prices": ()})
    assert usual_cards(known) == []
    found = guided(Answers(CHAT, "llama-3.1-8b", 300, "people"), known)
    assert found.scenario.gpu == Scenario().gpu


def test_a_model_beyond_every_server_gets_two_of_the_largest(catalog):
    small = {
        id_: card for id_, card in catalog.accelerators.items() if card.memory_visible_gib < 50
    }
    cards = small | {Scenario().gpu: catalog.accelerators[Scenario().gpu]}
    known = catalog.model_copy(update={"accelerators": cards})
    found = guided(Answers(CHAT, "kimi-k2", 300, "people"), known)
    # 1,000 billion parameters of 8 bits are 931 GiB; eight cards of 80 GiB hold 640
    assert (found.scenario.gpu, found.scenario.n_cards) == (Scenario().gpu, 16)
