"""What was asked for in measurements, and how many sequences run at once to serve it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calculators.evidence.measured import Measured
from calculators.evidence.rows import METRICS
from calculators.speed.inputs import StepInputs
from calculators.units import GIB

TOGETHER = ("prefill", "single_stream_decode", "batched_decode")
LEAST_FREE_BYTES = 0.2e9  # a run that was published held at least this much cache
WAVE_SLACK = 1e-9


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
    >>> wave_sequences(np.array([400.0, 400.0]), np.array([1200.0, np.inf])).tolist()
    [400.0, 400.0]
    >>> wave_sequences(np.array([600.0, 2000.0]), np.array([1000.0, 1500.0])).tolist()
    [500.0, 1500.0]
    """
    ends = np.isfinite(n_requests)
    n = np.where(ends, n_requests, held)
    return np.where(ends, n / np.ceil(n / held - WAVE_SLACK), held)
