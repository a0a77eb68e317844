"""Decoders of the first generations, whose keys have other names than Llama's."""

from __future__ import annotations

from typing import Any

from calculators.fit.architectures import decoder, key_names, patterns
from calculators.fit.architectures.decoder import Style
from calculators.fit.architectures.key_names import HEADS, HIDDEN
from calculators.fit.architectures.keys import Keys
from calculators.fit.architectures.shape import Shape

BIASED = Style(qkv_bias=True, o_bias=True, mlp_bias=True, gated=False, norm=2)


def with_values(keys: Keys, **values: Any) -> Keys:
    """The same section with some keys said in Llama's names."""
    return Keys(
        {**keys.data, **values}, path=keys.path, defaults=keys.defaults, assumed=keys.assumed
    )


def inner_width(keys: Keys) -> int:
    """The feed-forward width: its key, or four times the hidden size."""
    return keys.count(*key_names.WIDTH, default=None) or 4 * keys.count(*HIDDEN)


def positions(keys: Keys, offset: int = 0) -> int:
    """Rows of a learned position table."""
    return keys.count("n_positions", "max_position_embeddings") + offset


def plain(keys: Keys, style: Style, *, table: int = 0, rest: int = 0, **values: Any) -> Shape:
    """A Llama-like recipe over renamed keys, with a position table and further parameters."""
    named = with_values(keys, intermediate_size=inner_width(keys), **values)
    shape = decoder.decoder(style)(named)
    parts = {name: getattr(shape, name) for name in Shape.__dataclass_fields__}
    parts["embedding"] += table * shape.hidden
    parts["rest"] += rest
    return Shape(**parts)


def gpt2(keys: Keys) -> Shape:
    """GPT-2: learned positions, biases throughout."""
    return plain(keys, Style(**(fields(BIASED) | {"tied": True})), table=positions(keys))


def fields(style: Style) -> dict[str, Any]:
    """The fields of a style, for one that differs in a few."""
    return {name: getattr(style, name) for name in Style.__dataclass_fields__}


def gpt_bigcode(keys: Keys) -> Shape:
    """StarCoder: GPT-2 with one KV head for all queries."""
    n_kv = 1 if keys.flag("multi_query", default=True) else keys.count(*HEADS)
    style = Style(**(fields(BIASED) | {"tied": True}))
    return plain(keys, style, table=positions(keys), num_key_value_heads=n_kv)


def gpt_neo(keys: Keys) -> Shape:
    """GPT-Neo: every second layer local, biases at the output only."""
    n = decoder.n_layers(keys)
    style = Style(
        o_bias=True,
        mlp_bias=True,
        gated=False,
        norm=2,
        tied=True,
        window=gpt_neo_kinds,
        window_keys=("window_size",),
    )
    return plain(keys, style, table=positions(keys), num_hidden_layers=n)


def gpt_neo_kinds(keys: Keys, n: int) -> list[str]:
    """`attention_layers` lists global and local; without it they alternate."""
    listed = keys.words("attention_layers")
    if listed is None:
        listed = ["global" if i % 2 == 0 else "local" for i in range(n)]
    listed = patterns.checked_length(keys, "attention_layers", listed, n)
    return [patterns.SLIDING if kind == "local" else patterns.FULL for kind in listed]


def gpt_neox(keys: Keys) -> Shape:
    """GPT-NeoX and Pythia."""
    bias = keys.flag("attention_bias", default=True)
    return plain(keys, Style(**(fields(BIASED) | {"qkv_bias": bias, "o_bias": bias})))


def gptj(keys: Keys) -> Shape:
    """GPT-J and CodeGen: one norm a layer, a bias at the head."""
    style = Style(mlp_bias=True, gated=False, norm=2, n_norms=1, head_bias=True)
    return plain(keys, style)


def bloom(keys: Keys) -> Shape:
    """BLOOM: no positions, a norm after the embedding; the width is four times hidden."""
    hidden = keys.count(*HIDDEN)
    style = Style(**(fields(BIASED) | {"tied": True}))
    return plain(with_values(keys, n_inner=4 * hidden), style, rest=2 * hidden)


def mpt(keys: Keys) -> Shape:
    """MPT: no biases, ALiBi or learned positions; KV heads in `attn_config`."""
    hidden = keys.count("d_model")
    section = keys.section("attn_config")
    n_kv = section.count("kv_n_heads", default=keys.count("n_heads"))
    width = int(keys.number("expansion_ratio", default=4, low=0.1, high=100) * hidden)
    learned = keys.flag("learned_pos_emb", default=True) and not section.flag("alibi", default=True)
    table = keys.count("max_seq_len") if learned else 0
    norm = 1 if keys.flag("no_bias", default=True) else 2
    bias = norm == 2
    style = Style(gated=False, norm=norm, qkv_bias=bias, o_bias=bias, mlp_bias=bias, tied=True)
    return plain(with_values(keys, n_inner=width), style, table=table, num_key_value_heads=n_kv)


