"""Both monthly bills and what they are made of."""

from __future__ import annotations

from app.derivations.derivation import (
    API_PRICE,
    CARD,
    DEPLOYMENT,
    RENT,
    Derivation,
    cards_text,
    derived,
    precise,
    replicas_text,
    share,
)
from app.derivations.derivation import amount as a
from app.formatting import number, percent, quantity, usd
from calculators.cost.api import api_cost_usd, tier_usd_mtok
from calculators.cost.api_choice import api_request
from calculators.cost.bills import bills
from calculators.cost.card_cost import card_cost
from calculators.cost.ownership import energy_kwh_month, owned_card_usd_month
from calculators.cost.replicas import (
    paid_replicas,
    replica_capacity_mtok_month,
    replicas_needed,
    requests_per_month,
)
from calculators.plan import Plan
from calculators.specs import ApiRates


def self_hosting(plan: Plan, name: str = "Self-hosting, a month") -> Derivation:
    """The fleet's bill."""
    money, both = plan.money, plan.bills
    return derived(
        name,
        "Every card that is paid for, the people who run it, and what the API still serves.",
        f"{replicas_text(both.n_paid_replicas)} x {cards_text(money.n_cards)} x "
        f"{a(money.card_usd_month)} USD a card + {a(money.upkeep_usd_month)} USD upkeep + "
        f"{a(money.build_usd_month)} USD build + {a(money.network_usd_month)} USD network + "
        f"{a(both.burst_usd_month)} USD left to the API = "
        f"{usd(plan.self_host_usd_month, 'month')}",
        plan.performance.basis,
        bills,
        (RENT, *DEPLOYMENT),
        known=plan.self_host_usd_month,
    )


def card_month(plan: Plan) -> Derivation:
    """What a card costs a month under the scenario's way to pay."""
    scenario, cost = plan.scenario, plan.card_cost
    name, known = "Cost of a card, a month", cost.usd_month or float("nan")
    if cost.price_usd is None:
        formula = f"{a(cost.usd_h or 0)} USD an hour x {a(scenario.hours_month)} hours"
        formula = f"{formula} = {usd(cost.usd_month, 'month')}"
        why = f"The hourly rate ({cost.how}) for every hour of the month, used or not."
        return derived(name, why, formula, "price list", card_cost, (RENT,), known=known)
    watts = plan.deployment.accelerator.power_w or 0.0
    energy = energy_kwh_month(power_w=watts, pue=scenario.pue, hours_month=scenario.hours_month)
    formula = (
        f"{a(cost.price_usd)} USD x (1 - {share(scenario.residual_frac)}) / "
        f"{scenario.horizon_months} months + {a(energy)} kWh x {a(scenario.energy_usd_kwh)} USD + "
        f"{a(watts / 1000)} kW x {a(scenario.colocation_usd_kw)} USD = "
        f"{usd(cost.usd_month, 'month')}"
    )
    why = "A bought card: what it loses in value, its electricity and its floor space."
    return derived(name, why, formula, "price list", owned_card_usd_month, (CARD,), known=known)


def replicas(plan: Plan) -> Derivation:
    """How many replicas run, and why."""
    scenario, money, both = plan.scenario, plan.money, plan.bills
    own = float(money.demand_mtok_month) * float(money.split_frac)
    running = replicas_text(both.n_replicas)
    if scenario.n_replicas:
        formula = f"{replicas_text(scenario.n_replicas)} set + {scenario.n_spare} spare = {running}"
        why = "The scenario sets their number."
    else:
        formula = (
            f"max(1 ; ceil({precise(own)} / {precise(float(money.replica_mtok_month))})) + "
            f"{scenario.n_spare} spare = {running}"
        )
        why = (
            "The demand over what one replica carries, both in million tokens a month, in whole "
            "replicas, at least one."
        )
    follows = scenario.autoscale != "off"
    if follows:
        why += f" They follow the hours of the week: {number(both.n_paid_replicas)} are paid for."
    function = paid_replicas if follows else replicas_needed
    known = float(both.n_replicas) if plan.fits and own > 0 else float("nan")
    return derived(
        "Replicas", why, formula, plan.performance.basis, function, DEPLOYMENT, known=known
    )


