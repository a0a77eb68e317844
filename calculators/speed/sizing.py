"""How many requests at once meet the objectives, and how to split cards into replicas."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import pandas as pd

from calculators.speed.serving import ClosedLoop, ServingError

Loop = Callable[[Any], ClosedLoop]  # requests at once (array) to the closed loop
Limit = Literal["memory", "ttft", "tpot", "nothing fits"]
COLUMNS = (
    "tp",
    "replicas",
    "batch",
    "limit",
    "output_tok_s",
    "requests_per_s",
    "tpot_s",
    "ttft_s",
    "step_s",
)


@dataclass(frozen=True, slots=True)
class LargestBatch:
    """The most requests at once, and what stops one more."""

    batch: int  # 0 where not even one meets the objectives
    limit: Limit


def largest_batch(
    *,
    loop: Loop,
    max_sequences: int,
    ttft_objective_s: float | None = None,
    tpot_objective_s: float | None = None,
) -> LargestBatch:
    """The largest concurrency at which memory holds and both objectives are met.

    largest B <= max_sequences with TTFT(B) <= objective and TPOT(B) <= objective (closed loop)

    Parameters
    ----------
    loop : callable, requests at once (array) to a ClosedLoop
    max_sequences : what memory holds, >= 0
    ttft_objective_s, tpot_objective_s : [s] objectives on the mean; None = none

    Returns
    -------
    LargestBatch: the batch, and `memory`, `ttft`, `tpot` or `nothing fits`

    Notes
    -----
    Basis that of the step times. Means, not percentiles: for p95 at a request rate use
    `open_loop`. Times grow with the batch, so the search halves the range.

    Examples
    --------
    >>> from calculators.speed.serving import closed_loop
    >>> def loop(n):
    ...     return closed_loop(
    ...         step_s=lambda n: 0.001 * n, prefill_s=0.0, output_tok=100, concurrency=n)
    >>> largest_batch(loop=loop, max_sequences=64, tpot_objective_s=0.0205)
    LargestBatch(batch=20, limit='tpot')
    """
    if max_sequences < 1:
        return LargestBatch(0, "nothing fits")
    objectives = (ttft_objective_s, tpot_objective_s)
    low, high = 0, max_sequences
    limit: Limit = "memory"
    while low < high and objectives != (None, None):
        middle = (low + high + 1) // 2
        missed = _missed(loop(middle), *objectives)
        if missed is None:
            low = middle
        else:
            high, limit = middle - 1, missed
    return LargestBatch(high, limit)


def _missed(
    at: ClosedLoop, ttft_objective_s: float | None, tpot_objective_s: float | None
) -> Limit | None:
    """The objective that is not met, the one for the first token where neither is."""
    if ttft_objective_s is not None and at.ttft_s > ttft_objective_s:
        return "ttft"
    if tpot_objective_s is not None and at.tpot_s > tpot_objective_s:
        return "tpot"
    return None


@dataclass(frozen=True, slots=True)
class Split:
    """One way to cut the cards: cards per replica, its times, what its memory holds."""

    tp: int
    loop: Loop
    max_sequences: int  # per replica; 0 where the model does not fit


def tensor_parallel_sizes(*, n_cards: int) -> tuple[int, ...]:
    """Powers of two that divide a number of cards: the ways to cut it into equal replicas.

    Parameters
    ----------
    n_cards : >= 1

    Returns
    -------
    sizes in ascending order, and `n_cards` itself

    Examples
    --------
    >>> tensor_parallel_sizes(n_cards=12)
    (1, 2, 4, 12)
    """
    powers = [2**k for k in range(n_cards.bit_length()) if n_cards % 2**k == 0]
    return tuple(sorted({*powers, n_cards}))


def replicas_against_tensor_parallel(
    *,
    n_cards: int,
    concurrency: int,
    split_of: Callable[[int], Split | None],
    sizes: Sequence[int] | None = None,
    ttft_objective_s: float | None = None,
    tpot_objective_s: float | None = None,
) -> pd.DataFrame:
    """The same cards cut into replicas of every size, under the same number of requests.

    batch = min(ceil(concurrency / replicas), what memory and objectives allow);
    output token/s = requests served at once / batch x output token/s of one at its batch

    Parameters
    ----------
    n_cards : cards in all, >= 1
    concurrency : requests at once over all replicas, >= 1
    split_of : tensor-parallel size to its Split; None where the heads do not divide
    sizes : tensor-parallel sizes to try, divisors of `n_cards`; None = all powers of two and itself
    ttft_objective_s, tpot_objective_s : [s] objectives on the mean; None = none

    Returns
    -------
    DataFrame, one row per size: tp, replicas, batch (per replica), limit (`requests` where there
    are no more), output_tok_s, requests_per_s (all cards), tpot_s, ttft_s, step_s

    Raises
    ------
    ServingError
        a size does not divide `n_cards`

    Notes
    -----
    Requests are spread evenly; a real balancer is a few per cent worse.

    Examples
    --------
    >>> from calculators.speed.serving import closed_loop
    >>> def cut(tp):  # a step of 1 ms per sequence, divided over the cards
    ...     return Split(tp, lambda n: closed_loop(step_s=lambda n: n * 1e-3 / tp, prefill_s=0.0,
    ...                                            output_tok=100, concurrency=n), 8 * tp)
    >>> table = replicas_against_tensor_parallel(n_cards=2, concurrency=4, split_of=cut)
    >>> table[["tp", "replicas", "batch"]].to_numpy().tolist()
    [[1, 2, 2], [2, 1, 4]]
    """
    rows = []
    for tp in sizes or tensor_parallel_sizes(n_cards=n_cards):
        if n_cards % tp:
            raise ServingError(f"tp is {tp}, which does not divide {n_cards} cards")
        split = split_of(tp)
        most = LargestBatch(0, "nothing fits")
        if split is not None:
            most = largest_batch(
                loop=split.loop,
                max_sequences=split.max_sequences,
                ttft_objective_s=ttft_objective_s,
                tpot_objective_s=tpot_objective_s,
            )
        rows.append(_row(tp, n_cards // tp, concurrency, split, most))
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _row(
    tp: int, replicas: int, concurrency: int, split: Split | None, most: LargestBatch
) -> dict[str, Any]:
    wanted = -(-concurrency // replicas)
    batch = min(wanted, most.batch)
    row: dict[str, Any] = {"tp": tp, "replicas": replicas, "batch": batch}
    row["limit"] = "requests" if batch == wanted else most.limit
    if split is None or batch == 0:
        return row | dict.fromkeys(COLUMNS[4:], float("nan"))
    at = split.loop(batch)
    busy_replicas = min(concurrency, replicas * batch) / batch
    return row | {
        "output_tok_s": float(at.output_tok_s) * busy_replicas,
        "requests_per_s": float(at.requests_per_s) * busy_replicas,
        "tpot_s": float(at.tpot_s),
        "ttft_s": float(at.ttft_s),
        "step_s": float(at.step_s),
    }
