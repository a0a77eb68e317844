"""Frozen descriptions of accelerators, models, formats, engines and prices.

Field names carry the units that the YAML files and the screen use (GiB, GB/s, dense TFLOP/s);
properties convert once to bytes, seconds and FLOP/s, the units of every calculator.
A blank fact is None: it is never guessed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field

from calculators.units import GB, GIB, TERA

Grade = Literal["A", "B", "C", "D"]


class Spec(BaseModel):
    """Base of every spec: immutable, and an unknown key is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """A copy with some fields replaced; what was derived from the old ones is dropped."""
        copy = super().model_copy(update=update, deep=deep)
        for name in copy.__dict__.keys() - type(self).model_fields.keys():
            del copy.__dict__[name]
        return copy


class Source(Spec):
    """Where a fact comes from: title, address or document, the day it was read.

    `covers` names the fields that it supports; empty means all figures of the record.
    Grade A is primary, B an aggregator or transcription, C a blog, an estimate or uncited.
    """

    title: str = Field(min_length=1)
    url: str | None = None
    checked: date
    covers: tuple[str, ...] = ()
    grade: Grade = "B"


class Fact(Spec):
    """A catalog record: an id, its sources, what sources disagree about, and its origin."""

    id: str = Field(min_length=1, pattern=r"^[A-Za-z0-9][A-Za-z0-9._:/+-]*$")
    name: str = Field(min_length=1)
    aliases: tuple[str, ...] = ()
    sources: tuple[Source, ...] = Field(min_length=1)
    disagreements: tuple[str, ...] = ()
    note: str | None = None
    origin: Literal["catalog", "override", "custom"] = "catalog"

    @property
    def checked(self) -> date:
        """The day of the oldest source of this record."""
        return min(source.checked for source in self.sources)


LinkKind = Literal["nvlink", "xgmi", "pcie", "ici", "neuronlink", "ethernet", "none"]


class AcceleratorSpec(Fact):
    """One card, chip or machine as one device. All rates are dense, never sparse."""

    vendor: str
    form: str
    year: int | None = Field(default=None, ge=2000, le=2100)
    memory_label_gb: float | None = Field(default=None, gt=0)  # what the box says
    memory_total_gib: float = Field(gt=0)  # what the driver reports (NVML), else label
    memory_visible_gib: float = Field(gt=0)  # what a process may allocate (CUDA)
    memory_type: str
    bandwidth_gb_s: float = Field(gt=0)
    fp16_dense_tflops: float | None = Field(default=None, gt=0)  # 16-bit, FP32 accumulate
    fp8_dense_tflops: float | None = Field(default=None, gt=0)
    int8_dense_tops: float | None = Field(default=None, gt=0)
    fp4_dense_tflops: float | None = Field(default=None, gt=0)
    link: LinkKind = "pcie"  # the fastest link between cards of one server
    link_gb_s: float | None = Field(default=None, gt=0)  # one way, per card
    n_server_cards: int = Field(default=8, ge=1)  # cards that share that link
    power_w: float | None = Field(default=None, gt=0)
    price_usd: float | None = Field(default=None, gt=0)  # purchase, per card
    price_low_usd: float | None = Field(default=None, gt=0)
    price_high_usd: float | None = Field(default=None, gt=0)
    whole_machine: bool = False  # the price, power and memory are those of a computer

    @property
    def memory_bytes(self) -> float:
        return self.memory_visible_gib * GIB

    @property
    def bandwidth_bytes_s(self) -> float:
        return self.bandwidth_gb_s * GB

    @property
    def link_bytes_s(self) -> float:
        return (self.link_gb_s or 0.0) * GB

    def flop_s(self, compute: str) -> float:
        """Dense peak of a compute format ("16", "fp8", "int8", "fp4") [FLOP/s].

        A format that the card does not have computes in 16 bits; 0 where the rate is unknown.
        """
        rates = {
            "fp8": self.fp8_dense_tflops,
            "int8": self.int8_dense_tops,
            "fp4": self.fp4_dense_tflops,
        }
        return (rates.get(compute) or self.fp16_dense_tflops or 0.0) * TERA


GroupKind = Literal["full", "sliding", "chunked", "mla", "recurrent", "compressed"]


