"""One replica over its cards: who holds, computes and sends what."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from calculators.fit.weights import touched_weight_bytes
from calculators.specs import Deployment, ModelSpec, Parallelism, SpeedConstants
from calculators.speed.cache_terms import CacheTerms, cache_terms
from calculators.speed.collectives import reduce_bytes_tok, reduce_hops
from calculators.speed.constants import constants
from calculators.speed.inputs import StepInputs
from calculators.speed.peaks import peaks
from calculators.speed.traits import is_packed, traits


def step_inputs(
    deployment: Deployment,
    speed: SpeedConstants | None = None,
    *,
    shared: Mapping[str, Any] | None = None,
) -> StepInputs:
    """Coefficients of the step model for one replica.

    Tensor parallel: weights, heads and work are divided, latents and spare heads are replicated.
    Data-parallel attention: attention replicated, sequences and experts divided. Pipeline: a
    token passes all stages, each of which works on its share of the sequences. Layer split: one
    card works at a time.

    Parameters
    ----------
    deployment : one replica
    speed : constants; by default those of the deployment's engine
    shared : `work` of the deployment, where many cards do the same

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
        **(shared or work(deployment)),
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
        "packed_params": float(model.matmul_params) if is_packed(deployment) else 0.0,
        "activation_bytes_tok": activation_bytes_tok(model, parallel),
        "n_scores": float(sum(g.n_layers * g.n_q_heads for g in model.groups)),
        "reduce_bytes_tok": reduce_bytes_tok(
            model, parallel, link_sums=deployment.accelerator.link_sums
        ),
        "n_reduce_hops": reduce_hops(model, parallel),
        "n_layers": float(model.n_layers),
        "n_data": float(parallel.tp if parallel.attention_dp else 1),
        "n_stages": 1.0 if parallel.layer_split else float(parallel.pp),
        "n_split": float(parallel.pp) if parallel.layer_split else 1.0,
    }


def activation_bytes_tok(model: ModelSpec, parallel: Parallelism) -> float:
    """Bytes of one token's hidden state over all layers, for itself and for each of its experts.

    bytes = layers x hidden x 2 x (1 + experts of a token), divided among data-parallel cards

    Parameters
    ----------
    model : layers, hidden size and experts of a token
    parallel : how the replica is spread

    Returns
    -------
    [byte] per token and card

    Notes
    -----
    Tensor parallelism repeats the hidden state on every card. Models with small experts move much
    for the little that they multiply.

    Examples
    --------
    >>> from types import SimpleNamespace as Shape
    >>> activation_bytes_tok(Shape(n_layers=10, hidden=100, top_k=3), Parallelism(tp=2))
    8000.0
    """
    each = 2.0 * model.n_layers * model.hidden * (1 + model.top_k)
    return each / (parallel.tp if parallel.attention_dp else 1)


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
