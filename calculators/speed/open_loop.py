"""Serving at a request rate: an open loop with a queue, its percentiles and its saturation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from calculators.speed.queueing import Load, PrefillStation, WaitLaw, occupancy_frac
from calculators.speed.serving import ServingError, StepTimes, closed_loop

_SHARES = (0.5, 0.95)


@dataclass(frozen=True, slots=True)
class OpenLoop:
    """A server at a request rate; arrays of the shape of `requests_per_s`, inf once saturated."""

    requests_per_s: Any
    utilisation_frac: Any  # of the highest rate that the batch limit sustains
    saturated: Any  # the queue grows without end
    mean_batch: Any
    full_frac: Any  # of requests find all slots taken
    wait_mean_s: Any
    wait_p50_s: Any  # arrival to the first work on the request
    wait_p95_s: Any
    ttft_p50_s: Any
    ttft_p95_s: Any
    tpot_s: Any
    request_s: Any
    output_tok_s: Any
    capacity_per_s: float  # requests per second at saturation


def open_loop(
    *,
    step_s: StepTimes,
    prefill_s: float,
    output_tok: float,
    batch_limit: int,
    requests_per_s: Any,
    length_cv: float = 1.0,
    prompt_cv: float = 0.0,
    n_chunks: float = 0.0,
    wait_shares: bool = True,
) -> OpenLoop:
    """What users see who arrive at random at a server that holds at most B requests.

    The number at the server is a birth-death chain (see `occupancy_frac`). A newcomer starts at
    once where the server is idle; else it waits for the step under way and for the prompts before
    its own (M/G/1 with vacations); or for a slot where all are taken (see `slot_wait`).

    Parameters
    ----------
    step_s : callable, number of sequences (array) to the time of one decode step [s]
    prefill_s : [s] mean work of one prompt, >= 0
    output_tok : [tok] mean output length, > 1
    batch_limit : requests that the server holds at once, >= 1
    requests_per_s : [1/s] Poisson arrivals, > 0; any shape
    length_cv : standard deviation / mean of the output lengths; 0 equal, 1 exponential
    prompt_cv : the same of the prompts' work
    n_chunks : steps that share a prompt's prefill; 0 where prefill stops decoding
    wait_shares : the percentiles of the wait too, half of the work; without, they are nan

    Returns
    -------
    OpenLoop, each array of the shape of `requests_per_s`

    Notes
    -----
    Assumes Poisson arrivals, independent lengths, first come first served, admission between
    steps, memory for B requests at all times. Of 600 cases at 0.3 to 0.89 utilisation (1 to 256
    slots, spreads of 0 to 1.5, with and without chunks), 91 % of p50 and 88 % of p95 waits are
    within 15 % of an event simulation of just this. Outside are percentiles in the gap between
    requests that find a slot and those that do not, lengths spread more than exponentially, and
    256 slots near the limit with chunked prompts, where p95 is a quarter too short. Bursty
    arrivals wait longer.

    References
    ----------
    Kelly (1979) for the chain; Fuhrmann and Cooper, Stochastic decompositions in the M/G/1 queue
    with generalized vacations, Operations Research 33 (1985) (from knowledge, not
    re-read).

    Examples
    --------
    >>> loop = open_loop(step_s=lambda n: 1e-3 + 0 * n, prefill_s=0.0, output_tok=1001,
    ...                  batch_limit=1, requests_per_s=0.5)  # M/M/1: p95 wait = ln(0.5/0.05)/0.5
    >>> round(float(loop.wait_p95_s), 2), bool(loop.saturated)
    (4.61, False)
    """
    rates = np.atleast_1d(np.asarray(requests_per_s, dtype=float)).ravel()
    _check_open(rates, batch_limit)
    n = np.arange(1, batch_limit + 1)
    step = np.broadcast_to(step_s(n), n.shape).astype(float)
    full = closed_loop(
        step_s=step_s,
        prefill_s=prefill_s,
        output_tok=output_tok,
        concurrency=batch_limit,
        n_chunks=n_chunks,
    )
    capacity = float(full.requests_per_s)
    saturated = rates >= capacity
    load = Load(
        rate=np.where(saturated, capacity / 2, rates),
        capacity=capacity,
        decode_s=step * (output_tok - 1),
        prefill_s=prefill_s,
        length_cv=length_cv,
        prompt_cv=prompt_cv,
    )
    result = _steady(load, step, n_chunks, wait_shares)
    served = np.minimum(rates, capacity)
    result |= {
        "requests_per_s": rates,
        "utilisation_frac": rates / capacity,
        "saturated": saturated,
        "output_tok_s": served * output_tok,
    }
    at_limit = {"tpot_s": full.tpot_s, "mean_batch": float(batch_limit), "full_frac": 1.0}
    for name, value in result.items():
        if name.endswith("_s") and name not in ("tpot_s", "requests_per_s", "output_tok_s"):
            value = np.where(saturated, np.inf, value)
        value = np.where(saturated, at_limit.get(name, value), value)
        result[name] = value.reshape(np.shape(requests_per_s))
    return OpenLoop(capacity_per_s=capacity, **result)


def _check_open(rates: np.ndarray, batch_limit: int) -> None:
    if np.any(~(rates > 0)) or np.any(np.isinf(rates)):
        raise ServingError("requests_per_s holds a value that is not above 0 and finite")
    if batch_limit < 1:
        raise ServingError(f"batch_limit is {batch_limit}; allowed is 1 or more")


def _steady(load: Load, step: np.ndarray, n_chunks: float, wait_shares: bool) -> dict[str, Any]:
    occupancy = occupancy_frac(load)
    n = np.arange(1, load.n_slots + 1)
    at_work = occupancy[:, 1:]
    mean_batch = at_work @ n
    stretch = 1.0 / (1.0 - load.prefill_frac[:, None])
    tokens = at_work * n
    tpot_s = tokens.sum(1) / (tokens / (step * stretch)).sum(1)
    station, work_s = _station(load, at_work @ step, n_chunks)
    law = WaitLaw(load, occupancy, step[None], station)
    steps_after = float(np.ceil(n_chunks))
    first_s = work_s + steps_after * (at_work @ step)
    firsts = law.quantiles_s(_SHARES, steps_after)
    waits = firsts if steps_after == 0 else [np.full_like(work_s, np.nan)] * len(_SHARES)
    if steps_after and wait_shares:
        waits = law.quantiles_s(_SHARES)
    output_less_first = load.decode_s[0] / step[0]
    return {
        "mean_batch": mean_batch,
        "full_frac": law.slot.full_frac,
        "wait_mean_s": law.mean_s,
        "wait_p50_s": waits[0],
        "wait_p95_s": waits[1],
        "ttft_p50_s": firsts[0] + work_s,
        "ttft_p95_s": firsts[1] + work_s,
        "tpot_s": tpot_s,
        "request_s": law.mean_s + first_s + tpot_s * output_less_first,
    }


def _station(load: Load, step: np.ndarray, n_chunks: float) -> tuple[PrefillStation, np.ndarray]:
    """The queue of prompts beside a mean step, and the work up to a first token."""
    work_s, cv = load.prefill_s, np.full_like(step, load.prompt_cv)
    if n_chunks == 0 or n_chunks >= 1:
        service_s = work_s + n_chunks * step
        return PrefillStation(service_s, load.rate * service_s, cv, False), work_s + 0 * step
    prompts = load.rate * step / (1.0 - load.prefill_frac)
    together = prompts / -np.expm1(-prompts)
    mixed_s = step + work_s * together
    plain = np.exp(-prompts) * (1.0 - load.prefill_frac)
    long_after_long = np.sqrt(1.0 - load.prefill_frac**2)  # steps in which more requests arrive
    spread = work_s * np.sqrt(np.maximum(prompts, together * cv**2)) / mixed_s / long_after_long
    left_over = np.minimum(n_chunks * prompts, 0.999) ** (1.0 / n_chunks)
    station = PrefillStation(mixed_s, 1.0 - plain, spread, True, left_over)
    return station, work_s * (1 + prompts)
