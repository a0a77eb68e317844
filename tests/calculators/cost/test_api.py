"""API bills against the price package's own calculation and against sums by hand."""

import warnings
from datetime import UTC, date, datetime

import numpy as np
import pytest
from genai_prices import types
from genai_prices.data import providers
from hypothesis import given
from hypothesis import strategies as st

from calculators.cost.api import api_cost_notes, api_cost_usd, tier_usd_mtok
from calculators.specs import ApiPrice, ApiRates, PriceTier, Source
from catalogs.loader import load_catalog

DAY = date(2026, 11, 30)
PRICES = load_catalog(asof=DAY).api_prices
MIXES = ((1000, 0, 0, 500), (150_000, 100_000, 10_000, 4000), (1_500_000, 600_000, 0, 1))


def one(usd_mtok: float) -> tuple[PriceTier, ...]:
    return (PriceTier(above_tok=0, usd_mtok=usd_mtok),)


def price_of(**changes: object) -> ApiPrice:
    source = Source(title="price sheet", checked=DAY)
    fields = {"provider": "p", "provider_name": "P", "model": "m", "name": "M", "listed": DAY}
    rates = ApiRates(input=one(2), output=one(8), cache_read=one(0.2), cache_write=one(2.5))
    return ApiPrice(**({"id": "p/m", "rates": rates, "source": source} | fields | changes))


def package_usd(model: types.ModelInfo, provider: types.Provider, mix: tuple[int, ...]) -> float:
    prompt, cached, written, output = mix
    usage = types.Usage(
        input_tokens=prompt,
        cache_read_tokens=cached,
        cache_write_tokens=written,
        output_tokens=output,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        noon = datetime(2026, 11, 30, 2, tzinfo=UTC)
        total = model.calc_price(usage, provider, genai_request_timestamp=noon).total_price
    fee = model.get_prices(noon).__dict__.get("requests_kcount")
    return float(total) - (float(getattr(fee, "base", fee)) / 1000 if fee is not None else 0.0)


@pytest.mark.parametrize("provider", providers, ids=lambda provider: provider.id)
def test_bills_agree_with_the_price_package(provider: types.Provider) -> None:
    for model in provider.models:
        price = PRICES.get(f"{provider.id}/{model.id}")
        if price is None:
            continue
        for mix in MIXES:
            prompt, cached, written, output = mix
            usd = api_cost_usd(
                price,
                input_tok=prompt,
                cached_tok=cached,
                cache_write_tok=written,
                output_tok=output,
            )
            assert float(usd) == pytest.approx(package_usd(model, provider, mix), abs=1e-9), (
                model.id
            )


def test_batch_prices_agree_with_the_price_package() -> None:
    seen = 0
    at = datetime(2026, 11, 30, 12, tzinfo=UTC)
    for provider in providers:
        for model in provider.models:
            price = PRICES.get(f"{provider.id}/{model.id}")
            if price is None or price.batch is None:
                continue
            usage = types.Usage(input_tokens=3000, output_tokens=700)
            expected = model.calc_price(
                usage,
                provider,
                genai_request_timestamp=at,
                price_context={"processing": "batch"},
            ).total_price
            usd = api_cost_usd(price, input_tok=3000, output_tok=700, batch_frac=1.0)
            assert float(usd) == pytest.approx(float(expected), abs=1e-9), price.id
            seen += 1
    assert seen > 50


def test_a_bill_by_hand() -> None:
    # 600 fresh x 2 + 300 cached x 0.2 + 100 written x 2.5 + 500 out x 8 = 5,510 per million
    usd = api_cost_usd(
        price_of(),
        input_tok=1000,
        cached_tok=300,
        cache_write_tok=100,
        output_tok=500,
        requests=10_000,
    )
    assert float(usd) == pytest.approx(55.10)


def test_cached_tokens_without_a_price_cost_as_other_input() -> None:
    price = price_of(rates=ApiRates(input=one(2), output=one(8)))
    with_cache = api_cost_usd(price, input_tok=1000, cached_tok=900, output_tok=10)
    without = api_cost_usd(price, input_tok=1000, output_tok=10)
    assert float(with_cache) == float(without)
    assert any("cached input" in note for note in api_cost_notes(price, cached=True))
    assert not api_cost_notes(price_of(), cached=True, cache_write=True)


def test_batch_is_cheaper_only_where_the_list_says_so() -> None:
    half = price_of(batch=ApiRates(input=one(1), output=one(4)))
    tokens = {"input_tok": 1000, "output_tok": 100}
    assert float(api_cost_usd(half, batch_frac=0.5, **tokens)) == pytest.approx(0.0021)
    assert float(api_cost_usd(price_of(), batch_frac=0.5, **tokens)) == pytest.approx(0.0028)
    assert any("batch" in note for note in api_cost_notes(price_of(), batch=True))


def test_cheap_hours() -> None:
    price = price_of(off_peak=ApiRates(input=one(1), output=one(2)), off_peak_note="at night")
    usd = api_cost_usd(price, input_tok=1_000_000, output_tok=0, off_peak_frac=0.25)
    assert float(usd) == pytest.approx(0.75 * 2 + 0.25 * 1)
    assert any("at night" in note for note in api_cost_notes(price))


def test_a_crossed_tier_prices_the_whole_request() -> None:
    steps = (PriceTier(above_tok=0, usd_mtok=3), PriceTier(above_tok=200_000, usd_mtok=6))
    price = price_of(rates=ApiRates(input=steps, output=one(0)))
    usd = api_cost_usd(price, input_tok=np.array([200_000, 200_001]), output_tok=0)
    assert usd == pytest.approx([0.6, 1.200006])


def test_arrays_broadcast() -> None:
    grid = api_cost_usd(
        price_of(),
        input_tok=np.arange(4)[:, None] * 1000,
        output_tok=np.arange(3)[None, :] * 100,
        requests=2,
    )
    assert grid.shape == (4, 3)
    assert float(grid[2, 1]) == pytest.approx(2 * (2000 * 2 + 100 * 8) / 1e6)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"input_tok": -1}, "input_tok is -1"),
        ({"cached_tok": 800, "cache_write_tok": 300}, "at most input_tok"),
        ({"batch_frac": 1.5}, "batch_frac"),
        ({"off_peak_frac": float("nan")}, "off_peak_frac"),
        ({"output_tok": float("nan")}, "output_tok"),
    ],
)
def test_impossible_counts_are_named(changes: dict[str, float], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        api_cost_usd(price_of(), **({"input_tok": 1000, "output_tok": 10} | changes))


@given(
    prompt=st.integers(0, 2_000_000),
    share=st.floats(0, 1),
    output=st.integers(0, 100_000),
    key=st.sampled_from(sorted(PRICES)[::29]),
)
def test_a_bill_rises_with_output_and_scales_with_requests(
    prompt: int, share: float, output: int, key: str
) -> None:
    tokens = {"input_tok": prompt, "cached_tok": prompt * share}
    usd = float(api_cost_usd(PRICES[key], output_tok=output, **tokens))
    more = float(api_cost_usd(PRICES[key], output_tok=output + 1, **tokens))
    many = float(api_cost_usd(PRICES[key], output_tok=output, requests=1000, **tokens))
    assert 0 <= usd <= more
    assert many == pytest.approx(1000 * usd)


def test_no_tiers_is_free() -> None:
    assert tier_usd_mtok((), prompt_tok=[1, 2]).tolist() == [0, 0]