class LayerGroup(Spec):
    """Layers that keep the same kind of state; a hybrid model is a list of groups.

    full: K and V of every token. sliding, chunked: K and V of the last `window_tok` tokens.
    mla: one latent of `latent_dim + rope_dim` per token, plus `index_dim` where a sparse
    index selects `index_topk_tok` tokens to read. recurrent: a fixed state per sequence.
    compressed: one entry per `compress_ratio` tokens beside a window of `window_tok`.
    `n_cache_layers` is smaller than `n_layers` where layers reuse another layer's cache.
    """

    kind: GroupKind
    n_layers: int = Field(ge=1)
    n_cache_layers: int | None = Field(default=None, ge=0)
    n_q_heads: int = Field(default=0, ge=0)
    n_kv_heads: int = Field(default=0, ge=0)
    k_head_dim: int = Field(default=0, ge=0)
    v_head_dim: int = Field(default=0, ge=0)
    window_tok: int = Field(default=0, ge=0)
    latent_dim: int = Field(default=0, ge=0)
    rope_dim: int = Field(default=0, ge=0)
    index_dim: int = Field(default=0, ge=0)
    index_topk_tok: int = Field(default=0, ge=0)
    compress_ratio: int = Field(default=1, ge=1)
    state_elements: int = Field(default=0, ge=0)  # recurrent matrix per layer and sequence
    state_bits: float = Field(default=32, gt=0)
    conv_elements: int = Field(default=0, ge=0)  # convolution tail per layer and sequence
    conv_taps: int = Field(default=0, ge=0)  # kernel width; the tail is one input shorter
    conv_bits: float = Field(default=16, gt=0)

    @property
    def n_caches(self) -> int:
        """Layers of this group that own a cache."""
        return self.n_layers if self.n_cache_layers is None else self.n_cache_layers


class ParameterCounts(Spec):
    """Parameters by group; the language model is the sum of all but towers and mtp."""

    embedding: int = Field(default=0, ge=0)
    head: int = Field(default=0, ge=0)  # 0 where tied to the embedding
    attention: int = Field(default=0, ge=0)
    dense_mlp: int = Field(default=0, ge=0)
    routed_experts: int = Field(default=0, ge=0)
    shared_experts: int = Field(default=0, ge=0)
    rest: int = Field(default=0, ge=0)  # norms, routers, gates
    towers: int = Field(default=0, ge=0)  # vision and audio
    mtp: int = Field(default=0, ge=0)  # multi-token-prediction layers


LANGUAGE_GROUPS = (
    "embedding",
    "head",
    "attention",
    "dense_mlp",
    "routed_experts",
    "shared_experts",
    "rest",
)


class ModelSpec(Fact):
    """A model's shape: parameters by group, layer groups by kind of state."""

    developer: str = ""
    licence: str | None = None
    n_layers: int = Field(ge=1)
    hidden: int = Field(ge=1)
    intermediate: int = Field(default=0, ge=0)  # widest dense MLP
    vocab: int = Field(ge=1)
    groups: tuple[LayerGroup, ...] = Field(min_length=1)
    parameters: ParameterCounts
    tied_embeddings: bool = False
    n_experts: int = Field(default=0, ge=0)
    top_k: int = Field(default=0, ge=0)
    n_shared_experts: int = Field(default=0, ge=0)
    moe_intermediate: int = Field(default=0, ge=0)
    n_moe_layers: int = Field(default=0, ge=0)
    max_context_tok: int | None = Field(default=None, ge=1)
    native_format: str = "bf16"  # weight format id of the published checkpoint
    group_formats: dict[str, str] = Field(default_factory=dict)  # where a parameter group differs
    native_cache_format: str | None = None  # what a checkpoint asks for K and V, such as fp8
    towers: dict[str, int] = Field(default_factory=dict)  # name to parameters
    unknown_towers: tuple[str, ...] = ()  # named in the config, of unknown size
    quality_class: str | None = None  # coarse size class, for like-for-like warnings
    api_ids: tuple[str, ...] = ()  # genai-prices "provider/model" of this very model
    hf_ids: tuple[str, ...] = ()

    @cached_property
    def total_params(self) -> int:
        """Parameters of the language model."""
        return sum(getattr(self.parameters, group) for group in LANGUAGE_GROUPS)

    @cached_property
    def full_params(self) -> int:
        """The language model plus vision and audio towers."""
        return self.total_params + self.parameters.towers

    @cached_property
    def active_params(self) -> int:
        """Parameters that one token uses: all but the routed experts not chosen."""
        routed = self.parameters.routed_experts
        if not self.n_experts:
            return self.total_params
        return self.total_params - routed + routed * self.top_k // self.n_experts

    @cached_property
    def matmul_params(self) -> int:
        """Active parameters that multiply: the embedding is looked up, the head multiplies.

        Of a tied table only vocabulary x hidden multiply; position and per-layer tables do not.
        """
        head = min(self.vocab * self.hidden, self.parameters.embedding)
        lookup = self.parameters.embedding - (head if self.tied_embeddings else 0)
        return self.active_params - lookup


