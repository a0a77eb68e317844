"""Decoders that mix full attention with linear attention of a fixed state."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from calculators.fit.architectures import blocks, decoder, key_names, patterns
from calculators.fit.architectures.errors import UnsupportedModel
from calculators.fit.architectures.keys import Keys
from calculators.fit.architectures.latent import feed_forward, latent, latent_counts
from calculators.fit.architectures.mamba import state_width
from calculators.fit.architectures.shape import Counts, Layer, Shape

LINEAR = "linear_attention"
KINDS = (patterns.FULL, patterns.SLIDING, LINEAR)


@dataclass(frozen=True, slots=True)
class Delta:
    """Sizes of a gated delta net: key and value heads, and a short convolution before them."""

    k_heads: int
    v_heads: int
    k_dim: int
    v_dim: int
    taps: int

    @property
    def keys(self) -> int:
        return self.k_heads * self.k_dim

    @property
    def values(self) -> int:
        return self.v_heads * self.v_dim

    @property
    def conv(self) -> int:
        return 2 * self.keys + self.values


def delta(keys: Keys) -> Delta:
    """The sizes of the gated delta nets of a section."""
    return Delta(
        k_heads=keys.count("linear_num_key_heads"),
        v_heads=keys.count("linear_num_value_heads"),
        k_dim=keys.count("linear_key_head_dim"),
        v_dim=keys.count("linear_value_head_dim"),
        taps=keys.count("linear_conv_kernel_dim"),
    )


def delta_layer(keys: Keys, hidden: int) -> Layer:
    """A gated delta net: query, key, value, gate z, two scalars a head, convolution, one norm."""
    size = delta(keys)
    matrices = hidden * (size.conv + size.values + 2 * size.v_heads) + size.values * hidden
    rest = size.conv * size.taps + 2 * size.v_heads + size.v_dim
    kept = blocks.recurrent(
        state=size.v_heads * size.k_dim * size.v_dim,
        conv=size.conv,
        taps=size.taps,
        n_heads=size.v_heads,
        state_bits=state_width(keys, "mamba_ssm_dtype"),
    )
    return Layer(Counts(attention=matrices, rest=rest), kept)


def every_fourth(keys: Keys, n: int) -> list[str]:
    """Full attention on each fourth layer, or as `full_attention_interval` says."""
    step = keys.count("full_attention_interval", default=4)
    return [LINEAR if (i + 1) % step else patterns.FULL for i in range(n)]


def delta_decoder(
    style: decoder.Style, *, linear_norms: int = 2, rule: patterns.Rule = every_fourth
) -> Callable[[Keys], Shape]:
    """Full attention with an output gate on some layers, gated delta nets on the others."""

    def recipe(keys: Keys) -> Shape:
        hidden, n = keys.count("hidden_size"), decoder.n_layers(keys)
        size = decoder.heads(keys, hidden)
        kinds = patterns.layer_kinds(keys, n, rule, KINDS)
        whole = blocks.full(size.n_q, size.n_kv, size.dim)
        mixers = {
            patterns.FULL: Layer(decoder.attention_part(keys, style, hidden, size), whole),
            LINEAR: delta_layer(keys, hidden),
        }
        if patterns.SLIDING in kinds:
            window = blocks.windowed(whole, keys.count("sliding_window"))
            mixers[patterns.SLIDING] = replace(mixers[patterns.FULL], cache=window)
        norms = {LINEAR: linear_norms}
        return assembled(
            keys,
            style,
            hidden,
            [mixers[k] for k in kinds],
            norms=[norms.get(k, style.n_norms) for k in kinds],
        )

    return recipe


def assembled(
    keys: Keys, style: decoder.Style, hidden: int, mixers: list[Layer], *, norms: list[int]
) -> Shape:
    """Mixers, feed-forward blocks and norms put together, with next-token layers."""
    feed = feed_forward(keys, style, hidden, len(mixers))
    layers = tuple(
        replace(mixer, counts=mixer.counts + part + Counts(rest=n_norms * hidden))
        for mixer, part, n_norms in zip(mixers, feed.parts, norms, strict=True)
    )
    shape = Shape(
        layers=layers,
        intermediate=feed.width,
        experts=feed.mixture,
        **decoder.ends(keys, style, hidden),
    )
    n_next = keys.count(
        "mtp_num_hidden_layers", "num_nextn_predict_layers", default=0, low=0, high=64
    )
    last = next(
        (x for x in reversed(layers) if x.cache and x.cache.kind != "recurrent"), layers[-1]
    )
    more = 2 * hidden**2 + 3 * hidden if n_next else 0
    return replace(shape, mtp=n_next * last.counts.total + more)


def kimi_kinds(keys: Keys, n: int) -> list[str]:
    """Kimi Linear lists its layers from 1 under `linear_attn_config`."""
    section = keys.section("linear_attn_config")
    if not section.has("full_attn_layers"):
        return [patterns.FULL if i and i % 4 == 0 else LINEAR for i in range(n)]
    whole = set(section.counts("full_attn_layers", low=1))
    return [patterns.FULL if i + 1 in whole else LINEAR for i in range(n)]


@dataclass(frozen=True, slots=True)
class Kimi:
    """Sizes of Kimi delta attention."""

    n_heads: int
    dim: int
    taps: int

    @property
    def inner(self) -> int:
        return self.n_heads * self.dim

    def layer(self, hidden: int, *, full_rank: bool) -> Layer:
        """Query, key, value, output; forget and output gate, whole or in two factors."""
        gate = hidden * self.inner if full_rank else (hidden + self.inner) * self.dim
        matrices = 4 * hidden * self.inner + 2 * gate + hidden * self.n_heads
        rest = 3 * self.inner * self.taps + self.inner + self.n_heads + self.dim
        kept = blocks.recurrent(
            state=self.inner * self.dim, conv=3 * self.inner, taps=self.taps, n_heads=self.n_heads
        )
        return Layer(Counts(attention=matrices, rest=rest), kept)


def kimi_linear(keys: Keys) -> Shape:
    """Kimi Linear: latent attention on some layers, Kimi delta attention on the others."""
    for name in ("routed_expert_hidden_size", "attn_res_block_size", "q_lora_rank"):
        if keys.has(name):
            raise UnsupportedModel(
                f"Kimi Linear with '{keys.label(name)}' is another architecture, not known here."
            )
    section = keys.section("linear_attn_config")
    linear = Kimi(
        n_heads=section.count("num_heads", default=None) or keys.count("linear_num_heads"),
        dim=section.count("head_dim", default=None) or keys.count("linear_head_dim"),
        taps=section.count("short_conv_kernel_size", default=None)
        or keys.count("linear_conv_kernel_dim"),
    )
    return latent_hybrid(keys, linear, rule=kimi_kinds, full_rank=False, head_gate=False)


def bailing_hybrid(keys: Keys) -> Shape:
    """Ling and Ring hybrids: latent attention at the end of each group of layers."""
    linear = Kimi(
        n_heads=keys.count("linear_num_heads", default=None) or keys.count(*key_names.HEADS),
        dim=keys.count("linear_head_dim", "head_dim"),
        taps=keys.count("short_conv_kernel_size", "linear_conv_kernel_dim"),
    )
    step = keys.count("layer_group_size")
    rule = lambda _, n: [LINEAR if (i + 1) % step else patterns.FULL for i in range(n)]  # noqa: E731
    return latent_hybrid(keys, linear, rule=rule, full_rank=True, head_gate=True)


def latent_hybrid(
    keys: Keys, linear: Kimi, *, rule: patterns.Rule, full_rank: bool, head_gate: bool
) -> Shape:
    """Latent attention on full layers, Kimi delta attention on linear ones."""
    hidden, n = keys.count("hidden_size"), decoder.n_layers(keys)
    sizes = latent(keys)
    whole = latent_counts(keys, hidden, sizes)
    if head_gate:
        whole += Counts(attention=hidden * sizes.n_heads)
    mixers = {
        patterns.FULL: Layer(whole, sizes.cache),
        LINEAR: linear.layer(hidden, full_rank=full_rank),
    }
    kinds = patterns.layer_kinds(keys, n, rule, KINDS)
    style = decoder.Style(moe=decoder.Moe(shared="count"))
    return assembled(keys, style, hidden, [mixers[k] for k in kinds], norms=[2] * n)


def minimax(keys: Keys) -> Shape:
    """MiniMax-Text-01 and M1: lightning attention, with full attention on some layers."""
    hidden, n = keys.count("hidden_size"), decoder.n_layers(keys)
    size = decoder.heads(keys, hidden)
    inner = size.n_q * size.dim
    style = decoder.Style(moe=decoder.Moe(everywhere=True, width=(), shared="width"))
    kept = blocks.recurrent(state=inner * size.dim, conv=0, n_heads=size.n_q)
    mixers = {
        patterns.FULL: Layer(
            decoder.attention_part(keys, style, hidden, size),
            blocks.full(size.n_q, size.n_kv, size.dim),
        ),
        LINEAR: Layer(Counts(attention=5 * hidden * inner, rest=inner), kept),
    }
    kinds = patterns.layer_kinds(keys, n, minimax_kinds, KINDS)
    return assembled(keys, style, hidden, [mixers[k] for k in kinds], norms=[2] * n)


def minimax_kinds(keys: Keys, n: int) -> list[str]:
    """`attn_type_list` has 1 for full attention; without it every second layer is linear."""
    if keys.has("attn_type_list"):
        listed = keys.counts("attn_type_list", high=1)
        listed = patterns.checked_length(keys, "attn_type_list", listed, n)
        return [patterns.FULL if flag else LINEAR for flag in listed]
    return [patterns.FULL if (i + 1) % 2 else LINEAR for i in range(n)]
