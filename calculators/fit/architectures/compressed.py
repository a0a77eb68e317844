"""DeepSeek V4: caches of one entry for several tokens, beside a window."""

from __future__ import annotations

from calculators.fit.architectures import decoder, patterns
from calculators.fit.architectures.decoder import Moe, Style
from calculators.fit.architectures.errors import ModelConfigError
from calculators.fit.architectures.keys import Keys
from calculators.fit.architectures.shape import Counts, Layer, Shape
from calculators.specs import LayerGroup

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
