"""What a million tokens costs on our own cards."""

from __future__ import annotations

import numpy as np

from app.derivations.derivation import DEPLOYMENT, RENT, Derivation, cards_text, derived
from app.derivations.derivation import amount as a
from app.formatting import usd
from calculators.cost.unit_cost import usd_per_mtok
from calculators.cost.unit_curves import duty_grid_usd, unit_curves
from calculators.plan import Plan
from calculators.units import SECONDS_PER_HOUR

_FACTS = (RENT, *DEPLOYMENT)


def per_mtok_total(plan: Plan) -> Derivation:
    """Hardware cost of a million tokens, input and output counted alike."""
    return derived(
        "Hardware, per million input and output",
        "The month's cards over the tokens that the fleet serves in it.",
        f"{a(plan.bills.hardware_usd_month)} USD / {a(plan.served_mtok_month)} million tokens = "
        f"{usd(plan.usd_per_mtok_total)}",
        plan.performance.basis,
        usd_per_mtok,
        _FACTS,
        known=plan.usd_per_mtok_total,
    )


def per_mtok_output(plan: Plan) -> Derivation:
    """Hardware cost of a million output tokens, input counted as free."""
    return derived(
        "Hardware, per million output",
        "The same money on the output tokens alone, as if reading the prompts were free.",
        f"{a(plan.usd_per_mtok_total)} USD x {plan.request_tok:,} tokens / "
        f"{plan.scenario.output_tok:,} output tokens = {usd(plan.usd_per_mtok_output)}",
        plan.performance.basis,
        usd_per_mtok,
        _FACTS,
        known=plan.usd_per_mtok_total,
    )


def at_full_load(plan: Plan) -> Derivation:
    """The point of the batch picture at the scenario's batch: the replica never rests."""
    name = "Chart: cost over the batch, at this batch"
    performance = plan.performance
    if not performance.batch or plan.card_cost.usd_h is None:
        return derived(name, performance.limit_text, "", performance.basis, unit_curves)
    cards = plan.deployment.parallelism.n_cards
    curves = unit_curves(plan, [performance.batch])
    bound = performance.basis == "bound"
    cost = float((curves.weights_only_usd if bound else curves.served_usd)[0])
    return derived(
        name,
        f"The replica's cards for an hour over the output tokens of an hour at batch "
        f"{performance.batch}, at full load.",
        f"{a(plan.card_cost.usd_h)} USD an hour x {cards_text(cards)} / "
        f"({a(performance.output_tok_s)} tokens a second x 3,600 seconds) x 1,000,000 = "
        f"{usd(cost)}",
        performance.basis,
        usd_per_mtok,
        _FACTS,
    )


def layers(plan: Plan) -> Derivation:
    """The table of the same batch, layer by layer; its first and its last row."""
    name = "Table: from the ceiling to a served request"
    batch = plan.calibrated.batch
    if not batch or plan.card_cost.usd_h is None or not np.isfinite(plan.bound.step_s):
        return derived(name, plan.calibrated.limit_text, "", "calibrated", unit_curves)
    curves = unit_curves(plan, [batch])
    hour = plan.card_cost.usd_h * plan.deployment.parallelism.n_cards
    steps = ((curves.weights_only_s, curves.weights_only_usd), (curves.with_cache_s,
             curves.with_cache_usd), (curves.calibrated_s, curves.calibrated_usd))  # fmt: skip
    lines = [
        f"{a(hour)} USD an hour x {a(step[0])} s / ({batch} x {SECONDS_PER_HOUR:,.0f} s) "
        f"x 1,000,000 = {usd(float(cost[0]))}"
        for step, cost in steps
    ]
    return derived(
        name,
        f"At batch {batch}: a step by the reference arithmetic, then with the cache read, then "
        "with real bits and reached rates. The last row of the table adds the prompts.",
        "\n".join(lines),
        "calibrated",
        unit_curves,
        _FACTS,
    )


def over_duty(plan: Plan) -> Derivation:
    """A cell of the picture over batch and duty: the scenario's batch at half the time."""
    name = "Chart: cost over batch and duty"
    batch = plan.performance.batch
    if not batch or plan.card_cost.usd_h is None:
        return derived(name, plan.performance.limit_text, "", "calibrated", duty_grid_usd)
    full, half = (float(duty_grid_usd(plan, [batch], [duty])[0, 0]) for duty in (1.0, 0.5))
    return derived(
        name,
        f"What the batch costs at full load over the share of time that is used; here batch "
        f"{batch} in half of the time.",
        f"{a(full)} USD / 50 % = {usd(half)}",
        plan.performance.basis,
        duty_grid_usd,
        _FACTS,
    )
