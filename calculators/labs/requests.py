"""Requests of the batching lab: drawn from distributions, or read from a trace."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from calculators.labs.quantization import LabError

COLUMNS = {
    "arrival_s": (
        "arrivals",
        "arrivaltime",
        "arrivedat",
        "arrival",
        "timestamp",
        "time",
        "created",
    ),
    "input_tok": (
        "inputtok",
        "inputtokens",
        "contexttokens",
        "prompttokens",
        "numprefilltokens",
        "requesttokens",
        "promptlen",
        "inputlength",
    ),
    "output_tok": (
        "outputtok",
        "outputtokens",
        "generatedtokens",
        "completiontokens",
        "numdecodetokens",
        "responsetokens",
        "outputlen",
        "outputlength",
    ),
}


@dataclass(frozen=True, slots=True)
class Requests:
    """Arrival times from 0 on, in order, and lengths, one entry per request."""

    arrival_s: NDArray[np.float64]
    input_tok: NDArray[np.int64]
    output_tok: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.arrival_s)

    def at_once(self) -> Requests:
        """The same requests, all there at the start."""
        return replace(self, arrival_s=np.zeros(len(self)))

    def at_rate(self, requests_s: float) -> Requests:
        """The same requests and pattern of gaps, at another mean rate."""
        span = float(self.arrival_s[-1])
        if span <= 0 or requests_s <= 0:
            raise LabError(f"requests_s: {requests_s} given; a rate above 0 and a span are needed")
        return replace(self, arrival_s=self.arrival_s * (len(self) / requests_s / span))

    def first(self, n_requests: int) -> Requests:
        """The first requests alone."""
        return Requests(
            self.arrival_s[:n_requests], self.input_tok[:n_requests], self.output_tok[:n_requests]
        )


def random_requests(
    *,
    n_requests: int,
    requests_s: float,
    input_mean_tok: float,
    output_mean_tok: float,
    variation: float = 1.0,
    max_tok: int = 10_485_760,
    seed: int = 0,
) -> Requests:
    """Requests that arrive at random, with lengths spread about their means.

    arrivals: a Poisson process; lengths: log-normal with the given mean and variation

    Parameters
    ----------
    n_requests : int [1]
        1 or more.
    requests_s : float [requests/s]
        Mean rate, above 0; infinity puts all at the start.
    input_mean_tok, output_mean_tok : float [tokens]
        Means, 1 or more.
    variation : float [1]
        Standard deviation over mean of both lengths, 0 or more.
    max_tok : int [tokens]
        No length is above it.
    seed : int [1]
        Of the random generator.

    Returns
    -------
    Requests

    Raises
    ------
    LabError
        A count or rate that is not above 0.

    Notes
    -----
    Real traffic comes in bursts and input and output lengths hang together: waits are longer.

    References
    ----------
    Patel et al., Splitwise, arXiv 2311.18677 (lengths of two production services).

    Examples
    --------
    >>> fixed = random_requests(n_requests=2, requests_s=np.inf, input_mean_tok=9,
    ...                         output_mean_tok=3, variation=0)
    >>> fixed.arrival_s.tolist(), fixed.input_tok.tolist(), fixed.output_tok.tolist()
    ([0.0, 0.0], [9, 9], [3, 3])
    """
    if n_requests < 1 or not requests_s > 0:
        raise LabError(
            f"n_requests, requests_s: {n_requests}, {requests_s} given; above 0 is allowed"
        )
    rng = np.random.default_rng(seed)
    arrival_s = np.cumsum(rng.exponential(1.0 / requests_s, n_requests))
    inputs = _lengths(rng, n_requests, input_mean_tok, variation, max_tok)
    outputs = _lengths(rng, n_requests, output_mean_tok, variation, max_tok)
    return Requests(arrival_s - arrival_s[0], inputs, outputs)


def _lengths(
    rng: np.random.Generator, n: int, mean_tok: float, variation: float, max_tok: int
) -> NDArray[np.int64]:
    sigma = np.sqrt(np.log1p(variation**2))
    drawn = rng.lognormal(np.log(mean_tok) - sigma**2 / 2, sigma, n)
    return np.clip(np.rint(drawn), 1, max_tok).astype(np.int64)


def trace_requests(frame: pd.DataFrame, *, n_max: int = 10_000) -> Requests:
    """Requests of a log: a time, a prompt length and an output length per row.

    Parameters
    ----------
    frame : DataFrame
        A column for each of arrival (seconds or timestamps), input and output tokens, under one of
        their usual names (arrival_s or TIMESTAMP, input_tok or ContextTokens or prompt_tokens ...).
    n_max : int [1]
        Rows beyond it are left out.

    Returns
    -------
    Requests
        In order of arrival, from 0 on. Rows without output are left out.

    Raises
    ------
    LabError
        A column that is missing or cannot be read, or no row that is left.

    Notes
    -----
    Failed requests and retries stand in a log as any other.

    References
    ----------
    Azure LLM inference traces 2023 (CC-BY 4.0), the format of TIMESTAMP, ContextTokens,
    GeneratedTokens.

    Examples
    --------
    >>> log = pd.DataFrame({"TIMESTAMP": ["2023-11-16 18:17:03", "2023-11-16 18:17:05.5"],
    ...                     "ContextTokens": [4808, 110], "GeneratedTokens": [10, 27]})
    >>> trace_requests(log).arrival_s.tolist()
    [0.0, 2.5]
    """
    found = {name: _column(frame, name) for name in COLUMNS}
    arrival_s = _seconds(frame[found["arrival_s"]], found["arrival_s"])
    input_tok = _counts(frame[found["input_tok"]], found["input_tok"])
    output_tok = _counts(frame[found["output_tok"]], found["output_tok"])
    kept = np.flatnonzero((output_tok >= 1) & (input_tok >= 1) & np.isfinite(arrival_s))
    order = kept[np.argsort(arrival_s[kept], kind="stable")][:n_max]
    if not len(order):
        raise LabError("trace: no row has a time, at least one input and one output token")
    return Requests(
        arrival_s[order] - arrival_s[order[0]],
        input_tok[order].astype(np.int64),
        output_tok[order].astype(np.int64),
    )


def _column(frame: pd.DataFrame, name: str) -> str:
    names = {
        "".join(c for c in str(column).lower() if c.isalnum()): str(column) for column in frame
    }
    for alias in COLUMNS[name]:
        if alias in names:
            return names[alias]
    given = ", ".join(str(column)[:40] for column in list(frame)[:12])
    raise LabError(f"trace: no column for {name}; the file has {given}; name one {name}")


def _seconds(values: pd.Series, column: str) -> NDArray[np.float64]:
    numbers = np.asarray(pd.to_numeric(values, errors="coerce"), dtype=np.float64)
    if np.isfinite(numbers).mean() > 0.5:
        return numbers
    times = pd.to_datetime(values, errors="coerce", format="mixed", utc=True)
    if not times.notna().any():
        raise LabError(f"trace: column {column} holds neither seconds nor timestamps")
    return np.asarray((times - times.min()).dt.total_seconds(), dtype=np.float64)


def _counts(values: pd.Series, column: str) -> NDArray[np.float64]:
    numbers = pd.to_numeric(values, errors="coerce")
    if not numbers.notna().any():
        raise LabError(f"trace: column {column} holds no numbers of tokens")
    return np.clip(numbers.fillna(0.0).to_numpy(dtype=np.float64), 0, 10_485_760)
