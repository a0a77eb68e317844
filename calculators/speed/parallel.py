"""One replica over its cards: who holds, computes and sends what."""

from __future__ import annotations

from dataclasses import replace
from math import log2
from typing import Any

from calculators.fit.weights import touched_weight_bytes
from calculators.specs import (
    AcceleratorSpec,
    Deployment,
    ModelSpec,
    Parallelism,
    SpeedConstants,
)
from calculators.speed.cache_terms import CacheTerms, cache_terms
from calculators.speed.constants import constants
from calculators.speed.inputs import StepInputs
from calculators.speed.traits import traits
from calculators.units import TERA

PCIE_BYTES_S = 16e9  # where a card names no link
ACTIVATION_BYTES = 2
EXCHANGE_BYTES = 3  # an activation goes to an expert in 8 bits and comes back in 16
FLOP_BYTE_UNKNOWN = 100.0  # a card without a known rate computes so much per byte it can read


def step_inputs(deployment: Deployment, speed: SpeedConstants | None = None) -> StepInputs:
    """Coefficients of the step model for one replica.

    Tensor parallel: weights, heads and work are divided, latents and spare heads are replicated.
    Data-parallel attention: attention replicated, sequences and experts divided. Pipeline: a
    token passes all stages, each of which works on its share of the sequences. Layer split: one
    card works at a time.

    Parameters
    ----------
    deployment : one replica
    speed : constants; by default those of the deployment's engine

    Returns
    -------
    StepInputs of floats

    Notes
    -----
    Basis `calibrated`. Stages are taken as equal; transfers between stages are counted as one
    hop each.

    Examples
    --------
    `python -m app plan` evaluates them at the scenario's batch and context.
    """
    speed = speed or deployment.engine.speed
    card = deployment.accelerator
    return StepInputs(
        **work(deployment),
        **peaks(deployment, speed),
        **constants(speed, traits=traits(deployment), link=card.link),
    )


def work(deployment: Deployment) -> dict[str, Any]:
    """What a step reads, computes and sends, by the names that `StepInputs` has.

    Parameters
    ----------
    deployment : one replica

    Returns
    -------
    dict of float, and of three floats where a context limit caps a term

    Examples
    --------
    See `step_inputs`.
    """
    parallel, model = deployment.parallelism, deployment.model
    whole = parallel.model_copy(update={"pp": 1})
    dense_bytes, expert_bytes = touched_weight_bytes(replace(deployment, parallelism=whole))
    terms = cache_terms(model, deployment.cache, tp=parallel.tp, attention_dp=parallel.attention_dp)
    return {
        "dense_bytes": dense_bytes,
        "expert_bytes": expert_bytes,
        "expert_miss_frac": 1.0 - model.top_k / model.n_experts if model.n_experts else 1.0,
        **_attention(terms),
        "matmul_flop_tok": 2.0 * model.matmul_params + recurrent_flop_tok(model),
        "expert_flop": 2.0 * model.parameters.routed_experts,
        "n_scores": float(sum(g.n_layers * g.n_q_heads for g in model.groups)),
        "reduce_bytes_tok": reduce_bytes_tok(model, parallel),
        "n_reduce_hops": reduce_hops(model, parallel),
        "n_layers": float(model.n_layers),
        "n_data": float(parallel.tp if parallel.attention_dp else 1),
        "n_stages": 1.0 if parallel.layer_split else float(parallel.pp),
        "n_split": float(parallel.pp) if parallel.layer_split else 1.0,
    }


def peaks(deployment: Deployment, speed: SpeedConstants) -> dict[str, float]:
    """Peaks that the constants are shares of, by the names that `StepInputs` has.

    An engine of `compute_peak` half_int8 (llama.cpp) multiplies on int8 units or accumulates in 16
    bits, at half the int8 rate, which GeForce cards do not halve.

    Parameters
    ----------
    deployment : one replica
    speed : constants of its engine

    Returns
    -------
    dict of float

    Examples
    --------
    See `step_inputs`.
    """
    card, tp = deployment.accelerator, deployment.parallelism.tp
    matmul, attention = card.flop_s(deployment.weights.compute), card.flop_s("16")
    if speed.compute_peak == "half_int8" and card.int8_dense_tops:
        matmul = attention = card.int8_dense_tops * TERA / 2
    unknown = FLOP_BYTE_UNKNOWN * card.bandwidth_bytes_s
    return {
        "bandwidth_bytes_s": card.bandwidth_bytes_s,
        "flop_s": (matmul or unknown) * tp,
        "attention_flop_s": (attention or unknown) * tp,
        "link_bytes_s": link_bytes_s(card, deployment.parallelism.n_cards),
    }


