"""The same jobs and memory, allocated in every way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from calculators.labs.contiguous import contiguous_run
from calculators.labs.paging import paged_run
from calculators.labs.paging_results import Jobs, PagingRun

Progress = Callable[[float], None]


def paging_runs(
    jobs: Jobs, *, capacity_tok: int, block_tok: int, progress: Progress | None = None
) -> tuple[PagingRun, ...]:
    """Contiguous at the limit and at powers of two, paged, and paged with shared prefixes.

    Parameters
    ----------
    jobs : Jobs
        To serve.
    capacity_tok : int [tokens]
        Whole memory; the pool has as many whole blocks.
    block_tok : int [tokens]
        Of a block.
    progress : callable or None
        Told the share that is done.

    Returns
    -------
    tuple of PagingRun

    Raises
    ------
    LabError
        A job or reservation that the memory cannot hold.

    Notes
    -----
    Powers of two: each sequence reserves the next one above its own final length, which a server
    would have to know or grow into; the holes that this leaves are external fragmentation.

    References
    ----------
    Kwon et al., vLLM, arXiv 2309.06180.

    Examples
    --------
    >>> from calculators.labs.paging_results import random_jobs
    >>> jobs = random_jobs(n_sequences=6, prompt_mean_tok=20, output_mean_tok=10, max_tok=64)
    >>> runs = paging_runs(jobs, capacity_tok=128, block_tok=8)
    >>> runs[2].summary.waste_frac < runs[0].summary.waste_frac
    True
    """
    runs = [
        contiguous_run(
            reserving, capacity_tok=capacity_tok, unit_tok=block_tok, policy=f"contiguous, {what}"
        )
        for what, reserving in (("the limit", jobs), ("powers of two", powers_of_two(jobs)))
    ]
    for index, shares in enumerate((False, True)):
        runs.append(
            paged_run(
                jobs,
                n_blocks=capacity_tok // block_tok,
                block_tok=block_tok,
                shares_prefixes=shares,
                progress=_part(progress, index),
            )
        )
    return tuple(runs)


def powers_of_two(jobs: Jobs) -> Jobs:
    """The same jobs, each reserving the next power of two, at most what it reserved before.

    reserved = min(2^ceil(log2(prompt + output)), reserved)

    Parameters
    ----------
    jobs : Jobs

    Returns
    -------
    Jobs

    Notes
    -----
    Less waste inside a reservation, more between reservations.

    References
    ----------
    Kwon et al., vLLM, arXiv 2309.06180, section 6 (Orca, Pow2).

    Examples
    --------
    >>> five = np.array([5])
    >>> int(powers_of_two(Jobs(five * 0, five, five, five * 20, five)).reserved_tok[0])
    16
    """
    final = jobs.prompt_tok + jobs.output_tok
    power = 2 ** np.ceil(np.log2(final)).astype(np.int64)
    return replace(jobs, reserved_tok=np.minimum(power, jobs.reserved_tok))


def _part(progress: Progress | None, index: int) -> Progress | None:
    if progress is None:
        return None
    return lambda done: progress((index + done) / 2)
