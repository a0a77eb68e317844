"""Why methods differ, with the scenario's own figures in the sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from calculators.evidence.nearest import Neighbour
from calculators.evidence.opinion import PEAK, SHARE_OF_PEAK, WITH_CACHE
from calculators.performance import context_reserved
from calculators.plan import Plan
from calculators.speed.decode import expert_coverage_frac
from calculators.wording import counted, number, percent

FULL_BITS = 16
FAR_FACTOR = 5.0  # a measurement that is further away says little
WINDOWED = ("sliding", "chunked")
Rule = Literal["full", "fifth", "cache", "ours"]


def memory_why(plan: Plan, batch: int, sizes: Mapping[Rule, float]) -> dict[Rule, str]:
    """Why each method says what it says of memory, from what it leaves out here.

    Parameters
    ----------
    plan : Plan
    batch : int, sequences that reserve the scenario's context
    sizes : bytes of each method

    Returns
    -------
    dict of method to sentences
    """
    d, context = plan.deployment, context_reserved(plan.scenario)
    n_cards, bits = d.parallelism.n_cards, d.weights.nominal_bits
    asked = f"{counted(batch, 'conversation')} of {context:,} tokens"
    right = bits == FULL_BITS
    full = "Right for the weights here" if right else f"Takes 16 bits for granted (here {bits:g})"
    enough = sizes["fifth"] >= sizes["ours"]
    fifth = f"more than {asked} need here" if enough else f"too little for {asked}"
    times = f", times {n_cards} cards" if n_cards > 1 else ""
    return {
        "full": f"{full}; leaves out the cache.",
        "fifth": f"A fifth on top for everything else, however much it is: {fifth}.",
        "cache": f"Counts the cache of {asked}, but nominal bits and a flat overhead."
        + windows_text(plan),
        "ours": "Real bits, whole blocks of cache, and what this engine takes on the fullest "
        f"card{times}.",
    }


def rate_why(plan: Plan, batch: int, steps: Mapping[str, float]) -> dict[str, str]:
    """Why each simple rule says what it says of speed, from what it leaves out here.

    Parameters
    ----------
    plan : Plan
    batch : int
    steps : time of a step by each rule [s], as of `simple_steps_s`

    Returns
    -------
    dict of method to sentences
    """
    links = ", the links between cards" if plan.deployment.parallelism.n_cards > 1 else ""
    experts = experts_text(plan, batch)
    peak = "The data sheet's bandwidth, and nothing but the weights: no engine reaches it."
    said = {PEAK: peak + experts}
    if WITH_CACHE in steps:
        share = 1 - steps[SHARE_OF_PEAK] / steps[WITH_CACHE]
        said[SHARE_OF_PEAK] = (
            "A usual share of the data sheet; the cache, the prompts of others"
            f"{links} and the software are left out.{experts}"
        )
        said[WITH_CACHE] = (
            f"Adds the cache of {counted(batch, 'conversation')}, here {percent(share)} of the "
            f"step; prompts{links} and software are still left out.{windows_text(plan)}{experts}"
        )
    return said


def windows_text(plan: Plan) -> str:
    """What the rules overlook of layers that do not keep the whole context."""
    groups = plan.deployment.model.groups
    short = sum(group.n_layers for group in groups if group.kind in WINDOWED)
    if not short:
        return ""
    n_layers = sum(group.n_layers for group in groups)
    return f" It counts all layers alike; {short} of {n_layers} keep only the latest tokens."


def experts_text(plan: Plan, batch: int) -> str:
    """What the rules overlook of a mixture of experts: many sequences touch many experts."""
    model = plan.deployment.model
    if not model.n_experts or batch == 1:
        return ""
    miss = 1 - model.top_k / model.n_experts
    touched = expert_coverage_frac(expert_miss_frac=miss, n_tok=batch)
    return (
        f" It reads the {model.top_k} experts of one token; {batch} sequences touch about "
        f"{percent(float(touched))} of all {model.n_experts}."
    )


def measured_why(near: Neighbour) -> tuple[str, str]:
    """What a published measurement is of, and how it is carried over to the scenario.

    Parameters
    ----------
    near : Neighbour

    Returns
    -------
    two sentences: of the figure as printed, and of the one carried over
    """
    far = ", too far to lean on" if near.distance_factor >= FAR_FACTOR else ""
    return (
        f"{near.setting}: another setting, {near.distance_factor:.2g} times away in all{far}.",
        f"Our own figure times {number(near.error_factor)}, by which the model is off there{far}.",
    )
