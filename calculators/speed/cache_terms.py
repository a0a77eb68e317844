"""What attention reads and computes for one sequence, as slopes over its context."""

from __future__ import annotations

from dataclasses import dataclass

from calculators.fit.kv_cache import entry_elements, state_bytes
from calculators.specs import CacheFormat, LayerGroup, ModelSpec
from calculators.speed.inputs import N_CAPS
from calculators.units import BITS_PER_BYTE


@dataclass(frozen=True, slots=True)
class CacheTerms:
    """Slopes of one sequence on one card; `caps` are (bytes, FLOP, limit) up to a limit."""

    state_bytes: float
    bytes_tok: float
    flop_tok: float
    prefill_flop_tok: float
    caps: tuple[tuple[float, float, float], ...]


def head_flop_tok(group: LayerGroup) -> tuple[float, float]:
    """Arithmetic of attention per token and token of context, in a decode step and in prefill.

    heads: 2 x q_heads x (k_dim + v_dim) a layer. A latent (MLA) is read as it lies in a decode
    step, 2 x q_heads x (2 x latent + rope), and unfolded into heads in prefill.

    Parameters
    ----------
    group : LayerGroup

    Returns
    -------
    tuple of float [FLOP], over all layers of the group

    Examples
    --------
    >>> gqa = LayerGroup(kind="full", n_layers=80, n_q_heads=64, n_kv_heads=8,
    ...                  k_head_dim=128, v_head_dim=128)
    >>> head_flop_tok(gqa)
    (2621440, 2621440)
    """
    per_layer = 2 * group.n_q_heads * group.n_layers
    unfolded = per_layer * (group.k_head_dim + group.v_head_dim)
    if not group.latent_dim:
        return unfolded, unfolded
    folded = per_layer * (2 * group.latent_dim + group.rope_dim)
    return folded, unfolded or folded


def cache_terms(
    model: ModelSpec, cache: CacheFormat, *, tp: int, attention_dp: bool = False
) -> CacheTerms:
    """Slopes over the context of what one card reads and all cards compute for one sequence.

    Parameters
    ----------
    model : layer groups
    cache : bits per element, scales included
    tp : cards that share the heads, >= 1; a latent is replicated
    attention_dp : each card keeps whole sequences

    Returns
    -------
    CacheTerms: bytes per card, FLOP over all cards

    Notes
    -----
    Layers that reuse another layer's cache read it again. More than three different limits are
    merged into the third, at its own limit.

    Examples
    --------
    >>> gqa = LayerGroup(kind="full", n_layers=80, n_q_heads=64, n_kv_heads=8,
    ...                  k_head_dim=128, v_head_dim=128)
    >>> from types import SimpleNamespace as Shape
    >>> cache_terms(Shape(groups=(gqa,)), Shape(bits=16), tp=2).bytes_tok / 1024
    160.0
    """
    shard = 1 if attention_dp else tp
    element_bytes = cache.bits / BITS_PER_BYTE
    state = linear = flop = prefill_flop = 0.0
    caps: list[tuple[float, float, float]] = []
    for group in model.groups:
        state += 2 * state_bytes(group, shard)
        decode_flop, unfolded_flop = head_flop_tok(group)
        entry = entry_elements(group, shard) - group.index_dim
        entry_bytes = entry * element_bytes * group.n_layers / group.compress_ratio
        ratio = group.compress_ratio
        if group.kind in ("sliding", "chunked"):
            caps.append((entry_bytes, decode_flop, group.window_tok))
        elif group.index_topk_tok:
            linear += group.index_dim * element_bytes * group.n_layers / ratio
            caps.append((entry_bytes, decode_flop / ratio, group.index_topk_tok * ratio))
        else:
            linear += entry_bytes
            flop += decode_flop / ratio
            prefill_flop += unfolded_flop / ratio
        if group.kind == "compressed" and group.window_tok:
            caps.append((entry_bytes * ratio, decode_flop, group.window_tok))
    return CacheTerms(state, linear, flop, prefill_flop, merged_caps(caps))


def merged_caps(
    caps: list[tuple[float, float, float]],
) -> tuple[tuple[float, float, float], ...]:
    """Exactly three capped terms: equal limits added, unused ones zero.

    Examples
    --------
    >>> merged_caps([(1, 2, 128), (1, 2, 128)])
    ((2.0, 4.0, 128), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    """
    totals: dict[float, tuple[float, float]] = {}
    for n_bytes, n_flop, limit in caps:
        key = limit if limit in totals or len(totals) < N_CAPS else max(totals)
        held = totals.get(key, (0.0, 0.0))
        totals[key] = (held[0] + n_bytes, held[1] + n_flop)
    terms = [(n_bytes, n_flop, limit) for limit, (n_bytes, n_flop) in totals.items()]
    return tuple(terms + [(0.0, 0.0, 0.0)] * (N_CAPS - len(terms)))
