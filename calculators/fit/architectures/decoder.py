"""The ordinary decoder: attention with windows, a feed-forward block or experts, norms.

A family is a `Style`: how it departs from Llama. Key names that families share for the same
thing are read in one place.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from calculators.fit.architectures import blocks, patterns
from calculators.fit.architectures.errors import ModelConfigError
from calculators.fit.architectures.key_names import (
    CONTEXT,
    EXPERTS,
    HEADS,
    HIDDEN,
    KV_HEADS,
    LAYERS,
    MOE_WIDTH,
    N_SHARED,
    SHARED_WIDTH,
    TOP_K,
    WIDTH,
)
from calculators.fit.architectures.keys import LONGEST, Keys
from calculators.fit.architectures.shape import Counts, Experts, Layer, Shape
from calculators.specs import LayerGroup

Switch = bool | str  # fixed, or the name of the key that says so


@dataclass(frozen=True, slots=True)
class Moe:
    """How a family's mixture of experts departs from Mixtral's."""

    gated: bool = True
    bias: bool = False
    router_bias: bool = False
    shared_bias: Switch = False
    shared: str = ""  # "" none, "count" n x expert width, "width" a key holds the width
    shared_gate: bool = False
    width: tuple[str, ...] = MOE_WIDTH
    everywhere: bool = False
    counted_bias: bool = False  # a correction per expert, kept as a parameter


@dataclass(frozen=True, slots=True)
class Style:
    """How a family departs from Llama."""

    qkv_bias: Switch = False
    o_bias: Switch = False
    mlp_bias: Switch = False
    head_bias: Switch = False
    gated: bool = True
    qk_norm: str = ""  # "head": per head size; "full", "full_weight": over all heads
    qk_norm_switch: Switch = True
    norm: int = 1  # parameters per channel of a norm: 0, 1, or 2 with a bias
    n_norms: int = 2
    final_norm: bool = True
    gate: str = ""  # output gate of attention: "channel", "channel_unbiased" or "head"
    sinks: bool = False
    k_eq_v: bool = False
    window: patterns.Rule = patterns.all_full
    kinds: tuple[str, ...] = (patterns.FULL, patterns.SLIDING)
    window_keys: tuple[str, ...] = ("sliding_window",)
    moe: Moe | None = None
    tied: bool = False  # where neither the file nor its class says
    head_dim: tuple[str, ...] = ("head_dim",)
    extra_layer: int = 0  # further parameters of a layer, whatever the width
    extra_norms: str = ""  # the key that asks for two norms more
    sub_norms: bool = False  # a norm of attention's output and of the inner feed-forward width


def on(keys: Keys, switch: Switch) -> bool:
    """A switch: fixed, or read from its key."""
    return keys.flag(switch) if isinstance(switch, str) else switch


def n_layers(keys: Keys) -> int:
    """The number of layers, bounded."""
    return keys.count(*LAYERS, high=LONGEST)


def head_size(keys: Keys, hidden: int, n_heads: int, names: tuple[str, ...]) -> int:
    """The head size: its key, or hidden / heads, which has to come out even."""
    size = keys.count(*names, default=None)
    if size is not None:
        return size
    if hidden % n_heads:
        raise ModelConfigError(
            f"config: '{keys.label('num_attention_heads')}' is {n_heads}, which does not divide "
            f"the hidden size {hidden}, and there is no 'head_dim'."
        )
    return hidden // n_heads


@dataclass(frozen=True, slots=True)
class Heads:
    """Query and KV heads and their size."""

    n_q: int
    n_kv: int
    dim: int


def heads(keys: Keys, hidden: int, names: tuple[str, ...] = ("head_dim",)) -> Heads:
    """Heads of a section; KV heads are the query heads where the file does not say."""
    n_q = keys.count(*HEADS)
    n_kv = keys.count(*KV_HEADS, default=n_q)
    if n_q % n_kv:
        raise ModelConfigError(
            f"config: '{keys.label('num_key_value_heads')}' is {n_kv}; a divisor of the "
            f"{n_q} query heads is needed."
        )
    return Heads(n_q, n_kv, head_size(keys, hidden, n_q, names))


def norm_size(style: Style, size: Heads) -> int:
    """Parameters of the query and key norms of one layer."""
    per_channel = max(style.norm, 1)
    if style.qk_norm == "head":
        return 2 * size.dim * per_channel
    if style.qk_norm == "full_weight":
        per_channel = 1
    return (size.n_q + size.n_kv) * size.dim * per_channel if style.qk_norm else 0


def attention_part(keys: Keys, style: Style, hidden: int, size: Heads) -> Counts:
    """Parameters of one attention block."""
    gates = {"channel": size.n_q * size.dim, "head": size.n_q}
    apart = hidden * size.n_q * size.dim if style.gate == "channel_unbiased" else 0
    counts = blocks.attention(
        hidden,
        n_q=size.n_q,
        n_kv=size.n_kv,
        k_dim=size.dim,
        qkv_bias=on(keys, style.qkv_bias),
        o_bias=on(keys, style.o_bias),
        norm=norm_size(style, size) if on(keys, style.qk_norm_switch) else 0,
        n_gate=gates.get(style.gate, 0),
        k_eq_v=style.k_eq_v,
    )
    return counts + Counts(attention=apart, rest=size.n_q if style.sinks else 0)


def dense_part(keys: Keys, style: Style, hidden: int) -> tuple[Counts, int]:
    """Parameters of one feed-forward block, and its width."""
    width = keys.count(*WIDTH)
    bias = on(keys, style.mlp_bias)
    return Counts(dense_mlp=blocks.mlp(hidden, width, gated=style.gated, bias=bias)), width


def experts_of(keys: Keys, moe: Moe) -> Experts:
    """The mixture of experts of a section."""
    width = keys.uniform(*moe.width, *WIDTH)
    n = keys.count(*EXPERTS, high=100_000)
    top_k = keys.uniform(*TOP_K)
    if top_k > n:
        raise ModelConfigError(
            f"config: '{keys.label(TOP_K[0])}' is {top_k}; at most the {n} experts are needed."
        )
    shared = 0
    if moe.shared == "count":
        shared = keys.uniform(*N_SHARED, default=0, low=0)
    elif moe.shared == "width":
        shared = int(keys.count(*SHARED_WIDTH, default=0, low=0) > 0)
    return Experts(n=n, top_k=top_k, n_shared=shared, width=width)


def expert_part(keys: Keys, moe: Moe, hidden: int) -> tuple[Counts, Experts]:
    """Parameters of one expert block, and the mixture."""
    mixture = experts_of(keys, moe)
    shared = mixture.n_shared * mixture.width
    if moe.shared == "width":
        shared = keys.count(*SHARED_WIDTH, default=0, low=0)
    counts = blocks.experts(
        hidden,
        n=mixture.n,
        width=mixture.width,
        gated=moe.gated,
        bias=moe.bias,
        shared_width=shared,
        shared_gate=moe.shared_gate and shared > 0,
        shared_bias=on(keys, moe.shared_bias),
        router_bias=moe.router_bias,
    )
    return counts + Counts(rest=mixture.n if moe.counted_bias else 0), mixture


def layer_norms(keys: Keys, style: Style, hidden: int) -> int:
    """Parameters of a layer's norms, and whatever else it has that is no matrix."""
    n_norms = style.n_norms + (2 if style.extra_norms and keys.flag(style.extra_norms) else 0)
    inner = hidden + keys.count(*WIDTH) if style.sub_norms else 0
    return n_norms * style.norm * hidden + style.extra_layer + inner


