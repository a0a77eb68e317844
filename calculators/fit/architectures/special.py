"""Decoders with a layout of their own: Llama 4, MiMo, MiniMax M3, DeepSeek V4, LongCat."""

from __future__ import annotations

from dataclasses import replace

from calculators.fit.architectures import blocks, decoder, patterns
from calculators.fit.architectures.decoder import Moe, Style
from calculators.fit.architectures.errors import ModelConfigError
from calculators.fit.architectures.keys import LONGEST, Keys
from calculators.fit.architectures.latent import feed_forward, latent, latent_counts
from calculators.fit.architectures.shape import Counts, Experts, Layer, Shape
from calculators.specs import LayerGroup


def with_parts(layer: Layer, counts: Counts) -> Layer:
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
    return [patterns.SLIDING if i and (i + 1) % 6 else patterns.FULL for i in range(n)]


def minimax_m3(keys: Keys) -> Shape:
    """MiniMax M3: grouped heads with a small index that picks blocks of keys on most layers."""
    hidden, n = keys.count("hidden_size"), decoder.n_layers(keys)
    size = decoder.heads(keys, hidden)
    style = Style(qk_norm="head", moe=Moe(shared="width", width=()))
    section = keys.section("sparse_attention_config")
    whole = Layer(
        decoder.attention_part(keys, style, hidden, size),
        blocks.full(size.n_q, size.n_kv, size.dim),
    )
    indexed = [False] * n
    if section.has("sparse_attention_freq"):
        flags = section.counts("sparse_attention_freq", high=1)
        flags = patterns.checked_length(section, "sparse_attention_freq", flags, n)
        indexed = [bool(flag) for flag in flags]
    elif keys.has("layer_types"):
        kinds = patterns.checked_length(keys, "layer_types", keys.words("layer_types"), n)
        indexed = [kind != patterns.FULL for kind in kinds]
    picked = whole
    if any(indexed):
        dim = section.count("sparse_index_dim", default=None) or keys.count("index_head_dim")
        heads = section.count("sparse_num_index_heads", default=None) or keys.count("index_n_heads")
        n_blocks = section.count("sparse_topk_blocks", default=None) or keys.count(
            "index_topk_blocks"
        )
        per_block = section.count("sparse_block_size", default=None) or keys.count(
            "index_block_size"
        )
        index = Counts(attention=hidden * (heads + 1) * dim, rest=2 * dim)
        more = {"index_dim": dim, "index_topk_tok": n_blocks * per_block}
        picked = Layer(whole.counts + index, whole.cache.model_copy(update=more))
    sparse = patterns.sparse_layers(keys, n)
    block, mixture = (
        decoder.expert_part(keys, style.moe, hidden) if any(sparse) else (Counts(), Experts())
    )
    width = 0 if all(sparse) else keys.count("dense_intermediate_size")
    dense = Counts(dense_mlp=blocks.mlp(hidden, width) if width else 0)
    layers = tuple(
        with_parts(
            picked if indexed[i] else whole,
            (block if sparse[i] else dense) + Counts(rest=2 * hidden),
        )
        for i in range(n)
    )
    return Shape(
        layers=layers, intermediate=width, experts=mixture, **decoder.ends(keys, style, hidden)
    )


def longcat(keys: Keys) -> Shape:
    """LongCat-Flash: two attention and two dense blocks a layer; some experts do nothing."""
    hidden, n = keys.count("hidden_size"), keys.count("num_layers", "num_hidden_layers", high=LONGEST)
    sizes = latent(keys)
    n_real, n_zero = keys.count("n_routed_experts"), keys.count("zero_expert_num", default=0, low=0)
    width, dense = keys.count("expert_ffn_hidden_size"), keys.count("ffn_hidden_size")
    router = hidden * (n_real + n_zero) + (n_real + n_zero if keys.flag("router_bias") else 0)
    counts = Counts(
        routed_experts=n_real * blocks.mlp(hidden, width),
        dense_mlp=2 * blocks.mlp(hidden, dense),
        rest=router + 4 * hidden,
    )
    for _ in range(2):
        counts += latent_counts(keys, hidden, sizes)
    top_k = keys.count("moe_topk", high=n_real + n_zero)
    mean_top_k = max(round(top_k * n_real / (n_real + n_zero)), 1)
    shape = Shape(
        layers=(Layer(counts, sizes.cache, sizes.cache),) * n,
        intermediate=dense,
        experts=Experts(n_real, mean_top_k, 0, width),
        **decoder.ends(keys, Style(), hidden),
    )
    note = (
        f"{top_k} of {n_real} experts and {n_zero} that do nothing are chosen: "
        f"{mean_top_k} real ones on average."
    )
    return replace(shape, notes=(note,))


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


