"""Paged allocation of the KV cache: blocks as a sequence grows, shared prefixes, preemption."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from calculators.labs.block_pool import BlockPool, PoolFull
from calculators.labs.paging_results import (
    CACHED,
    FREE,
    SHARED,
    STEP_COLUMNS,
    Jobs,
    PagingRun,
    PagingSummary,
    mean_while_full,
    stacked_picture,
    weighted_frac,
)
from calculators.labs.quantization import LabError

Progress = Callable[[float], None]


@dataclass(slots=True, eq=False)
class Sequence:
    """A sequence at work: its blocks in order, the tokens that they hold, what is left."""

    job: int
    n_tok: int
    n_left: int
    table: list[int] = field(default_factory=list)


def paged_run(
    jobs: Jobs,
    *,
    n_blocks: int,
    block_tok: int = 16,
    shares_prefixes: bool = True,
    max_sequences: int = 256,
    progress: Progress | None = None,
) -> PagingRun:
    """Serve the jobs from a pool of blocks, a token per sequence and step.

    Parameters
    ----------
    jobs : Jobs
        In order of arrival.
    n_blocks, block_tok : int [blocks], [tokens]
        The pool, 1 or more each.
    shares_prefixes : bool
        Blocks of equal content are held once, and copied when a sequence writes into one.
    max_sequences : int [sequences]
        Most at once.
    progress : callable or None
        Told the share of jobs that is done.

    Returns
    -------
    PagingRun

    Raises
    ------
    LabError
        A job that the empty pool cannot hold.

    Notes
    -----
    When the pool is full, cached blocks go first (the longest unused), then the sequence that was
    admitted last is preempted and computed again later, as vLLM does. Prefill takes no step.

    References
    ----------
    Kwon et al., vLLM, arXiv 2309.06180, section 4.

    Examples
    --------
    Two samples of one prompt of 5 tokens: its two blocks are shared, then one is copied.

    >>> five = np.array([5, 5])
    >>> jobs = Jobs(five * 0, five, five * 0 + 2, five * 2, np.array([0, 0]))
    >>> run = paged_run(jobs, n_blocks=8, block_tok=4)
    >>> run.summary.n_copied, run.steps.held_tok.tolist()
    (1, [12, 12])
    """
    longest = int((jobs.prompt_tok + jobs.output_tok).max())
    if -(-longest // block_tok) > n_blocks:
        raise LabError(
            f"n_blocks: {n_blocks} of {block_tok} tokens given; the longest sequence has {longest}"
        )
    pool = BlockPool(n_blocks, block_tok, keeps_cached=shares_prefixes)
    server = _PagedServer(jobs, pool, shares_prefixes, max_sequences)
    while server.n_done < len(jobs):
        server.advance()
        if progress is not None and server.step % 64 == 0:
            progress(server.n_done / len(jobs))
    return server.run()


@dataclass(slots=True)
class _PagedServer:
    jobs: Jobs
    pool: BlockPool
    shares: bool
    max_sequences: int
    step: int = 0
    n_done: int = 0
    n_arrived: int = 0
    n_preempted: int = 0
    n_recomputed_tok: int = 0
    active: list[Sequence] = field(default_factory=list)
    waiting: deque[Sequence] = field(default_factory=deque)
    rows: list[tuple[int, ...]] = field(default_factory=list)
    picture: list[NDArray[np.int32]] = field(default_factory=list)

    def advance(self) -> None:
        """One step: arrivals, admissions, then a token for every active sequence."""
        while (
            self.n_arrived < len(self.jobs) and self.jobs.arrival_step[self.n_arrived] <= self.step
        ):
            job = self.n_arrived
            prompt, output = int(self.jobs.prompt_tok[job]), int(self.jobs.output_tok[job])
            self.waiting.append(Sequence(job, prompt, output))
            self.n_arrived += 1
        self._admit()
        for sequence in list(self.active):
            if sequence in self.active:
                self._append_token(sequence)
        self._record()
        for sequence in [s for s in self.active if not s.n_left]:
            self._release(sequence)
            self.n_done += 1
        self.step += 1

    def _admit(self) -> None:
        while self.waiting and len(self.active) < self.max_sequences:
            sequence = self.waiting[0]
            contents = self._contents(sequence)
            n_new = sum(1 for c in contents if c is None or not self.pool.held(c))
            spare = 1 if self.active else 0
            if n_new + spare > self.pool.n_available:
                return
            self.waiting.popleft()
            self._fill(sequence, contents)
            self.active.append(sequence)

    def _contents(self, sequence: Sequence) -> list[Hashable | None]:
        """What each block of the sequence will hold; None is not shared with anybody."""
        n_blocks = -(-sequence.n_tok // self.pool.block_tok)
        if not self.shares:
            return [None] * n_blocks
        return [self._content(sequence, index) for index in range(n_blocks)]

    def _content(self, sequence: Sequence, index: int) -> Hashable | None:
        end = min((index + 1) * self.pool.block_tok, sequence.n_tok)
        if end <= self.jobs.prefix_tok and end % self.pool.block_tok == 0:
            return ("prefix", index)
        if end <= self.jobs.prompt_tok[sequence.job]:
            return (int(self.jobs.prompt_id[sequence.job]), index, end)
        return None

    def _fill(self, sequence: Sequence, contents: list[Hashable | None]) -> None:
        for index, content in enumerate(contents):
            block = None if content is None else self.pool.shared(content)
            if block is None:
                n_tok = min(sequence.n_tok - index * self.pool.block_tok, self.pool.block_tok)
                block = self.pool.allocate(n_tok=n_tok, content=content)
            sequence.table.append(block)

    def _append_token(self, sequence: Sequence) -> None:
        while True:
            try:
                if sequence.n_tok % self.pool.block_tok:
                    sequence.table[-1] = self.pool.written(sequence.table[-1])
                else:
                    sequence.table.append(self.pool.allocate(n_tok=1))
                break
            except PoolFull:
                self._preempt(self.active[-1])
                if sequence not in self.active:
                    return
        sequence.n_tok += 1
        sequence.n_left -= 1

    def _preempt(self, sequence: Sequence) -> None:
        self._release(sequence)
        self.waiting.appendleft(sequence)
        self.n_preempted += 1
        self.n_recomputed_tok += sequence.n_tok

    def _release(self, sequence: Sequence) -> None:
        for block in reversed(sequence.table):
            self.pool.release(block)
        sequence.table = []
        self.active.remove(sequence)

    def _record(self) -> None:
        used = self.pool.n_refs > 0
        stored = int(self.pool.n_filled_tok[used].sum())
        logical = sum(sequence.n_tok for sequence in self.active)
        held = int(used.sum()) * self.pool.block_tok
        never = sum(self._never_filled_tok(sequence) for sequence in self.active)
        saved = logical - stored
        self.rows.append(
            (self.step, len(self.active), len(self.waiting), held, stored, saved, never)
        )
        owners = np.full(self.pool.n_blocks, FREE, dtype=np.int32)
        owners[list(self.pool.cached)] = CACHED
        for sequence in self.active:
            owners[sequence.table] = sequence.job
        owners[self.pool.n_refs > 1] = SHARED
        self.picture.append(owners)

    def _never_filled_tok(self, sequence: Sequence) -> int:
        """Room of the last block that stays empty to the end, once that block is the last."""
        size = self.pool.block_tok
        room = -(sequence.n_tok + sequence.n_left) % size
        return room if sequence.n_left < size - room else 0

    def run(self) -> PagingRun:
        steps = pd.DataFrame(self.rows, columns=STEP_COLUMNS)
        summary = PagingSummary(
            policy="paged, prefixes shared" if self.shares else "paged",
            n_steps=self.step,
            n_mean_sequences=mean_while_full(steps),
            n_max_sequences=int(steps.n_active.max()),
            waste_frac=weighted_frac(steps.held_tok - steps.stored_tok, steps.held_tok),
            never_used_frac=weighted_frac(steps.never_tok, steps.held_tok),
            external_frac=0.0,
            peak_held_tok=int(steps.held_tok.max()),
            shared_saved_tok=int(steps.saved_tok.max()),
            n_preempted=self.n_preempted,
            n_recomputed_tok=self.n_recomputed_tok,
            n_evicted=self.pool.n_evicted,
            n_copied=self.pool.n_copied,
        )
        return PagingRun(steps, stacked_picture(self.picture), summary)
