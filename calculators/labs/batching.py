"""Static against continuous batching of the same requests, from event to event."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from calculators.labs.batching_results import BatchingRun, Recorder, finished_run
from calculators.labs.batching_server import Server
from calculators.labs.quantization import LabError
from calculators.labs.requests import Requests
from calculators.labs.step_times import StepTimes

Progress = Callable[[float], None]


def static_batching(
    requests: Requests, times: StepTimes, *, progress: Progress | None = None
) -> BatchingRun:
    """Take what waits, up to the slots, and return it all when the longest has finished.

    Parameters
    ----------
    requests : Requests
        In order of arrival.
    times : StepTimes
        For these requests; its slots are the largest batch.
    progress : callable or None
        Told the share of requests that is done.

    Returns
    -------
    BatchingRun
        Requests, steps and summary.

    Notes
    -----
    Basis: that of the step times. A finished sequence keeps its place and its share of the step
    until the batch ends, as padded batches do. First tokens count when they are made, although
    many static servers send nothing before the end.

    References
    ----------
    Yu et al., Orca, OSDI 2022 (request-level against iteration-level scheduling).

    Examples
    --------
    Two slots, a step a second, no prefill: 1 and 3 tokens (the first comes with the prefill).

    >>> from calculators.labs.step_times import step_times
    >>> work = Requests(np.zeros(3), np.ones(3, int), np.array([2, 4, 2]))
    >>> times = step_times(decode_s=lambda **_: 1.0, prefill_s=lambda **_: 0.0, n_slots=2,
    ...                    requests=work)
    >>> static_batching(work, times).summary.end_s
    4.0
    """
    log, now_s, first = Recorder(requests, times.n_slots), 0.0, 0
    while first < len(requests):
        now_s = max(now_s, float(requests.arrival_s[first]))
        last = int(np.searchsorted(requests.arrival_s, now_s, side="right"))
        members = np.arange(first, min(last, first + times.n_slots))
        now_s = _run_static_batch(log, requests, times, members, now_s)
        first = int(members[-1]) + 1
        if progress is not None:
            progress(first / len(requests))
    return finished_run("static", requests, log)


def _run_static_batch(
    log: Recorder, requests: Requests, times: StepTimes, members: np.ndarray, start_s: float
) -> float:
    n_active = len(members)
    prefill_s = times.prefill_fixed_s + float(times.prefill_extra_s[members].sum())
    ready_s = start_s + prefill_s
    log.step("prefill", start_s, ready_s, n_active=0, n_steps=1)
    n_steps = requests.output_tok[members] - 1
    context = float(requests.input_tok[members].mean()) + 1
    ends = ready_s + times.elapsed_s(n_active=n_active, context_tok=context, n_steps=n_steps)
    end_s = float(ends.max())
    log.admitted_s[members], log.slot[members] = start_s, np.arange(n_active)
    log.first_token_s[members] = ready_s
    log.last_token_s[members], log.returned_s[members] = ends, end_s
    if n_steps.any():
        log.step("decode", ready_s, end_s, n_active=n_active, n_steps=int(n_steps.max()))
    return end_s


def continuous_batching(
    requests: Requests,
    times: StepTimes,
    *,
    chunk_tok: int | None = None,
    progress: Progress | None = None,
) -> BatchingRun:
    """Admit and retire sequences at every step; a finished one leaves its slot at once.

    Parameters
    ----------
    requests, times, progress
        As `static_batching`.
    chunk_tok : int or None [tokens]
        None: a prompt is processed whole while decoding waits. Else every decode step carries up
        to so many prompt tokens along, so that nobody's stream stops.

    Returns
    -------
    BatchingRun
        Requests, steps and summary.

    Raises
    ------
    LabError
        A chunk below 1.

    Notes
    -----
    Basis: that of the step times. First come, first served; a prompt's cost is spread evenly over
    its chunks. Memory is the number of slots: nothing is preempted (see the paging lab).

    References
    ----------
    Yu et al., Orca, OSDI 2022; Agrawal et al., Sarathi, arXiv 2308.16369 (chunked prefill).

    Examples
    --------
    Two slots, a step a second, no prefill: the third request takes the place of the first.

    >>> from calculators.labs.step_times import step_times
    >>> work = Requests(np.zeros(3), np.ones(3, int), np.array([2, 4, 2]))
    >>> times = step_times(decode_s=lambda **_: 1.0, prefill_s=lambda **_: 0.0, n_slots=2,
    ...                    requests=work)
    >>> continuous_batching(work, times).summary.end_s
    3.0
    """
    if chunk_tok is not None and chunk_tok < 1:
        raise LabError(f"chunk_tok: {chunk_tok} given; 1 or more tokens are allowed")
    server = Server(requests, times, Recorder(requests, times.n_slots), chunk_tok)
    n_events = 0
    while server.advance():
        n_events += 1
        if progress is not None and n_events % 256 == 0:
            progress(server.n_done / len(requests))
    if progress is not None:
        progress(1.0)
    policy = "continuous" if chunk_tok is None else "continuous, chunked prefill"
    return finished_run(policy, requests, server.log)
