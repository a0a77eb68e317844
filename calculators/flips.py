"""The inputs that would turn the answer in money, and to which value."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from calculators.cost.bills import MoneyInputs
from calculators.cost.break_even import flip_value
from calculators.evidence.sensitivity import Spread, difference_usd_month, with_value
from calculators.money import money_inputs
from calculators.plan import Plan
from calculators.scenario import FIELDS
from calculators.scenario_fields import format_number

_SEARCH = 1000.0  # values from a thousandth to a thousand times the present one


@dataclass(frozen=True, slots=True)
class Flip:
    """The value of one input at which the answer in money turns, all else equal."""

    key: str
    label: str
    unit: str
    now: float
    value: float
    changes: dict[str, str]  # link keys and texts that turn the verdict when put in

    @property
    def factor(self) -> float:
        """Value over present value."""
        return self.value / self.now if self.now else math.inf


def flips(plan: Plan) -> tuple[Flip, ...]:
    """Inputs that would turn the cheaper side, nearest first (in ratio to the present value).

    Parameters
    ----------
    plan : Plan with both bills known

    Returns
    -------
    tuple of Flip; putting `changes` into the link turns the answer; values that no link takes
    (a price below nothing, or beyond the limits of its field) are left out
    """
    if not (math.isfinite(plan.self_host_usd_month) and math.isfinite(plan.api_usd_month)):
        return ()
    found = []
    for spread in plan.spreads:
        if not spread.key or (spread.key == "peak" and plan.scenario.duty_frac is not None):
            continue
        value = _flip_value(_base(plan, spread), spread)
        if value is None:
            continue
        changes = _changes(plan, spread, value)
        if changes and _allowed(changes):
            found.append(Flip(spread.key, spread.label, spread.unit, spread.now, value, changes))
    return tuple(sorted(found, key=lambda flip: abs(math.log(max(flip.factor, 1e-12)))))


def _allowed(changes: dict[str, str]) -> bool:
    """Whether a link takes these values; no other value can turn the answer there."""
    limits = {spec.key: spec for spec in FIELDS.values()}
    return all(
        limits[key].low <= float(text) <= limits[key].high for key, text in changes.items() if text
    )


def _base(plan: Plan, spread: Spread) -> MoneyInputs:
    if spread.key != "tokens" or plan.scenario.duty_frac is None:
        return plan.money
    free = replace(plan.scenario, duty_frac=None)
    return money_inputs(free, plan.performance, plan.card_cost, plan.api)


def _flip_value(money: MoneyInputs, spread: Spread) -> float | None:
    low, high = spread.now / _SEARCH, spread.now * _SEARCH
    if spread.key == "peak":
        low, high = 1.0, 1000.0
    return flip_value(
        lambda values: np.asarray(difference_usd_month(with_value(money, spread, values))),
        now=spread.now,
        low=low,
        high=high,
    )


def _changes(plan: Plan, spread: Spread, value: float) -> dict[str, str]:
    """Link keys that put a flip value in; API prices move together, a purchase price by itself."""
    if spread.key == "tokens":
        return {"tokens": format_number(value), "duty": ""}
    if spread.key == "apiin" and plan.api is not None:
        factor, rates = value / spread.now, plan.api.rates
        return {
            "apiin": format_number(rates.input[0].usd_mtok * factor),
            "apiout": format_number(rates.output[0].usd_mtok * factor),
        }
    if spread.key == "price":
        return _price_change(plan, value)
    return {spread.key: format_number(value)}


def _price_change(plan: Plan, value: float) -> dict[str, str]:
    """The card price that makes its monthly cost `value`; empty where no price can."""
    cost, scenario = plan.card_cost, plan.scenario
    if cost.price_usd is None or cost.usd_month is None:
        return {}
    bought = cost.price_usd * (1 - scenario.residual_frac) / scenario.horizon_months
    rest = cost.usd_month - bought
    now = scenario.price_usd or plan.deployment.accelerator.price_usd
    if not bought or not now or value < rest:
        return {}
    return {"price": format_number(now * (value - rest) / bought)}
