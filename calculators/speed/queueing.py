"""How long a request waits for a continuous-batching server: a birth-death chain and its tail."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from calculators.speed.transforms import gamma_transform, quantiles_s, residual_transform

_STEP_CLASSES = 5


@dataclass(frozen=True, slots=True)
class Load:
    """What a server with B slots is asked to do; arrays are of shape (n,), one per rate.

    `decode_s` has shape (B,): all decode steps of one request beside n - 1 others.
    """

    rate: np.ndarray  # requests per second
    capacity: float  # requests per second with all slots taken
    decode_s: np.ndarray
    prefill_s: float  # work of one prompt
    length_cv: float
    prompt_cv: float

    @property
    def n_slots(self) -> int:
        return len(self.decode_s)

    @property
    def utilisation_frac(self) -> np.ndarray:
        return self.rate / self.capacity

    @property
    def prefill_frac(self) -> np.ndarray:
        """Share of the time that goes into prefills."""
        return np.minimum(self.rate * self.prefill_s, 0.999)

    @property
    def service_cv(self) -> float:
        """Spread of a request's work with all slots taken: its share of decode, its prefill."""
        decode_s = self.decode_s[-1] / self.n_slots
        parts = np.hypot(self.length_cv * decode_s, self.prompt_cv * self.prefill_s)
        return float(parts / (decode_s + self.prefill_s))


def occupancy_frac(load: Load) -> np.ndarray:
    """Share of time with n requests at the server, n = 0 to B; the last entry is B or more.

    p(n) ~ prod over i <= n of (rate / mu(i))^(1 / phi),
    mu(i) = i (1 - rate x prefill) / (all decode steps beside i - 1 others), mu(B) = capacity,
    phi = variance of the number at the server over that of the chain without prefills

    Parameters
    ----------
    load : rates [1/s] below capacity

    Returns
    -------
    shares, shape (n, B + 1), rows sum to 1

    Notes
    -----
    Exact for Poisson arrivals and phi = 1 (no prefill): for exponential lengths by balance, for
    others below the limit because a shared server is insensitive to them. A prompt stops the
    others while it is prefilled, so arrivals count twice, as one more request and as time lost:
    phi = (1 - c) A + c (1 + A) / 2, A = (1 + (rate x prefill x cv)^2) / (1 - rate x prefill)^2.

    References
    ----------
    Kelly, Reversibility and Stochastic Networks (1979), section 3.1 (from knowledge, not
    re-read).

    Examples
    --------
    >>> erlang = Load(np.array([2.0]), 4.0, np.ones(4), 0.0, 1.0, 0.0)  # four servers, two busy
    >>> float(np.round(occupancy_frac(erlang)[0, -1], 4))  # Erlang C
    0.1739
    """
    busy = load.prefill_frac
    n = np.arange(1, load.n_slots + 1)
    served = n * (1.0 - busy)[:, None] / load.decode_s
    served[:, -1] = load.capacity
    arrivals = (1.0 + (busy * load.prompt_cv) ** 2) / (1.0 - busy) ** 2
    memory = min(load.length_cv**2, 1.0)
    both = (1.0 + arrivals) / 2
    inflation = (1.0 - memory) * arrivals + memory * both
    logs = np.log(load.rate[:, None] / served)
    logs[:, :-1] /= inflation[:, None]
    weights = np.concatenate([np.zeros((len(busy), 1)), np.cumsum(logs, axis=1)], axis=1)
    weights = np.exp(weights - weights.max(axis=1, keepdims=True))
    weights[:, -1] *= both ** ((1 - 1 / load.n_slots) / 2) / (1.0 - load.utilisation_frac)
    return weights / weights.sum(axis=1, keepdims=True)


@dataclass(frozen=True, slots=True)
class SlotWait:
    """The wait of requests that find all slots taken: how many, how long, how spread."""

    full_frac: np.ndarray
    mean_s: np.ndarray
    cv: np.ndarray


def slot_wait(load: Load, full_frac: np.ndarray) -> SlotWait:
    """The wait for a free slot, between exponential lengths and constant ones.

    mean = c mean_M + (1 - c) mean_D, c = squared coefficient of variation of the work,
    mean_M = 1 / (capacity - rate), mean_D = mean_M / 2 x K^1.65 / (1 - rate x prefill)^(1/3),
    K = 1 + (1 - rho)(B - 1)(sqrt(4 + 5B) - 2) / (16 rho B)

    Parameters
    ----------
    load : rates [1/s] below capacity
    full_frac : share of requests that find all slots taken, by the chain, shape (n,)

    Returns
    -------
    SlotWait, arrays of shape (n,)

    Notes
    -----
    K is Cosmetatos' ratio of the mean waits of M/D/B and M/M/B; it is split into fewer requests
    that wait (K^-0.45) and a longer wait of those (K^1.65): within 3 % of the exact values for
    B = 1 to 256 (Spitzer's identity for the equal E_B/D/1 queue). The wait's gamma shape,
    1 + 1.3 (1 - rho) B^0.2 up to 1.55, and what prefills add were matched to event simulations.
    Work that varies more than exponentially only adds to the mean.

    References
    ----------
    Cosmetatos, Approximate explicit formulae for the average queueing time in the processes
    (M/D/r) and (D/M/r), INFOR 13 (1975); Tijms, A First Course in Stochastic Models (2003),
    section 9.6 on interpolation (from knowledge, not re-read).

    Examples
    --------
    >>> one = Load(np.array([0.5]), 1.0, np.ones(1), 0.0, 0.0, 0.0)  # M/D/1 at half load
    >>> float(slot_wait(one, np.array([0.5])).mean_s[0])  # 0.5 x 1 / (1 - 0.5)
    1.0
    """
    rho, slots = load.utilisation_frac, load.n_slots
    spread = load.service_cv**2
    ratio = 1 + (1 - rho) * (slots - 1) * (np.sqrt(4 + 5 * slots) - 2) / (16 * rho * slots)
    exponential_s = 1.0 / (load.capacity - load.rate)
    if spread >= 1.0:
        mean_s = exponential_s * (1 + spread) / 2
        return SlotWait(full_frac, mean_s, np.ones_like(rho))
    decoding = 1.0 - load.prefill_frac
    mean_s = exponential_s * (spread + (1 - spread) / 2 * ratio**1.65 / decoding ** (1 / 3))
    full = full_frac * (spread + (1 - spread) * ratio**-0.45)
    shape = (1 + np.minimum(1.3 * (1 - rho) * slots**0.2, 0.55)) / decoding**0.6
    squared = spread + (1 - spread) / shape
    return SlotWait(full, mean_s, np.sqrt(squared))


