"""Decoders with a layout of their own: Llama 4, MiMo, MiniMax M3, DeepSeek V4, LongCat."""

from __future__ import annotations

from dataclasses import replace

from calculators.fit.architectures import blocks, decoder, patterns
from calculators.fit.architectures.decoder import Moe, Style
from calculators.fit.architectures.keys import Keys
from calculators.fit.architectures.latent import feed_forward
from calculators.fit.architectures.shape import Counts, Experts, Layer, Shape
from calculators.specs import LayerGroup


def with_parts(layer: Layer, counts: Counts) -> Layer:
    """The same layer with further parameters."""
    return replace(layer, counts=layer.counts + counts)


def llama4_kinds(keys: Keys, n: int) -> list[str]:
    """Chunked attention, but global on each layer without rotary positions."""
    listed = keys.counts("no_rope_layers", default=[], high=1)
    if not listed:
        step = keys.count("no_rope_layer_interval", default=4)
        listed = [int((i + 1) % step != 0) for i in range(n)]
    listed = patterns.checked_length(keys, "no_rope_layers", listed, n)
    chunked = keys.count("attention_chunk_size", default=None)
    return [patterns.CHUNKED if flag and chunked else patterns.FULL for flag in listed]


def llama4(keys: Keys) -> Shape:
    """Llama 4: chunked and global attention, experts on every layer or every second one."""
    hidden, n = keys.count("hidden_size"), decoder.n_layers(keys)
    style = Style(
        qkv_bias="attention_bias",
        o_bias="attention_bias",
        window=llama4_kinds,
        kinds=(patterns.FULL, patterns.CHUNKED),
        window_keys=("attention_chunk_size",),
    )
    size = decoder.heads(keys, hidden)
    kept = decoder.caches(keys, style, size, n)
    step = keys.count("interleave_moe_layer_step", default=1, low=0)
    default = range(step - 1, n, step) if step else range(0)
    sparse = set(keys.counts("moe_layers", default=list(default)))
    width = keys.count("intermediate_size")
    n_experts = keys.count("num_local_experts")
    block = blocks.experts(hidden, n=n_experts, width=width, shared_width=width)
    wide = keys.count("intermediate_size_mlp")
    dense = Counts(dense_mlp=blocks.mlp(hidden, wide))
    frame = decoder.attention_part(keys, style, hidden, size) + Counts(rest=2 * hidden)
    layers = tuple(Layer(frame + (block if i in sparse else dense), kept[i]) for i in range(n))
    top_k = keys.count("num_experts_per_tok", high=n_experts)
    return Shape(
        layers=layers,
        intermediate=0 if len(sparse) >= n else wide,
        experts=Experts(n_experts, top_k, 1, width),
        **decoder.ends(keys, style, hidden),
    )


def mimo_v2(keys: Keys) -> Shape:
    """MiMo V2: window layers with more KV heads than global ones, V narrower than K, sinks."""
    hidden, n = keys.count("hidden_size"), decoder.n_layers(keys)
    rule = (
        patterns.flags("hybrid_layer_pattern") if keys.has("hybrid_layer_pattern") else mimo_kinds
    )
    kinds = patterns.layer_kinds(keys, n, rule, (patterns.FULL, patterns.SLIDING))
    bias = keys.flag("attention_bias")
    window = keys.count("sliding_window_size", "sliding_window")
    mixers = {}
    for kind, prefix in ((patterns.FULL, ""), (patterns.SLIDING, "swa_")):
        n_q, n_kv, k_dim, v_dim = (
            keys.count(prefix + name, name)
            for name in ("num_attention_heads", "num_key_value_heads", "head_dim", "v_head_dim")
        )
        if prefix and not keys.has("swa_num_key_value_heads"):
            n_kv = 2 * n_kv
        sinks = keys.flag(
            "add_swa_attention_sink_bias" if prefix else "add_full_attention_sink_bias",
            default=bool(prefix),
        )
        counts = blocks.attention(
            hidden, n_q=n_q, n_kv=n_kv, k_dim=k_dim, v_dim=v_dim, qkv_bias=bias
        )
        kept = blocks.full(n_q, n_kv, k_dim, v_dim)
        if prefix:
            kept = blocks.windowed(kept, window)
        mixers[kind] = Layer(counts + Counts(rest=n_q if sinks else 0), kept)
    feed = feed_forward(keys, Style(moe=Moe(shared="count")), hidden, n)
    layers = tuple(
        with_parts(mixers[kind], part + Counts(rest=2 * hidden))
        for kind, part in zip(kinds, feed.parts, strict=True)
    )
    return Shape(
        layers=layers,
        intermediate=feed.width,
        experts=feed.mixture,
        **decoder.ends(keys, Style(), hidden),
    )


