"""Mixtures of experts with a layout of their own: DBRX, Arctic, JetMoE, LongCat-Flash."""

from __future__ import annotations

from dataclasses import replace

from calculators.fit.architectures import blocks, decoder
from calculators.fit.architectures.decoder import Style
from calculators.fit.architectures.keys import LONGEST, Keys
from calculators.fit.architectures.latent import latent, latent_counts
from calculators.fit.architectures.shape import Counts, Experts, Layer, Shape


def longcat(keys: Keys) -> Shape:
    """LongCat-Flash: two attention and two dense blocks a layer; some experts do nothing."""
    hidden, n = (
        keys.count("hidden_size"),
        keys.count("num_layers", "num_hidden_layers", high=LONGEST),
    )
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


def dbrx(keys: Keys) -> Shape:
    """DBRX: grouped heads and experts in nested sections, norms without bias."""
    hidden, n = keys.count("d_model"), decoder.n_layers(keys)
    attn, ffn = keys.section("attn_config"), keys.section("ffn_config")
    n_q = keys.count("n_heads")
    n_kv = attn.count("kv_n_heads", default=1)
    dim = decoder.head_size(keys, hidden, n_q, ("head_dim",))
    width, count = ffn.count("ffn_hidden_size"), ffn.count("moe_num_experts")
    mixture = Experts(count, ffn.count("moe_top_k", high=count), 0, width)
    counts = (
        blocks.attention(hidden, n_q=n_q, n_kv=n_kv, k_dim=dim)
        + blocks.experts(hidden, n=count, width=width)
        + Counts(rest=2 * hidden)
    )
    layer = Layer(counts, blocks.full(n_q, n_kv, dim))
    ends = decoder.ends(keys, Style(), hidden)
    return Shape(layers=(layer,) * n, experts=mixture, **ends)


def arctic(keys: Keys) -> Shape:
    """Arctic: experts beside a dense residual block as wide as the hidden size."""
    hidden, n = keys.count("hidden_size"), decoder.n_layers(keys)
    size = decoder.heads(keys, hidden)
    frequency = keys.count("moe_layer_frequency", "moe_layer_freq", default=2)
    block, mixture = decoder.expert_part(keys, decoder.Moe(width=()), hidden)
    beside = keys.flag("parallel_attn_mlp_res")
    residual = Counts(dense_mlp=blocks.mlp(hidden, hidden), rest=hidden) if beside else Counts()
    dense, width = decoder.dense_part(keys, Style(), hidden)
    frame = decoder.attention_part(keys, Style(), hidden, size) + Counts(rest=2 * hidden)
    kept = blocks.full(size.n_q, size.n_kv, size.dim)
    layers = tuple(
        Layer(frame + (block + residual if (i + 1) % frequency == 0 else dense), kept)
        for i in range(n)
    )
    return Shape(
        layers=layers,
        intermediate=max(width, hidden),
        experts=mixture,
        **decoder.ends(keys, Style(), hidden),
    )