def jetmoe(keys: Keys) -> Shape:
    """JetMoE: experts in attention (query and output) as well as in the feed-forward block."""
    hidden, n = keys.count("hidden_size"), decoder.n_layers(keys)
    n_kv, dim = keys.count("num_key_value_heads"), keys.count("kv_channels")
    count = keys.count("num_local_experts")
    top_k, width = keys.count("num_experts_per_tok", high=count), keys.count("intermediate_size")
    inner = n_kv * dim
    counts = Counts(
        attention=2 * hidden * inner,
        routed_experts=count * (2 * hidden * inner + blocks.mlp(hidden, width)),
        rest=2 * count * hidden + 4 * hidden,
    )
    layer = Layer(counts, blocks.full(n_kv * top_k, n_kv, dim))
    ends = decoder.ends(keys, Style(tied=True), hidden)
    return Shape(layers=(layer,) * n, experts=Experts(count, top_k, 0, width), **ends)


COMPRESSION = {
    "sliding_attention": 0,
    "compressed_sparse_attention": 4,
    "heavily_compressed_attention": 128,
}


def compression(keys: Keys, n: int) -> list[int]:
    """Tokens per cache entry of each layer; 0 where only the window is kept."""
    if keys.has("layer_types"):
        kinds = patterns.layer_kinds(keys, n, patterns.all_full, tuple(COMPRESSION))
        rates = keys.section("compress_rates")
        return [
            rates.count(k, default=COMPRESSION[k], low=0) if COMPRESSION[k] else 0 for k in kinds
        ]
    listed = keys.counts("compress_ratios", high=1_000_000)
    return patterns.checked_length(keys, "compress_ratios", listed, n)


def deepseek_v4(keys: Keys) -> Shape:
    """DeepSeek V4: one shared key-value head, compressed caches beside a window, mixed streams."""
    hidden, n = keys.count("hidden_size"), decoder.n_layers(keys)
    ratios = compression(keys, n)
    streams = keys.count("hc_mult", high=64)
    mixing = 2 * ((2 + streams) * streams * (streams * hidden + 1) + 3)
    block, mixture = decoder.expert_part(keys, Moe(shared="count"), hidden)
    frame = v4_attention(keys, hidden) + block + Counts(rest=2 * hidden + mixing)
    made = {ratio: v4_layer(keys, hidden, ratio, frame) for ratio in set(ratios)}
    ends = decoder.ends(keys, Style(), hidden)
    ends["rest"] += streams * (streams * hidden + 1) + 1
    return Shape(layers=tuple(made[ratio] for ratio in ratios), experts=mixture, **ends)


def v4_attention(keys: Keys, hidden: int) -> Counts:
    """Query of low rank, one key-value head, an output of low rank by groups of heads, sinks."""
    n_q, dim = keys.count("num_attention_heads"), keys.count("head_dim")
    q_rank, o_rank = keys.count("q_lora_rank"), keys.count("o_lora_rank")
    groups = keys.count("o_groups")
    if n_q % groups:
        raise ModelConfigError(
            f"config: '{keys.label('o_groups')}' is {groups}; a divisor of {n_q} heads is needed."
        )
    query = hidden * q_rank + q_rank * n_q * dim
    output = o_rank * n_q * dim + groups * o_rank * hidden
    return Counts(attention=query + hidden * dim + output, rest=q_rank + dim + n_q)


def v4_layer(keys: Keys, hidden: int, ratio: int, frame: Counts) -> Layer:
    """A layer that keeps a window, and beside it one entry per `ratio` tokens where given."""
    n_q, dim = keys.count("num_attention_heads"), keys.count("head_dim")
    window = keys.count("sliding_window")
    kept = LayerGroup(
        kind="sliding", n_layers=1, n_q_heads=n_q, n_kv_heads=1, k_head_dim=dim, window_tok=window
    )
    if not ratio:
        return Layer(frame, kept)
    indexed = ratio == COMPRESSION["compressed_sparse_attention"]
    overlap = 2 if indexed else 1
    inner = overlap * dim
    more = Counts(attention=2 * hidden * inner, rest=ratio * inner + dim)
    state = {"kind": "compressed", "compress_ratio": ratio, "latent_dim": dim}
    if indexed:
        i_dim, i_heads = keys.count("index_head_dim"), keys.count("index_n_heads")
        i_inner = overlap * i_dim
        matrices = 2 * hidden * i_inner + keys.count("q_lora_rank") * i_heads * i_dim
        more += Counts(attention=matrices + hidden * i_heads, rest=ratio * i_inner + i_dim)
        state |= {"index_dim": i_dim, "index_topk_tok": keys.count("index_topk") * ratio}
    return Layer(frame + more, kept.model_copy(update=state))