def mimo_kinds(_: Keys, n: int) -> list[str]:
    """The first layer and each sixth are global."""
    return [patterns.SLIDING if i and (i + 1) % 6 else patterns.FULL for i in range(n)]


def minimax_m3_indexed(keys: Keys, n: int) -> list[bool]:
    """Which layers have an index that picks blocks of keys."""
    section = keys.section("sparse_attention_config")
    if section.has("sparse_attention_freq"):
        flags = section.counts("sparse_attention_freq", high=1)
        flags = patterns.checked_length(section, "sparse_attention_freq", flags, n)
        return [bool(flag) for flag in flags]
    if keys.has("layer_types"):
        kinds = patterns.checked_length(keys, "layer_types", keys.words("layer_types"), n)
        return [kind != patterns.FULL for kind in kinds]
    return [False] * n


def minimax_m3_index(keys: Keys, hidden: int, counts: Counts, kept: LayerGroup) -> Layer:
    """A layer with an index: a few query heads, one key of its own for each token."""
    section = keys.section("sparse_attention_config")

    def size(nested: str, flat: str) -> int:
        return section.count(nested, default=None) or keys.count(flat)

    dim = size("sparse_index_dim", "index_head_dim")
    n_heads = size("sparse_num_index_heads", "index_n_heads")
    n_tok = size("sparse_topk_blocks", "index_topk_blocks") * size(
        "sparse_block_size", "index_block_size"
    )
    index = Counts(attention=hidden * (n_heads + 1) * dim, rest=2 * dim)
    return Layer(
        counts + index, kept.model_copy(update={"index_dim": dim, "index_topk_tok": n_tok})
    )


def minimax_m3(keys: Keys) -> Shape:
    """MiniMax M3: grouped heads with a small index that picks blocks of keys on most layers."""
    hidden, n = keys.count("hidden_size"), decoder.n_layers(keys)
    size = decoder.heads(keys, hidden)
    style, moe = Style(qk_norm="head"), Moe(shared="width", width=())
    attention = decoder.attention_part(keys, style, hidden, size)
    kept = blocks.full(size.n_q, size.n_kv, size.dim)
    indexed, sparse = minimax_m3_indexed(keys, n), patterns.sparse_layers(keys, n)
    mixers = {False: Layer(attention, kept)}
    if any(indexed):
        mixers[True] = minimax_m3_index(keys, hidden, attention, kept)
    block, mixture = (
        decoder.expert_part(keys, moe, hidden) if any(sparse) else (Counts(), Experts())
    )
    width = 0 if all(sparse) else keys.count("dense_intermediate_size")
    dense = Counts(dense_mlp=blocks.mlp(hidden, width) if width else 0)
    layers = tuple(
        with_parts(mixers[indexed[i]], (block if sparse[i] else dense) + Counts(rest=2 * hidden))
        for i in range(n)
    )
    return Shape(
        layers=layers, intermediate=width, experts=mixture, **decoder.ends(keys, style, hidden)
    )


def mllama(keys: Keys) -> Shape:
    """Llama 3.2 Vision: some layers attend to the image instead of the text."""
    hidden, n = keys.count("hidden_size"), decoder.n_layers(keys)
    size = decoder.heads(keys, hidden)
    style = Style()
    across = set(keys.counts("cross_attention_layers"))
    dense, width = decoder.dense_part(keys, style, hidden)
    frame = decoder.attention_part(keys, style, hidden, size) + dense + Counts(rest=2 * hidden)
    text = Layer(frame, blocks.full(size.n_q, size.n_kv, size.dim))
    image = Layer(frame + Counts(rest=2 * size.dim + 2))
    ends = decoder.ends(keys, style, hidden, n_embedding=8 * hidden)
    note = (
        "Layers that attend to the image keep K and V of the image, not of the text: not counted."
    )
    layers = tuple(image if i in across else text for i in range(n))
    return Shape(layers=layers, intermediate=width, notes=(note,), **ends)
