"""One replica over its cards: who holds, computes and sends what."""

from __future__ import annotations

from dataclasses import replace
from math import log2

from calculators.fit.weights import touched_weight_bytes
from calculators.specs import AcceleratorSpec, Deployment, ModelSpec, Parallelism
from calculators.speed.cache_terms import CacheTerms, cache_terms
from calculators.speed.constants import Reached, constants
from calculators.speed.inputs import StepInputs

PCIE_BYTES_S = 16e9  # where a card names no link
ACTIVATION_BYTES = 2
FLOP_BYTE_UNKNOWN = 100.0  # a card without a known rate computes so much per byte it can read


def step_inputs(deployment: Deployment, reached: Reached | None = None) -> StepInputs:
    """Coefficients of the step model for one replica.

    Tensor parallel: weights, heads and work are divided, latents and spare heads are replicated.
    Data-parallel attention: attention replicated, sequences and experts divided. Pipeline: a
    token passes all stages, each of which works on its share of the sequences. Layer split: one
    card works at a time.

    Parameters
    ----------
    deployment : one replica
    reached : constants; by default those of the deployment's engine on its card

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
    parallel, model = deployment.parallelism, deployment.model
    card, fmt = deployment.accelerator, deployment.weights
    whole = parallel.model_copy(update={"pp": 1})
    dense_bytes, expert_bytes = touched_weight_bytes(replace(deployment, parallelism=whole))
    terms = cache_terms(model, deployment.cache, tp=parallel.tp, attention_dp=parallel.attention_dp)
    reached = reached or constants(deployment.engine, card, fmt.compute)
    fallback = FLOP_BYTE_UNKNOWN * card.bandwidth_bytes_s
    return StepInputs(
        dense_bytes=dense_bytes,
        expert_bytes=expert_bytes,
        expert_miss_frac=1.0 - model.top_k / model.n_experts if model.n_experts else 1.0,
        **_attention(terms),
        matmul_flop_tok=2.0 * model.matmul_params + recurrent_flop_tok(model),
        reduce_bytes_tok=reduce_bytes_tok(model, parallel),
        n_reduce_hops=reduce_hops(model, parallel),
        n_layers=float(model.n_layers),
        n_data=float(parallel.tp if parallel.attention_dp else 1),
        n_stages=1.0 if parallel.layer_split else float(parallel.pp),
        bandwidth_bytes_s=card.bandwidth_bytes_s,
        flop_s=(card.flop_s(fmt.compute) or fallback) * parallel.tp,
        attention_flop_s=(card.flop_s("16") or fallback) * parallel.tp,
        link_bytes_s=link_bytes_s(card, parallel.n_cards),
        **_constants(reached),
    )


def _attention(terms: CacheTerms) -> dict:
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


def _constants(reached: Reached) -> dict:
    return {name: getattr(reached, name) for name in Reached.__slots__ if name != "note"}


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

    ring all-reduce: 2 x (n - 1) / n x hidden x 2 bytes, two a layer; with data-parallel
    attention one gather and one scatter around the experts, half of that.

    Parameters
    ----------
    model : hidden size and layers
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
    ring = 2.0 * (parallel.tp - 1) / parallel.tp
    per_layer = 1 if parallel.attention_dp else 2
    stages = (parallel.pp - 1) * model.hidden * ACTIVATION_BYTES
    return per_layer * ring * model.hidden * ACTIVATION_BYTES * model.n_layers + stages


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
    return 2.0 * model.n_layers * log2(parallel.tp) + parallel.pp - 1


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