def opt(keys: Keys) -> Shape:
    """OPT: learned positions with two rows more; a narrower embedding in the 350M model."""
    hidden = keys.count("hidden_size")
    width = keys.count("word_embed_proj_dim", default=hidden)
    bias = keys.flag("enable_bias", default=True)
    affine = keys.flag("layer_norm_elementwise_affine", default=True)
    last = keys.flag("do_layer_norm_before", default=True) and not keys.flag(
        "_remove_final_layer_norm"
    )
    style = Style(
        qkv_bias=bias,
        o_bias=bias,
        mlp_bias=bias,
        gated=False,
        norm=2 if affine else 0,
        final_norm=last,
        tied=True,
    )
    shape = plain(keys, style, table=positions(keys, 2))
    if width == hidden:
        return shape
    parts = {name: getattr(shape, name) for name in Shape.__dataclass_fields__}
    parts["embedding"] += shape.vocab * (width - hidden)
    parts["head"] = shape.vocab * width if shape.head else 0
    parts["rest"] += 2 * width * hidden
    return Shape(**parts)


def falcon_kv(keys: Keys, n_heads: int, new: bool) -> int:
    """KV heads: their key in the newer architecture, else one or all."""
    if new:
        return keys.count("num_kv_heads", "n_head_kv", default=n_heads)
    return 1 if keys.flag("multi_query", default=True) else n_heads


def falcon(keys: Keys) -> Shape:
    """Falcon: one KV head (7B) or several (40B, 180B); norms depend on the parallel layout."""
    n_heads = keys.count(*HEADS)
    new = keys.flag("new_decoder_architecture", default=keys.has("n_head_kv"))
    parallel = keys.flag("parallel_attn", default=True)
    n_norms = 1 if parallel else 2
    if new:
        n_norms = keys.count("num_ln_in_parallel_attn", default=2, high=2)
    bias = keys.flag("bias")
    style = Style(
        qkv_bias=bias, o_bias=bias, mlp_bias=bias, gated=False, norm=2, n_norms=n_norms, tied=True
    )
    return plain(keys, style, num_key_value_heads=falcon_kv(keys, n_heads, new))


def persimmon(keys: Keys) -> Shape:
    """Persimmon: biases throughout, norms of queries and keys by head."""
    qk = "head" if keys.flag("qk_layernorm", default=True) else ""
    return plain(keys, Style(**(fields(BIASED) | {"qk_norm": qk})))


def phi(keys: Keys) -> Shape:
    """Phi-1 and Phi-2: one norm a layer, biases throughout and at the head."""
    qk = "head" if keys.flag("qk_layernorm") else ""
    style = Style(**(fields(BIASED) | {"qk_norm": qk, "n_norms": 1, "head_bias": True}))
    return plain(keys, style)


def qwen1(keys: Keys) -> Shape:
    """The first Qwen: the width in the file counts gate and up projection together."""
    bias = not keys.flag("no_bias", default=True)
    size = keys.count("kv_channels", default=128)
    width = keys.count("intermediate_size") // 2
    style = Style(qkv_bias=True, o_bias=bias, mlp_bias=bias)
    named = with_values(keys, intermediate_size=width, head_dim=size)
    return decoder.decoder(style)(named)


def chatglm(keys: Keys) -> Shape:
    """ChatGLM 2, 3 and GLM-4-9B: grouped heads, fused gate, one bias at queries, keys, values."""
    n_heads = keys.count(*HEADS)
    grouped = keys.flag("multi_query_attention", default=False)
    n_kv = keys.count("multi_query_group_num") if grouped else n_heads
    bias = keys.flag("add_bias_linear")
    style = Style(
        qkv_bias=keys.flag("add_qkv_bias") or bias,
        o_bias=bias,
        mlp_bias=bias,
        norm=1 if keys.flag("rmsnorm", default=True) else 2,
        final_norm=keys.flag("post_layer_norm", default=True),
        head_dim=("kv_channels",),
    )
    return plain(keys, style, num_key_value_heads=n_kv)


def molmo(keys: Keys) -> Shape:
    """Molmo: OLMo's language model; its width counts gate and up projection together."""
    width = keys.count("intermediate_size") // 2
    extra = 128 * keys.count("hidden_size")
    norm = "full" if keys.flag("attention_layer_norm") else ""
    style = Style(qkv_bias="qkv_bias", qk_norm=norm)
    named = with_values(
        keys,
        intermediate_size=width,
        tie_word_embeddings=keys.flag("weight_tying", "tie_word_embeddings"),
    )
    shape = decoder.decoder(style)(named)
    parts = {name: getattr(shape, name) for name in Shape.__dataclass_fields__}
    parts["embedding"] += extra
    return Shape(**parts)


def stablelm(keys: Keys) -> Shape:
    """StableLM: norms with bias, by head for queries and keys where asked for."""
    parallel = keys.flag("use_parallel_residual")
    style = Style(
        qkv_bias="use_qkv_bias",
        norm=2,
        n_norms=1 if parallel else 2,
        qk_norm="full_weight" if keys.flag("qk_layernorm") else "",
    )
    return decoder.decoder(style)(keys)


def xglm(keys: Keys) -> Shape:
    """XGLM: biases throughout, computed positions."""
    return plain(keys, Style(**(fields(BIASED) | {"tied": True})))
