"""Where speculation stops paying: acceptance, number of drafts, memory."""

from __future__ import annotations

from typing import Any

import numpy as np

from calculators.speed.speculative import tokens_per_pass

_HALVINGS = 60


def break_even_acceptance_frac(
    *, n_draft: Any, plain_step_s: Any, draft_step_s: Any, verify_s: Any
) -> Any:
    """The acceptance above which drafts pay; nan where even full acceptance does not.

    a with tokens per pass(a, k) = (k x draft step + verify) / plain step

    Parameters
    ----------
    n_draft : k, drafted tokens, >= 1; broadcasts
    plain_step_s, draft_step_s, verify_s : [s] > 0; broadcast

    Returns
    -------
    share, 0 to 1, or nan; broadcast shape of the inputs

    Examples
    --------
    >>> float(np.round(break_even_acceptance_frac(n_draft=1, plain_step_s=0.02,
    ...       draft_step_s=0.001, verify_s=0.024), 6))  # 1 + a = 25 / 20
    0.25
    """
    needed = np.divide(np.multiply(n_draft, draft_step_s) + verify_s, plain_step_s)
    shape = np.broadcast_shapes(np.shape(needed), np.shape(n_draft))
    low, high = np.zeros(shape), np.ones(shape)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        short = tokens_per_pass(acceptance_frac=middle, n_draft=n_draft) < needed
        low, high = np.where(short, middle, low), np.where(short, high, middle)
    return np.where(needed > np.add(n_draft, 1), np.nan, high)


def best_n_draft(speed_up: Any, *, n_draft: Any) -> tuple[Any, Any]:
    """The number of drafted tokens with the largest speed-up, 0 where none is above 1.

    k = argmax over the last axis

    Parameters
    ----------
    speed_up : plain TPOT / TPOT, last axis over `n_draft`
    n_draft : the numbers tried, shape of the last axis

    Returns
    -------
    (k, its speed-up), shape without the last axis; (0, 1) where drafts do not pay

    Examples
    --------
    >>> k, gain = best_n_draft(np.array([1.2, 1.4, 1.3]), n_draft=np.array([1, 2, 3]))
    >>> int(k), float(gain)
    (2, 1.4)
    """
    speed_up, n_draft = np.asarray(speed_up, dtype=float), np.asarray(n_draft)
    place = np.argmax(speed_up, axis=-1)
    gain = np.take_along_axis(speed_up, place[..., None], axis=-1)[..., 0]
    return np.where(gain > 1.0, n_draft[place], 0), np.maximum(gain, 1.0)


def sequences_beside_draft(
    *,
    cache_bytes: Any,
    sequence_bytes: Any,
    draft_weight_bytes: Any,
    draft_sequence_bytes: Any,
) -> Any:
    """Sequences that fit a card once a draft model's weights and cache are in memory too.

    n = floor((cache - draft weights) / (bytes of a sequence + the same for the draft))

    Parameters
    ----------
    cache_bytes : [byte] left for the cache without a draft, per card; broadcasts
    sequence_bytes : [byte] cache of one sequence, per card, > 0; broadcasts
    draft_weight_bytes : [byte] of the draft model, per card; broadcasts
    draft_sequence_bytes : [byte] its cache of one sequence, per card; broadcasts

    Returns
    -------
    count, >= 0, broadcast shape of the inputs

    Examples
    --------
    >>> float(sequences_beside_draft(cache_bytes=30e9, sequence_bytes=2.5e9,
    ...       draft_weight_bytes=2e9, draft_sequence_bytes=0.3e9))
    10.0
    """
    left = np.maximum(np.subtract(cache_bytes, draft_weight_bytes), 0.0)
    return np.floor(left / np.add(sequence_bytes, draft_sequence_bytes))
