"""Serving at fixed concurrency: a closed loop of clients, their TTFT, TPOT and throughput."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

StepTimes = Callable[[Any], Any]  # sequences at once to the time of one decode step [s]
_HALVINGS = 50


class ServingError(ValueError):
    """An input of the serving model that cannot be; the message says what is allowed."""


@dataclass(frozen=True, slots=True)
class ClosedLoop:
    """Steady state at fixed concurrency; arrays of the shape of `concurrency`."""

    concurrency: Any
    step_s: Any  # one decode step, no prefill
    tpot_s: Any  # mean time per output token after the first
    ttft_s: Any  # mean time to first token, requests spread out
    ttft_burst_s: Any  # the same when all clients start at once
    request_s: Any
    requests_per_s: Any
    output_tok_s: Any
    prefill_frac: Any  # share of the time that goes into prefills


def n_prefill_chunks(*, prompt_tok: Any, batched_tok: Any) -> Any:
    """Steps that a prompt takes under chunked prefill, below 1 where several share a step.

    chunks = prompt / tokens of one forward pass

    Parameters
    ----------
    prompt_tok : [tok] to prefill, > 0; broadcasts
    batched_tok : [tok] that the engine puts into one step, > 0; broadcasts

    Returns
    -------
    count, broadcast shape of the inputs

    Examples
    --------
    >>> float(n_prefill_chunks(prompt_tok=4096, batched_tok=8192))
    0.5
    """
    return np.maximum(prompt_tok, 1) / batched_tok


def closed_loop(
    *,
    step_s: StepTimes,
    prefill_s: Any,
    output_tok: Any,
    concurrency: Any,
    n_chunks: Any = 0.0,
) -> ClosedLoop:
    """What B clients see who each send the next request when their last one ends.

    Prefill first (n_chunks = 0), with others' prefills between the steps:
    request time = B x prefill + (output - 1) x step(B)
    TTFT = prefill x (1 + (B - 1) / (2 (output - 1)))
    TPOT = (request time - TTFT) / (output - 1), about step + (B - 1) x prefill / output
    Chunked prefill, n of the B decoding, n / (output - 1) prompts a step: n + X x TTFT = B,
    X = n / ((output - 1) step + n x prefill), TTFT = prefill + chunks x step + wait behind others

    Parameters
    ----------
    step_s : callable, number of sequences (array) to the time of one decode step [s]
    prefill_s : [s] work of one prompt, >= 0; broadcasts
    output_tok : [tok] mean output length, > 1; broadcasts
    concurrency : requests at once, >= 1; broadcasts
    n_chunks : steps that share a prompt's prefill; 0 where prefill stops decoding; broadcasts

    Returns
    -------
    ClosedLoop, each field of the broadcast shape

    Notes
    -----
    Basis that of the step times. Output lengths are taken as varied enough to spread requests
    out; with equal lengths and a common start all clients stay in step and TTFT moves to
    `ttft_burst_s` = prefill x (B + 1) / 2. Network and tokenizer time are not in it.

    References
    ----------
    The sum of prefills and decode steps: Agrawal et al., Taming Throughput-Latency Tradeoff in LLM
    Inference with Sarathi-Serve, OSDI 2024 (from knowledge, not re-read).

    Examples
    --------
    >>> loop = closed_loop(step_s=lambda n: 0.02, prefill_s=0.1, output_tok=101, concurrency=11)
    >>> [round(float(x), 4) for x in (loop.request_s, loop.ttft_s, loop.tpot_s)]
    [3.1, 0.105, 0.03]
    """
    clients, work_s, output, chunks = np.broadcast_arrays(
        *(np.asarray(x, dtype=float) for x in (concurrency, prefill_s, output_tok, n_chunks))
    )
    _check(clients, output)
    rate, ttft_s, step = _prefill_first(step_s, work_s, output, clients)
    if np.any(chunks > 0):
        mixed = _chunked(step_s, work_s, output, clients, np.where(chunks > 0, chunks, 1.0))
        whole = (rate, ttft_s, step)
        rate, ttft_s, step = (np.where(chunks > 0, m, w) for m, w in zip(mixed, whole, strict=True))
    request_s = clients / rate
    return ClosedLoop(
        concurrency=clients,
        step_s=step,
        tpot_s=(request_s - ttft_s) / (output - 1),
        ttft_s=ttft_s,
        ttft_burst_s=np.maximum(work_s * (clients + 1) / 2, ttft_s),
        request_s=request_s,
        requests_per_s=rate,
        output_tok_s=rate * output,
        prefill_frac=rate * work_s,
    )


def _check(clients: np.ndarray, output: np.ndarray) -> None:
    if np.any(clients < 1):
        raise ServingError(f"concurrency is {clients.min():g}; allowed is 1 or more")
    if np.any(output <= 1):
        raise ServingError(f"output_tok is {output.min():g}; allowed is more than 1")


def _prefill_first(step_s: StepTimes, work_s: Any, output: Any, clients: Any) -> tuple:
    step = np.broadcast_to(step_s(clients), clients.shape)
    request_s = clients * work_s + (output - 1) * step
    ttft_s = work_s * (1 + (clients - 1) / (2 * (output - 1)))
    return clients / request_s, ttft_s, step


def _chunked(step_s: StepTimes, work_s: Any, output: Any, clients: Any, chunks: Any) -> tuple:
    """The mean number that decodes in a step, by halving: those and the ones in prefill are B."""
    low, high = np.zeros_like(clients), np.minimum(clients, (output - 1) / chunks)
    for _ in range(_HALVINGS):
        decoding = (low + high) / 2
        prompts = decoding / (output - 1)
        others = prompts * (1 - 1 / clients)
        behind = _prompts_before(others, chunks)
        fewer = decoding + prompts * (np.ceil(chunks) + behind * chunks) < clients
        low, high = np.where(fewer, decoding, low), np.where(fewer, high, decoding)
    step = np.broadcast_to(step_s(np.maximum(decoding, 1.0)), clients.shape)
    rate = prompts / (step + prompts * work_s)
    beside_s = np.where(clients > 1, step, 0.0)
    together = np.where(chunks < 1, np.minimum(others, 1.0 / chunks), 0.0)
    own_s = np.ceil(chunks) * beside_s + work_s * (1 + together)
    return rate, own_s + behind * (chunks * step + work_s), step


def _prompts_before(others: Any, chunks: Any) -> Any:
    """Prompts that wait before a new one, where a step brings `others` on average (M/D/1)."""
    busy = np.minimum(chunks * others, 1.0)
    return busy ** np.maximum(1.0 / chunks, 1.0) / (2 * np.maximum(1.0 - busy, 1e-9))
