"""LFM2 and LFM3: short convolutions with attention on some layers."""

from __future__ import annotations

from math import ceil

from calculators.fit.architectures import blocks, decoder, key_names, patterns
from calculators.fit.architectures.hybrid import added, attention_layer, mixed
from calculators.fit.architectures.keys import Keys
from calculators.fit.architectures.latent import feed_forward
from calculators.fit.architectures.shape import Counts, Experts, Layer, Shape


def short_convolution(keys: Keys, hidden: int) -> Layer:
    """A gated short convolution of LFM2 and LFM3."""
    taps, bias = keys.count("conv_L_cache"), keys.flag("conv_bias")
    conv = blocks.linear(hidden, 3 * hidden, bias=bias) + blocks.linear(hidden, hidden, bias=bias)
    return Layer(
        Counts(attention=conv, rest=hidden * (taps + bias)),
        blocks.recurrent(state=0, conv=hidden, taps=taps),
    )


def lfm2(keys: Keys) -> Shape:
    """LFM2: short convolutions, with attention on some layers; dense blocks or experts."""
    hidden, n = keys.count("hidden_size"), decoder.n_layers(keys)
    kinds = patterns.layer_kinds(keys, n, lfm2_kinds, ("conv", patterns.FULL))
    style = decoder.Style(qk_norm="head", tied=True, moe=decoder.Moe())
    short = short_convolution(keys, hidden)
    whole = attention_layer(keys, hidden, style)
    feed, width, mixture = lfm2_feed(keys, style, hidden, n)
    layers = [
        added(short if kind == "conv" else whole, part + Counts(rest=2 * hidden))
        for kind, part in zip(kinds, feed, strict=True)
    ]
    return mixed(keys, style, hidden, layers, mixture, width)


def lfm2_kinds(keys: Keys, n: int) -> list[str]:
    """`full_attn_idxs` lists the layers that attend."""
    listed = set(keys.counts("full_attn_idxs", default=list(range(n))))
    return [patterns.FULL if i in listed else "conv" for i in range(n)]


def lfm2_width(keys: Keys) -> int:
    """The feed-forward width: two thirds of the key, times a factor, rounded up to a multiple."""
    width = keys.count("block_ff_dim", "intermediate_size")
    if not keys.flag("block_auto_adjust_ff_dim", default=True):
        return width
    factor = keys.number("block_ffn_dim_multiplier", default=1.0, low=0.001, high=1000)
    multiple = keys.count("block_multiple_of", default=256)
    return multiple * ceil(int(factor * int(2 * width / 3)) / multiple)


def lfm2_feed(
    keys: Keys, style: decoder.Style, hidden: int, n: int
) -> tuple[list[Counts], int, Experts]:
    """The feed-forward part of each layer, the dense width, the experts."""
    if keys.known(*key_names.EXPERTS):
        feed = feed_forward(keys, style, hidden, n)
        return feed.parts, feed.width, feed.mixture
    width = lfm2_width(keys)
    return [Counts(dense_mlp=blocks.mlp(hidden, width))] * n, width, Experts()


def lfm3(keys: Keys) -> Shape:
    """LFM3: short convolutions, local and global attention with a gate by head, four norms."""
    hidden, n = keys.count("hidden_size"), decoder.n_layers(keys)
    known = ("conv", patterns.FULL, patterns.SLIDING)
    kinds = patterns.layer_kinds(keys, n, patterns.required, known)
    gate = "head" if keys.flag("use_attention_gate", default=True) else ""
    style = decoder.Style(
        qkv_bias="attention_bias", o_bias="attention_bias", qk_norm="head", gate=gate, tied=True
    )
    n_norms = 4 if keys.flag("use_sandwich_norm", default=True) else 2
    dense, width = decoder.dense_part(keys, style, hidden)
    common = dense + Counts(rest=n_norms * hidden)
    whole = attention_layer(keys, hidden, style)
    made = {"conv": short_convolution(keys, hidden), patterns.FULL: whole}
    if patterns.SLIDING in kinds and whole.cache:
        window = blocks.windowed(whole.cache, keys.count("sliding_window"))
        made[patterns.SLIDING] = Layer(whole.counts, window)
    layers = [added(made[kind], common) for kind in kinds]
    return mixed(keys, style, hidden, layers, Experts(), width)
