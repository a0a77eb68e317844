"""Predicted values of measurements, all rows at once, by the step model."""

from __future__ import annotations

import numpy as np

from calculators.evidence.measured import Measured
from calculators.evidence.requests import (
    LoadConstants,
    Requests,
    held_sequences,
    load_constants,
    requests,
    wave_sequences,
)
from calculators.speed.decode import decode_step
from calculators.speed.inputs import StepInputs
from calculators.speed.parts import StepTime
from calculators.speed.prefill import first_token_s, prefill

__all__ = ["LoadConstants", "Requests", "load_constants", "predict", "requests"]

HELD_MARGIN = 1.25  # how many more than computed a memory may hold before requests wait


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
    Not fitted. For prompts of 5,000 tokens and passes of 8,192 an event
    simulation gives 0 to 30 % more or less. Short prompts of exactly equal requests stay together
    in the simulation and wait up to four times as long; where lengths vary by 5 % they do not.

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
    offline: 1 / (step / B + prompt work / output) for as many sequences as memory holds, or as
    the waves of a fixed number of equal requests have
    server at a concurrency: TPOT = step + (B - 1) x prompt work / output,
    TTFT = fixed + prefill + steps under way + share x (B - 1) x prompt work; requests beyond what
    memory and the engine's limit hold wait for a place: (clients / (1.25 B) - 1) x request time;
    where the start of the run is not counted, `pass_wait_s` in place of the share
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
    clients, batch = _at_once(rows, inputs, load, asked, offline)
    input_tok, output_tok = asked.input_tok, np.maximum(asked.output_tok, 1.0)
    step_s = decode_step(inputs, batch=batch, context_tok=input_tok + output_tok / 2).total_s
    prompts = np.where(asked.together, batch, 1.0)
    first = prefill(inputs, prompt_tok=np.maximum(input_tok, 1.0), batch=prompts)
    first_s, prompt_work_s = first.total_s, first.work_s
    others_s = np.where(asked.together, 0.0, (batch - 1.0) * prompt_work_s)
    tpot_s = step_s + others_s / output_tok
    served_s = _served_first_s(rows, inputs, asked, batch, first, step_s, tpot_s)
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


def _at_once(
    rows: Measured, inputs: StepInputs, load: LoadConstants, asked: Requests, offline: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Requests that want to run at once, and those that do."""
    held = held_sequences(rows, inputs, load, asked)
    clients = np.where(asked.open_ended, np.where(offline, held, 1.0), np.fmax(asked.batch, 1.0))
    batch = np.where(asked.together, clients, np.minimum(clients, held))
    waves = wave_sequences(batch, asked.n_requests / asked.n_replicas)
    return clients, np.where(offline, waves, batch)


def _served_first_s(
    rows: Measured,
    inputs: StepInputs,
    asked: Requests,
    batch: np.ndarray,
    first: StepTime,
    step_s: np.ndarray,
    tpot_s: np.ndarray,
) -> np.ndarray:
    """Time to first token of a server, with the burst of the start or without."""
    burst = np.where(asked.windowed, 1.0, batch)
    served_s = first_token_s(inputs, prompt=first, step_s=step_s, n_sequences=burst)
    wait_s = pass_wait_s(
        n_sequences=batch,
        prompt_tok=np.maximum(asked.input_tok, 1.0),
        pass_tok=rows.pass_tok,
        work_s=first.work_s,
        request_s=served_s + np.maximum(asked.output_tok, 1.0) * tpot_s,
    )
    return served_s + np.where(asked.windowed, wait_s, 0.0)