def _attention(terms: CacheTerms) -> dict[str, Any]:
    cap_bytes, cap_flop, cap_tok = zip(*terms.caps, strict=True)
    return {
        "state_bytes": terms.state_bytes,
        "cache_bytes_tok": terms.bytes_tok,
        "attention_flop_tok": terms.flop_tok,
        "prefill_attention_flop_tok": terms.prefill_flop_tok,
        "cap_bytes_tok": cap_bytes,
        "cap_flop_tok": cap_flop,
        "cap_tok": cap_tok,
    }


def recurrent_flop_tok(model: ModelSpec) -> float:
    """Arithmetic of recurrent states per token: update and read-out, 4 FLOP an element.

    Parameters
    ----------
    model : layer groups

    Returns
    -------
    [FLOP]; 0 without recurrent layers

    Examples
    --------
    >>> from types import SimpleNamespace as Shape
    >>> from calculators.specs import LayerGroup
    >>> recurrent_flop_tok(Shape(groups=(LayerGroup(kind="recurrent", n_layers=2,
    ...                                             state_elements=100),)))
    800.0
    """
    return 4.0 * sum(group.n_layers * group.state_elements for group in model.groups)


def reduce_bytes_tok(model: ModelSpec, parallel: Parallelism) -> float:
    """Bytes that one card sends over its link per token of a pass.

    ring all-reduce: 2 x (n - 1) / n x hidden x 2 bytes, two a layer
    data-parallel attention: each card sends 1 / n of the tokens to the cards of their k experts
    and gets them back, (1 - (1 - 1/n)^k) x (n - 1) / n x hidden x 3 bytes in a layer of experts

    Parameters
    ----------
    model : hidden size, layers and experts
    parallel : how the replica is spread

    Returns
    -------
    [byte] per token, 0 on one card

    Examples
    --------
    >>> from types import SimpleNamespace as Shape
    >>> reduce_bytes_tok(Shape(hidden=8192, n_layers=80), Parallelism(tp=2))
    2621440.0
    """
    n = parallel.tp
    stages = (parallel.pp - 1) * model.hidden * ACTIVATION_BYTES
    if parallel.attention_dp:
        reached = 1.0 - (1.0 - 1.0 / n) ** max(model.top_k, 1)
        layer = reached * (n - 1) / n * model.hidden * EXCHANGE_BYTES
        return layer * n_expert_layers(model) + stages
    ring = 2.0 * (n - 1) / n
    return 2 * ring * model.hidden * ACTIVATION_BYTES * model.n_layers + stages


def n_expert_layers(model: ModelSpec) -> int:
    """Layers with experts; all where the catalog does not say.

    Examples
    --------
    >>> from types import SimpleNamespace as Shape
    >>> n_expert_layers(Shape(n_moe_layers=24, n_layers=48))
    24
    """
    return model.n_moe_layers or model.n_layers


def reduce_hops(model: ModelSpec, parallel: Parallelism) -> float:
    """Latencies of a pass: two collectives a layer of log2(cards) each, one hop between stages.

    Parameters
    ----------
    model : layers
    parallel : how the replica is spread

    Returns
    -------
    count, 0 on one card

    Examples
    --------
    >>> from types import SimpleNamespace as Shape
    >>> reduce_hops(Shape(n_layers=80), Parallelism(tp=4))
    320.0
    """
    layers = n_expert_layers(model) if parallel.attention_dp else model.n_layers
    stages = 0 if parallel.layer_split else parallel.pp - 1
    return 2.0 * layers * log2(parallel.tp) + stages


def link_bytes_s(card: AcceleratorSpec, n_cards: int) -> float:
    """Peak of the link between the cards of a replica, one way and per card.

    Parameters
    ----------
    card : the accelerator
    n_cards : cards of the replica

    Returns
    -------
    [byte/s]; PCI Express 4.0 at half its lanes where the card names no link

    Notes
    -----
    A replica wider than a server would use the network; that is not modelled.

    Examples
    --------
    >>> from types import SimpleNamespace as Shape
    >>> link_bytes_s(Shape(link_bytes_s=0.0), 2)
    16000000000.0
    """
    return card.link_bytes_s or PCIE_BYTES_S