@dataclass(frozen=True, slots=True)
class PrefillStation:
    """The queue of prompts: what one occupies, and which part of the time it does so.

    `shared`: all prompts that arrive during a step go into the next one together.
    """

    service_s: np.ndarray  # shape (n,)
    busy_frac: np.ndarray  # of the time
    cv: np.ndarray
    shared: bool
    left_over_frac: Any = 0.0  # shared: of the steps that leave prompts for the next


class WaitLaw:
    """Distribution of the time from arrival to the first work on a request, one per rate."""

    def __init__(
        self, load: Load, occupancy: np.ndarray, steps: np.ndarray, station: PrefillStation
    ) -> None:
        self.load, self.station = load, station
        self.slot = slot_wait(load, occupancy[:, -1])
        self.idle = occupancy[:, 0]
        self.between = np.maximum(1.0 - self.idle - self.slot.full_frac, 0.0)
        self.steps, self.full_step_s = _step_classes(occupancy, steps), steps[0, -1]
        self.busy = np.where(
            station.shared, station.left_over_frac, np.minimum(station.busy_frac, 0.999)
        )
        in_use = station.busy_frac / np.maximum(1.0 - self.idle, 1e-12)
        self.found_busy = np.minimum(in_use, 0.999)

    def transform(self, s: np.ndarray, steps_after: float = 0.0) -> np.ndarray:
        """E exp(-s T), T the wait and so many steps beside the others; s of shape (n, m)."""
        service_s, busy = self.station.service_s[:, None], self.busy[:, None]
        turns = s[..., None] * self.steps[:, None, :]
        whole = np.exp(-turns)
        beside = whole**steps_after
        step = ((1.0 - whole) / turns * beside).mean(-1)
        beside = beside.mean(-1)
        left = residual_transform(s, mean_s=service_s, cv=self.station.cv[:, None])
        queue = left * (1 - busy) / (1 - busy * left)
        found = self.found_busy[:, None]
        start = (1 - found) * step + found * queue * (beside if self.station.shared else step)
        slot = gamma_transform(s, mean_s=self.slot.mean_s[:, None], cv=self.slot.cv[:, None])
        waiting = self.slot.full_frac[:, None] * slot * np.exp(-s * steps_after * self.full_step_s)
        return self.idle[:, None] + self.between[:, None] * start + waiting

    @property
    def bracket_s(self) -> tuple[np.ndarray, np.ndarray]:
        longest = self.slot.mean_s + self.station.service_s / (1 - self.busy) + self.steps.max(1)
        return np.maximum(self.steps.min(1), 1e-9) * 1e-3, longest * 40

    def quantiles_s(
        self, probabilities: Sequence[float], steps_after: float = 0.0
    ) -> list[np.ndarray]:
        low_s, high_s = self.bracket_s
        return quantiles_s(
            lambda s: self.transform(s, steps_after),
            probabilities=probabilities,
            low_s=low_s,
            high_s=high_s + steps_after * self.full_step_s,
        )

    @property
    def mean_s(self) -> np.ndarray:
        left_s = self.station.service_s * (1 + self.station.cv**2) / 2
        prompts_s = self.found_busy * left_s / (1 - self.busy)
        step_s = self.steps.mean(1) / 2 * np.where(self.station.shared, 1 - self.found_busy, 1.0)
        return self.between * (step_s + prompts_s) + self.slot.full_frac * self.slot.mean_s


def _step_classes(occupancy: np.ndarray, steps: Any) -> np.ndarray:
    """Steps that a newcomer finds under way, as equally likely classes, shape (n, classes)."""
    below = occupancy[:, 1:-1]
    if below.shape[1] == 0:
        return np.repeat(steps[..., -1:], len(occupancy), axis=0).reshape(-1, 1)
    cumulative = np.cumsum(below, axis=1)
    middles = (np.arange(_STEP_CLASSES) + 0.5) / _STEP_CLASSES * cumulative[:, -1:]
    places = (cumulative[:, None, :] < middles[..., None]).sum(-1)
    return np.take_along_axis(steps, np.minimum(places, below.shape[1] - 1), axis=1)
