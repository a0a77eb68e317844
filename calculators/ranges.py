"""How far each input of the two bills may lie from its present value, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from calculators.cost.api import api_cost_usd
from calculators.cost.api_choice import api_request
from calculators.cost.rental import FEWEST_FOR_PERCENTILES
from calculators.evidence.sensitivity import Spread
from calculators.units import MEGA

if TYPE_CHECKING:
    from calculators.cost.rental import RentalRange
    from calculators.plan import Plan

DEMAND_FACTORS = (0.5, 2.0)
PEAK_FACTORS = (0.75, 1.5)
UPKEEP_FACTORS = (0.5, 2.0)
PRICE_FACTORS = (0.6, 1.4)  # purchase prices: no list price is published
API_FACTORS = (0.7, 1.3)
RENT_FACTORS = (0.7, 1.3)  # where a card has one quote or none
SPEED_FACTORS = (0.8, 1.25)  # where no error band is fitted


def spreads(plan: Plan) -> tuple[Spread, ...]:
    """The uncertain inputs of a plan with their 10th and 90th percentiles.

    Rent spans the quotes and API prices the price lists of this model (their lowest and highest
    where there are fewer than ten to take percentiles of); speed spans the error band of its engine
    class; demand, peak and upkeep span stated factors, for nobody else can know them.

    Parameters
    ----------
    plan : Plan

    Returns
    -------
    tuple of Spread; inputs whose present value is 0 are left out
    """
    found = (
        _card(plan),
        _spread(
            plan, "demand_mtok_month", "tokens", "Demand", "million tokens a month", DEMAND_FACTORS
        ),
        _spread(plan, "upkeep_usd_month", "upkeep", "Upkeep", "USD a month", UPKEEP_FACTORS),
        _api(plan),
        _speed(plan),
        _peak(plan),
    )
    return tuple(spread for spread in found if spread.now > 0)


def _spread(
    plan: Plan, field: str, key: str, label: str, unit: str, factors: tuple[float, float]
) -> Spread:
    now = float(getattr(plan.money, field))
    why = f"{factors[0]:g} to {factors[1]:g} times, an assumption"
    return Spread(field, key, label, unit, now, now * factors[0], now * factors[1], why)


def _card(plan: Plan) -> Spread:
    cost = plan.card_cost
    rented = plan.scenario.billing != "owned" and (cost.quotes or plan.scenario.rate_usd_h)
    if not rented:
        now = cost.usd_month or 0.0
        low, high = PRICE_FACTORS
        why = "purchase prices are not published: plus or minus 40 %"
        unit = "USD per card month"
        return Spread("card_usd_month", "price", "Card cost", unit, now, now * low, now * high, why)
    now, quotes = cost.usd_h or 0.0, cost.quotes
    low, high, why = _rent_range(quotes, plan, now)
    low, high = min(low, now), max(high, now)
    return Spread("card_usd_month", "rate", "Hourly rate", "USD per card hour", now, low, high, why)


def _rent_range(quotes: RentalRange | None, plan: Plan, now: float) -> tuple[float, float, str]:
    """The range of the hourly rate and which quotes it rests on, in words.

    A rate that is the quotes' median less a usual discount has their range less that discount.
    """
    if quotes is None or quotes.n < 2:
        said = "one quote" if quotes else "no quotes"
        low, high = (now * factor for factor in RENT_FACTORS)
        return (
            low,
            high,
            f"{said}: {RENT_FACTORS[0]:g} to {RENT_FACTORS[1]:g} times, an assumption",
        )
    scale = now / quotes.median if plan.scenario.rate_usd_h is None else 1.0
    low, high = quotes.p10 * scale, quotes.p90 * scale
    after = " less the discount" if abs(scale - 1) > 1e-9 else ""
    if not quotes.has_percentiles:
        return (
            low,
            high,
            f"lowest and highest of {quotes.n} quotes{after} (too few for percentiles)",
        )
    return low, high, f"one in ten of {quotes.n} quotes{after} is below, one in ten above"


def _api(plan: Plan) -> Spread:
    """The API's price of a million of the scenario's tokens, over the price lists of this model."""
    per_mtok = MEGA / plan.request_tok
    now = float(plan.money.api_usd_request) * per_mtok
    others = same_model_usd_mtok(plan)
    low, high, why = _list_range(others)
    low, high = min(low, now), max(high, now)
    if len(others) < 2 or low == high:
        low, high = now * API_FACTORS[0], now * API_FACTORS[1]
        why = f"{API_FACTORS[0]:g} to {API_FACTORS[1]:g} times, an assumption"
    return Spread(
        field="api_usd_request",
        key="apiin",
        label="API price",
        unit="USD per million tokens of this mix",
        now=now,
        low=low,
        high=high,
        why=why,
        scale=1 / per_mtok,
    )


def _list_range(usd_mtok: list[float]) -> tuple[float, float, str]:
    """The range of the prices of one model, and what it is of the lists, in words."""
    n = len(usd_mtok)
    if n >= FEWEST_FOR_PERCENTILES:
        low, high = np.quantile(usd_mtok, [0.1, 0.9])
        why = f"one in ten of {n} price lists of this model is below, one in ten above"
        return float(low), float(high), why
    why = f"lowest and highest of {n} price lists of this model (too few for percentiles)"
    return min(usd_mtok, default=np.inf), max(usd_mtok, default=0.0), why


def same_model_usd_mtok(plan: Plan) -> list[float]:
    """What each provider of the hosted model asks for a million tokens of the scenario's mix.

    Parameters
    ----------
    plan : Plan

    Returns
    -------
    list of float [USD per million tokens], empty where the model is not the API's
    """
    model = plan.deployment.model
    if plan.api is None or plan.api.id not in model.api_ids:
        return []
    scenario = plan.scenario
    prices = (
        plan.catalog.api_prices[id_] for id_ in model.api_ids if id_ in plan.catalog.api_prices
    )
    costs = (
        float(api_cost_usd(price, **api_request(scenario), batch_frac=scenario.api_batch_frac))
        for price in prices
    )
    return [cost * MEGA / plan.request_tok for cost in costs if cost > 0]


def _speed(plan: Plan) -> Spread:
    now = float(plan.money.capacity_req_s)
    band = plan.performance.rate_band_frac
    low, high = (1 / (1 + band), 1 + band) if band else SPEED_FACTORS
    why = "residuals of the engine class" if band else "no error band fitted: 0.8 to 1.25 times"
    return Spread(
        "capacity_req_s",
        "",
        "Speed of a replica",
        "requests/s",
        now,
        now * low,
        now * high,
        why,
    )


def _peak(plan: Plan) -> Spread:
    now = float(plan.money.peak)
    low, high = max(1.0, now * PEAK_FACTORS[0]), now * PEAK_FACTORS[1]
    why = f"{PEAK_FACTORS[0]:g} to {PEAK_FACTORS[1]:g} times, an assumption"
    return Spread("peak", "peak", "Peak to mean", "", now, low, high, why)
