"""Mamba mixers, and the hybrids that alternate them with attention and feed-forward layers."""

from __future__ import annotations

from dataclasses import dataclass

from calculators.fit.architectures import blocks, decoder
from calculators.fit.architectures.errors import ModelConfigError
from calculators.fit.architectures.keys import LONGEST, Keys, shown
from calculators.fit.architectures.shape import Counts, Experts, Layer, Shape
from calculators.specs import LayerGroup

STATE_BITS = {"float32": 32, "bfloat16": 16, "float16": 16}


def state_width(keys: Keys, *names: str) -> float:
    """Bits of a state element as the config asks for; 32 where it does not say."""
    word = keys.text(*names, default="float32")
    if word not in STATE_BITS:
        raise ModelConfigError(
            f"config: '{keys.label(names[0])}' is {shown(word)}; one of "
            f"{', '.join(STATE_BITS)} is needed."
        )
    return STATE_BITS[word]


@dataclass(frozen=True, slots=True)
class Mamba2:
    """Sizes of a Mamba-2 mixer."""

    n_heads: int
    head_dim: int
    state: int
    n_groups: int
    taps: int
    conv_bias: bool = True
    bias: bool = False
    gate_norm: bool = True

    @property
    def inner(self) -> int:
        return self.n_heads * self.head_dim

    @property
    def conv(self) -> int:
        return self.inner + 2 * self.n_groups * self.state

    def counts(self, hidden: int) -> Counts:
        """Parameters of the mixer."""
        inputs = blocks.linear(hidden, self.inner + self.conv + self.n_heads, bias=self.bias)
        matrices = inputs + blocks.linear(self.inner, hidden, bias=self.bias)
        conv = self.conv * (self.taps + self.conv_bias)
        norm = self.inner if self.gate_norm else 0
        return Counts(attention=matrices, rest=conv + 3 * self.n_heads + norm)

    def cache(self, bits: float = 32) -> LayerGroup:
        """The state of the mixer."""
        return blocks.recurrent(
            state=self.inner * self.state,
            conv=self.conv,
            taps=self.taps,
            n_heads=self.n_heads,
            state_bits=bits,
        )


@dataclass(frozen=True, slots=True)
class Mamba1:
    """Sizes of a Mamba mixer; `norms` where step and matrices are normalised (Jamba)."""

    inner: int
    state: int
    taps: int
    rank: int
    conv_bias: bool = True
    bias: bool = False
    norms: bool = False

    def counts(self, hidden: int) -> Counts:
        """Parameters of the mixer."""
        matrices = (
            blocks.linear(hidden, 2 * self.inner, bias=self.bias)
            + self.inner * (self.rank + 2 * self.state)
            + self.rank * self.inner
            + blocks.linear(self.inner, hidden, bias=self.bias)
        )
        conv = self.inner * (self.taps + self.conv_bias)
        norms = self.rank + 2 * self.state if self.norms else 0
        return Counts(attention=matrices, rest=conv + self.inner * (self.state + 2) + norms)

    def cache(self, bits: float = 32) -> LayerGroup:
        """The state of the mixer."""
        return blocks.recurrent(
            state=self.inner * self.state, conv=self.inner, taps=self.taps, state_bits=bits
        )


NEMOTRON_LETTERS = {"M": "mamba", "E": "moe", "*": "attention", "-": "mlp"}
NEMOTRON_WORDS = {
    "mamba": "mamba",
    "linear_attention": "mamba",
    "moe": "moe",
    "attention": "attention",
    "full_attention": "attention",
    "mlp": "mlp",
}


def nemotron_blocks(keys: Keys, letters: str, words: str) -> list[str]:
    """The kind of each block: a word each, or one letter each."""
    listed = keys.words(words) if keys.has(words) else None
    name, table = (words, NEMOTRON_WORDS) if listed else (letters, NEMOTRON_LETTERS)
    listed = listed or list(keys.text(letters))
    for kind in listed:
        if kind not in table:
            raise ModelConfigError(
                f"config: '{keys.label(name)}' holds {shown(kind)}; known: {', '.join(table)}."
            )
    if len(listed) > LONGEST:
        raise ModelConfigError(
            f"config: '{keys.label(name)}' has {len(listed)} blocks; at most {LONGEST} may be."
        )
    return [table[kind] for kind in listed]


