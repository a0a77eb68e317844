"""RWKV and RecurrentGemma: recurrences that are neither Mamba nor linear attention."""

from __future__ import annotations

from calculators.fit.architectures import blocks, decoder
from calculators.fit.architectures.keys import Keys
from calculators.fit.architectures.shape import Counts, Layer, Shape


def rwkv(keys: Keys) -> Shape:
    """RWKV-4: time mixing and channel mixing, five vectors of state a layer."""
    hidden, n = keys.count("hidden_size"), decoder.n_layers(keys)
    inner = keys.count("attention_hidden_size", default=hidden)
    width = keys.count("intermediate_size", default=4 * hidden)
    mixing = Counts(attention=4 * hidden * inner, rest=2 * inner + 3 * hidden + 4 * hidden)
    channel = Counts(dense_mlp=2 * hidden * width + hidden**2, rest=2 * hidden)
    kept = blocks.recurrent(state=2 * hidden + 3 * inner, conv=0)
    first = Layer(mixing + channel + Counts(rest=2 * hidden), kept)
    rest = Layer(mixing + channel, kept)
    ends = decoder.ends(keys, decoder.Style(norm=2), hidden)
    return Shape(layers=(first, *[rest] * (n - 1)), intermediate=width, **ends)


def recurrent_gemma(keys: Keys) -> Shape:
    """RecurrentGemma: gated linear recurrences, with local attention once in a pattern."""
    hidden, n = keys.count("hidden_size"), decoder.n_layers(keys)
    pattern = keys.words("block_types", default=None) or ["recurrent", "recurrent", "attention"]
    size = decoder.heads(keys, hidden)
    width = keys.count("intermediate_size") // 2
    inner = keys.count("lru_width", default=hidden)
    common = Counts(dense_mlp=blocks.mlp(hidden, width, bias=True), rest=2 * hidden)
    local = blocks.windowed(
        blocks.full(size.n_q, size.n_kv, size.dim), keys.count("attention_window_size")
    )
    bias = keys.flag("attention_bias")
    attention = blocks.attention(
        hidden, n_q=size.n_q, n_kv=size.n_kv, k_dim=size.dim, qkv_bias=bias, o_bias=True
    )
    taps, per_block = keys.count("conv1d_width"), inner // size.n_q
    ends_of_block = 2 * blocks.linear(hidden, inner, bias=True) + blocks.linear(
        inner, hidden, bias=True
    )
    gates = 2 * (size.n_q * per_block**2 + inner) + inner
    kept = blocks.recurrent(state=inner, conv=inner, taps=taps)
    made = {
        "attention": Layer(attention + common, local),
        "recurrent": Layer(
            Counts(attention=ends_of_block, rest=gates + inner * (taps + 1)) + common, kept
        ),
    }
    layers = tuple(made.get(pattern[i % len(pattern)], made["recurrent"]) for i in range(n))
    ends = decoder.ends(keys, decoder.Style(tied=True), hidden)
    return Shape(layers=layers, intermediate=width, **ends)
