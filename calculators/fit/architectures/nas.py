"""Decoders whose layers were searched one by one: Nemotron-NAS and DeciLM."""

from __future__ import annotations

from calculators.fit.architectures import blocks, decoder
from calculators.fit.architectures.decoder import Style
from calculators.fit.architectures.errors import ModelConfigError
from calculators.fit.architectures.keys import Keys
from calculators.fit.architectures.shape import Counts, Layer, Shape


def searched_width(multiplier: float, hidden: int) -> int:
    """A feed-forward width: 2/3 of multiplier x hidden, up to a multiple of 256."""
    width = int(2 * multiplier * hidden / 3)
    return width if width % 256 == 0 else width + 256 - width % 256


def nemotron_nas(keys: Keys) -> Shape:
    """Nemotron-NAS: attention and feed-forward of each layer may be absent or a single matrix."""
    if not keys.has("block_configs"):
        return deci_lm(keys)
    hidden, n = keys.count("hidden_size"), decoder.n_layers(keys)
    n_q = keys.count("num_attention_heads")
    dim = decoder.head_size(keys, hidden, n_q, ("head_dim",))
    listed = keys.sections("block_configs")
    if len(listed) < n:
        raise ModelConfigError(
            f"config: 'block_configs' has {len(listed)} entries; "
            f"one for each of {n} layers is needed."
        )
    widths, layers = [0], []
    for block in listed[:n]:
        mixer = searched_attention(block.section("attention"), hidden, n_q, dim)
        part, width = searched_mlp(block.section("ffn"), hidden)
        widths.append(width)
        layers.append(Layer(mixer.counts + part, mixer.cache))
    ends = decoder.ends(keys, Style(), hidden)
    return Shape(layers=tuple(layers), intermediate=max(widths), **ends)


def searched_attention(block: Keys, hidden: int, n_q: int, dim: int) -> Layer:
    """Attention of one layer, with its norm; nothing where it was left out."""
    if block.flag("no_op"):
        return Layer(Counts())
    if block.flag("replace_with_linear"):
        return Layer(Counts(attention=hidden * hidden, rest=hidden))
    per_kv = block.count("n_heads_in_group", high=n_q)
    if n_q % per_kv:
        raise ModelConfigError(
            f"config: '{block.label('n_heads_in_group')}' is {per_kv}; "
            f"a divisor of {n_q} is needed."
        )
    n_kv = n_q // per_kv
    counts = blocks.attention(hidden, n_q=n_q, n_kv=n_kv, k_dim=dim) + Counts(rest=hidden)
    kept = blocks.full(n_q, n_kv, dim)
    window = block.count("window_length", default=None)
    return Layer(counts, blocks.windowed(kept, window) if window else kept)


def searched_mlp(block: Keys, hidden: int) -> tuple[Counts, int]:
    """Feed-forward block of one layer, with its norm; nothing where it was left out."""
    if block.flag("no_op"):
        return Counts(), 0
    if block.flag("replace_with_linear"):
        return Counts(dense_mlp=hidden * hidden, rest=hidden), 0
    width = block.count("intermediate_size", default=None) or searched_width(
        block.number("ffn_mult", default=0, low=0.01, high=100), hidden
    )
    return Counts(dense_mlp=blocks.mlp(hidden, width), rest=hidden), width


def deci_lm(keys: Keys) -> Shape:
    """DeciLM-6B and 7B: Llama with another number of KV heads in each layer."""
    hidden, n = keys.count("hidden_size"), decoder.n_layers(keys)
    n_q = keys.count("num_attention_heads")
    dim = decoder.head_size(keys, hidden, n_q, ("head_dim",))
    listed = keys.counts("num_key_value_heads_per_layer", low=1, high=n_q)
    dense, width = decoder.dense_part(keys, Style(), hidden)
    layers = tuple(
        Layer(
            blocks.attention(hidden, n_q=n_q, n_kv=n_kv, k_dim=dim)
            + dense
            + Counts(rest=2 * hidden),
            blocks.full(n_q, n_kv, dim),
        )
        for n_kv in listed[:n]
    )
    ends = decoder.ends(keys, Style(), hidden)
    return Shape(layers=layers, intermediate=width, **ends)
