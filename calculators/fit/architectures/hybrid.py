"""Hybrids of Mamba or short convolutions with attention, and Mamba alone."""

from __future__ import annotations

from math import ceil

from calculators.fit.architectures import blocks, decoder, patterns
from calculators.fit.architectures.keys import Keys
from calculators.fit.architectures.mamba import Mamba1, Mamba2, state_width
from calculators.fit.architectures.shape import Counts, Experts, Layer, Shape

MAMBA = "mamba"
ATTENTION = {"attention", "full_attention"}
PLAIN = decoder.Style()


def attention_layer(keys: Keys, hidden: int, style: decoder.Style = PLAIN) -> Layer:
    """An attention block and its cache."""
    size = decoder.heads(keys, hidden, style.head_dim)
    counts = decoder.attention_part(keys, style, hidden, size)
    return Layer(counts, blocks.full(size.n_q, size.n_kv, size.dim))


def mamba2(
    keys: Keys, hidden: int, *, gate_norm: bool = True, bias: str = "mamba_proj_bias"
) -> Mamba2:
    """The Mamba-2 mixer of Bamba, Granite 4 and Falcon-H1."""
    n_heads = keys.count("mamba_n_heads")
    inner = (
        keys.count("mamba_d_ssm", default=None) or keys.count("mamba_expand", default=2) * hidden
    )
    return Mamba2(
        n_heads=n_heads,
        head_dim=inner // n_heads,
        state=keys.count("mamba_d_state"),
        n_groups=keys.count("mamba_n_groups"),
        taps=keys.count("mamba_d_conv"),
        conv_bias=keys.flag("mamba_conv_bias", default=True),
        bias=keys.flag(bias),
        gate_norm=gate_norm,
    )


def mixed(
    keys: Keys, style: decoder.Style, hidden: int, mixers: list[Layer], mixture: Experts, width: int
) -> Shape:
    """A shape from layers that are put together already."""
    return Shape(
        layers=tuple(mixers),
        intermediate=width,
        experts=mixture,
        **decoder.ends(keys, style, hidden),
    )


def added(layer: Layer, counts: Counts) -> Layer:
    """The same layer with further parameters."""
    return Layer(layer.counts + counts, layer.cache, layer.also, layer.shares)


def bamba(keys: Keys) -> Shape:
    """Bamba: Mamba-2 with attention on listed layers, a gated block after each."""
    hidden, n = keys.count("hidden_size"), decoder.n_layers(keys)
    style = decoder.Style(qkv_bias="attention_bias", o_bias="attention_bias", mlp_bias="mlp_bias")
    mixer = mamba2(keys, hidden)
    recurrent = Layer(mixer.counts(hidden), mixer.cache(state_width(keys, "mamba_ssm_cache_dtype")))
    whole = attention_layer(keys, hidden, style)
    listed = set(keys.counts("attn_layer_indices", default=[]))
    dense, width = decoder.dense_part(keys, style, hidden)
    common = dense + Counts(rest=2 * hidden)
    layers = [added(whole if i in listed else recurrent, common) for i in range(n)]
    return mixed(keys, style, hidden, layers, Experts(), width)


def falcon_h1(keys: Keys) -> Shape:
    """Falcon-H1: attention and Mamba-2 side by side in every layer."""
    hidden, n = keys.count("hidden_size"), decoder.n_layers(keys)
    style = decoder.Style(qkv_bias="attention_bias", o_bias="attention_bias", mlp_bias="mlp_bias")
    out_bias, in_bias = keys.flag("projectors_bias"), keys.flag("mamba_proj_bias")
    mixer = mamba2(keys, hidden, gate_norm=keys.flag("mamba_rms_norm"))
    whole = attention_layer(keys, hidden, style)
    dense, width = decoder.dense_part(keys, style, hidden)
    ends = Counts(rest=2 * hidden + hidden * (out_bias - in_bias))
    counts = whole.counts + mixer.counts(hidden) + dense + ends
    layer = Layer(counts, whole.cache, mixer.cache(state_width(keys, "mamba_ssm_cache_dtype")))
    return mixed(keys, style, hidden, [layer] * n, Experts(), width)