class WeightFormat(Fact):
    """How weights are stored and computed.

    `bits` are effective bits per weight for the linear layers, scales included;
    `group_bits` override single parameter groups (what published checkpoints leave in 16 bits).
    `whole_file_bits` (GGUF) is the published average over the whole file instead.
    """

    family: str  # native, gguf, gptq, awq, bitsandbytes, compressed-tensors, mx, nvfp4, hqq ...
    nominal_bits: float = Field(gt=0)
    bits: float = Field(gt=0)
    group_bits: dict[str, float] = Field(default_factory=dict)
    whole_file_bits: float | None = Field(default=None, gt=0)
    group_size: int | None = Field(default=None, ge=1)
    scale_bits: float = Field(default=0, ge=0)
    zero_bits: float = Field(default=0, ge=0)
    expert_width_multiple: int = Field(default=1, ge=1)  # experts are padded to it, per card
    compute: Literal["16", "fp8", "int8", "fp4"] = "16"  # format that the multiplications run in
    engines: tuple[str, ...] = ()  # engine classes that serve it; empty = all but llama-cpp
    ppl_delta: float | None = None  # perplexity added, where published
    kl_divergence: float | None = None
    loss_note: str | None = None


class CacheFormat(Fact):
    """How keys and values are stored; `bits` include scales."""

    nominal_bits: float = Field(gt=0)
    bits: float = Field(gt=0)
    engines: tuple[str, ...] = ()
    kinds: tuple[GroupKind, ...] = ()  # layer groups that it exists for; empty = all


class RentalPrice(Spec):
    """A quote for one card hour; rows are dated and never edited."""

    accelerator: str
    provider: str
    tier: str
    kind: Literal["on-demand", "spot", "reserved-1m", "reserved-6m", "reserved-1y", "reserved-3y"]
    usd_h: float = Field(gt=0)
    n_offer_cards: int | None = Field(default=None, ge=1)
    seen: date
    source: Source
    note: str | None = None
    origin: Literal["catalog", "override", "custom"] = "catalog"


class PriceTier(Spec):
    """The price that applies to prompts longer than `above_tok` tokens."""

    above_tok: int = Field(ge=0)
    usd_mtok: float = Field(ge=0)


class ApiRates(Spec):
    """USD per million tokens, each a list of tiers by prompt length (the first above 0)."""

    input: tuple[PriceTier, ...] = ()
    cache_read: tuple[PriceTier, ...] = ()
    cache_write: tuple[PriceTier, ...] = ()
    output: tuple[PriceTier, ...] = ()


class ApiPrice(Spec):
    """One provider's price list for one model; `batch` where the list has that variant."""

    id: str  # provider/model
    provider: str
    provider_name: str
    model: str
    name: str
    context_tok: int | None = None
    rates: ApiRates
    batch: ApiRates | None = None
    off_peak: ApiRates | None = None  # hours in off_peak_note (UTC)
    off_peak_note: str | None = None
    comment: str | None = None
    listed: date  # release date of the price package, not the day of the price
    source: Source
    origin: Literal["catalog", "override", "custom"] = "catalog"


class Parallelism(Spec):
    """How one replica is spread over its cards.

    tensor: every matrix is cut over `tp` cards. pipeline: `pp` stages work on different
    sequences. layer_split: `pp` stages, one card works at a time (llama.cpp).
    attention_dp: each card keeps whole sequences, the experts are cut (expert parallel).
    """

    tp: int = Field(default=1, ge=1)
    pp: int = Field(default=1, ge=1)
    attention_dp: bool = False
    expert_parallel: bool = False
    layer_split: bool = False

    @property
    def n_cards(self) -> int:
        return self.tp * self.pp


