"""What other public methods would say of a scenario, side by side, and why they differ."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from calculators.cost.bills import bills
from calculators.cost.unit_cost import usd_per_mtok
from calculators.evidence.comparable import Rate
from calculators.evidence.nearest import Neighbour
from calculators.evidence.opinion import (
    AS_PRINTED,
    CARRIED,
    OURS,
    PEAK,
    SHARE_OF_PEAK,
    WITH_CACHE,
    Opinion,
    Outcome,
    Question,
    SecondOpinion,
)
from calculators.evidence.opinion_words import Rule, measured_why, memory_why, rate_why
from calculators.fit.kv_cache import cache_bytes_per_tok
from calculators.performance import REFERENCE_EFF_FRAC, REFERENCE_OVERHEAD_GIB, context_reserved
from calculators.plan import Plan
from calculators.specs import Deployment
from calculators.speed.roofline import bound_step_s
from calculators.units import BITS_PER_BYTE, GIB, TERA

RULE_FACTOR = 1.2
FULL_BYTES = 2.0  # per parameter, in 16 bits


def second_opinion(
    plan: Plan, neighbours: Mapping[Rate, Sequence[Neighbour]] | None = None
) -> SecondOpinion:
    """Memory, speed and cost of a scenario's replica by other methods beside our own.

    Every method is asked about the same batch: the one that the calibrated model runs (one
    sequence where nothing fits).

    Parameters
    ----------
    plan : Plan
    neighbours : for "each" and "replica", the nearest measurements of
        `calculators.evidence.nearest.nearest`; the first of each is used

    Returns
    -------
    SecondOpinion

    Notes
    -----
    The methods are those that public calculators and guides use; none of them knows the engine.

    References
    ----------
    Weights x 1.2: EleutherAI, Transformer Math 101 (2023). Two bytes a parameter: Hugging Face
    Transformers documentation, optimising LLMs for speed and memory. Bandwidth over bytes:
    Chen, Transformer Inference Arithmetic (2022). Quoted as known, not read again.

    Examples
    --------
    The page Second opinion shows the result.
    """
    batch = max(plan.calibrated.batch, 1)
    near = neighbours or {}
    replica = Question(
        "Output of a full replica", "tok/s", tuple(_rates(plan, batch, near.get("replica"), False))
    )
    return SecondOpinion(
        batch=batch,
        memory=Question("Memory of a replica", "GiB", memory_opinions(plan, batch)),
        each=Question(
            "Speed for each user", "tok/s", tuple(_rates(plan, batch, near.get("each"), True))
        ),
        replica=replica,
        outcomes=outcomes(plan, replica) if plan.fits else (),
    )


def memory_opinions(plan: Plan, batch: int) -> tuple[Opinion, ...]:
    """Memory of a replica that serves a batch, by four methods [GiB].

    parameters x 2; parameters x bits / 8 x 1.2; parameters x bits / 8 + 4 GiB a card + batch x
    cache; and the engine's own memory on all cards

    Parameters
    ----------
    plan : Plan
    batch : int, sequences that reserve the scenario's context

    Returns
    -------
    tuple of Opinion, the simplest first
    """
    d, fit, context = plan.deployment, plan.fit, context_reserved(plan.scenario)
    n_cards, params = d.parallelism.n_cards, d.model.total_params
    weights = params * d.weights.nominal_bits / BITS_PER_BYTE
    cache = batch * float(cache_bytes_per_tok(d.model, d.cache.nominal_bits)) * context
    reference = weights + n_cards * REFERENCE_OVERHEAD_GIB * GIB + cache
    on_card = math.ceil(batch / (d.parallelism.tp if d.parallelism.attention_dp else 1))
    own = n_cards * (fit.weights_bytes + fit.overhead_bytes + on_card * fit.sequence_bytes)
    sizes: dict[Rule, float] = {
        "full": params * FULL_BYTES,
        "fifth": weights * RULE_FACTOR,
        "cache": reference,
        "ours": own,
    }
    why = memory_why(plan, batch, sizes)
    names: dict[Rule, str] = {
        "full": "Two bytes a parameter",
        "fifth": "Weights x 1.2",
        "cache": "Weights, 4 GiB a card, and the cache",
        "ours": OURS,
    }
    return tuple(
        Opinion(names[rule], size / GIB, "calibrated" if rule == "ours" else "bound", why[rule])
        for rule, size in sizes.items()
    )


def simple_steps_s(deployment: Deployment, *, batch: int, context_tok: float) -> dict[str, float]:
    """Time of a decode step by the three usual rules [s].

    weight bytes / peak bandwidth; the reference arithmetic at 0.7 of peak; and the same with the
    cache read: + batch x context x bytes a token / (bandwidth x 0.7)

    Parameters
    ----------
    deployment : Deployment
    batch : int, sequences
    context_tok : float [tokens] that a sequence holds on average

    Returns
    -------
    dict of method to time [s], empty where the card's 16-bit rate is not known

    Notes
    -----
    Basis: bound. Nominal bits; prompts, links and software are left out.
    """
    card, n_cards = deployment.accelerator, deployment.parallelism.n_cards
    active, bits = deployment.model.active_params, deployment.weights.nominal_bits
    weights, bandwidth = active * bits / BITS_PER_BYTE, card.bandwidth_bytes_s * n_cards
    if not card.fp16_dense_tflops:
        return {PEAK: weights / bandwidth}
    bound = float(
        bound_step_s(
            batch=batch,
            weight_bytes=weights,
            active_params=active,
            peak_flop_s=card.fp16_dense_tflops * TERA * n_cards,
            bandwidth_bytes_s=bandwidth,
            efficiency_frac=REFERENCE_EFF_FRAC,
        )
    )
    per_tok = float(cache_bytes_per_tok(deployment.model, deployment.cache.nominal_bits))
    cache = batch * context_tok * per_tok / (bandwidth * REFERENCE_EFF_FRAC)
    return {PEAK: weights / bandwidth, SHARE_OF_PEAK: bound, WITH_CACHE: bound + cache}


def _rates(plan: Plan, batch: int, near: Sequence[Neighbour] | None, each: bool) -> list[Opinion]:
    """Tokens a second of one user or of a replica, by every method."""
    scenario, ours = plan.scenario, plan.calibrated
    context = scenario.input_tok + scenario.output_tok / 2
    steps = simple_steps_s(plan.deployment, batch=batch, context_tok=context)
    reasons = rate_why(plan, batch, steps)
    found = [
        Opinion(name, (1 if each else batch) / step, "bound", reasons[name])
        for name, step in steps.items()
    ]
    if not ours.batch:
        return found
    own = (ours.tok_s_each if each else ours.output_tok_s) or math.nan
    why = "Real bits, cache, the others' prompts, links and software; constants fitted to runs."
    found.append(Opinion(OURS, own, "calibrated", why))
    return [*found, *(_measured(near[0], own) if near else ())]


def _measured(near: Neighbour, own: float) -> tuple[Opinion, Opinion]:
    there, error = measured_why(near)
    return (
        Opinion(AS_PRINTED, near.tok_s, "measured", there),
        Opinion(CARRIED, own * near.error_factor, "measured", error),
    )


def outcomes(plan: Plan, replica: Question) -> tuple[Outcome, ...]:
    """Unit cost, replicas and monthly bill that follow from each method's throughput.

    cost = USD an hour of the replica / (tokens/s x 3600) x 10^6; replicas and bill as in `bills`

    Parameters
    ----------
    plan : Plan that fits
    replica : Question on the output of a full replica

    Returns
    -------
    tuple of Outcome, in the order of the opinions; nan where the card's cost is not known. A
    measurement as printed is left out: it is of another setting.
    """
    here = [opinion for opinion in replica.opinions if opinion.method != AS_PRINTED]
    tok_s = np.array([opinion.value for opinion in here])
    usd_h = plan.card_cost.usd_h
    hour = math.nan if usd_h is None else usd_h * plan.deployment.parallelism.n_cards
    cost = usd_per_mtok(usd_h=hour, tok_s=tok_s)
    money = plan.money.with_(capacity_req_s=tok_s / plan.scenario.output_tok)
    both = bills(money)
    month: Any = np.broadcast_to(both.self_host_usd_month, tok_s.shape)
    running = np.broadcast_to(both.n_replicas, tok_s.shape)
    return tuple(
        Outcome(
            opinion.method,
            float(cost[i]),
            float(running[i]),
            float(month[i]) if usd_h is not None else math.nan,
        )
        for i, opinion in enumerate(here)
    )
