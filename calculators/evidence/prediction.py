"""Predicted values of measurements, all rows at once, by the step model."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calculators.evidence.measured import Measured
from calculators.evidence.row_reader import METRICS
from calculators.speed.decode import decode_step
from calculators.speed.inputs import StepInputs
from calculators.speed.prefill import first_token_s, prefill
from calculators.units import GIB

TOGETHER = ("prefill", "single_stream_decode", "batched_decode")
HELD_MARGIN = 1.25  # how many more than computed a memory may hold before requests wait
WAVE_SLACK = 1e-9
LEAST_FREE_BYTES = 0.2e9  # a run that was published held at least this much cache


@dataclass(frozen=True, slots=True)
class LoadConstants:
    """Constants of queueing and memory, an entry for each row."""

    server_frac: np.ndarray
    held_output_frac: np.ndarray
    held_memory_frac: np.ndarray
    held_reserve_bytes: np.ndarray


@dataclass(frozen=True, slots=True)
class Requests:
    """What was asked for in each row: lengths, and sequences at once (nan: as many as fit)."""

    input_tok: np.ndarray
    output_tok: np.ndarray
    batch: np.ndarray
    max_sequences: np.ndarray
    n_replicas: np.ndarray
    n_requests: np.ndarray  # of equal length, over all replicas; infinity: as many as it takes
    static: np.ndarray  # a batch starts and ends together, and takes what memory holds
    windowed: np.ndarray  # the start of the run is not counted
    together: np.ndarray  # all sequences start at once: no others' prompts between the steps
    server: np.ndarray
    open_ended: np.ndarray  # no batch or concurrency is given
    metric: np.ndarray  # position in METRICS


def load_constants(rows: Measured) -> LoadConstants:
    """The catalog's constants of queueing and memory for each kept row."""
    return LoadConstants(
        server_frac=rows.of_speed("server_frac"),
        held_output_frac=rows.of_speed("held_output_frac"),
        held_memory_frac=rows.of_speed("held_memory_frac"),
        held_reserve_bytes=rows.of_speed("held_reserve_gib") * GIB,
    )


def requests(rows: Measured) -> Requests:
    """Lengths and batch of each kept row, blanks filled by the stated defaults."""
    columns = rows.columns
    kept = [rows.rows[i] for i in rows.kept]
    scenario, batch = columns["scenario"], columns["batch_or_concurrency"]
    return Requests(
        input_tok=np.array([row.input_tok for row in kept]),
        output_tok=np.array([row.output_tok for row in kept]),
        batch=batch,
        max_sequences=np.array([row.max_sequences for row in kept]),
        n_replicas=np.array([row.n_replicas for row in kept]),
        n_requests=np.array([row.n_requests for row in kept]),
        static=np.array([row.static for row in kept], dtype=bool) & ~np.isfinite(batch),
        windowed=np.array([row.windowed for row in kept], dtype=bool),
        together=np.array([name in TOGETHER for name in scenario], dtype=bool),
        server=np.array(scenario == "server", dtype=bool),
        open_ended=~np.isfinite(batch),
        metric=np.array([METRICS.index(name) for name in columns["metric"]], dtype=int),
    )


def held_sequences(
    rows: Measured, inputs: StepInputs, load: LoadConstants, asked: Requests
) -> np.ndarray:
    """Sequences that the memory of a replica holds at full length, at most the engine's limit.

    sequences = (share x memory - weights - reserve) / bytes of one sequence, per card; an engine
    that takes a share of what the weights leave: share x (memory - weights) - reserve. A static
    batch also holds the scratch memory of all its prompts, and every output at full length

    Notes
    -----
    A simplification of `calculators.fit.capacity` that prices a thousand rows at once; blocks and
    activations are in the reserve.
    """
    kept_frac = np.where(asked.static, 1.0, load.held_output_frac)
    total = asked.input_tok + kept_frac * asked.output_tok
    scratch = np.where(asked.static, rows.forward_bytes_tok * asked.input_tok, 0.0)
    one = scratch + inputs.state_bytes / 2 + inputs.cache_bytes_tok * total
    for slope, limit in zip(inputs.cap_bytes_tok, inputs.cap_tok, strict=True):
        window = np.where(limit == rows.selected_limits_tok, np.inf, limit)
        one = one + np.where(slope > 0, slope * np.minimum(total, window), 0.0)
    memory, weights = rows.card_memory_bytes, rows.card_weight_bytes
    share = load.held_memory_frac
    of_free = share * (memory - weights)
    of_all = share * memory - weights
    free = np.where(rows.utilisation_of_free, of_free, of_all) - load.held_reserve_bytes
    fits = np.maximum(free, LEAST_FREE_BYTES) / np.maximum(one, 1.0)
    held = fits * inputs.n_data * inputs.n_stages
    return np.clip(held, 1.0, asked.max_sequences * inputs.n_data)


def wave_sequences(held: np.ndarray, n_requests: np.ndarray) -> np.ndarray:
    """Sequences at once, on average over the waves in which a fixed number of equal requests runs.

    sequences = n / ceil(n / held): equal requests that start together end together

    Parameters
    ----------
    held : sequences that run at once at most
    n_requests : of one replica; infinity where there are always more

    Returns
    -------
    array

    Examples
    --------
    >>> wave_sequences(np.array([400.0, 400.0, 2000.0]), np.array([1000.0, np.inf, 1500.0])).tolist()
    [333.3333333333333, 400.0, 1500.0]
    """
    ends = np.isfinite(n_requests)
    n = np.where(ends, n_requests, held)
    return np.where(ends, n / np.ceil(n / held - WAVE_SLACK), held)


