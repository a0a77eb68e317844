"""Gemma 3n and Gemma 4: per-layer embeddings, shared caches, other sizes in global layers."""

from __future__ import annotations

from dataclasses import dataclass

from calculators.fit.architectures import blocks, decoder, patterns
from calculators.fit.architectures.errors import ModelConfigError
from calculators.fit.architectures.keys import Keys
from calculators.fit.architectures.shape import Counts, Experts, Layer, Shape

KINDS = (patterns.FULL, patterns.SLIDING)


@dataclass(frozen=True, slots=True)
class Sizes:
    """Attention of one kind of layer."""

    n_q: int
    n_kv: int
    dim: int
    k_eq_v: bool = False
    bias: bool = False

    def layer(
        self, hidden: int, *, window: int = 0, reuses: bool = False, stored: bool = False
    ) -> Layer:
        """Attention with query and key norms; a layer that reuses a cache has no K and V.

        Gemma 3n's checkpoints hold those of such layers too, unused (`stored`).
        """
        counts = blocks.attention(
            hidden,
            n_q=self.n_q,
            n_kv=0 if reuses and not stored else self.n_kv,
            k_dim=self.dim,
            norm=self.dim * (1 if reuses and not stored else 2),
            k_eq_v=self.k_eq_v,
            qkv_bias=self.bias,
            o_bias=self.bias,
        )
        kept = blocks.full(self.n_q, self.n_kv, self.dim)
        return Layer(counts, blocks.windowed(kept, window) if window else kept, shares=reuses)


def n_reusing(keys: Keys, n: int) -> int:
    """How many of the last layers reuse an earlier layer's cache."""
    return keys.count("num_kv_shared_layers", default=0, low=0, high=n)


def per_layer_embedding(keys: Keys, hidden: int, n: int) -> tuple[int, Counts, int]:
    """Per-layer inputs: the table, the parts in each layer, and what lies outside the layers."""
    width = keys.count("hidden_size_per_layer_input", default=0, low=0)
    if not width:
        return 0, Counts(), 0
    table = keys.count("vocab_size_per_layer_input") * n * width
    inside = Counts(attention=2 * hidden * width, rest=hidden)
    return table, inside, hidden * n * width + width


def gemma3n(keys: Keys) -> Shape:
    """Gemma 3n: four parallel streams (AltUp), a low-rank side path (Laurel), shared caches."""
    hidden, n = keys.count("hidden_size"), decoder.n_layers(keys)
    size = decoder.heads(keys, hidden)
    attention = Sizes(size.n_q, size.n_kv, size.dim, bias=keys.flag("attention_bias"))
    kinds = patterns.layer_kinds(keys, n, patterns.every(5), KINDS)
    window = keys.count("sliding_window")
    table, inside, outside = per_layer_embedding(keys, hidden, n)
    streams, rank = keys.count("altup_num_inputs", high=64), keys.count("laurel_rank")
    altup = hidden * 2 + streams**2 + streams**3 + streams * hidden
    common = inside + Counts(attention=2 * hidden * rank, rest=altup + hidden + 4 * hidden)
    first_reuse = n - n_reusing(keys, n)
    widths = layer_widths(keys, n)
    layers = []
    for i, kind in enumerate(kinds):
        span = window if kind == patterns.SLIDING else 0
        mixer = attention.layer(hidden, window=span, reuses=i >= first_reuse, stored=True)
        dense = Counts(dense_mlp=blocks.mlp(hidden, widths[i]))
        layers.append(Layer(mixer.counts + common + dense, mixer.cache, shares=mixer.shares))
    ends = decoder.ends(keys, decoder.Style(tied=True), hidden, n_embedding=table)
    ends["rest"] += outside + 2 * (streams - 1) * hidden**2
    return Shape(layers=tuple(layers), intermediate=max(widths), **ends)


def layer_widths(keys: Keys, n: int) -> list[int]:
    """One feed-forward width for all layers, or a list with one for each."""
    if isinstance(keys.data.get("intermediate_size"), list):
        listed = keys.counts("intermediate_size", low=1)
        return patterns.checked_length(keys, "intermediate_size", listed, n)
    width = keys.count("intermediate_size")
    return [width] * n


def gemma4_sizes(keys: Keys, hidden: int) -> dict[str, Sizes]:
    """Local and global attention: a global layer has its own head size, and may share K and V."""
    local = decoder.heads(keys, hidden)
    same = keys.flag("attention_k_eq_v")
    n_global = keys.count("num_global_key_value_heads", default=None) if same else None
    dim, bias = keys.count("global_head_dim", default=512), keys.flag("attention_bias")
    return {
        patterns.SLIDING: Sizes(local.n_q, local.n_kv, local.dim, bias=bias),
        patterns.FULL: Sizes(local.n_q, n_global or local.n_kv, dim, same, bias),
    }


def gemma4_kinds(keys: Keys, n: int) -> list[str]:
    """Each sixth layer global, and the last in any case."""
    kinds = patterns.layer_kinds(keys, n, patterns.every(6), KINDS)
    return [*kinds[:-1], patterns.FULL]


def gemma4_experts(keys: Keys, hidden: int) -> tuple[Counts, Experts]:
    """Experts beside the dense block: a router with two scales, three norms more."""
    n, width = (
        keys.count("num_experts"),
        keys.count("moe_intermediate_size", "expert_intermediate_size"),
    )
    top_k = keys.count("top_k_experts")
    if top_k > n:
        raise ModelConfigError(
            f"config: '{keys.label('top_k_experts')}' is {top_k}; "
            f"at most the {n} experts are needed."
        )
    part = blocks.experts(hidden, n=n, width=width, router=hidden * n + hidden + n)
    return part + Counts(rest=3 * hidden), Experts(n, top_k, 0, width)


def gemma4(keys: Keys) -> Shape:
    """Gemma 4: local layers with a window, global ones with wider heads."""
    hidden, n = keys.count("hidden_size"), decoder.n_layers(keys)
    sizes, kinds = gemma4_sizes(keys, hidden), gemma4_kinds(keys, n)
    window, width = keys.count("sliding_window"), keys.count("intermediate_size")
    table, inside, outside = per_layer_embedding(keys, hidden, n)
    mixture, block = Experts(), Counts()
    if keys.flag("enable_moe_block"):
        block, mixture = gemma4_experts(keys, hidden)
    common = inside + block + Counts(rest=4 * hidden)
    first_reuse = n - n_reusing(keys, n)
    wide = 2 if keys.flag("use_double_wide_mlp") else 1
    layers = []
    for i, kind in enumerate(kinds):
        reuses = i >= first_reuse
        span = window if kind == patterns.SLIDING else 0
        mixer = sizes[kind].layer(hidden, window=span, reuses=reuses)
        dense = Counts(dense_mlp=blocks.mlp(hidden, width * (wide if reuses else 1)))
        layers.append(Layer(mixer.counts + common + dense, mixer.cache, shares=reuses))
    ends = decoder.ends(keys, decoder.Style(tied=True), hidden, n_embedding=table)
    ends["rest"] += outside
    widest = width * (wide if first_reuse < n else 1)
    return Shape(layers=tuple(layers), intermediate=widest, experts=mixture, **ends)
