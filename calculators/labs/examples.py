"""Small cases of batching and paging that can be counted by hand, for the reference buttons."""

from __future__ import annotations

from typing import Any

import numpy as np

from calculators.labs.batching import continuous_batching, static_batching
from calculators.labs.contiguous import contiguous_run
from calculators.labs.paging import paged_run
from calculators.labs.paging_results import Jobs
from calculators.labs.requests import Requests
from calculators.labs.step_times import step_times

Table = dict[str, Any]


def batching_example() -> Table:
    """Requests of 20, 500, 20 and 20 tokens on two slots, a second a step, prompts for nothing.

    Returns
    -------
    dict
        For each policy the time of the first answer and of the end [s].

    Notes
    -----
    A first token comes with the prompt, so 20 tokens take 19 steps. Static: 499 steps for the
    first two, then 19. Continuous: the short ones follow each other in one slot.

    References
    ----------
    The reference text: a request wanting 20 tokens waits behind one wanting 500.

    Examples
    --------
    >>> batching_example()["continuous"]
    {'first_answer_s': 19.0, 'end_s': 499.0}
    """
    work = Requests(np.zeros(4), np.ones(4, dtype=np.int64), np.array([20, 500, 20, 20]))
    times = step_times(
        decode_s=lambda *, batch, context_tok: 1.0,
        prefill_s=lambda *, prompt_tok: 0.0,
        n_slots=2,
        requests=work,
    )
    runs = {
        "static": static_batching(work, times),
        "continuous": continuous_batching(work, times),
    }
    return {
        policy: {
            "first_answer_s": float(run.requests.returned_s.iloc[0]),
            "end_s": run.summary.end_s,
        }
        for policy, run in runs.items()
    }


def paging_example() -> Table:
    """One request that stops after 200 tokens of a possible 8,000.

    Returns
    -------
    dict
        For each way to allocate the tokens held and filled at its end.

    Notes
    -----
    In blocks of 16, 200 tokens fill 12 blocks and half of the 13th: 208 are held.

    References
    ----------
    The reference text: such a request has held on to memory that nobody could use.

    Examples
    --------
    >>> paging_example()["paged"]
    {'held_tok': 208, 'filled_tok': 200}
    """
    one = np.ones(1, dtype=np.int64)
    jobs = Jobs(0 * one, 100 * one, 100 * one, 8000 * one, 0 * one)
    runs = {
        "contiguous": contiguous_run(jobs, capacity_tok=8000),
        "paged": paged_run(jobs, n_blocks=500, block_tok=16),
    }
    return {
        way: {
            "held_tok": int(run.steps.held_tok.iloc[-1]),
            "filled_tok": int(run.steps.stored_tok.iloc[-1]),
        }
        for way, run in runs.items()
    }