class SpeedConstants(Spec):
    """Constants of one engine class in the step model, fitted or first values.

    `factors` multiply a constant (by its name) where a deployment has a trait: memory `hbm`,
    `gddr` or `unified`, vendor `amd`, kernels `w4`, `w8` (weight-only), `fp8`, `fp4`, `int8`,
    `moe`, `data-parallel`.
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
    split_gain: float = Field(default=1.0, ge=0, le=1)  # of the ideal for prompts in a layer split
    first_token_ms: float = Field(default=0, ge=0)  # server, tokenizer, network
    first_token_layer_us: float = Field(default=0, ge=0)  # launched one by one beside decoding
    first_token_steps: float = Field(default=1.0, ge=0)  # decode steps before a prompt starts
    queue_frac: float = Field(default=0.0, ge=0)  # of the others' prompts that a prompt waits for
    server_frac: float = Field(default=0.85, gt=0, le=1.5)  # of offline, under latency limits
    expert_pad_tok: float = Field(default=0, ge=0)  # tokens' work that each touched expert adds
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
    conv_bits: float | None = Field(default=None, gt=0)  # of convolution tails, if not the model's
    embedding_on_host: bool = False  # an untied embedding stays in host memory


class OlderMemory(Spec):
    """The memory rule of an engine's releases before a version, such as "0.8"."""

    before: str = Field(pattern=r"^\d+(\.\d+)*$")
    memory: MemoryRule


class EngineSpec(Fact):
    """An engine class: what it serves, how it splits, what it takes, how fast it is."""

    split: Literal["tensor", "layer"] = "tensor"
    families: tuple[str, ...] = ()  # weight-format families that it serves; empty = any
    vendors: tuple[str, ...] = ()  # accelerator vendors; empty = any
    memory: MemoryRule = MemoryRule()
    older_memory: tuple[OlderMemory, ...] = ()  # by version, oldest first
    speed: SpeedConstants = SpeedConstants()
    older_speed: tuple[OlderSpeed, ...] = ()  # by version, oldest first
    bands: tuple[ErrorBand, ...] = ()
    provenance: str | None = None  # how the constants came about
    n_rows: int | None = Field(default=None, ge=0)  # measurements behind the constants


@dataclass(frozen=True, slots=True)
class Deployment:
    """One replica: a model in two formats on cards under an engine."""

    model: ModelSpec
    weights: WeightFormat
    cache: CacheFormat
    accelerator: AcceleratorSpec
    engine: EngineSpec
    parallelism: Parallelism


class Figure(Spec):
    """One cost figure: a value or a range, with its source."""

    value: float | None = None
    low: float | None = None
    high: float | None = None
    unit: str
    label: str
    source: Source
    note: str | None = None
    origin: Literal["catalog", "override", "custom"] = "catalog"


class Catalog(BaseModel):
    """Everything known, by id; a pure container that catalogs/loader.py fills."""

    model_config = ConfigDict(frozen=True, arbitrary_types_allowed=True)

    asof: date
    accelerators: dict[str, AcceleratorSpec]
    models: dict[str, ModelSpec]
    weight_formats: dict[str, WeightFormat]
    cache_formats: dict[str, CacheFormat]
    engines: dict[str, EngineSpec]
    rental_prices: tuple[RentalPrice, ...]
    api_prices: dict[str, ApiPrice]
    ownership: dict[str, Figure]
    defaults: dict[str, str] = Field(default_factory=dict)  # scenario defaults of an override
    overridden: tuple[str, ...] = ()  # "accelerators/h100-sxm: bandwidth_gb_s" and the like
    problems: tuple[str, ...] = ()  # what a lenient load left out, one sentence each

    @cached_property
    def _aliases(self) -> dict[str, dict[str, str]]:
        tables: dict[str, dict[str, str]] = {}
        for table in ("accelerators", "models", "weight_formats", "cache_formats", "engines"):
            index: dict[str, str] = {}
            for key, fact in getattr(self, table).items():
                for alias in (key, fact.name, *fact.aliases, *getattr(fact, "hf_ids", ())):
                    index.setdefault(normalised(alias), key)
            tables[table] = index
        return tables

    def find(self, table: str, name: str) -> str | None:
        """The id in a table of an id, name or alias, whatever its case and dashes; or None."""
        return self._aliases[table].get(normalised(name))


def normalised(name: str) -> str:
    """A name without case, spaces, dashes and underscores, for look-ups by alias."""
    return "".join(c for c in name.lower() if c not in " -_")
