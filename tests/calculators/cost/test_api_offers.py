"""Several price lists at the same requests; the price override; the middle provider."""

import pytest

from calculators.cost.api_choice import api_request, middle_provider, resolve_api
from calculators.cost.api_offers import api_offers, usual_ids
from calculators.plan import plan
from calculators.scenario import Scenario
from calculators.specs import ApiRates, PriceTier
from tests.worlds import API_ID, api, model, small_catalog

TWO = small_catalog(
    api_prices={API_ID: api(), "x/other": api(0.1, 5.0, id="x/other")},
)


def test_offers_by_hand_cheapest_first():
    base = plan(Scenario(api=API_ID), TWO)
    first, second = api_offers(base, [API_ID, "x/other", "no/such"])
    # 85,714 requests of 3,000 in and 500 out: 0.0028 USD against 0.00308 USD
    assert (first.price.id, second.price.id) == ("x/other", API_ID)
    assert first.usd_month == pytest.approx(300e6 / 3500 * 0.0028)
    assert second.usd_month == pytest.approx(264.0)
    assert (first.same_model, second.same_model) == (False, True)
    assert usual_ids(base) == (API_ID,)


def test_cached_and_written_input_are_parts_of_the_input():
    request = api_request(Scenario(cached_frac=0.75, cache_write_frac=0.5), ratio=2.0)
    assert request == {
        "input_tok": 6000.0,
        "cached_tok": 4500.0,
        "cache_write_tok": 1500.0,
        "output_tok": 1000.0,
    }


def test_an_override_moves_tiers_cache_and_batch_in_ratio():
    tiered = api().model_copy(
        update={
            "rates": ApiRates(
                input=(
                    PriceTier(above_tok=0, usd_mtok=1.0),
                    PriceTier(above_tok=100, usd_mtok=2.0),
                ),
                cache_read=(PriceTier(above_tok=0, usd_mtok=0.1),),
                output=(PriceTier(above_tok=0, usd_mtok=4.0),),
            ),
            "batch": ApiRates(
                input=(PriceTier(above_tok=0, usd_mtok=0.5),),
                output=(PriceTier(above_tok=0, usd_mtok=2.0),),
            ),
        }
    )
    catalog = small_catalog(api_prices={API_ID: tiered})
    moved = resolve_api(
        Scenario(api=API_ID, api_input_usd_mtok=3.0, api_output_usd_mtok=2.0), catalog, model()
    )
    assert [tier.usd_mtok for tier in moved.rates.input] == [3.0, 6.0]
    assert moved.rates.cache_read[0].usd_mtok == pytest.approx(0.3)
    assert moved.rates.output[0].usd_mtok == 2.0
    assert moved.batch.input[0].usd_mtok == 1.5
    assert moved.batch.output[0].usd_mtok == 1.0
    assert moved.origin == "custom"


def test_a_model_that_nobody_serves_is_compared_with_the_nearest_in_size():
    lonely = model(id="lonely", api_ids=())
    catalog = small_catalog(models={"llama-3.3-70b": model(), "lonely": lonely})
    assert middle_provider(Scenario(model="lonely"), catalog, lonely) == API_ID
