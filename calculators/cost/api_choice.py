"""The API that a scenario is compared with, at the scenario's own prices and requests."""

from __future__ import annotations

import math
from functools import lru_cache

from calculators.cost.api import api_cost_usd
from calculators.scenario import Scenario
from calculators.specs import ApiPrice, ApiRates, Catalog, ModelSpec, PriceTier


def resolve_api(scenario: Scenario, catalog: Catalog, model: ModelSpec) -> ApiPrice | None:
    """The API's price list with the scenario's own prices put over it; None where unknown.

    Parameters
    ----------
    scenario : Scenario (`api`, `apiin`, `apiout`); without `api` the provider of the hosted model
        whose bill is in the middle, and where nobody serves it, of the nearest model in size
    catalog : Catalog
    model : ModelSpec that would be hosted

    Returns
    -------
    ApiPrice or None
    """
    id_ = scenario.api or middle_provider(scenario, catalog, model)
    price = catalog.api_prices.get(id_) if id_ else None
    if price is None:
        return None
    rates = _overridden(price.rates, price.rates, scenario)
    if rates is price.rates:
        return price
    batch = price.batch and _overridden(price.batch, price.rates, scenario)
    return price.model_copy(update={"rates": rates, "batch": batch, "origin": "custom"})


def middle_provider(scenario: Scenario, catalog: Catalog, model: ModelSpec) -> str | None:
    """The provider whose bill for the scenario's requests is in the middle (the lower of two).

    Parameters
    ----------
    scenario : Scenario
    catalog : Catalog
    model : ModelSpec; where nobody serves it, the served model nearest in size stands for it

    Returns
    -------
    str, `provider/model`, or None where no model of the catalog is served
    """
    ids = [id_ for id_ in model.api_ids if id_ in catalog.api_prices]
    if not ids:
        served = [
            m for m in catalog.models.values() if any(i in catalog.api_prices for i in m.api_ids)
        ]
        if not served:
            return None
        size = math.log(model.total_params)
        near = min(served, key=lambda m: (abs(math.log(m.total_params) - size), m.id))
        return middle_provider(scenario, catalog, near)
    return _middle(catalog, tuple(ids), *api_request(scenario).items())


@lru_cache(maxsize=1024)
def _middle(catalog: Catalog, ids: tuple[str, ...], *request: tuple[str, float]) -> str:
    costs = {i: float(api_cost_usd(catalog.api_prices[i], **dict(request))) for i in ids}
    paid = sorted((cost, i) for i, cost in costs.items() if cost > 0) or [(0.0, ids[0])]
    return paid[(len(paid) - 1) // 2][1]


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
