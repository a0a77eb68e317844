"""The same count of work as in the generation loops, in closed form and for a real model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from calculators.specs import LayerGroup, ModelSpec

ROWS_PER_TOK = 3  # q, k and v


@dataclass(frozen=True, slots=True)
class LoopWork:
    """Rows projected and score elements of a whole generation; numbers or arrays."""

    proj: Any
    scores: Any


@dataclass(frozen=True, slots=True)
class GroupWork:
    """Work of one layer group of a model, without and with a cache."""

    kind: str
    n_layers: int
    naive: LoopWork
    cached: LoopWork


def naive_work(*, prompt_tok: Any, n_new_tok: Any) -> LoopWork:
    """Work of the naive loop of one layer and head.

    proj = 3 sum of t, scores = sum of t^2, over t = prompt ... prompt + new - 1

    Parameters
    ----------
    prompt_tok, n_new_tok : int or array [tokens]
        1 and 0 or more; broadcasts.

    Returns
    -------
    LoopWork

    Notes
    -----
    Basis `bound`: counted, not timed. Of order n^2 and n^3.

    References
    ----------
    The reference table of the project.

    Examples
    --------
    >>> naive_work(prompt_tok=4, n_new_tok=60)
    LoopWork(proj=6030.0, scores=85330.0)
    """
    last = np.add(prompt_tok, n_new_tok) - 1.0
    before = np.subtract(prompt_tok, 1.0)
    rows = ROWS_PER_TOK * (_sum_1(last) - _sum_1(before))
    return LoopWork(_plain(rows), _plain(_sum_2(last) - _sum_2(before)))


def cached_work(*, prompt_tok: Any, n_new_tok: Any, window_tok: int = 0) -> LoopWork:
    """Work of the cached loop of one layer and head.

    proj = 3 (prompt + new); scores = prompt^2 + sum of t over the lengths to come,
    each length at most the window

    Parameters
    ----------
    prompt_tok, n_new_tok : int or array [tokens]
        1 and 0 or more; broadcasts.
    window_tok : int [tokens]
        That a token looks back on; 0 is all of them.

    Returns
    -------
    LoopWork

    Notes
    -----
    Basis `bound`: counted, not timed. Of order n and n^2 (n, where there is a window).

    References
    ----------
    The reference table of the project.

    Examples
    --------
    >>> cached_work(prompt_tok=4, n_new_tok=60)
    LoopWork(proj=192.0, scores=2086.0)
    """
    total = np.add(prompt_tok, np.asarray(n_new_tok, dtype=float))
    limit = np.inf if not window_tok else float(window_tok)
    first = np.multiply(prompt_tok, np.minimum(prompt_tok, limit))
    scores = first + _capped_sum(total, limit) - _capped_sum(prompt_tok, limit)
    return LoopWork(_plain(ROWS_PER_TOK * total), _plain(scores))


def model_work(model: ModelSpec, *, prompt_tok: int, n_new_tok: int) -> tuple[GroupWork, ...]:
    """Work of one generation for each layer group of a real model.

    the loop's counts x layers; scores also x query heads, and at most the window wide

    Parameters
    ----------
    model : ModelSpec
        Layer groups.
    prompt_tok, n_new_tok : int [tokens]
        1 and 0 or more.

    Returns
    -------
    tuple of GroupWork, in the model's order

    Notes
    -----
    Basis `bound`: counted, not timed. A recurrent layer has no scores: its cached form updates a
    state per token. A compressed layer is counted with one score per compressed entry and its
    window; a sparse index with the entries that it selects.

    References
    ----------
    The reference table of the project, applied to the catalog's layer groups.

    Examples
    --------
    >>> group = LayerGroup(kind="full", n_layers=2, n_q_heads=4, n_kv_heads=1, k_head_dim=8)
    >>> cached = group_work(group, prompt_tok=4, n_new_tok=60).cached
    >>> cached.proj, cached.scores
    (384.0, 16688.0)
    """
    return tuple(
        group_work(group, prompt_tok=prompt_tok, n_new_tok=n_new_tok) for group in model.groups
    )


def group_work(group: LayerGroup, *, prompt_tok: int, n_new_tok: int) -> GroupWork:
    """Work of one generation in one layer group.

    Parameters
    ----------
    group : LayerGroup
        Layers of one kind.
    prompt_tok, n_new_tok : int [tokens]
        1 and 0 or more.

    Returns
    -------
    GroupWork

    Notes
    -----
    As `model_work`.

    References
    ----------
    As `model_work`.

    Examples
    --------
    >>> state = LayerGroup(kind="recurrent", n_layers=3, state_elements=10)
    >>> group_work(state, prompt_tok=4, n_new_tok=60).cached
    LoopWork(proj=576.0, scores=0.0)
    """
    lengths = np.arange(prompt_tok, prompt_tok + n_new_tok, dtype=np.float64)
    heads = group.n_q_heads or max(group.n_kv_heads, 1)
    naive = LoopWork(ROWS_PER_TOK * lengths.sum(), heads * (lengths * _width(group, lengths)).sum())
    steps = lengths + 1
    scores = prompt_tok * _width(group, np.array(float(prompt_tok))) + _width(group, steps).sum()
    cached = LoopWork(ROWS_PER_TOK * float(prompt_tok + n_new_tok), heads * float(scores))
    return GroupWork(
        group.kind, group.n_layers, _times(naive, group.n_layers), _times(cached, group.n_layers)
    )


def _width(group: LayerGroup, length_tok: np.ndarray) -> np.ndarray:
    """Scores of one row and head at a length."""
    if group.kind == "recurrent":
        return np.zeros_like(length_tok)
    if group.kind == "compressed":
        window = np.minimum(length_tok, group.window_tok)
        return length_tok // group.compress_ratio + window
    limit = group.window_tok or group.index_topk_tok or np.inf
    return np.minimum(length_tok, limit)


def _times(work: LoopWork, factor: int) -> LoopWork:
    return LoopWork(float(work.proj) * factor, float(work.scores) * factor)


def _sum_1(n: Any) -> Any:
    return n * (n + 1) / 2


def _sum_2(n: Any) -> Any:
    return n * (n + 1) * (2 * n + 1) / 6


def _capped_sum(n: Any, limit: float) -> Any:
    """Sum of min(t, limit) over t = 1 ... n."""
    below = np.minimum(n, limit)
    beyond = np.maximum(np.subtract(n, limit), 0.0)
    return _sum_1(below) + np.where(beyond > 0, beyond * below, 0.0)


def _plain(value: Any) -> Any:
    return float(value) if np.ndim(value) == 0 else value
