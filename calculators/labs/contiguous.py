"""Contiguous reservation of the KV cache: each sequence holds room for the longest it might be."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from calculators.labs.paging_results import (
    FREE,
    RESERVED,
    STEP_COLUMNS,
    Jobs,
    PagingRun,
    PagingSummary,
    mean_while_full,
    stacked_picture,
    weighted_frac,
)
from calculators.labs.quantization import LabError


def contiguous_run(
    jobs: Jobs,
    *,
    capacity_tok: int,
    unit_tok: int = 16,
    max_sequences: int = 256,
    policy: str = "contiguous",
) -> PagingRun:
    """Serve the jobs from one stretch of memory, first fit, a token per sequence and step.

    Parameters
    ----------
    jobs : Jobs
        In order of arrival; each holds its `reserved_tok` from admission to its end.
    capacity_tok : int [tokens]
        Whole memory.
    unit_tok : int [tokens]
        Of one cell of the picture.
    max_sequences : int [sequences]
        Most at once.
    policy : str
        Its name in the summary.

    Returns
    -------
    PagingRun

    Raises
    ------
    LabError
        A reservation above the capacity, or below the job's own length.

    Notes
    -----
    Nothing moves, so holes of the wrong size stay empty (external fragmentation). Nothing is
    preempted: a reservation never runs out.

    References
    ----------
    Kwon et al., vLLM, arXiv 2309.06180, section 3.1.

    Examples
    --------
    Room for two reservations of 10: the third job waits although 4 tokens each would do.

    >>> two = np.array([2, 2, 2])
    >>> run = contiguous_run(Jobs(two * 0, two, two, two * 5, np.arange(3)), capacity_tok=20)
    >>> run.summary.n_max_sequences, run.summary.n_steps, run.steps.held_tok.tolist()
    (2, 4, [20, 20, 10, 10])
    """
    if int(jobs.reserved_tok.max()) > capacity_tok:
        raise LabError(
            f"reserved_tok: {int(jobs.reserved_tok.max())} given; up to {capacity_tok} allowed"
        )
    if np.any(jobs.reserved_tok < jobs.prompt_tok + jobs.output_tok):
        raise LabError("reserved_tok: shorter than a job's own prompt and output")
    server = _ContiguousServer(jobs, capacity_tok, unit_tok, max_sequences, policy)
    while server.n_done < len(jobs):
        server.advance()
    return server.run()


@dataclass(slots=True)
class _Region:
    job: int
    start_tok: int
    size_tok: int
    n_tok: int
    n_left: int


@dataclass(slots=True)
class _ContiguousServer:
    jobs: Jobs
    capacity_tok: int
    unit_tok: int
    max_sequences: int
    policy: str
    step: int = 0
    n_done: int = 0
    n_arrived: int = 0
    regions: list[_Region] = field(default_factory=list)  # by start
    waiting: deque[int] = field(default_factory=deque)
    rows: list[tuple[int, ...]] = field(default_factory=list)
    picture: list[NDArray[np.int32]] = field(default_factory=list)

    def advance(self) -> None:
        """One step: arrivals, admissions, then a token for every sequence."""
        arrivals = self.jobs.arrival_step
        while self.n_arrived < len(self.jobs) and arrivals[self.n_arrived] <= self.step:
            self.waiting.append(self.n_arrived)
            self.n_arrived += 1
        while self.waiting and len(self.regions) < self.max_sequences and self._place():
            self.waiting.popleft()
        for region in self.regions:
            region.n_tok += 1
            region.n_left -= 1
        self._record()
        self.n_done += sum(1 for region in self.regions if not region.n_left)
        self.regions = [region for region in self.regions if region.n_left]
        self.step += 1

    def _place(self) -> bool:
        """Put the next job into the first hole that holds it."""
        job = self.waiting[0]
        size, start = int(self.jobs.reserved_tok[job]), 0
        for index, region in enumerate([*self.regions, None]):
            end = self.capacity_tok if region is None else region.start_tok
            if end - start >= size:
                prompt, output = int(self.jobs.prompt_tok[job]), int(self.jobs.output_tok[job])
                self.regions.insert(index, _Region(job, start, size, prompt, output))
                return True
            start = end if region is None else region.start_tok + region.size_tok
        return False

    def _record(self) -> None:
        held = sum(region.size_tok for region in self.regions)
        stored = sum(region.n_tok for region in self.regions)
        never = held - stored - sum(region.n_left for region in self.regions)
        unused = self.capacity_tok - held
        stuck = (
            bool(self.waiting)
            and len(self.regions) < self.max_sequences
            and unused >= self.jobs.reserved_tok[self.waiting[0]]
        )
        external = unused if stuck else 0
        n_active, n_waiting = len(self.regions), len(self.waiting)
        self.rows.append((self.step, n_active, n_waiting, held, stored, 0, never, external))
        cells = np.full(-(-self.capacity_tok // self.unit_tok), FREE, dtype=np.int32)
        for region in self.regions:
            first, last = region.start_tok, region.start_tok + region.size_tok
            cells[first // self.unit_tok : -(-last // self.unit_tok)] = RESERVED
            cells[first // self.unit_tok : -(-(first + region.n_tok) // self.unit_tok)] = region.job
        self.picture.append(cells)

    def run(self) -> PagingRun:
        steps = pd.DataFrame(self.rows, columns=[*STEP_COLUMNS, "external_tok"])
        everything = pd.Series([self.capacity_tok * self.step])
        summary = PagingSummary(
            policy=self.policy,
            n_steps=self.step,
            n_mean_sequences=mean_while_full(steps),
            n_max_sequences=int(steps.n_active.max()),
            waste_frac=weighted_frac(steps.held_tok - steps.stored_tok, steps.held_tok),
            never_used_frac=weighted_frac(steps.never_tok, steps.held_tok),
            external_frac=weighted_frac(steps.external_tok, everything),
            peak_held_tok=int(steps.held_tok.max()),
            shared_saved_tok=0,
            n_preempted=0,
            n_recomputed_tok=0,
            n_evicted=0,
            n_copied=0,
        )
        return PagingRun(steps, stacked_picture(self.picture), summary)
