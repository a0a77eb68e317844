"""Score elements of a real model's layers: how many tokens each token is compared with."""

from __future__ import annotations

from app.formatting import number
from app.memory_words import KINDS
from calculators.labs.generation_counts import GroupWork
from calculators.specs import LayerGroup


def score_lines(layers: LayerGroup, work: GroupWork, prompt_tok: int, new_tok: int) -> list[str]:
    """The equations of both loops' score elements for the layers of one kind.

    Without a cache, every step compares all tokens so far with all that a layer looks back on;
    with one, the prompt does so once, and then each new token alone.
    """
    if not work.cached.scores:
        return []
    heads = layers.n_q_heads or max(layers.n_kv_heads, 1)
    lengths = range(prompt_tok, prompt_tok + new_tok)
    naive = sum(length * seen_tok(layers, length) for length in lengths)
    later = sum(seen_tok(layers, length + 1) for length in lengths)
    name = f"{work.n_layers} layers, {KINDS[work.kind]}"
    each = f"{heads} heads x {work.n_layers} layers"
    return [
        f"{name}, scores, naive: {each} x {naive:,} pairs = {number(work.naive.scores)}",
        f"{name}, scores, cached: {each} x ({prompt_tok:,} x {seen_tok(layers, prompt_tok):,} + "
        f"{later:,}) = {number(work.cached.scores)}",
    ]


def seen_tok(layers: LayerGroup, length_tok: int) -> int:
    """Tokens, or entries that stand for several, which a token at some length is compared with.

    >>> seen_tok(LayerGroup(kind="sliding", n_layers=1, n_kv_heads=1, window_tok=512), 3000)
    512
    """
    if layers.kind == "compressed":
        return length_tok // layers.compress_ratio + min(length_tok, layers.window_tok)
    return min(length_tok, layers.window_tok or layers.index_topk_tok or length_tok)
