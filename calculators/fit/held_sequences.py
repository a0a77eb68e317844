"""How many sequences a cache holds beside a shared prefix and idle conversations."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from calculators.fit.kv_cache import sequence_cache_bytes
from calculators.specs import Deployment


def held_sequences(
    *,
    budget_bytes: ArrayLike,
    sequence_bytes: ArrayLike,
    shared_bytes: ArrayLike = 0.0,
    n_idle: ArrayLike = 0,
) -> np.ndarray:
    """Whole sequences that a card's cache holds beside a shared prefix and idle conversations.

    max(floor((budget - shared) / (sequence - shared)) - idle, 0)

    Parameters
    ----------
    budget_bytes : float or array [bytes]
        What the engine leaves for the cache; broadcasts.
    sequence_bytes : float or array [bytes]
        Of one sequence, above 0; broadcasts.
    shared_bytes : float or array [bytes]
        Of the prefix that all share, at most `sequence_bytes`; broadcasts.
    n_idle : int or array [conversations]
        That hold cache while nobody types; broadcasts.

    Returns
    -------
    array [sequences]

    Notes
    -----
    Basis: that of the budget.

    Examples
    --------
    >>> float(held_sequences(budget_bytes=105, sequence_bytes=30, shared_bytes=10, n_idle=1))
    3.0
    """
    budget, one = np.asarray(budget_bytes, float), np.asarray(sequence_bytes, float)
    private = np.maximum(one - shared_bytes, 1.0)
    held = np.maximum((budget - shared_bytes) // private - n_idle, 0.0)
    return np.where((budget > 0) & (one > 0), held, 0.0)


def shared_prefix_bytes(deployment: Deployment, prefix_tok: int) -> float:
    """Bytes of the whole blocks of a prefix that all sequences share.

    blocks of the prefix x bytes of a block, in the layers that keep every token

    Parameters
    ----------
    deployment : Deployment
        Model, cache format, engine and parallelism.
    prefix_tok : int [tokens]
        Tokens of prompt that all share, at least 0.

    Returns
    -------
    float [bytes]
        On one card; windows and states are each sequence's own.

    Notes
    -----
    Basis: bound. The last block, where it is not full, is not shared.

    References
    ----------
    Kwon et al., PagedAttention, arXiv 2309.06180 (shared prefixes; from knowledge, not re-read).

    Examples
    --------
    See `capacity`: a prefix of half the context nearly doubles the sequences.
    """
    block_tok = deployment.engine.memory.block_tok
    whole_tok = prefix_tok // block_tok * block_tok
    if not whole_tok:
        return 0.0
    growing = tuple(g for g in deployment.model.groups if g.kind in ("full", "mla"))
    if not growing:
        return 0.0
    shape = deployment.model.model_copy(update={"groups": growing})
    return float(
        sequence_cache_bytes(shape, deployment.cache, deployment.parallelism, context_tok=whole_tok)
    )
