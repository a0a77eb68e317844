"""A model's shape: parameters by group, layers by the state that they keep."""

from __future__ import annotations

from functools import cached_property
from typing import Literal

from pydantic import Field

from calculators.specs.facts import Fact, Spec

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