def replica_carries(plan: Plan, name: str = "A replica carries") -> Derivation:
    """The demand that one replica carries."""
    money = plan.money
    return derived(
        name,
        "Requests of a full replica over the month; its peak hour may fill only the planned share "
        "of its speed, and the other hours are quieter than the peak.",
        f"{a(money.capacity_req_s)} requests a second x {a(money.request_tok)} tokens x "
        f"{a(money.hours_month)} hours x 3,600 seconds x {share(money.load_frac)} load x "
        f"(1 - {share(money.lost_frac)} lost) / {a(money.peak)} peak / 1,000,000 = "
        f"{quantity(float(money.replica_mtok_month), 'million tokens')}",
        plan.performance.basis,
        replica_capacity_mtok_month,
        DEPLOYMENT,
        known=float(money.replica_mtok_month) or float("nan"),
    )


def duty(plan: Plan) -> Derivation:
    """The share of the paid time in which the fleet works."""
    money, both = plan.money, plan.bills
    own = float(money.demand_mtok_month) * float(money.split_frac)
    n = float(both.n_replicas) - (plan.scenario.n_spare if float(both.n_replicas) > 0 else 0)
    frac = float(both.duty_frac)
    return derived(
        "Duty cycle",
        "The demand over what the serving replicas could do if they never rested.",
        f"{a(own)} million tokens / ({replicas_text(n)} x "
        f"{a(float(money.replica_mtok_month))} million x {a(money.peak)} peak / "
        f"{share(money.load_frac)} load) = {percent(frac)}",
        plan.performance.basis,
        bills,
        DEPLOYMENT,
        known=frac if plan.fits and frac > 0 else float("nan"),
    )


def api(plan: Plan, name: str = "API, a month") -> Derivation:
    """The API's bill for the whole demand."""
    money = plan.money
    per_month = float(
        requests_per_month(demand_mtok_month=money.demand_mtok_month, request_tok=money.request_tok)
    )
    return derived(
        name,
        "Each request of the month at the price of one request; nothing is paid for idle time.",
        f"{a(money.demand_mtok_month)} x 1,000,000 tokens / {a(money.request_tok)} tokens a "
        f"request = {a(per_month)} requests\n"
        f"{a(per_month)} requests x {a(money.api_usd_request)} USD a request = "
        f"{usd(plan.api_usd_month, 'month')}",
        "price list",
        api_cost_usd,
        (API_PRICE,),
        known=plan.api_usd_month,
    )


def api_request_price(plan: Plan) -> Derivation:
    """What the API asks for one of the scenario's requests."""
    scenario, price = plan.scenario, plan.api
    name = "API price of one request"
    if price is None:
        return derived(name, "No price list is known.", "", "price list", api_cost_usd)
    batch_frac = scenario.api_batch_frac
    body = _request_formula(price.rates, plan)
    if batch_frac:
        cheap = _request_formula(price.batch or price.rates, plan)
        body = f"(1 - {share(batch_frac)}) x {body} + {share(batch_frac)} x {cheap}"
    return derived(
        name,
        "Fresh input, input read from and written to the provider's cache, and output, each at "
        "its list price a million tokens"
        + (", the share sent as batch at batch prices." if batch_frac else "."),
        f"{body} = {usd(float(plan.money.api_usd_request))}",
        "price list",
        api_cost_usd,
        (API_PRICE,),
    )


def _request_formula(rates: ApiRates, plan: Plan) -> str:
    tokens = api_request(plan.scenario, ratio=plan.scenario.api_token_ratio)
    prompt = tokens["input_tok"]
    fresh = prompt - tokens["cached_tok"] - tokens["cache_write_tok"]
    parts = (
        (fresh, rates.input, "input"),
        (tokens["cached_tok"], rates.cache_read or rates.input, "cached"),
        (tokens["cache_write_tok"], rates.cache_write or rates.input, "written"),
        (tokens["output_tok"], rates.output, "output"),
    )
    terms = [
        f"{a(n_tok)} {word} x {a(tier_usd_mtok(tiers, prompt_tok=prompt))} USD"
        for n_tok, tiers, word in parts
        if n_tok
    ]
    return f"({' + '.join(terms)}) / 1,000,000"


def both(plan: Plan) -> tuple[Derivation, ...]:
    """Everything behind the two bills, the fleet's first."""
    return (
        self_hosting(plan),
        card_month(plan),
        replicas(plan),
        replica_carries(plan),
        api(plan),
        api_request_price(plan),
    )
