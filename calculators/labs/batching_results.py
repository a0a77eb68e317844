"""What a batching run leaves behind: one row per request, one per stretch of steps, a summary."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from calculators.labs.requests import Requests

STEP_COLUMNS = ["kind", "start_s", "end_s", "n_active", "n_steps"]


@dataclass(frozen=True, slots=True)
class Percentiles:
    """Median, 95th and 99th percentile of a time over requests."""

    p50_s: float
    p95_s: float
    p99_s: float


@dataclass(frozen=True, slots=True)
class BatchingSummary:
    """A run in a few figures; `idle_frac` is the share of slot time that holds no live sequence."""

    policy: str
    n_requests: int
    end_s: float
    output_tok_s: float
    requests_s: float
    idle_frac: float
    ttft: Percentiles
    completion: Percentiles
    tpot: Percentiles


@dataclass(frozen=True)
class BatchingRun:
    """Tidy tables of requests and steps, and the summary."""

    requests: pd.DataFrame
    steps: pd.DataFrame
    summary: BatchingSummary


@dataclass(slots=True)
class Recorder:
    """Collects times while a run goes on."""

    requests: Requests
    n_slots: int
    rows: list[tuple[Any, ...]] = field(default_factory=list)
    slot: NDArray[np.int64] = field(init=False)
    admitted_s: NDArray[np.float64] = field(init=False)
    first_token_s: NDArray[np.float64] = field(init=False)
    last_token_s: NDArray[np.float64] = field(init=False)
    returned_s: NDArray[np.float64] = field(init=False)

    def __post_init__(self) -> None:
        n = len(self.requests)
        self.slot = np.zeros(n, dtype=np.int64)
        self.admitted_s, self.first_token_s = np.zeros(n), np.zeros(n)
        self.last_token_s, self.returned_s = np.zeros(n), np.zeros(n)

    def step(self, kind: str, start_s: float, end_s: float, *, n_active: int, n_steps: int) -> None:
        self.rows.append((kind, start_s, end_s, n_active, n_steps))


def percentiles(values_s: NDArray[np.float64]) -> Percentiles:
    """Median, 95th and 99th percentile.

    Parameters
    ----------
    values_s : array [s]
        One per request, at least one.

    Returns
    -------
    Percentiles [s]

    Notes
    -----
    Linear between neighbours: with few requests the 99th percentile is close to the largest.

    References
    ----------
    numpy.percentile.

    Examples
    --------
    >>> percentiles(np.arange(101.0)).p95_s
    95.0
    """
    return Percentiles(*(float(value) for value in np.percentile(values_s, (50, 95, 99))))


def finished_run(policy: str, requests: Requests, log: Recorder) -> BatchingRun:
    """The tables and the summary of a recorded run.

    idle = 1 - sum of (last token - admitted) / (slots x (end - first arrival))

    Parameters
    ----------
    policy : str
        Its name.
    requests : Requests
        That were served.
    log : Recorder
        What happened.

    Returns
    -------
    BatchingRun

    Notes
    -----
    Time before the first arrival does not count. TPOT leaves out requests of one token.

    References
    ----------
    Definitions of vLLM's serving benchmark (TTFT, TPOT).

    Examples
    --------
    See `continuous_batching`.
    """
    span_s = float(log.returned_s.max() - requests.arrival_s[0])
    busy_s = float((log.last_token_s - log.admitted_s).sum())
    several = requests.output_tok > 1
    pauses = (log.last_token_s - log.first_token_s)[several] / (requests.output_tok[several] - 1)
    summary = BatchingSummary(
        policy=policy,
        n_requests=len(requests),
        end_s=span_s,
        output_tok_s=_rate(float(requests.output_tok.sum()), span_s),
        requests_s=_rate(len(requests), span_s),
        idle_frac=1.0 - _rate(busy_s, log.n_slots * span_s),
        ttft=percentiles(log.first_token_s - requests.arrival_s),
        completion=percentiles(log.returned_s - requests.arrival_s),
        tpot=percentiles(pauses if len(pauses) else np.zeros(1)),
    )
    return BatchingRun(
        _request_table(requests, log), pd.DataFrame(log.rows, columns=STEP_COLUMNS), summary
    )


def _rate(amount: float, span_s: float) -> float:
    return amount / span_s if span_s > 0 else 0.0


def _request_table(requests: Requests, log: Recorder) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "request": np.arange(len(requests)),
            "slot": log.slot,
            "input_tok": requests.input_tok,
            "output_tok": requests.output_tok,
            "arrival_s": requests.arrival_s,
            "admitted_s": log.admitted_s,
            "first_token_s": log.first_token_s,
            "last_token_s": log.last_token_s,
            "returned_s": log.returned_s,
        }
    )
