"""Engine classes: what they take of a card and how fast they are."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from calculators.specs.facts import Fact, Spec
from calculators.specs.model import GroupKind


class SpeedConstants(Spec):
    """Constants of one engine class in the step model, fitted or first values.

    `factors` multiply a constant (by its name) where a deployment has a trait: memory `hbm`,
    `gddr` or `unified`, vendor `amd` or `apple`, kernels `w4`, `w8` (weight-only), `fp8`, `fp4`,
    `int8`, `moe`, `data-parallel`.
    """

    bandwidth_eff_frac: float = Field(default=0.75, gt=0, le=1.5)
    expert_eff_frac: float = Field(default=1.0, gt=0, le=3)  # of that, for routed experts
    cache_eff_frac: float = Field(default=1.0, gt=0, le=3)  # of that, for the cache
    compute_eff_frac: float = Field(default=0.55, gt=0, le=1.5)
    power_exponent: float = Field(default=0, ge=0, le=2)  # of 16-bit TFLOP/s per watt, see peaks
    attention_eff_frac: float = Field(default=1.0, gt=0, le=3)  # of that, for attention
    compute_peak: Literal["format", "half_int8"] = "format"  # the rate that it is a share of
    overlap_exponent: float = Field(default=1.0, ge=1, le=8)  # 1 adds, more hides compute
    link_eff_frac: float = Field(default=0.6, gt=0, le=3)
    nvlink_latency_us: float = Field(default=8, ge=0)  # times log2(cards), per all-reduce
    pcie_latency_us: float = Field(default=20, ge=0)
    stage_hop_us: float = Field(default=0, ge=0)  # from card to card of a layer split
    layer_overhead_us: float = Field(default=2, ge=0)
    step_overhead_ms: float = Field(default=0.5, ge=0)
    sequence_overhead_us: float = Field(default=0, ge=0)
    prefill_layer_us: float = Field(default=0, ge=0)  # more, where a prompt is processed
    prefill_overhead_ms: float = Field(default=0.5, ge=0)
    score_bytes: float = Field(default=0, ge=0)  # per head, token and token of context
    attention_slowdown: float = Field(default=0, ge=0)  # of decode attention without matrix units
    split_gain: float = Field(default=1.0, ge=0, le=1)  # of the ideal for prompts in a layer split
    first_token_ms: float = Field(default=0, ge=0)  # server, tokenizer, network
    first_token_layer_us: float = Field(default=0, ge=0)  # launched one by one beside decoding
    first_token_steps: float = Field(default=1.0, ge=0)  # decode steps before a prompt starts
    queue_frac: float = Field(default=0.0, ge=0)  # of the others' prompts that a prompt waits for
    server_frac: float = Field(default=0.85, gt=0, le=1.5)  # of offline, under latency limits
    expert_pad_tok: float = Field(default=0, ge=0)  # tokens' work that each touched expert adds
    unpack_flop: float = Field(default=0, ge=0)  # per packed weight and step
    activation_passes: float = Field(default=0, ge=0)  # reads and writes of a layer's activations
    held_output_frac: float = Field(default=1.0, ge=0, le=2)  # of the output, reserved
    held_memory_frac: float = Field(default=0.9, gt=0, le=1.2)  # where a run fills the memory
    held_reserve_gib: float = Field(default=1.5, ge=0)
    factors: dict[str, dict[str, float]] = Field(default_factory=dict)


class OlderSpeed(Spec):
    """Constants of an engine's releases before a version, such as "0.8", or before a year."""

    before: str = Field(pattern=r"^\d+(\.\d+)*$")
    speed: SpeedConstants


class ErrorBand(Spec):
    """Residual spread of a class on left-out measurements: figure x (1 +- band)."""

    metric: str  # decode, throughput, tpot, ttft, prefill
    n_rows: int = Field(ge=0)
    median_abs_error_frac: float = Field(ge=0)
    band_frac: float = Field(ge=0)  # half width of the central 68 % of residuals


