"""Decoders with multi-head latent attention: one latent per token instead of K and V."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from calculators.fit.architectures import blocks, decoder, key_names, patterns
from calculators.fit.architectures.errors import ModelConfigError
from calculators.fit.architectures.keys import Keys
from calculators.fit.architectures.shape import Counts, Experts, Layer, Shape
from calculators.specs import LayerGroup


@dataclass(frozen=True, slots=True)
class Latent:
    """Sizes of multi-head latent attention."""

    n_heads: int
    q_rank: int | None
    kv_rank: int
    nope: int
    rope: int
    v_dim: int

    @property
    def cache(self) -> LayerGroup:
        return LayerGroup(
            kind="mla",
            n_layers=1,
            n_q_heads=self.n_heads,
            n_kv_heads=1,
            k_head_dim=self.nope + self.rope,
            v_head_dim=self.v_dim,
            latent_dim=self.kv_rank,
            rope_dim=self.rope,
        )


def latent(keys: Keys) -> Latent:
    """The sizes of latent attention of a section."""
    return Latent(
        n_heads=keys.count(*key_names.HEADS),
        q_rank=keys.count("q_lora_rank", default=None),
        kv_rank=keys.count("kv_lora_rank"),
        nope=keys.count("qk_nope_head_dim"),
        rope=keys.count("qk_rope_head_dim"),
        v_dim=keys.count("v_head_dim"),
    )


def latent_counts(keys: Keys, hidden: int, sizes: Latent) -> Counts:
    """Parameters of one latent attention block."""
    return blocks.latent_attention(
        hidden,
        n_heads=sizes.n_heads,
        q_rank=sizes.q_rank,
        kv_rank=sizes.kv_rank,
        nope=sizes.nope,
        rope=sizes.rope,
        v_dim=sizes.v_dim,
        bias=keys.flag("attention_bias"),
    )


def indexed_layers(keys: Keys, n: int) -> list[bool]:
    """Which layers have an index of their own; the others reuse an earlier layer's choice."""
    pattern = keys.data.get("index_topk_pattern")
    listed = keys.words("indexer_types")
    if listed is None and isinstance(pattern, str):
        listed = ["full" if letter == "F" else "shared" for letter in pattern]
    if listed is not None:
        return [
            kind == "full" for kind in patterns.checked_length(keys, "indexer_types", listed, n)
        ]
    step = keys.count("index_topk_freq", default=1)
    offset = keys.count("index_skip_topk_offset", default=2, low=0)
    return [step == 1 or max(i - offset + 1, 0) % step == 0 for i in range(n)]


def mixers(keys: Keys, hidden: int, n: int) -> list[Layer]:
    """The attention part of each layer, with an index where there is one."""
    sizes = latent(keys)
    plain = Layer(latent_counts(keys, hidden, sizes), sizes.cache)
    if not keys.known("index_topk"):
        return [plain] * n
    if not sizes.q_rank:
        raise ModelConfigError(
            f"config: '{keys.label('q_lora_rank')}' is needed beside 'index_topk'."
        )
    dim, top_k = keys.count("index_head_dim"), keys.count("index_topk")
    index = blocks.sparse_index(
        hidden, q_rank=sizes.q_rank, n_heads=keys.count("index_n_heads"), head_dim=dim
    )
    shared = sizes.cache.model_copy(update={"index_topk_tok": top_k})
    own = shared.model_copy(update={"index_dim": dim})
    return [
        Layer(plain.counts + index, own) if flag else replace(plain, cache=shared)
        for flag in indexed_layers(keys, n)
    ]


def latent_decoder(
    style: decoder.Style, *, layer_extra: int = 0, sparse_norms: int = 0
) -> Callable[[Keys], Shape]:
    """The recipe of a family with latent attention in every layer.

    `sparse_norms` are further norms of a layer with experts.
    """

    def recipe(keys: Keys) -> Shape:
        hidden, n = keys.count(*key_names.HIDDEN), decoder.n_layers(keys)
        norms = Counts(rest=style.n_norms * hidden + layer_extra)
        feed = feed_forward(keys, style, hidden, n)
        more = Counts(rest=sparse_norms * hidden)
        layers = tuple(
            replace(
                mixer,
                counts=mixer.counts + norms + part + (more if part.routed_experts else Counts()),
            )
            for mixer, part in zip(mixers(keys, hidden, n), feed.parts, strict=True)
        )
        shape = Shape(
            layers=layers,
            intermediate=feed.width,
            experts=feed.mixture,
            **decoder.ends(keys, style, hidden),
        )
        return replace(shape, mtp=next_token_layers(keys, shape))

    return recipe


@dataclass(frozen=True, slots=True)
class FeedForward:
    """The feed-forward part of each layer."""

    parts: list[Counts]
    width: int
    mixture: Experts


def feed_forward(keys: Keys, style: decoder.Style, hidden: int, n: int) -> FeedForward:
    """Dense or expert block of each layer."""
    sparse, mixture, block = [False] * n, Experts(), Counts()
    if style.moe and keys.known(*key_names.EXPERTS):
        sparse = [True] * n if style.moe.everywhere else patterns.sparse_layers(keys, n)
        if any(sparse):
            block, mixture = decoder.expert_part(keys, style.moe, hidden)
    dense, width = (Counts(), 0) if all(sparse) else decoder.dense_part(keys, style, hidden)
    return FeedForward([block if flag else dense for flag in sparse], width, mixture)


def next_token_layers(keys: Keys, shape: Shape) -> int:
    """Multi-token-prediction layers: the last layer again, a projection of two states, three norms.

    Embedding and head are the model's own, though files may repeat them.
    """
    n = keys.count("num_nextn_predict_layers", default=0, low=0, high=64)
    return n * (shape.layers[-1].counts.total + 2 * shape.hidden**2 + 3 * shape.hidden)
