"""The one place where calculators are chained: scenario and catalog to a plan."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

from calculators.cautions import cautions
from calculators.cost.api_choice import resolve_api
from calculators.cost.bills import Bills, MoneyInputs, bills
from calculators.cost.break_even import Crossing, crossings
from calculators.cost.card_cost import CardCost, card_cost
from calculators.evidence.sensitivity import MonteCarlo, Spread, monte_carlo
from calculators.fit.capacity import Fit, capacity
from calculators.money import money_inputs
from calculators.performance import (
    Performance,
    bound_performance,
    calibrated_performance,
    context_reserved,
)
from calculators.ranges import spreads
from calculators.resolve import resolve_deployment
from calculators.scenario import Scenario
from calculators.specs import ApiPrice, Catalog, Deployment
from calculators.units import MEGA


@dataclass(frozen=True)
class Plan:
    """A scenario priced: does it fit, how fast, what it costs, and which side wins.

    Fields are cheap; properties that search (crossings, flips, chance) are worked out when asked.
    """

    scenario: Scenario
    catalog: Catalog
    deployment: Deployment
    fit: Fit
    bound: Performance
    calibrated: Performance
    card_cost: CardCost
    api: ApiPrice | None
    money: MoneyInputs  # what both bills are computed from
    bills: Bills
    warnings: tuple[str, ...]

    @property
    def performance(self) -> Performance:
        """The performance of the scenario's basis."""
        return self.bound if self.scenario.basis == "bound" else self.calibrated

    @property
    def fits(self) -> bool:
        return self.performance.max_batch > 0 and (self.scenario.basis == "bound" or self.fit.fits)

    @property
    def speed_known(self) -> bool:
        """A card whose 16-bit rate no source gives has no speed."""
        return self.performance.batch > 0

    @property
    def request_tok(self) -> int:
        return self.scenario.input_tok + self.scenario.output_tok

    @property
    def demand_mtok_month(self) -> float:
        """The demand, derived where the scenario gives a duty cycle instead."""
        return float(self.money.demand_mtok_month)

    @property
    def self_host_usd_month(self) -> float:
        """The fleet's bill; nan where it does not fit, or speed or card cost is not known."""
        known = self.fits and self.speed_known and self.card_cost.usd_month is not None
        return float(self.bills.self_host_usd_month) if known else math.nan

    @property
    def api_usd_month(self) -> float:
        return float(self.bills.api_usd_month) if self.api is not None else math.nan

    @property
    def n_cards(self) -> int:
        """Cards of the whole fleet, spares included; 0 where it does not fit."""
        n = float(self.bills.n_replicas) * self.scenario.n_cards
        return int(n) if self.fits and math.isfinite(n) else 0

    @property
    def served_mtok_month(self) -> float:
        """Input and output tokens that the fleet itself serves."""
        own = self.demand_mtok_month * self.scenario.split_frac
        return min(own, float(self.bills.capacity_mtok_month))

    @cached_property
    def usd_per_mtok_total(self) -> float:
        """Hardware cost of a million tokens served, input and output together, at this duty."""
        if not self.fits or self.card_cost.usd_month is None or not self.served_mtok_month:
            return math.nan
        return float(self.bills.hardware_usd_month) / self.served_mtok_month

    @property
    def usd_per_mtok_output(self) -> float:
        """Hardware cost of a million output tokens, input counted as free, at this duty."""
        return self.usd_per_mtok_total * self.request_tok / self.scenario.output_tok

    @cached_property
    def highest_volume_mtok(self) -> float:
        """Volume up to which bills are compared: well past the demand and any crossing."""
        fixed = float(bills(self.money.with_(demand_mtok_month=1e-9)).self_host_usd_month)
        api_usd_mtok = float(self.money.api_usd_request) * MEGA / self.request_tok
        replica = float(self.money.replica_mtok_month)
        reach = 3 * fixed / api_usd_mtok if api_usd_mtok > 0 else 0.0
        return max(4 * self.demand_mtok_month, 12 * replica, min(reach, 400 * replica), 1.0)

    @cached_property
    def crossings(self) -> tuple[Crossing, ...]:
        """Volumes at which the cheaper side changes, up to `highest_volume_mtok`."""
        if not (math.isfinite(self.self_host_usd_month) and math.isfinite(self.api_usd_month)):
            return ()
        return crossings(self.money, up_to_mtok_month=self.highest_volume_mtok)

    @property
    def break_even_mtok_month(self) -> float | None:
        """The lowest volume from which self-hosting is cheaper; None where there is none."""
        above = [c for c in self.crossings if c.cheaper_above == "self-host"]
        return above[0].demand_mtok_month if above else None

    @cached_property
    def spreads(self) -> tuple[Spread, ...]:
        """The uncertain inputs with their ranges."""
        return spreads(self)

    @cached_property
    def chance(self) -> MonteCarlo | None:
        """Ten thousand plans with every uncertain input drawn; None where a bill is unknown."""
        if not (math.isfinite(self.self_host_usd_month) and math.isfinite(self.api_usd_month)):
            return None
        return monte_carlo(self.money, self.spreads, seed=self.scenario.seed)


def plan(scenario: Scenario, catalog: Catalog) -> Plan:
    """Price a scenario.

    Parameters
    ----------
    scenario : Scenario whose ids the catalog holds
    catalog : Catalog

    Returns
    -------
    Plan

    Notes
    -----
    Pure arithmetic, well under a millisecond: no search over other scenarios.
    """
    deployment = resolve_deployment(scenario, catalog)
    fit = capacity(
        deployment,
        context_tok=context_reserved(scenario),
        prefix_tok=scenario.prefix_tok,
        open_conversations=scenario.n_open,
    )
    bound = bound_performance(deployment, scenario)
    calibrated = calibrated_performance(deployment, scenario, fit)
    cost = card_cost(scenario, catalog, deployment.accelerator)
    api = resolve_api(scenario, catalog, deployment.model)
    performance = bound if scenario.basis == "bound" else calibrated
    money = money_inputs(scenario, performance, cost, api)
    result = Plan(
        scenario=scenario,
        catalog=catalog,
        deployment=deployment,
        fit=fit,
        bound=bound,
        calibrated=calibrated,
        card_cost=cost,
        api=api,
        money=money,
        bills=bills(money),
        warnings=(),
    )
    return replace(result, warnings=cautions(result))
