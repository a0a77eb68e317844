"""Scenario and catalog to the things that are priced: a deployment, a card cost, a price list."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calculators.cost.ownership import energy_kwh_month, owned_card_usd_month
from calculators.cost.rental import RentalRange, rental_range
from calculators.cost.traffic import peak_to_mean
from calculators.cost.traffic_profiles import weekly_profile
from calculators.custom import custom_accelerator, custom_format, custom_model
from calculators.scenario import Scenario
from calculators.specs import (
    AcceleratorSpec,
    ApiPrice,
    ApiRates,
    Catalog,
    Deployment,
    Parallelism,
    PriceTier,
)

SERVER_COST_KEY = "server_8x_h100_usd"
RESERVED_KEYS = {12: "reserved_discount_1y_frac", 36: "reserved_discount_3y_frac"}
SPOT_KEY = "spot_discount_frac"


@dataclass(frozen=True, slots=True)
class CardCost:
    """What one card costs a month, how that came about, and the range of quotes."""

    usd_month: float | None  # None: neither rent nor price is known
    usd_h: float | None  # over the hours of the month
    how: str
    quotes: RentalRange | None = None
    price_usd: float | None = None  # purchase with its share of the server


def resolve_deployment(scenario: Scenario, catalog: Catalog) -> Deployment:
    """The replica that a scenario describes, custom numbers put over catalog entries.

    Parameters
    ----------
    scenario : Scenario whose ids the catalog holds
    catalog : Catalog

    Returns
    -------
    Deployment
    """
    base = None if scenario.model == "custom" else catalog.models[scenario.model]
    engine = catalog.engines[scenario.engine]
    return Deployment(
        model=custom_model(base, scenario, catalog.asof),
        weights=custom_format(catalog.weight_formats[scenario.weight_format], scenario),
        cache=catalog.cache_formats[scenario.cache_format],
        accelerator=custom_accelerator(catalog.accelerators[scenario.gpu], scenario),
        engine=engine,
        parallelism=parallelism(scenario.n_cards, scenario.parallel, engine.split),
    )


def parallelism(n_cards: int, choice: str, split: str) -> Parallelism:
    """How a number of cards work on one replica, by the scenario's choice and the engine's kind.

    Parameters
    ----------
    n_cards : int, cards per replica
    choice : tensor, pipeline, expert or layer
    split : the engine's own kind; an engine that splits by layer does so whatever is chosen

    Returns
    -------
    Parallelism
    """
    if n_cards == 1:
        return Parallelism()
    if split == "layer" or choice == "layer":
        return Parallelism(pp=n_cards, layer_split=True)
    if choice == "pipeline":
        return Parallelism(pp=n_cards)
    if choice == "expert":
        return Parallelism(tp=n_cards, attention_dp=True, expert_parallel=True)
    return Parallelism(tp=n_cards)


def card_cost(scenario: Scenario, catalog: Catalog, card: AcceleratorSpec) -> CardCost:
    """What a card costs a month under the scenario's way to pay.

    Parameters
    ----------
    scenario : Scenario (`billing`, `rate`, `price`, `residual`, `kwh`, `pue`, `colo`, `term`)
    catalog : Catalog with quotes and discounts
    card : AcceleratorSpec

    Returns
    -------
    CardCost; `usd_month` is None where no quote, no price and no rate is known

    Notes
    -----
    Where nobody rents a card in the catalog but its price is known, it is counted as bought, and
    `how` says so.
    """
    if scenario.billing == "owned":
        return _owned(scenario, catalog, card)
    quotes = rental_range(catalog.rental_prices, card.id, "on-demand", catalog.asof)
    if scenario.rate_usd_h is not None:
        how = f"the scenario's rate, {scenario.billing}"
        return CardCost(
            scenario.rate_usd_h * scenario.hours_month, scenario.rate_usd_h, how, quotes
        )
    rate, how, quotes = _quoted(scenario, catalog, card, quotes)
    if rate is None:
        owned = _owned(scenario, catalog, card)
        return CardCost(
            owned.usd_month,
            owned.usd_h,
            f"no rent in the catalog; {owned.how}",
            None,
            owned.price_usd,
        )
    return CardCost(rate * scenario.hours_month, rate, how, quotes)


def _quoted(
    scenario: Scenario, catalog: Catalog, card: AcceleratorSpec, on_demand: RentalRange | None
) -> tuple[float | None, str, RentalRange | None]:
    if scenario.billing == "on-demand" or on_demand is None:
        how = f"median of {on_demand.n} on-demand quotes" if on_demand else "no quotes"
        return (on_demand and on_demand.median), how, on_demand
    long = scenario.term_months >= 36
    kind = "spot" if scenario.billing == "spot" else f"reserved-{3 if long else 1}y"
    quotes = rental_range(catalog.rental_prices, card.id, kind, catalog.asof)
    if quotes is not None:
        return quotes.median, f"median of {quotes.n} {kind} quotes", quotes
    key = SPOT_KEY if scenario.billing == "spot" else RESERVED_KEYS[36 if long else 12]
    cut = _middle(catalog, key)
    if scenario.billing == "reserved" and scenario.term_months < 12:
        cut, key = 0.0, "no discount under twelve months"
    how = f"on-demand median less {cut:.0%} ({key.replace('_', ' ')})"
    return on_demand.median * (1 - cut), how, on_demand


def _owned(scenario: Scenario, catalog: Catalog, card: AcceleratorSpec) -> CardCost:
    price = scenario.price_usd if scenario.price_usd is not None else card.price_usd
    if price is None:
        return CardCost(None, None, "neither rent nor purchase price is known")
    full = price * (1 + (0.0 if card.whole_machine else server_share_frac(catalog)))
    monthly = float(
        owned_card_usd_month(
            price_usd=full,
            residual_frac=scenario.residual_frac,
            horizon_months=scenario.horizon_months,
            energy_kwh=energy_kwh_month(
                power_w=card.power_w or 0.0, pue=scenario.pue, hours_month=scenario.hours_month
            ),
            energy_usd_kwh=scenario.energy_usd_kwh,
            power_w=card.power_w or 0.0,
            colocation_usd_kw=scenario.colocation_usd_kw,
        )
    )
    how = "bought: straight-line depreciation, energy at rated power, floor space"
    return CardCost(monthly, monthly / scenario.hours_month, how, None, full)


def server_share_frac(catalog: Catalog) -> float:
    """What the rest of a server adds to the price of its cards: server / (8 cards) - 1.

    Parameters
    ----------
    catalog : Catalog with `server_8x_h100_usd` and the purchase price of an H100

    Returns
    -------
    float, share of the card price; 0 where either figure is missing

    Notes
    -----
    One server type stands for all. Basis: estimate (grade C).
    """
    server = catalog.ownership.get(SERVER_COST_KEY)
    card = catalog.accelerators.get("h100-sxm")
    if server is None or card is None or not card.price_usd:
        return 0.0
    return max(0.0, _middle(catalog, SERVER_COST_KEY) / (8 * card.price_usd) - 1)


def _middle(catalog: Catalog, key: str) -> float:
    figure = catalog.ownership.get(key)
    if figure is None:
        return 0.0
    if figure.value is not None:
        return figure.value
    return ((figure.low or 0.0) + (figure.high or 0.0)) / 2


def resolve_api(scenario: Scenario, catalog: Catalog) -> ApiPrice | None:
    """The API's price list with the scenario's own prices put over it; None where unknown.

    Parameters
    ----------
    scenario : Scenario (`api`, `apiin`, `apiout`)
    catalog : Catalog

    Returns
    -------
    ApiPrice or None
    """
    price = catalog.api_prices.get(scenario.api)
    if price is None:
        return None
    rates = _overridden(price.rates, price.rates, scenario)
    if rates is price.rates:
        return price
    batch = price.batch and _overridden(price.batch, price.rates, scenario)
    return price.model_copy(update={"rates": rates, "batch": batch, "origin": "custom"})


def api_request(scenario: Scenario, *, ratio: float = 1.0) -> dict[str, float]:
    """Tokens of one request at the API, by what they are charged for.

    Parameters
    ----------
    scenario : Scenario (`in`, `out`, `cached`, `cachewrite`)
    ratio : API tokens per token of ours

    Returns
    -------
    dict of input_tok, cached_tok, cache_write_tok, output_tok; what is cached and what is
    written to the cache are parts of the input, so the written share is at most the rest
    """
    written_frac = min(scenario.cache_write_frac, 1 - scenario.cached_frac)
    return {
        "input_tok": scenario.input_tok * ratio,
        "cached_tok": scenario.input_tok * scenario.cached_frac * ratio,
        "cache_write_tok": scenario.input_tok * written_frac * ratio,
        "output_tok": scenario.output_tok * ratio,
    }


def _overridden(rates: ApiRates, listed: ApiRates, scenario: Scenario) -> ApiRates:
    """Rates moved to the scenario's prices; tiers, cache and batch keep their ratio to them."""
    changes: dict[str, tuple[PriceTier, ...]] = {}
    for wanted, names in (
        (scenario.api_input_usd_mtok, ("input", "cache_read", "cache_write")),
        (scenario.api_output_usd_mtok, ("output",)),
    ):
        if wanted is None:
            continue
        now = getattr(listed, names[0])
        if now and now[0].usd_mtok:
            ratio = wanted / now[0].usd_mtok
            changes |= {name: _times(getattr(rates, name), ratio) for name in names}
        else:
            changes |= dict.fromkeys(names, ())
            changes[names[0]] = (PriceTier(above_tok=0, usd_mtok=wanted),)
    return rates.model_copy(update=changes) if changes else rates


def _times(tiers: tuple[PriceTier, ...], ratio: float) -> tuple[PriceTier, ...]:
    return tuple(t.model_copy(update={"usd_mtok": t.usd_mtok * ratio}) for t in tiers)


def hourly_profile(scenario: Scenario) -> tuple[NDArray[np.float64], float]:
    """The week's demand by hour (mean 1) and its peak, stretched to the scenario's `peak`.

    Parameters
    ----------
    scenario : Scenario (`profile`, `peak`)

    Returns
    -------
    array (168,), mean 1, and the peak-to-mean ratio

    Examples
    --------
    >>> hourly, peak = hourly_profile(Scenario(profile="flat"))
    >>> hourly.shape, peak
    ((168,), 1.0)
    """
    hourly = weekly_profile(scenario.profile)
    own = float(peak_to_mean(hourly))
    if scenario.peak is None or abs(scenario.peak - own) < 1e-9:
        return hourly, own
    if own == 1.0:
        return hourly, scenario.peak
    stretched = np.maximum(1 + (hourly - 1) * (scenario.peak - 1) / (own - 1), 0.0)
    return stretched / stretched.mean(), scenario.peak
