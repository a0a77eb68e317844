"""Several API price lists at the scenario's own requests, side by side."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from calculators.cost.replicas import requests_per_month
from calculators.money import api_usd_request
from calculators.plan import Plan
from calculators.specs import ApiPrice
from calculators.units import MEGA


@dataclass(frozen=True, slots=True)
class ApiOffer:
    """What one provider asks for the scenario's demand."""

    price: ApiPrice
    usd_month: float
    usd_mtok: float  # of the scenario's mix of input and output
    same_model: bool  # the model that would be hosted


def api_offers(plan: Plan, ids: Iterable[str]) -> tuple[ApiOffer, ...]:
    """The bill of each price list at the scenario's mix, cheapest first.

    Parameters
    ----------
    plan : Plan
    ids : `provider/model` of the catalog; unknown ones are left out

    Returns
    -------
    tuple of ApiOffer

    Notes
    -----
    Cached, written and batched shares count where a list has such a price. The scenario's own
    price override counts only for its own API model.
    """
    scenario = plan.scenario
    requests = float(
        requests_per_month(demand_mtok_month=plan.demand_mtok_month, request_tok=plan.request_tok)
    )
    found = []
    for id_ in dict.fromkeys(ids):
        own = plan.api is not None and id_ == plan.api.id
        price = plan.api if own else plan.catalog.api_prices.get(id_)
        if price is None:
            continue
        each = api_usd_request(replace(scenario, api=id_), price)
        found.append(
            ApiOffer(
                price=price,
                usd_month=each * requests,
                usd_mtok=each * MEGA / plan.request_tok,
                same_model=id_ in plan.deployment.model.api_ids,
            )
        )
    return tuple(sorted(found, key=lambda offer: offer.usd_month))


def usual_ids(plan: Plan) -> tuple[str, ...]:
    """The scenario's API and every other provider of the hosted model.

    Parameters
    ----------
    plan : Plan

    Returns
    -------
    tuple of `provider/model`
    """
    own = [plan.api.id] if plan.api else []
    ids = dict.fromkeys([*own, *plan.deployment.model.api_ids])
    return tuple(id_ for id_ in ids if id_ in plan.catalog.api_prices)
