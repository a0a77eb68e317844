"""Bytes of the KV cache: a sum over a model's layer groups, by kind of state."""

from __future__ import annotations

from math import ceil

import numpy as np
from numpy.typing import ArrayLike

from calculators.fit.layer_state import entry_elements, state_bytes
from calculators.specs import CacheFormat, LayerGroup, ModelSpec, Parallelism
from calculators.units import BITS_PER_BYTE

BLOCK_TOK = 16
ONE_CARD = Parallelism()


def _blocks_tok(n_tok: ArrayLike, block_tok: int) -> np.ndarray:
    return np.ceil(np.asarray(n_tok, dtype=float) / block_tok) * block_tok


def _held_bytes(
    group: LayerGroup, element_bytes: float, tp: int, context_tok: np.ndarray, block_tok: int
) -> np.ndarray:
    """Bytes that one sequence holds in all layers of a group on one card."""
    layer_bytes = group.n_caches * element_bytes
    entry = entry_elements(group, tp) * layer_bytes
    held_tok = _blocks_tok(context_tok, block_tok)
    if group.kind in ("sliding", "chunked"):
        held_tok = np.minimum(held_tok, _blocks_tok(group.window_tok, block_tok))
    if group.kind == "compressed":
        window_tok = np.minimum(held_tok, _blocks_tok(group.window_tok, block_tok))
        window_entry = entry - group.index_dim * layer_bytes
        grown = np.floor_divide(context_tok, group.compress_ratio) * entry
        return grown + window_tok * window_entry + state_bytes(group, tp)
    return held_tok * entry + state_bytes(group, tp)


def cache_by_group(
    model: ModelSpec,
    cache: CacheFormat,
    parallelism: Parallelism = ONE_CARD,
    *,
    context_tok: ArrayLike,
    block_tok: int = BLOCK_TOK,
) -> list[np.ndarray]:
    """Bytes of one sequence on one card, for each layer group of the model.

    full: context x entry; sliding and chunked: min(context, window) x entry; mla: context x
    (latent + rope + index); recurrent: the state; compressed: context / ratio entries and a
    window. Contexts and windows count in whole blocks.

    Parameters
    ----------
    model : ModelSpec
        Layer groups.
    cache : CacheFormat
        Bits per element, scales included.
    parallelism : Parallelism
        Tensor parallel divides KV heads until one each; stages divide layers; with
        data-parallel attention a sequence lies whole on one card.
    context_tok : int or array [tokens]
        Tokens that the sequence holds, at least 0; broadcasts.
    block_tok : int [tokens]
        Tokens of one cache block, at least 1.

    Returns
    -------
    list of array [bytes]
        One array in the shape of `context_tok` for each group, in the model's order.

    Notes
    -----
    Basis: bound. Page padding that engines add to hybrids is left out (real: up to 5 % more).

    References
    ----------
    Formulas of each kind: `entry_elements`, `state_bytes`.

    Examples
    --------
    One KV head of 64, K and V in 16 bits: 256 bytes a token; a window of 32 tokens stays at 32.

    >>> from types import SimpleNamespace as Shape
    >>> full = LayerGroup(kind="full", n_layers=1, n_kv_heads=1, k_head_dim=64, v_head_dim=64)
    >>> local = full.model_copy(update={"kind": "sliding", "window_tok": 32})
    >>> sizes = cache_by_group(Shape(groups=(full, local)), Shape(bits=16), context_tok=100)
    >>> [float(size) / 256 for size in sizes]
    [112.0, 32.0]
    """
    context = np.asarray(context_tok, dtype=float)
    tp = 1 if parallelism.attention_dp else parallelism.tp
    element_bytes = cache.bits / BITS_PER_BYTE
    return [
        _held_bytes(group, element_bytes, tp, context, block_tok) * stage_share(group, parallelism)
        for group in model.groups
    ]


def stage_share(group: LayerGroup, parallelism: Parallelism) -> float:
    """Share of a group's layers on the fullest pipeline stage: ceil(layers / stages) / layers."""
    if parallelism.pp == 1 or not group.n_caches:
        return 1.0
    return ceil(group.n_caches / parallelism.pp) / group.n_caches


def sequence_cache_bytes(
    model: ModelSpec,
    cache: CacheFormat,
    parallelism: Parallelism = ONE_CARD,
    *,
    context_tok: ArrayLike,
    block_tok: int = BLOCK_TOK,
) -> np.ndarray:
    """Bytes that one sequence of so many tokens takes on one card, in whole blocks, with state.

    sum over layer groups of `cache_by_group`

    Parameters
    ----------
    model, cache, parallelism, context_tok, block_tok
        As `cache_by_group`.

    Returns
    -------
    array [bytes]
        In the shape of `context_tok`.

    Notes
    -----
    Basis: bound.

    References
    ----------
    As `cache_by_group`.

    Examples
    --------
    A conversation of 8,192 tokens of Llama 3.3 70B in 16 bits:

    >>> from types import SimpleNamespace as Shape
    >>> gqa = LayerGroup(kind="full", n_layers=80, n_kv_heads=8, k_head_dim=128, v_head_dim=128)
    >>> one = sequence_cache_bytes(Shape(groups=(gqa,)), Shape(bits=16), context_tok=8192)
    >>> float(one) / 2**30
    2.5
    """
    parts = cache_by_group(model, cache, parallelism, context_tok=context_tok, block_tok=block_tok)
    return np.sum(parts, axis=0)


def cache_bytes_per_tok(model: ModelSpec, cache_bits: ArrayLike = 16) -> np.ndarray:
    """Bytes that one more token adds over all layers of the model while no window is full.

    sum over groups of layers x entry elements x bits / 8 (/ compress ratio)

    Parameters
    ----------
    model : ModelSpec
        Layer groups.
    cache_bits : float or array [bits]
        Bits per cached element, above 0; broadcasts.

    Returns
    -------
    array [bytes per token]
        Of the whole model, not of one card; windows count as if they still grew.

    Notes
    -----
    Basis: bound.

    References
    ----------
    Llama 3.3 70B: 80 layers, 8 KV heads of 128 in 16 bits make 320 KiB.

    Examples
    --------
    >>> from types import SimpleNamespace as Shape
    >>> gqa = LayerGroup(kind="full", n_layers=80, n_kv_heads=8, k_head_dim=128, v_head_dim=128)
    >>> float(cache_bytes_per_tok(Shape(groups=(gqa,)), 16)) / 1024
    320.0
    """
    elements = sum(
        group.n_caches * entry_elements(group) / group.compress_ratio for group in model.groups
    )
    return elements * np.asarray(cache_bits, dtype=float) / BITS_PER_BYTE