def pass_wait_s(
    *,
    n_sequences: np.ndarray,
    prompt_tok: np.ndarray,
    pass_tok: np.ndarray,
    work_s: np.ndarray,
    request_s: np.ndarray,
) -> np.ndarray:
    """Wait of a prompt for others' prompts, once equal requests in a closed loop have spread out.

    wait = share of the time in which others' prompts run x (prompt + pass) / prompt x prompt work:
    half a pass until the one under way ends, the rest since a pass is shared with others

    Parameters
    ----------
    n_sequences : clients, >= 1
    prompt_tok, pass_tok : [tok] of a prompt, of one forward pass
    work_s, request_s : [s] of a prompt's work, of a whole request

    Returns
    -------
    [s], an array

    Notes
    -----
    Within 15 % of an event simulation of the loop for prompts of 1,000 to 5,000 tokens.

    Examples
    --------
    >>> wait = pass_wait_s(n_sequences=np.array([26.0]), prompt_tok=np.array([4096.0]),
    ...                    pass_tok=np.array([8192.0]), work_s=np.array([0.2]),
    ...                    request_s=np.array([20.0]))
    >>> wait.round(3).tolist()
    [0.15]
    """
    busy_frac = np.minimum((n_sequences - 1.0) * work_s / request_s, 1.0)
    return busy_frac * (1.0 + pass_tok / prompt_tok) * work_s


def predict(rows: Measured, inputs: StepInputs, load: LoadConstants, asked: Requests) -> np.ndarray:
    """Predicted value of each kept row in its own unit, for the whole deployment.

    single stream, batched decode: one step; end to end: B x output / (prefill + output x step)
    prefill: B x input / prefill, or its time
    offline: 1 / (step / B + prompt work / output) for as many sequences as memory holds
    server at a concurrency: TPOT = step + (B - 1) x prompt work / output,
    TTFT = fixed + prefill + steps under way + share x (B - 1) x prompt work; requests beyond what
    memory and the engine's limit hold wait for a place: (clients / (1.25 B) - 1) x request time
    server without one: a share of the offline throughput

    Parameters
    ----------
    rows : measurements
    inputs : coefficients with constants, an entry for each row
    load : constants of queueing and memory
    asked : lengths and batches

    Returns
    -------
    array, an entry for each row

    Notes
    -----
    Basis `calibrated`. Prompt work is what prompts add to steps that run anyway: compute and
    communication; the weights are read once for both.

    Examples
    --------
    See `score_rows`.
    """
    offline = ~asked.together & (asked.open_ended | ~asked.server)
    held = held_sequences(rows, inputs, load, asked)
    batch = np.where(asked.open_ended, np.where(offline, held, 1.0), np.fmax(asked.batch, 1.0))
    clients, batch = batch, np.where(asked.together, batch, np.minimum(batch, held))
    waves = wave_sequences(batch, asked.n_requests / asked.n_replicas)
    batch = np.where(offline, waves, batch)
    input_tok, output_tok = asked.input_tok, np.maximum(asked.output_tok, 1.0)
    step_s = decode_step(inputs, batch=batch, context_tok=input_tok + output_tok / 2).total_s
    prompts = np.where(asked.together, batch, 1.0)
    first = prefill(inputs, prompt_tok=np.maximum(input_tok, 1.0), batch=prompts)
    first_s, prompt_work_s = first.total_s, first.work_s
    others_s = np.where(asked.together, 0.0, (batch - 1.0) * prompt_work_s)
    tpot_s = step_s + others_s / output_tok
    burst = np.where(asked.windowed, 1.0, batch)
    served_s = first_token_s(inputs, prompt=first, step_s=step_s, n_sequences=burst)
    wait_s = pass_wait_s(
        n_sequences=batch,
        prompt_tok=np.maximum(input_tok, 1.0),
        pass_tok=rows.pass_tok,
        work_s=prompt_work_s,
        request_s=served_s + output_tok * tpot_s,
    )
    served_s = served_s + np.where(asked.windowed, wait_s, 0.0)
    ttft_s = np.where(asked.server, served_s, first_s)
    request_s = ttft_s + output_tok * tpot_s
    closed_tok_s = batch * output_tok / request_s
    ttft_s = ttft_s + np.maximum(clients / (HELD_MARGIN * batch) - 1.0, 0.0) * request_s
    steady_tok_s = 1.0 / (step_s / batch + prompt_work_s / output_tok)
    steady_tok_s = steady_tok_s * np.where(asked.server, load.server_frac, 1.0)
    output_tok_s = asked.n_replicas * np.where(offline, steady_tok_s, closed_tok_s)
    by_metric = (  # in the order of METRICS
        output_tok_s,
        output_tok_s * (input_tok + output_tok) / output_tok,
        1.0 / tpot_s,
        tpot_s * 1e3,
        ttft_s * 1e3,
        batch * input_tok / first_s,
    )
    return np.choose(asked.metric, by_metric)