def nemotron_experts(keys: Keys, hidden: int) -> tuple[Counts, Experts]:
    """Experts of Nemotron-H: not gated, and in a narrower latent space where one is given."""
    n, width = keys.count("n_routed_experts"), keys.count("moe_intermediate_size")
    latent = keys.count("moe_latent_size", default=None)
    bias = keys.flag("mlp_bias")
    n_shared = keys.count("n_shared_experts", default=1, low=0)
    shared = keys.count("moe_shared_expert_intermediate_size", default=width) if n_shared else 0
    ends = (
        blocks.linear(hidden, latent, bias=bias) + blocks.linear(latent, hidden, bias=bias)
        if latent
        else 0
    )
    counts = Counts(
        routed_experts=n * blocks.mlp(latent or hidden, width, gated=False),
        shared_experts=blocks.mlp(hidden, shared, gated=False, bias=bias) + ends,
        rest=n * hidden,
    )
    return counts, Experts(n, keys.count("num_experts_per_tok"), n_shared, width)


def nemotron_mixer(keys: Keys) -> Mamba2:
    """The Mamba-2 mixer of Nemotron-H."""
    return Mamba2(
        n_heads=keys.count("mamba_num_heads"),
        head_dim=keys.count("mamba_head_dim"),
        state=keys.count("ssm_state_size"),
        n_groups=keys.count("n_groups", "mamba_n_groups"),
        taps=keys.count("conv_kernel", "mamba_d_conv", default=4),
        conv_bias=keys.flag("use_conv_bias", "mamba_conv_bias", default=True),
        bias=keys.flag("use_bias"),
    )


def nemotron_hybrid(keys: Keys) -> Shape:
    """Nemotron-H: a row of single blocks, each Mamba-2, attention, feed-forward or experts."""
    hidden = keys.count("hidden_size")
    kinds = nemotron_blocks(keys, "hybrid_override_pattern", "layers_block_type")
    made: dict[str, Layer] = {}
    mixture, width = Experts(), 0
    norm = Counts(rest=hidden)
    if "mamba" in kinds:
        mixer = nemotron_mixer(keys)
        kept = mixer.cache(state_width(keys, "mamba_ssm_cache_dtype"))
        made["mamba"] = Layer(mixer.counts(hidden) + norm, kept)
    made["attention"] = nemotron_attention(keys, hidden, norm)
    if "mlp" in kinds:
        width = keys.count("intermediate_size")
        dense = blocks.mlp(hidden, width, gated=False, bias=keys.flag("mlp_bias"))
        made["mlp"] = Layer(Counts(dense_mlp=dense) + norm)
    if "moe" in kinds:
        part, mixture = nemotron_experts(keys, hidden)
        made["moe"] = Layer(part + norm)
    return Shape(
        layers=tuple(made[kind] for kind in kinds),
        intermediate=width,
        experts=mixture,
        mtp=nemotron_mtp(keys, hidden, made),
        **decoder.ends(keys, decoder.Style(), hidden),
    )


def nemotron_attention(keys: Keys, hidden: int, norm: Counts) -> Layer:
    """The attention block of Nemotron-H, with a window where one is set."""
    size = decoder.heads(keys, hidden, ("head_dim", "attention_head_dim"))
    bias = keys.flag("attention_bias")
    counts = blocks.attention(
        hidden, n_q=size.n_q, n_kv=size.n_kv, k_dim=size.dim, qkv_bias=bias, o_bias=bias
    )
    kept = blocks.full(size.n_q, size.n_kv, size.dim)
    window = keys.count("sliding_window", default=None)
    return Layer(counts + norm, blocks.windowed(kept, window) if window else kept)


def nemotron_mtp(keys: Keys, hidden: int, made: dict[str, Layer]) -> int:
    """Multi-token-prediction blocks, with a projection of two states and three norms."""
    n = keys.count("num_nextn_predict_layers", default=0, low=0, high=64)
    if not n:
        return 0
    kinds = nemotron_blocks(keys, "mtp_hybrid_override_pattern", "mtp_layers_block_type")
    if any(kind not in made for kind in kinds):
        return 0
    return n * (sum(made[kind].counts.total for kind in kinds) + 2 * hidden**2 + 3 * hidden)
