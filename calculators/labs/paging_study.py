"""The same jobs and memory, allocated in every way."""

from __future__ import annotations

from collections.abc import Callable

from calculators.labs.contiguous import contiguous_run
from calculators.labs.paging import paged_run
from calculators.labs.paging_results import Jobs, PagingRun

Progress = Callable[[float], None]


def paging_runs(
    jobs: Jobs, *, capacity_tok: int, block_tok: int, progress: Progress | None = None
) -> tuple[PagingRun, ...]:
    """Contiguous, paged, and paged with shared prefixes.

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
    As each run.

    References
    ----------
    Kwon et al., vLLM, arXiv 2309.06180.

    Examples
    --------
    >>> from calculators.labs.paging_results import random_jobs
    >>> jobs = random_jobs(n_sequences=6, prompt_mean_tok=20, output_mean_tok=10, max_tok=64)
    >>> runs = paging_runs(jobs, capacity_tok=128, block_tok=8)
    >>> runs[1].summary.waste_frac < runs[0].summary.waste_frac
    True
    """
    runs = [contiguous_run(jobs, capacity_tok=capacity_tok, unit_tok=block_tok)]
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


def _part(progress: Progress | None, index: int) -> Progress | None:
    if progress is None:
        return None
    return lambda done: progress((index + done) / 2)
