"""How long users wait for a replica: saturation, use, the first token of a busy hour."""

from __future__ import annotations

from app.derivations.derivation import DEPLOYMENT, Derivation, derived, share
from app.derivations.derivation import amount as a
from app.formatting import quantity
from calculators.plan import Plan
from calculators.serving_answers import ServingAnswers, demand_per_s
from calculators.speed.open_loop import open_loop


def use(plan: Plan, answers: ServingAnswers) -> Derivation:
    """Share of its capacity that a replica is used to in the busiest hour."""
    rate, most = float(answers.now.requests_per_s[1]), answers.open.capacity_per_s
    return derived(
        "Use in the busiest hour",
        "The requests that arrive at each serving replica over what it can finish.",
        f"{a(rate)} requests a second / {a(most)} requests a second = "
        f"{share(answers.now.utilisation_frac[1])}",
        "calibrated",
        demand_per_s,
        DEPLOYMENT,
    )


def late_first_token(plan: Plan, answers: ServingAnswers) -> Derivation:
    """The first token that 19 in 20 requests of the busiest hour see."""
    now = answers.now
    whole, wait = float(now.ttft_p95_s[1]), float(now.wait_p95_s[1])
    return derived(
        "Busiest hour: first token",
        "The wait that 19 in 20 requests stay below, for the step under way, for others' prompts "
        "or for a free place, and then reading the own prompt (the two are not simply added where "
        "prompts are read in pieces).",
        f"{a(wait)} s wait + {a(whole - wait)} s to read the prompt = {quantity(whole, 's')}",
        "calibrated",
        open_loop,
        DEPLOYMENT,
        known=whole,
    )


def saturation(plan: Plan, answers: ServingAnswers) -> Derivation:
    """The rate at which the queue starts to grow without end."""
    most, batch = answers.open.capacity_per_s, plan.calibrated.batch
    return derived(
        "Saturated at",
        "All places taken: requests held, over the time that each of them then takes.",
        f"{batch} requests / {a(batch / most)} s a request = {quantity(most, 'requests/s')}",
        "calibrated",
        open_loop,
        DEPLOYMENT,
    )
