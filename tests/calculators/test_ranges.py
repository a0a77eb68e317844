"""The ranges of hourly rate and API prices: percentiles, few quotes, one, a usual discount."""

import pytest

from calculators.link import from_query
from calculators.plan import plan
from tests.worlds import api, model, quote, small_catalog

CARD = quote(1).accelerator


def rate_spread(rates: list[float], query: str = ""):
    quotes = tuple(quote(rate, f"p{i}") for i, rate in enumerate(rates))
    catalog = small_catalog(rental_prices=quotes)
    scenario, _ = from_query(f"gpu={CARD}&{query}", catalog)
    return next(s for s in plan(scenario, catalog).spreads if s.key == "rate")


def test_many_quotes_give_their_percentiles():
    spread = rate_spread([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 50])
    assert (spread.low, spread.now, spread.high) == pytest.approx((2, 6, 10))
    assert "one in ten of 11 quotes" in spread.why


def test_few_quotes_give_the_lowest_and_the_highest_and_say_so():
    spread = rate_spread([2, 3, 7])
    assert (spread.low, spread.now, spread.high) == (2, 3, 7)
    assert "lowest and highest of 3 quotes" in spread.why


def test_one_quote_is_not_certainty():
    spread = rate_spread([2.0])
    assert (spread.low, spread.high) == pytest.approx((1.4, 2.6))
    assert "assumption" in spread.why


def test_a_rate_of_ones_own_keeps_the_range_of_the_quotes_around_it():
    spread = rate_spread([2, 3, 7], "rate=9")
    assert (spread.low, spread.now, spread.high) == (2, 9, 9)


def test_a_rate_of_ones_own_for_a_card_without_quotes_is_a_rate_and_not_a_purchase():
    spread = rate_spread([], "rate=4")
    assert (spread.low, spread.now, spread.high) == pytest.approx((2.8, 4, 5.2))
    assert spread.why.startswith("no quotes")


def api_spread(prices: list[float]):
    lists = {f"p/m{i}": api(price, price, id=f"p/m{i}") for i, price in enumerate(prices)}
    hosted = model(api_ids=tuple(lists))
    catalog = small_catalog(api_prices=lists, models={hosted.id: hosted})
    scenario, _ = from_query("api=p/m1", catalog)
    return next(s for s in plan(scenario, catalog).spreads if s.key == "apiin")


def test_many_price_lists_give_their_percentiles():
    spread = api_spread([1, 5, 2, 3, 4, 6, 7, 8, 9, 10, 50])
    assert (spread.low, spread.now, spread.high) == pytest.approx((2, 5, 10))
    assert "one in ten of 11 price lists" in spread.why


def test_few_price_lists_give_the_lowest_and_the_highest_and_say_so():
    spread = api_spread([2, 3, 7])
    assert (spread.low, spread.now, spread.high) == pytest.approx((2, 3, 7))
    assert "lowest and highest of 3 price lists" in spread.why
