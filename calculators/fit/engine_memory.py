"""What an engine takes of a card beside weights and cache: activation peak, runtime, graphs."""

from __future__ import annotations

from dataclasses import dataclass
from math import log2
from typing import Any

from calculators.fit.engine_rules import EngineDefaults, engine_defaults, pass_tok
from calculators.specs import Deployment, MemoryRule, ModelSpec, Parallelism
from calculators.units import GIB

ACTIVATION_BYTES = 2  # 16-bit activations


@dataclass(frozen=True, slots=True)
class Overheads:
    """What one card gives to the engine itself [bytes]."""

    activation_bytes: Any  # floats, or arrays over many deployments
    runtime_bytes: Any
    graphs_bytes: Any

    @property
    def total_bytes(self) -> Any:
        return self.activation_bytes + self.runtime_bytes + self.graphs_bytes


def forward_bytes_tok(rule: MemoryRule, model: ModelSpec, tp: int) -> float:
    """Peak bytes of one token's pass through the widest layer on one card.

    bytes = max(b_i x intermediate / tp, 2 x k x (what k experts hold)) + b_h x hidden

    Parameters
    ----------
    rule : b_i and b_h of the engine [byte]
    model : widths, experts of a token
    tp : cards that cut the layer

    Returns
    -------
    [byte] per token

    Examples
    --------
    >>> from types import SimpleNamespace as Shape
    >>> forward_bytes_tok(MemoryRule(), Shape(intermediate=100, n_experts=0, hidden=10), 2)
    340.0
    """
    dense = rule.forward_intermediate_bytes * model.intermediate / tp
    routed = 0.0
    if model.n_experts:
        width = max(2 * model.moe_intermediate / tp, model.hidden) + model.moe_intermediate / tp
        routed = ACTIVATION_BYTES * model.top_k * width
    return max(dense, routed) + rule.forward_hidden_bytes * model.hidden


def _expanded_latent_bytes(rule: MemoryRule, model: ModelSpec, parallelism: Parallelism) -> float:
    """K and V of the tokens that a prefill expands from a latent at once, on one card."""
    widest = 0
    for group in model.groups:
        if group.kind == "mla" and not group.index_dim:
            width = group.k_head_dim - group.rope_dim + group.v_head_dim
            widest = max(widest, group.n_q_heads * width)
    tp = 1 if parallelism.attention_dp else parallelism.tp
    return ACTIVATION_BYTES * rule.latent_workspace_tok * widest / tp


def _is_light(model: ModelSpec) -> bool:
    """Dense and without recurrent states: what vLLM's second model runner serves first."""
    if model.n_experts:
        return False
    return "recurrent" not in [group.kind for group in model.groups]


def activation_peak_bytes(
    rule: MemoryRule, model: ModelSpec, parallelism: Parallelism, defaults: EngineDefaults
) -> float:
    """Largest scratch memory that an engine's profiling run finds on one card.

    max(sampler, forward, latent) + held
    sampler = 38.4 x sequences x vocabulary where the engine sorts (14 or 6 where it does not)
    forward = batched tokens x (6 x intermediate / tp + 4 x hidden)
    latent = 2 x 65,536 x heads / tp x (K without rotated part + V) + 4 x batched tokens x hidden
    held = 2 x batched tokens x hidden (twice with a vision tower)

    Parameters
    ----------
    rule : MemoryRule
        The factors of an engine class.
    model : ModelSpec
        Vocabulary, hidden size, intermediate size, experts.
    parallelism : Parallelism
        The tensor width divides the intermediate size; logits are gathered on every card.
    defaults : EngineDefaults
        Sequences at once; tokens of one forward pass.

    Returns
    -------
    float [bytes]
        Of one card.

    Notes
    -----
    Basis: calibrated on printed logs. Vision towers can peak higher (0.5 to 8 GiB).

    References
    ----------
    llm-d-planner, docs/empirical-vllm-memory-results.md (printed peaks); vLLM 0.11.0, 0.15.0 and
    0.22.0, v1/sample/ops/topk_topp_sampler.py, 0.25.1, v1/worker/gpu/sample/sampler.py, and 0.11.0,
    v1/attention/backends/mla/common.py (what the profiling run holds), read 2026-11-30.

    Examples
    --------
    Llama 3.1 8B, 1,024 sequences, 8,192 tokens: printed 4.76 GiB.

    >>> from types import SimpleNamespace as Shape
    >>> llama = Shape(hidden=4096, intermediate=14336, vocab=128256, n_experts=0,
    ...               groups=(), towers={})
    >>> usual = EngineDefaults(batched_tok=8192, max_sequences=1024)
    >>> round(activation_peak_bytes(MemoryRule(), llama, Parallelism(), usual) / GIB, 2)
    4.76
    """
    n_sampled = min(defaults.max_sequences, defaults.batched_tok)
    light = rule.light_sampler_bytes if _is_light(model) else None
    sampler = (rule.sampler_bytes if light is None else light) * n_sampled * model.vocab
    forward = defaults.batched_tok * forward_bytes_tok(rule, model, parallelism.tp)
    hidden = defaults.batched_tok * model.hidden
    latent = _expanded_latent_bytes(rule, model, parallelism)
    attention = latent + rule.forward_hidden_bytes * hidden if latent else 0.0
    held = rule.held_hidden_bytes * hidden * (2 if model.towers else 1)
    return max(sampler, forward, attention) + held


