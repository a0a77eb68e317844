"""What an engine takes of a card beside weights and cache: activation peak, runtime, graphs."""

from __future__ import annotations

from dataclasses import dataclass

from calculators.specs import (
    AcceleratorSpec,
    Deployment,
    EngineSpec,
    MemoryRule,
    ModelSpec,
    Parallelism,
)
from calculators.units import GIB

ACTIVATION_BYTES = 2  # 16-bit activations


@dataclass(frozen=True, slots=True)
class EngineDefaults:
    """The two settings that size an engine's activation peak."""

    batched_tok: int
    max_sequences: int


@dataclass(frozen=True, slots=True)
class Overheads:
    """What one card gives to the engine itself [bytes]."""

    activation_bytes: float
    runtime_bytes: float
    graphs_bytes: float

    @property
    def total_bytes(self) -> float:
        return self.activation_bytes + self.runtime_bytes + self.graphs_bytes


def engine_defaults(rule: MemoryRule, accelerator: AcceleratorSpec) -> EngineDefaults:
    """Tokens of one forward pass and sequences at once that an engine chooses for a card.

    Parameters
    ----------
    rule : MemoryRule
        Defaults for small and for large cards.
    accelerator : AcceleratorSpec
        The card; `large_card_gib` and more is large.

    Returns
    -------
    EngineDefaults
        The pair.

    Notes
    -----
    Basis: measured (printed by engines at start-up).

    References
    ----------
    vLLM source, engine/arg_utils.py (read 2026-11-30): 8,192 tokens and 1,024 sequences on
    cards of 70 GiB and more except A100, else 2,048 and 256.

    Examples
    --------
    >>> rule = MemoryRule()
    >>> engine_defaults(rule, AcceleratorSpec.model_construct(id="l4", memory_total_gib=22.5))
    EngineDefaults(batched_tok=2048, max_sequences=256)
    """
    is_large = accelerator.memory_total_gib >= rule.large_card_gib
    if not is_large or "a100" in accelerator.id.lower():
        return EngineDefaults(rule.batched_tok, rule.max_sequences)
    is_huge = accelerator.memory_total_gib >= rule.huge_card_gib
    batched_tok = rule.huge_batched_tok if is_huge else rule.large_batched_tok
    return EngineDefaults(batched_tok, rule.large_max_sequences)


def pass_tok(
    rule: MemoryRule, usual: EngineDefaults, batched_tok: int | None, max_model_len: int | None
) -> int:
    """Tokens of the longest forward pass: the setting, the default, or a whole prompt.

    Parameters
    ----------
    rule : MemoryRule
        `batched_is_context`: older engines do not cut prompts up to `cut_above_tok`.
    usual : EngineDefaults
        Defaults of the engine for the card.
    batched_tok : int [tokens] or None
        The setting; None where it is not given.
    max_model_len : int [tokens] or None
        The longest prompt that the engine accepts.

    Returns
    -------
    int [tokens]
        At least 1.

    Notes
    -----
    Basis: measured.

    References
    ----------
    vllm-project/vllm#10517: 29,000 tokens are refused where 35,000 start (read 2026-11-30).

    Examples
    --------
    >>> old = MemoryRule(batched_is_context=True)
    >>> [pass_tok(old, EngineDefaults(2048, 256), None, length) for length in (20_000, 35_000)]
    [20000, 2048]
    """
    if batched_tok:
        return batched_tok
    if rule.batched_is_context and max_model_len and max_model_len <= rule.cut_above_tok:
        return max(max_model_len, usual.batched_tok)
    return usual.batched_tok


def memory_rule(engine: EngineSpec, version: tuple[int, ...] | None = None) -> MemoryRule:
    """The memory rule of an engine's release; the newest rule where no version is known.

    Parameters
    ----------
    engine : EngineSpec
        With the rules of older releases, oldest first.
    version : tuple of int, optional
        Such as (0, 8, 3).

    Returns
    -------
    MemoryRule
        The first older rule whose `before` lies above the version, else the current one.

    Notes
    -----
    Basis: measured.

    References
    ----------
    As in catalogs/engines.yaml.

    Examples
    --------
    >>> from types import SimpleNamespace as Shape
    >>> from calculators.specs import OlderMemory
    >>> old = OlderMemory(before="0.8", memory=MemoryRule(runtime_gib=0.4))
    >>> vllm = Shape(memory=MemoryRule(), older_memory=(old,))
    >>> memory_rule(vllm, (0, 6, 3)).runtime_gib, memory_rule(vllm, (0, 11)).runtime_gib
    (0.4, 0.15)
    """
    for older in engine.older_memory if version else ():
        if version < tuple(int(part) for part in older.before.split(".")):
            return older.memory
    return engine.memory


def _forward_bytes_per_tok(rule: MemoryRule, model: ModelSpec, tp: int) -> float:
    """Peak bytes of one token's pass through the widest layer on one card."""
    dense = rule.forward_intermediate_bytes * model.intermediate / tp
    routed = 0.0
    if model.n_experts:
        width = max(2 * model.moe_intermediate / tp, model.hidden) + model.moe_intermediate / tp
        routed = ACTIVATION_BYTES * model.top_k * width
    return max(dense, routed) + rule.forward_hidden_bytes * model.hidden


def activation_peak_bytes(
    rule: MemoryRule, model: ModelSpec, parallelism: Parallelism, defaults: EngineDefaults
) -> float:
    """Largest scratch memory that an engine's profiling run finds on one card.

    max(sampler, forward) + held
    sampler = 38.4 x sequences x vocabulary
    forward = batched tokens x (6 x intermediate / tp + 8 x hidden)
    held = 2 x batched tokens x hidden

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
    llm-d-planner, docs/empirical-vllm-memory-results.md (read 2026-11-30).

    Examples
    --------
    Llama 3.1 8B, 1,024 sequences, 8,192 tokens: printed 4.76 GiB.

    >>> from types import SimpleNamespace as Shape
    >>> llama = Shape(hidden=4096, intermediate=14336, vocab=128256, n_experts=0)
    >>> usual = EngineDefaults(batched_tok=8192, max_sequences=1024)
    >>> round(activation_peak_bytes(MemoryRule(), llama, Parallelism(), usual) / GIB, 2)
    4.76
    """
    sampler = rule.sampler_bytes * defaults.max_sequences * model.vocab
    forward = defaults.batched_tok * _forward_bytes_per_tok(rule, model, parallelism.tp)
    held = rule.held_hidden_bytes * defaults.batched_tok * model.hidden
    return max(sampler, forward) + held


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
        runtime_gib += rule.runtime_tp_gib
    peak = activation_peak_bytes(rule, deployment.model, deployment.parallelism, defaults)
    return Overheads(peak, runtime_gib * GIB, rule.graphs_gib * GIB)


def cache_budget_bytes(
    rule: MemoryRule, *, visible_bytes: float, weights_bytes: float, overheads: Overheads
) -> float:
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
    vLLM worker/gpu_worker.py; SGLang model_executor/model_runner.py; TensorRT-LLM
    KvCacheConfig.free_gpu_memory_fraction (read 2026-11-30).

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
