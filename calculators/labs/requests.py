"""Requests of the batching lab: drawn from distributions, or taken from a usage log."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calculators.cost.usage_logs import UsageLog
from calculators.labs.quantization import LabError

MAX_TOK = 10_485_760


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
        """The same requests and pattern of gaps, at another mean rate; at once stays at once."""
        if not requests_s > 0:
            raise LabError(f"requests_s: {requests_s} given; a rate above 0 is allowed")
        span = float(self.arrival_s[-1])
        stretch = len(self) / requests_s / span if span > 0 else 1.0
        return replace(self, arrival_s=self.arrival_s * stretch)

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
    max_tok: int = MAX_TOK,
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


def logged_requests(log: UsageLog, *, n_max: int = 10_000) -> Requests:
    """The requests of a usage log, in order of arrival from 0 on.

    Parameters
    ----------
    log : UsageLog
        Of single requests with times.
    n_max : int [1]
        Requests beyond it are left out.

    Returns
    -------
    Requests
        Those with at least one token of input and of output.

    Raises
    ------
    LabError
        A log of sums, without times, or without such a request.

    Notes
    -----
    Basis `measured`, by the log. Failed requests and retries stand in it as any other.

    References
    ----------
    calculators/cost/usage_logs.py lists the formats.

    Examples
    --------
    >>> from calculators.cost.usage_logs import read_usage_log
    >>> csv = b"arrival_s,input_tokens,output_tokens\\n7,100,20\\n9.5,50,10\\n"
    >>> logged_requests(read_usage_log(csv)).arrival_s.tolist()
    [0.0, 2.5]
    """
    if not log.has_lengths:
        raise LabError("log: its rows are sums of requests; single requests are needed here")
    if not log.has_times:
        raise LabError("log: it has no times of arrival")
    usable = (log.output_tok >= 1) & (log.input_tok >= 1) & np.isfinite(log.time_s)
    kept = np.flatnonzero(usable)
    order = kept[np.argsort(log.time_s[kept], kind="stable")][:n_max]
    if not len(order):
        raise LabError("log: no request has at least one token of input and of output")
    return Requests(
        log.time_s[order] - log.time_s[order[0]],
        np.minimum(log.input_tok[order], MAX_TOK).astype(np.int64),
        np.minimum(log.output_tok[order], MAX_TOK).astype(np.int64),
    )


def _lengths(
    rng: np.random.Generator, n: int, mean_tok: float, variation: float, max_tok: int
) -> NDArray[np.int64]:
    sigma = np.sqrt(np.log1p(variation**2))
    drawn = rng.lognormal(np.log(mean_tok) - sigma**2 / 2, sigma, n)
    return np.clip(np.rint(drawn), 1, max_tok).astype(np.int64)
