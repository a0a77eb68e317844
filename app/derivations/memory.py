"""Does it fit, and how many at once?"""

from __future__ import annotations

from app.derivations.derivation import (
    CARD,
    DEPLOYMENT,
    MODEL,
    WEIGHT_FORMAT,
    Derivation,
    cards_text,
    derived,
    precise,
    share,
)
from app.derivations.derivation import amount as a
from app.formatting import count
from calculators.fit.capacity import capacity
from calculators.fit.engine_memory import cache_budget_bytes
from calculators.fit.held_sequences import held_sequences, shared_prefix_bytes
from calculators.fit.kv_cache import cache_bytes_per_tok
from calculators.performance import REFERENCE_OVERHEAD_GIB, context_reserved, reference_max_batch
from calculators.plan import Plan
from calculators.units import BITS_PER_BYTE, GIB

UNKNOWN = float("nan")


def held(plan: Plan, name: str = "Fits?") -> tuple[Derivation, ...]:
    """How many sequences a replica holds, and the memory that is left for them."""
    if plan.scenario.basis == "bound":
        return (_bound_held(plan, name),)
    return (_sequences(plan, name), cache_room(plan))


def _sequences(plan: Plan, name: str) -> Derivation:
    fit, d, scenario = plan.fit, plan.deployment, plan.scenario
    ranks = d.parallelism.tp if d.parallelism.attention_dp else 1
    prefix = min(scenario.prefix_tok, context_reserved(scenario))
    shared = min(shared_prefix_bytes(d, prefix), fit.sequence_bytes)
    most = plan.calibrated.max_batch
    formula = (
        f"{ranks} x (floor(({precise(fit.cache_budget_bytes / GIB)} GiB - "
        f"{precise(shared / GIB)} GiB shared) / ({precise(fit.sequence_bytes / GIB)} GiB - "
        f"{precise(shared / GIB)} GiB shared)) - {-(-scenario.n_open // ranks)} idle) = "
        f"{count(most)} at once"
    )
    return derived(
        name,
        f"{fit.limit_text} Each conversation reserves {context_reserved(scenario):,} tokens; "
        "whole ones only, on the fullest card.",
        formula,
        "calibrated",
        capacity if fit.limit != "cache" else held_sequences,
        DEPLOYMENT,
        known=float(most) if fit.limit == "cache" and most else UNKNOWN,
    )


def cache_room(plan: Plan) -> Derivation:
    """What the engine leaves of a card for the cache."""
    fit, rule = plan.fit, plan.deployment.engine.memory
    see, weights = f"{a(fit.visible_bytes / GIB)} GiB", f"{a(fit.weights_bytes / GIB)} GiB weights"
    engine, frac = f"{a(fit.overhead_bytes / GIB)} GiB engine", share(rule.utilisation_frac)
    if rule.utilisation_of == "free_before_load":
        left = f"({see} - {a(fit.runtime_bytes / GIB)} GiB engine) x {frac} - {weights}"
    elif rule.utilisation_of == "free_after_load":
        left = f"({see} - {weights} - {engine}) x {frac}"
    else:
        left = f"{see} x {frac} - {weights} - {engine}"
    return derived(
        "Memory for conversations, on each card",
        "What a program can use of the card, the share that the engine takes, less the weights "
        "and what the engine needs for itself.",
        f"{left} = {a(fit.cache_budget_bytes / GIB)} GiB",
        "calibrated",
        cache_budget_bytes,
        DEPLOYMENT,
    )


def _bound_held(plan: Plan, name: str) -> Derivation:
    d, context = plan.deployment, context_reserved(plan.scenario)
    label = d.accelerator.memory_label_gb or d.accelerator.memory_total_gib
    weights = d.model.total_params * d.weights.nominal_bits / BITS_PER_BYTE / GIB
    one = float(cache_bytes_per_tok(d.model, d.cache.nominal_bits)) * context / GIB
    formula = (
        f"max(0 ; floor(({cards_text(d.parallelism.n_cards)} x ({a(label)} GiB - "
        f"{REFERENCE_OVERHEAD_GIB:g} GiB) - {precise(weights)} GiB weights) / "
        f"{precise(one)} GiB)) = {count(plan.bound.max_batch)} at once"
    )
    return derived(
        name,
        f"The memory on the label less 4 GiB a card and the weights, over {context:,} tokens of "
        "cache each. A real engine holds fewer.",
        formula,
        "bound",
        reference_max_batch,
        (MODEL, CARD, WEIGHT_FORMAT),
        known=0.0 if one else UNKNOWN,
    )