def engine_overheads(
    deployment: Deployment,
    *,
    batched_tok: int | None = None,
    max_sequences: int | None = None,
    max_model_len: int | None = None,
) -> Overheads:
    """What the engine takes of one card beside weights and cache.

    Parameters
    ----------
    deployment : Deployment
        Model, card, engine and parallelism.
    batched_tok : int [tokens], optional
        Tokens of one forward pass; the engine's default for the card where not given.
    max_sequences : int [sequences], optional
        Sequences at once; the engine's default for the card where not given.
    max_model_len : int [tokens], optional
        Longest prompt: older engines pass it through at once.

    Returns
    -------
    Overheads
        Activation peak, runtime and graphs.

    Notes
    -----
    Basis: calibrated.

    References
    ----------
    As `activation_peak_bytes`.

    Examples
    --------
    See `activation_peak_bytes`.
    """
    rule = deployment.engine.memory
    usual = engine_defaults(rule, deployment.accelerator)
    defaults = EngineDefaults(
        pass_tok(rule, usual, batched_tok, max_model_len), max_sequences or usual.max_sequences
    )
    runtime_gib = rule.runtime_gib
    if deployment.parallelism.n_cards > 1 and not deployment.parallelism.layer_split:
        runtime_gib += rule.runtime_tp_gib * log2(deployment.parallelism.n_cards)
    peak = activation_peak_bytes(rule, deployment.model, deployment.parallelism, defaults)
    peak += rule.mask_bytes * defaults.batched_tok * (max_model_len or 0)
    light = rule.light_graphs_gib if _is_light(deployment.model) else None
    graphs_gib = rule.graphs_gib if light is None else light
    return Overheads(peak, runtime_gib * GIB, graphs_gib * GIB)


def cache_budget_bytes(
    rule: MemoryRule, *, visible_bytes: Any, weights_bytes: Any, overheads: Overheads
) -> Any:
    """Bytes of one card that an engine leaves for the cache; below 0 where nothing is left.

    share of total: visible x share - weights - overhead
    share of free before loading: (visible - runtime) x share - weights
    share of free after loading: (visible - weights - overhead) x share

    Parameters
    ----------
    rule : MemoryRule
        Which rule, and the share.
    visible_bytes : float [bytes]
        What a process can allocate on the card.
    weights_bytes : float [bytes]
        Of this card.
    overheads : Overheads
        Of this card.

    Returns
    -------
    float [bytes]
        Of one card.

    Notes
    -----
    Basis: calibrated.

    References
    ----------
    vLLM 0.25.1, v1/worker/gpu_worker.py, determine_available_memory, and SGLang 0.5.23,
    mem_cache/kv_cache_configurator.py, _profile_available_bytes (read 2026-11-30); TensorRT-LLM
    KvCacheConfig.free_gpu_memory_fraction (from knowledge of its documentation, not re-read).

    Examples
    --------
    >>> nothing = Overheads(0, 0, 0)
    >>> cache_budget_bytes(MemoryRule(utilisation_frac=0.9), visible_bytes=100.0,
    ...                    weights_bytes=50.0, overheads=nothing)
    40.0
    """
    share = rule.utilisation_frac
    if rule.utilisation_of == "free_before_load":
        return (visible_bytes - overheads.runtime_bytes) * share - weights_bytes
    if rule.utilisation_of == "free_after_load":
        return (visible_bytes - weights_bytes - overheads.total_bytes) * share
    return visible_bytes * share - weights_bytes - overheads.total_bytes
