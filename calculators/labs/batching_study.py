"""One set of requests through every way to batch, on a scenario's own step times."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from calculators.labs.batching import continuous_batching, static_batching
from calculators.labs.batching_results import BatchingRun
from calculators.labs.requests import Requests
from calculators.labs.step_times import StepTimes, step_times
from calculators.speed.decode import decode_step
from calculators.speed.inputs import StepInputs
from calculators.speed.prefill import prefill

Progress = Callable[[float], None]


def modelled_step_times(
    inputs: StepInputs, *, n_slots: int, requests: Requests, cached_tok: int = 0
) -> StepTimes:
    """Step times of a deployment for a set of requests.

    Parameters
    ----------
    inputs : StepInputs
        Of one deployment.
    n_slots : int [sequences]
        Most at once, 1 or more.
    requests : Requests
        Whose lengths bound the contexts.
    cached_tok : int [tokens]
        Of every prompt that the cache holds already; the last token never is.

    Returns
    -------
    StepTimes

    Notes
    -----
    Basis `calibrated`: that of the step model.

    References
    ----------
    calculators/speed/decode.py and prefill.py.

    Examples
    --------
    The batching page runs on it.
    """

    def decode_s(**at: Any) -> Any:
        return decode_step(inputs, **at).total_s

    def prefill_s(*, prompt_tok: Any) -> Any:
        cached = np.minimum(cached_tok, prompt_tok - 1)
        return prefill(inputs, prompt_tok=prompt_tok, cached_tok=cached).total_s

    return step_times(decode_s=decode_s, prefill_s=prefill_s, n_slots=n_slots, requests=requests)


def saturation_requests_s(requests: Requests, times: StepTimes) -> float:
    """Requests a second that continuous batching serves when they never run out.

    Parameters
    ----------
    requests : Requests
        At least one.
    times : StepTimes
        For these requests.

    Returns
    -------
    float [requests/s]

    Notes
    -----
    Measured on a run of all requests at once; its last, emptying part makes it a little low.

    References
    ----------
    Definition.

    Examples
    --------
    >>> work = Requests(np.zeros(4), np.ones(4, int), np.full(4, 3))
    >>> times = step_times(decode_s=lambda **_: 1.0, prefill_s=lambda **_: 0.0, n_slots=2,
    ...                    requests=work)
    >>> saturation_requests_s(work, times)
    1.0
    """
    return continuous_batching(requests.at_once(), times).summary.requests_s


def batching_runs(
    requests: Requests,
    times: StepTimes,
    *,
    chunk_tok: int | None = None,
    progress: Progress | None = None,
) -> tuple[BatchingRun, ...]:
    """The same requests in static and in continuous batches, and with chunked prefill if asked.

    Parameters
    ----------
    requests, times
        As the policies take them.
    chunk_tok : int or None [tokens]
        Of a chunk of prefill; None leaves that policy out.
    progress : callable or None
        Told the share that is done.

    Returns
    -------
    tuple of BatchingRun

    Raises
    ------
    LabError
        A chunk below 1.

    Notes
    -----
    As the policies.

    References
    ----------
    calculators/labs/batching.py.

    Examples
    --------
    >>> work = Requests(np.zeros(3), np.ones(3, int), np.array([2, 4, 2]))
    >>> times = step_times(decode_s=lambda **_: 1.0, prefill_s=lambda **_: 0.0, n_slots=2,
    ...                    requests=work)
    >>> [run.summary.end_s for run in batching_runs(work, times)]
    [4.0, 3.0]
    """
    policies: list[Callable[..., BatchingRun]] = [static_batching, continuous_batching]
    if chunk_tok is not None:
        policies.append(partial(continuous_batching, chunk_tok=chunk_tok))
    runs = []
    for index, policy in enumerate(policies):
        part = _part(progress, index, len(policies))
        runs.append(policy(requests, times, progress=part))
    return tuple(runs)


def _part(progress: Progress | None, index: int, n_parts: int) -> Progress | None:
    if progress is None:
        return None
    return lambda done: progress((index + done) / n_parts)
