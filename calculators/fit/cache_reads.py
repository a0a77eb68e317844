"""What one decode step reads of a sequence's cache."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from calculators.fit.kv_cache import ONE_CARD, stage_share
from calculators.fit.layer_state import entry_elements, state_bytes
from calculators.specs import CacheFormat, LayerGroup, ModelSpec, Parallelism
from calculators.units import BITS_PER_BYTE


def _read_bytes(
    group: LayerGroup, element_bytes: float, tp: int, context_tok: np.ndarray
) -> np.ndarray:
    """Bytes of one group that one decode step of one sequence reads on one card."""
    layer_bytes = group.n_layers * element_bytes
    index = group.index_dim * layer_bytes
    entry = entry_elements(group, tp) * layer_bytes - index
    n_entries = np.floor_divide(context_tok, group.compress_ratio)
    if group.kind in ("sliding", "chunked"):
        n_entries = np.minimum(n_entries, group.window_tok)
    chosen = np.minimum(n_entries, group.index_topk_tok) if group.index_topk_tok else n_entries
    if group.kind == "compressed":
        chosen = chosen + np.minimum(context_tok, group.window_tok)
    return chosen * entry + n_entries * index + 2 * state_bytes(group, tp)


def cache_read_bytes(
    model: ModelSpec,
    cache: CacheFormat,
    parallelism: Parallelism = ONE_CARD,
    *,
    context_tok: ArrayLike,
) -> np.ndarray:
    """Bytes of cache that one decode step reads for one sequence on one card.

    full: all tokens; sliding: the window; sparse index: every index key and the chosen entries;
    recurrent: the state, read and written.

    Parameters
    ----------
    model, cache, parallelism
        As `cache_by_group`; a layer that reuses another layer's cache reads it once more.
    context_tok : int or array [tokens]
        Tokens in the sequence, at least 0; broadcasts.

    Returns
    -------
    array [bytes]
        In the shape of `context_tok`. With data-parallel attention the whole sequence of a card
        that serves 1 / tp of them.

    Notes
    -----
    Basis: bound. Kernels that read a latent twice, or whole windows at block edges, read more.

    References
    ----------
    DeepSeek-V3.2 report (index top-k 2,048 tokens); as `cache_by_group`.

    Examples
    --------
    Full attention reads 256 bytes for each of 1,000 tokens, a window of 32 for 32 of them.

    >>> from types import SimpleNamespace as Shape
    >>> full = LayerGroup(kind="full", n_layers=1, n_kv_heads=1, k_head_dim=64, v_head_dim=64)
    >>> local = full.model_copy(update={"kind": "sliding", "window_tok": 32})
    >>> shape = Shape(groups=(full, local))
    >>> float(cache_read_bytes(shape, Shape(bits=16), context_tok=1000)) / 256
    1032.0
    """
    context = np.asarray(context_tok, dtype=float)
    tp = 1 if parallelism.attention_dp else parallelism.tp
    element_bytes = cache.bits / BITS_PER_BYTE
    parts = [
        _read_bytes(group, element_bytes, tp, context) * stage_share(group, parallelism)
        for group in model.groups
    ]
    return np.sum(parts, axis=0)
