"""Other methods' answers with the scenario's numbers."""

from __future__ import annotations

from app.derivations.derivation import (
    CARD,
    MODEL,
    WEIGHT_FORMAT,
    Derivation,
    cards_text,
    derived,
    replicas_text,
)
from app.derivations.derivation import amount as a
from app.formatting import quantity, times, usd
from calculators.cost.unit_cost import usd_per_mtok
from calculators.evidence.opinion import AS_PRINTED, CARRIED, PEAK, Question, SecondOpinion
from calculators.evidence.second_opinion import (
    FULL_BYTES,
    RULE_FACTOR,
    memory_opinions,
    second_opinion,
    simple_steps_s,
)
from calculators.plan import Plan
from calculators.units import BITS_PER_BYTE, GB, GIB

_FACTS = (MODEL, CARD, WEIGHT_FORMAT)


def memory_rules(plan: Plan, found: SecondOpinion) -> Derivation:
    """The two rules that look at the weights alone."""
    params, bits = plan.deployment.model.total_params, plan.deployment.weights.nominal_bits
    full, rule = found.memory.opinions[:2]
    per_gib = f"{GIB / GB:.4f}"
    return derived(
        "Memory by the two rules of thumb",
        "Billions of parameters times their bytes; a GiB is a little more than a billion bytes.",
        f"{a(params / GB)} billion x {FULL_BYTES:g} bytes / {per_gib} = "
        f"{quantity(full.value, 'GiB')}\n"
        f"{a(params / GB)} billion x {a(bits)} bits / {BITS_PER_BYTE} x {RULE_FACTOR} / {per_gib} "
        f"= {quantity(rule.value, 'GiB')}",
        "bound",
        memory_opinions,
        _FACTS,
    )


def bandwidth_rule(plan: Plan, found: SecondOpinion) -> Derivation:
    """Speed of one user by bandwidth over bytes."""
    d = plan.deployment
    weights = d.model.active_params * d.weights.nominal_bits / BITS_PER_BYTE
    speed = next(o.value for o in found.each.opinions if o.method == PEAK)
    return derived(
        "Speed for each user by bandwidth over weight bytes",
        "How often a second the cards could read the weights that one token uses.",
        f"{a(d.accelerator.bandwidth_gb_s)} GB a second x {cards_text(d.parallelism.n_cards)} / "
        f"{a(weights / GB)} GB = {quantity(speed, 'tok/s')}",
        "bound",
        simple_steps_s,
        _FACTS,
    )


def spread(question: Question) -> Derivation:
    """The largest over the smallest answer."""
    values = [o.value for o in question.opinions if o.method != AS_PRINTED and o.value > 0]
    return derived(
        f"How far apart: {question.name.lower()}",
        "The largest answer over the smallest; the measurement as printed is left out, for it is "
        "of another setting.",
        f"{a(max(values))} / {a(min(values))} = {times(question.spread).removesuffix('x')} times",
        "calibrated",
        second_opinion,
        _FACTS,
        known=question.spread,
    )


def carried(found: SecondOpinion) -> Derivation:
    """Our figure corrected by what the model is off by in the nearest measured setting."""
    name = "Output of a replica, carried over from the nearest measurement"
    near = [o for o in found.replica.opinions if o.method == CARRIED]
    if not near:
        why = "No published measurement can be compared."
        return derived(name, why, "", "measured", second_opinion)
    factor = near[0].value / found.replica.ours
    return derived(
        name,
        "Our figure times measured over predicted in the nearest setting.",
        f"{a(found.replica.ours)} tok/s x {a(factor)} = {quantity(near[0].value, 'tok/s')}",
        "measured",
        second_opinion,
        _FACTS,
    )


def outcome(plan: Plan, found: SecondOpinion) -> Derivation:
    """Unit cost that follows from the fastest method."""
    name = "What follows: cost at full load"
    if not found.outcomes or plan.card_cost.usd_h is None:
        return derived(name, "Nothing fits, or no card cost is known.", "", "bound", usd_per_mtok)
    first, tok_s = found.outcomes[0], found.replica.opinions[0].value
    return derived(
        name,
        f"By {first.method.lower()}; it would take {replicas_text(first.n_replicas)}.",
        f"{a(plan.card_cost.usd_h)} USD an hour x {cards_text(plan.deployment.parallelism.n_cards)}"
        f" / ({a(tok_s)} tokens a second x 3,600 seconds) x 1,000,000 = "
        f"{usd(first.usd_per_mtok_output)}",
        "bound",
        usd_per_mtok,
        _FACTS,
    )
