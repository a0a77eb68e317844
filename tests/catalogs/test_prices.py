"""Rental quotes, API lists and ownership figures as loaded."""

from datetime import date

import pytest

from calculators.cost.rental import rental_range
from catalogs.loader import FOLDER, load_catalog
from catalogs.yaml_reader import read_yaml

TODAY = date(2026, 11, 30)
CATALOG = load_catalog(asof=TODAY)


def test_every_quote_is_for_a_known_card_and_dated() -> None:
    for price in CATALOG.rental_prices:
        assert price.accelerator in CATALOG.accelerators
        assert price.seen <= TODAY
        assert price.source.title


@pytest.mark.parametrize(
    ("card", "provider", "kind", "day", "usd_h"),
    [
        ("h100-sxm", "RunPod Secure", "on-demand", date(2026, 11, 9), 3.99),
        ("h100-sxm", "AWS p5.48xlarge", "on-demand", date(2026, 11, 9), 55.04 / 8),
        ("h100-sxm", "CoreWeave", "spot", date(2026, 9, 20), 2.46),
        ("mi300x", "DigitalOcean", "on-demand", date(2026, 10, 8), 2.59),
        ("h100-sxm", "1-year contract (neocloud)", "reserved-1y", date(2026, 3, 1), 2.35),
    ],
)
def test_quotes_as_published(card: str, provider: str, kind: str, day: date, usd_h: float) -> None:
    found = [
        price.usd_h
        for price in CATALOG.rental_prices
        if (price.accelerator, price.provider, price.kind, price.seen)
        == (card, provider, kind, day)
    ]
    assert found == [pytest.approx(usd_h)]


def test_the_median_rent_of_an_h100_is_near_four_dollars() -> None:
    found = rental_range(CATALOG.rental_prices, "h100-sxm", "on-demand", TODAY)
    assert found is not None
    assert (found.low, found.high) == (2.4024, 12.29)
    assert 3.6 <= found.median <= 4.1
    assert found.newest == date(2026, 11, 9)


def test_an_earlier_day_knows_fewer_quotes() -> None:
    earlier = load_catalog(asof=date(2026, 8, 1))
    assert 0 < len(earlier.rental_prices) < len(CATALOG.rental_prices)
    assert max(price.seen for price in earlier.rental_prices) <= date(2026, 8, 1)


def test_spot_discounts_follow_from_the_quotes_that_they_cite() -> None:
    figures = CATALOG.ownership
    azure = figures["spot_discount_azure_h100_frac"].value
    coreweave = figures["spot_discount_coreweave_h100_frac"].value
    assert azure == pytest.approx(1 - 2.2712 / 12.29, abs=5e-4)
    assert coreweave == pytest.approx(1 - 2.46 / 6.155, abs=5e-3)


def test_purchase_prices_agree_between_cards_and_figures() -> None:
    for key, card in (
        ("price_h100_sxm_usd", "h100-sxm"),
        ("price_b300_usd", "b300"),
        ("price_mi300x_usd", "mi300x"),
        ("price_l40s_usd", "l40s"),
        ("price_rtx_6000_ada_usd", "rtx-6000-ada"),
    ):
        assert CATALOG.ownership[key].value == CATALOG.accelerators[card].price_usd
    h200 = CATALOG.ownership["price_h200_sxm_usd"]
    assert (h200.low, h200.high) == (32_000, 40_000)


def test_every_price_list_of_a_model_exists() -> None:
    for model in CATALOG.models.values():
        unknown = [key for key in model.api_ids if key not in CATALOG.api_prices]
        assert not unknown, f"{model.id}: {unknown}"


def test_the_table_of_open_models_names_price_lists_that_exist_and_no_list_twice() -> None:
    text = (FOLDER / "model_api.yaml").read_text("utf-8")
    table = read_yaml(text, "model_api.yaml")["models"]
    ids = [key for lists in table.values() for key in lists["ids"]]
    assert len(table) >= 40
    assert not [key for key in ids if key not in CATALOG.api_prices]
    assert len(ids) == len(set(ids))


def test_the_default_model_is_sold_by_many() -> None:
    assert "groq/llama-3.3-70b-versatile" in CATALOG.models["llama-3.3-70b"].api_ids
    assert len(CATALOG.models["llama-3.3-70b"].api_ids) >= 10


@pytest.mark.parametrize(
    ("key", "usd_in", "usd_out"),
    [
        ("openai/gpt-5", 1.25, 10.0),
        ("openai/gpt-4o", 2.5, 10.0),
        ("anthropic/claude-sonnet-4-5", 3.0, 15.0),
        ("google/gemini-2.5-pro", 1.25, 10.0),
        ("groq/openai/gpt-oss-120b", 0.15, 0.6),
        ("cerebras/gpt-oss-120b", 0.35, 0.75),
        ("zai/GLM-5", 1.0, 3.2),
    ],
)
def test_prices_that_a_second_list_confirms(key: str, usd_in: float, usd_out: float) -> None:
    rates = CATALOG.api_prices[key].rates
    assert rates.input[0].usd_mtok == pytest.approx(usd_in)
    assert rates.output[0].usd_mtok == pytest.approx(usd_out)


def test_the_list_shows_its_release_day_and_says_what_it_is() -> None:
    price = CATALOG.api_prices["openai/gpt-5"]
    assert price.listed <= date.today()
    assert "released" in price.source.title or "release day unknown" in price.source.title


def test_a_price_that_starts_later_is_not_used_before() -> None:
    key = "anthropic/claude-sonnet-4-6"  # the dearer tier above 200,000 tokens ended on that day
    before = load_catalog(asof=date(2026, 3, 12)).api_prices[key]
    after = load_catalog(asof=date(2026, 3, 13)).api_prices[key]
    assert [(tier.above_tok, tier.usd_mtok) for tier in before.rates.input] == [(0, 3), (200000, 6)]
    assert [(tier.above_tok, tier.usd_mtok) for tier in after.rates.input] == [(0, 3)]


def test_hours_of_the_day() -> None:
    price = CATALOG.api_prices["deepseek/deepseek-chat"]
    assert price.off_peak is not None
    assert price.off_peak_note == "cheaper 16:30-00:30 UTC"
    assert price.off_peak.output[0].usd_mtok < price.rates.output[0].usd_mtok