def caches(keys: Keys, style: Style, size: Heads, n: int) -> list[LayerGroup]:
    """What each layer keeps: K and V of all tokens, or of a window."""
    whole = blocks.full(size.n_q, size.n_kv, size.dim)
    kinds = patterns.layer_kinds(keys, n, style.window, style.kinds)
    if not set(kinds) - {patterns.FULL}:
        return [whole] * n
    window = keys.count(*style.window_keys)
    names = {patterns.SLIDING: "sliding", patterns.CHUNKED: "chunked"}
    return [blocks.windowed(whole, window, names[k]) if k in names else whole for k in kinds]


def ends(keys: Keys, style: Style, hidden: int, n_embedding: int = 0) -> dict[str, Any]:
    """Embedding, head and final norm: what lies outside the layers."""
    vocab = keys.count("vocab_size", "padded_vocab_size", high=100_000_000)
    tied = keys.flag("tie_word_embeddings", default=style.tied)
    head = 0 if tied else vocab * hidden
    if on(keys, style.head_bias):
        head += vocab
    return {
        "hidden": hidden,
        "vocab": vocab,
        "embedding": vocab * hidden + n_embedding,
        "head": head,
        "rest": style.norm * hidden if style.final_norm else 0,
        "tied": tied,
        "max_context_tok": keys.count(*CONTEXT, default=None, high=10**9),
    }


def decoder(style: Style) -> Callable[[Keys], Shape]:
    """The recipe of a family of ordinary decoders."""

    def recipe(keys: Keys) -> Shape:
        hidden, n = keys.count(*HIDDEN), n_layers(keys)
        size = heads(keys, hidden, style.head_dim)
        norms = Counts(rest=layer_norms(keys, style, hidden))
        frame = attention_part(keys, style, hidden, size) + norms
        sparse, mixture, block = [False] * n, Experts(), Counts()
        if style.moe:
            sparse = [True] * n if style.moe.everywhere else patterns.sparse_layers(keys, n)
            if any(sparse):
                block, mixture = expert_part(keys, style.moe, hidden)
        dense, width = (Counts(), 0) if all(sparse) else dense_part(keys, style, hidden)
        kept = caches(keys, style, size, n)
        layers = tuple(Layer(frame + (block if sparse[i] else dense), kept[i]) for i in range(n))
        return Shape(
            layers=layers, intermediate=width, experts=mixture, **ends(keys, style, hidden)
        )

    return recipe
