"""Scenario and speed to what both bills are computed from."""

from __future__ import annotations

from calculators.cost.api import api_cost_usd
from calculators.cost.api_choice import api_request
from calculators.cost.bills import MoneyInputs
from calculators.cost.card_cost import CardCost
from calculators.performance import Performance
from calculators.resolve import hourly_profile
from calculators.scenario import PAID_BY_THE_HOUR, Scenario, autoscale_minutes
from calculators.specs import ApiPrice

SMALLEST_SHARE = 1e-9  # a smaller share of ourselves is none


def money_inputs(
    scenario: Scenario, performance: Performance, cost: CardCost, api: ApiPrice | None
) -> MoneyInputs:
    """What both bills depend on, from a scenario and the speed of its replica.

    Parameters
    ----------
    scenario : Scenario
    performance : Performance of its basis
    cost : CardCost
    api : ApiPrice or None

    Returns
    -------
    MoneyInputs of numbers

    Notes
    -----
    A duty cycle stands for the demand: then one replica (or the scenario's number) is taken, the
    demand is what it makes at that duty, and the peak is flattened to what it can carry.
    Reserved and bought cards are paid whether they run or not: autoscaling saves nothing there.
    """
    hourly, peak = hourly_profile(scenario)
    stoppable = scenario.billing in PAID_BY_THE_HOUR and cost.price_usd is None
    inputs = MoneyInputs(
        demand_mtok_month=scenario.demand_mtok,
        request_tok=scenario.input_tok + scenario.output_tok,
        capacity_req_s=performance.capacity_req_s,
        peak=peak,
        load_frac=scenario.load_frac,
        lost_frac=scenario.spot_interruption_frac if scenario.billing == "spot" else 0.0,
        hours_month=scenario.hours_month,
        n_replicas=scenario.n_replicas,
        n_spare=scenario.n_spare,
        n_cards=scenario.n_cards,
        card_usd_month=cost.usd_month or 0.0,
        upkeep_usd_month=scenario.upkeep_usd_month,
        build_usd_month=scenario.build_usd / scenario.horizon_months,
        network_usd_month=scenario.network_usd_month,
        api_usd_request=api_usd_request(scenario, api),
        api_usd_month=dedicated_usd_month(scenario),
        split_frac=scenario.split_frac,
        idle_minutes=autoscale_minutes(scenario.autoscale) if stoppable else None,
        start_minutes=scenario.start_minutes,
        hourly=hourly,
    )
    return inputs if scenario.duty_frac is None else _at_duty(inputs, scenario.duty_frac)


def _at_duty(inputs: MoneyInputs, duty_frac: float) -> MoneyInputs:
    n = inputs.n_replicas or 1
    load = max(inputs.load_frac, duty_frac)
    flat = inputs.with_(
        load_frac=load, lost_frac=0.0, peak=max(1.0, min(inputs.peak, load / duty_frac))
    )
    full = float(flat.with_(load_frac=1.0, peak=1.0).replica_mtok_month)
    served = n * full * duty_frac
    share = inputs.split_frac if inputs.split_frac > SMALLEST_SHARE else 1.0
    return flat.with_(demand_mtok_month=served / share)


def api_usd_request(scenario: Scenario, api: ApiPrice | None) -> float:
    """What the API asks for one of the scenario's requests [USD].

    Parameters
    ----------
    scenario : Scenario (`in`, `out`, `cached`, `cachewrite`, `apibatch`, `offpeak`, `apitok`)
    api : ApiPrice or None

    Returns
    -------
    float [USD]; 0 where no price is known, or endpoints are paid by the hour
    """
    if api is None or scenario.dedicated_usd_h is not None:
        return 0.0
    return float(
        api_cost_usd(
            api,
            **api_request(scenario, ratio=scenario.api_token_ratio),
            batch_frac=scenario.api_batch_frac,
            off_peak_frac=scenario.api_off_peak_frac,
        )
    )


def dedicated_usd_month(scenario: Scenario) -> float:
    """What dedicated endpoints of the API's provider cost a month; 0 where tokens are paid.

    endpoints x USD an hour x hours

    Parameters
    ----------
    scenario : Scenario (`dedicated`, `endpoints`, `hours`)

    Returns
    -------
    float [USD a month]

    Examples
    --------
    >>> dedicated_usd_month(Scenario(dedicated_usd_h=5.0, n_dedicated=2))
    7300.0
    """
    if scenario.dedicated_usd_h is None:
        return 0.0
    return scenario.n_dedicated * scenario.dedicated_usd_h * scenario.hours_month
