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
from calculators.fit.capacity import Fit, capacity
from calculators.fit.engine_memory import cache_budget_bytes
from calculators.fit.engine_rules import engine_defaults
from calculators.fit.held_sequences import held_sequences, shared_prefix_bytes
from calculators.fit.kv_cache import cache_bytes_per_tok
from calculators.performance import REFERENCE_OVERHEAD_GIB, context_reserved, reference_max_batch
from calculators.plan import Plan
from calculators.scenario import Scenario
from calculators.specs import Deployment
from calculators.units import BITS_PER_BYTE, GIB

UNKNOWN = float("nan")


def held(plan: Plan, name: str = "Fits?") -> tuple[Derivation, ...]:
    """How many sequences a replica holds, and the memory that is left for them."""
    if plan.scenario.basis == "bound":
        return (_bound_held(plan, name),)
    return (_sequences(plan, name), cache_room(plan))


def _sequences(plan: Plan, name: str) -> Derivation:
    fit, scenario, most = plan.fit, plan.scenario, plan.calibrated.max_batch
    context = context_reserved(scenario)
    formula = f"{held_formula(fit, plan.deployment, scenario, context)} = {count(most)} at once"
    return derived(
        name,
        f"{fit.limit_text} Each conversation reserves {context:,} tokens; whole ones only, on the "
        "fullest card.",
        formula,
        "calibrated",
        capacity if fit.limit != "cache" else held_sequences,
        DEPLOYMENT,
        known=float(most) if fit.fits and most else UNKNOWN,
    )


def held_formula(
    fit: Fit,
    d: Deployment,
    scenario: Scenario,
    context_tok: int,
    cache_bytes: float | None = None,
) -> str:
    """Sequences that the fullest card's cache holds, with the numbers put in.

    The cache is the budget's unless `cache_bytes` (an end of its range) is given.
    """
    ranks = d.parallelism.tp if d.parallelism.attention_dp else 1
    prefix = min(scenario.prefix_tok, context_tok)
    shared = min(shared_prefix_bytes(d, prefix), fit.sequence_bytes)
    idle = -(-scenario.n_open // ranks)
    room = max(fit.cache_budget_bytes if cache_bytes is None else cache_bytes, 0.0)
    less = f" - {precise(shared / GIB)} GiB shared" if shared else ""
    above, below = f"{precise(room / GIB)} GiB{less}", f"{precise(fit.sequence_bytes / GIB)} GiB"
    above, below = (f"({above})", f"({below}{less})") if less else (above, below)
    text = f"floor({above} / {below})"
    text = f"max(0 ; {text} - {idle} idle)" if idle else text
    text = f"{ranks} x {text}" if ranks > 1 else text
    return f"min({text} ; {slots(d)} that the engine runs)" if fit.limit == "slots" else text


def slots(d: Deployment) -> int:
    """Sequences that the engine runs at once, whatever the memory."""
    ranks = d.parallelism.tp if d.parallelism.attention_dp else 1
    return ranks * engine_defaults(d.engine.memory, d.accelerator).max_sequences


def cache_room(plan: Plan) -> Derivation:
    """What the engine leaves of a card for the cache."""
    fit = plan.fit
    return derived(
        "Memory for conversations, on each card",
        "What a program can use of the card, the share that the engine takes, less the weights "
        "and what the engine needs for itself.",
        f"{room_formula(fit, plan.deployment)} = {a(fit.cache_budget_bytes / GIB)} GiB",
        "calibrated",
        cache_budget_bytes,
        DEPLOYMENT,
    )


def room_formula(fit: Fit, d: Deployment) -> str:
    """What an engine's own rule leaves of the card, with the numbers put in."""
    rule = d.engine.memory
    see, weights = f"{a(fit.visible_bytes / GIB)} GiB", f"{a(fit.weights_bytes / GIB)} GiB weights"
    engine, frac = f"{a(fit.overhead_bytes / GIB)} GiB engine", share(rule.utilisation_frac)
    if rule.utilisation_of == "free_before_load":
        return f"({see} - {a(fit.runtime_bytes / GIB)} GiB engine) x {frac} - {weights}"
    if rule.utilisation_of == "free_after_load":
        return f"({see} - {weights} - {engine}) x {frac}"
    return f"{see} x {frac} - {weights} - {engine}"


def _bound_held(plan: Plan, name: str) -> Derivation:
    d, context = plan.deployment, context_reserved(plan.scenario)
    formula = f"{reference_formula(d, context)} = {count(plan.bound.max_batch)} at once"
    return derived(
        name,
        f"The memory on the label less 4 GiB a card and the weights, over {context:,} tokens of "
        "cache each. A real engine holds fewer.",
        formula,
        "bound",
        reference_max_batch,
        (MODEL, CARD, WEIGHT_FORMAT),
        known=0.0 if float(cache_bytes_per_tok(d.model)) else UNKNOWN,
    )


def reference_formula(d: Deployment, context_tok: int) -> str:
    """Sequences by the reference arithmetic, with the numbers put in."""
    label = d.accelerator.memory_label_gb or d.accelerator.memory_total_gib
    weights = d.model.total_params * d.weights.nominal_bits / BITS_PER_BYTE / GIB
    one = float(cache_bytes_per_tok(d.model, d.cache.nominal_bits)) * context_tok / GIB
    return (
        f"max(0 ; floor(({cards_text(d.parallelism.n_cards)} x ({a(label)} GiB - "
        f"{REFERENCE_OVERHEAD_GIB:g} GiB) - {precise(weights)} GiB weights) / "
        f"{precise(one)} GiB))"
    )