class MemoryRule(Spec):
    """What an engine takes of a card before and beside weights and cache.

    Activation peak = max(sampler_bytes x sequences x vocabulary, batched tokens x
    (forward_intermediate_bytes x intermediate / tp + forward_hidden_bytes x hidden)) +
    held_hidden_bytes x batched tokens x hidden. The `large_` defaults apply to cards of
    `large_card_gib` and more, the `huge_` default to those of `huge_card_gib` and more.
    """

    utilisation_frac: float = Field(default=0.9, gt=0, le=1)
    utilisation_of: Literal["total", "free_before_load", "free_after_load"] = "total"
    runtime_gib: float = Field(default=0.15, ge=0)  # context and libraries, per card
    runtime_tp_gib: float = Field(default=0.4, ge=0)  # more, for each doubling of the cards
    graphs_gib: float = Field(default=0.0, ge=0)  # only where the engine reserves them
    batched_tok: int = Field(default=2048, ge=1)  # tokens of one forward pass
    max_sequences: int = Field(default=256, ge=1)
    large_card_gib: float = Field(default=70, gt=0)
    large_batched_tok: int = Field(default=8192, ge=1)
    large_max_sequences: int = Field(default=1024, ge=1)
    small_by_name: tuple[str, ...] = ("a100",)  # large cards that keep the small defaults
    huge_card_gib: float = Field(default=1e9, gt=0)
    huge_batched_tok: int = Field(default=16384, ge=1)
    batched_is_context: bool = False  # prompts are not cut: a pass holds the longest one
    cut_above_tok: int = Field(default=32768, ge=1)  # but longer contexts are cut after all
    cut_batched_tok: int = Field(default=2048, ge=1)  # to passes of this length
    block_tok: int = Field(default=16, ge=1)
    page_align_tok: int = Field(default=0, ge=0)  # pages of hybrids, in steps; 0: no paging
    state_copies: int = Field(default=1, ge=1)  # of recurrent states, per sequence
    sampler_bytes: float = Field(default=38.4, ge=0)  # per sequence and vocabulary entry
    light_sampler_bytes: float | None = Field(default=None, ge=0)  # dense models without states
    light_graphs_gib: float | None = Field(default=None, ge=0)  # theirs, if they differ
    counts_by_group: bool = False  # the printed tokens are blocks / layer groups x block
    forward_intermediate_bytes: float = Field(default=6, ge=0)
    forward_hidden_bytes: float = Field(default=4, ge=0)
    held_hidden_bytes: float = Field(default=2, ge=0)
    full_kinds: tuple[GroupKind, ...] = ()  # windows that the engine ignores: cached in full
    expands_latent: Literal["no", "heads", "padded"] = "no"  # K and V of every head instead
    index_bits: float | None = Field(default=None, gt=0)  # of index keys, if not the cache's
    conv_bits: float | None = Field(default=None, gt=0)  # of convolution tails, if not the model's
    embedding_on_host: bool = False  # an untied embedding stays in host memory
    latent_workspace_tok: int = Field(default=0, ge=0)  # whose K and V a latent is expanded to
    mask_bytes: float = Field(default=0, ge=0)  # per token of a pass and token of context
    splits_states: bool = False  # states and cache have pools of their own, by other settings
    unknown: str = ""  # why no figure of the overhead can be trusted


class OlderMemory(Spec):
    """The memory rule of an engine's releases before a version, such as "0.8"."""

    before: str = Field(pattern=r"^\d+(\.\d+)*$")
    memory: MemoryRule


class EngineSpec(Fact):
    """An engine class: what it serves, how it splits, what it takes, how fast it is."""

    split: Literal["tensor", "layer"] = "tensor"
    families: tuple[str, ...] = ()  # weight-format families that it serves; empty = any
    vendors: tuple[str, ...] = ()  # accelerator vendors; empty = any
    relatives: tuple[str, ...] = ()  # aliases of engines alike in speed, with other memory rules
    memory: MemoryRule = MemoryRule()
    older_memory: tuple[OlderMemory, ...] = ()  # by version, oldest first
    speed: SpeedConstants = SpeedConstants()
    older_speed: tuple[OlderSpeed, ...] = ()  # by version, oldest first
    bands: tuple[ErrorBand, ...] = ()
    provenance: str | None = None  # how the constants came about
    n_rows: int | None = Field(default=None, ge=0)  # measurements behind the constants