def granite_hybrid(keys: Keys) -> Shape:
    """Granite 4 hybrids: Mamba-2 or attention, a shared block, experts where there are any."""
    hidden, n = keys.count("hidden_size"), decoder.n_layers(keys)
    style = decoder.Style(qkv_bias="attention_bias", o_bias="attention_bias")
    rule = lambda _, count: [MAMBA] * count  # noqa: E731
    kinds = patterns.layer_kinds(
        keys, n, rule, (MAMBA, "attention", patterns.FULL, "linear_attention")
    )
    whole = attention_layer(keys, hidden, style)
    shared_width = keys.count("shared_intermediate_size")
    block, mixture = Counts(dense_mlp=blocks.mlp(hidden, shared_width)), Experts()
    width = shared_width
    if keys.count("num_local_experts", default=0, low=0):
        moe = decoder.Moe(shared="width", width=())
        block, mixture = decoder.expert_part(keys, moe, hidden)
        width = 0
    common = block + Counts(rest=2 * hidden)
    made = {True: added(whole, common)}
    if set(kinds) - ATTENTION:
        mixer = mamba2(keys, hidden)
        kept = mixer.cache(state_width(keys, "mamba_ssm_cache_dtype"))
        made[False] = Layer(mixer.counts(hidden) + common, kept)
    layers = [made[kind in ATTENTION] for kind in kinds]
    return mixed(keys, style, hidden, layers, mixture, width)


def jamba(keys: Keys) -> Shape:
    """Jamba: Mamba with attention once in a period, experts once in another."""
    hidden, n = keys.count("hidden_size"), decoder.n_layers(keys)
    rank = keys.data.get("mamba_dt_rank")
    mixer = Mamba1(
        inner=keys.count("mamba_expand") * hidden,
        state=keys.count("mamba_d_state"),
        taps=keys.count("mamba_d_conv"),
        rank=ceil(hidden / 16)
        if rank == "auto"
        else keys.count("mamba_dt_rank", default=ceil(hidden / 16)),
        conv_bias=keys.flag("mamba_conv_bias", default=True),
        bias=keys.flag("mamba_proj_bias"),
        norms=True,
    )
    recurrent = Layer(mixer.counts(hidden), mixer.cache())
    whole = attention_layer(keys, hidden)
    period, offset = keys.count("attn_layer_period"), keys.count("attn_layer_offset", low=0)
    e_period, e_offset = keys.count("expert_layer_period"), keys.count("expert_layer_offset", low=0)
    dense, width = decoder.dense_part(keys, PLAIN, hidden)
    block, mixture = dense, Experts()
    if keys.count("num_experts") > 1:
        block, mixture = decoder.expert_part(keys, decoder.Moe(width=()), hidden)
    layers = [
        added(
            whole if i % period == offset else recurrent,
            (block if i % e_period == e_offset else dense) + Counts(rest=2 * hidden),
        )
        for i in range(n)
    ]
    return mixed(keys, PLAIN, hidden, layers, mixture, width)


def mamba1_decoder(keys: Keys) -> Shape:
    """Mamba and Falcon-Mamba: one norm and one mixer a layer."""
    hidden, n = keys.count("hidden_size", "d_model"), decoder.n_layers(keys)
    rank = keys.data.get("time_step_rank")
    inner = (
        keys.count("intermediate_size", "d_inner", default=None) or keys.count("expand") * hidden
    )
    mixer = Mamba1(
        inner=inner,
        state=keys.count("state_size"),
        taps=keys.count("conv_kernel"),
        rank=ceil(hidden / 16)
        if rank == "auto"
        else keys.count("time_step_rank", default=ceil(hidden / 16)),
        conv_bias=keys.flag("use_conv_bias", default=True),
        bias=keys.flag("use_bias"),
    )
    layer = Layer(mixer.counts(hidden) + Counts(rest=hidden), mixer.cache())
    return mixed(keys, decoder.Style(tied=True), hidden, [layer] * n, Experts(), 0)


def mamba2_decoder(keys: Keys) -> Shape:
    """Mamba-2 alone."""
    hidden, n = keys.count("hidden_size"), decoder.n_layers(keys)
    mixer = Mamba2(
        n_heads=keys.count("num_heads"),
        head_dim=keys.count("head_dim"),
        state=keys.count("state_size"),
        n_groups=keys.count("n_groups"),
        taps=keys.count("conv_kernel"),
        conv_bias=keys.flag("use_conv_bias", default=True),
        bias=keys.flag("use_bias"),
    )
    layer = Layer(mixer.counts(hidden) + Counts(rest=hidden), mixer.cache())
    return mixed(keys, PLAIN, hidden, [layer] * n, Experts(), 0)
