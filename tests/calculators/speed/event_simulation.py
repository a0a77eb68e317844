"""An event simulation of a continuous-batching server, the independent check of the formulas.

The server holds at most `batch_limit` requests. At the end of each step it admits waiting
requests first come, first served. A step that decodes n sequences takes `step_s(n)`.
With `n_chunks` = 0 a prompt is prefilled at once while decoding stands still; otherwise a step
that decodes also carries prefill work, first come, first served, of up to 1 / `n_chunks` prompts.
"""

from __future__ import annotations

import heapq
import math
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np


@dataclass
class Served:
    wait_s: np.ndarray
    ttft_s: np.ndarray
    tpot_s: np.ndarray
    request_s: np.ndarray
    span_s: float


class Server:
    """State of the simulated server; `advance` moves it by one event."""

    def __init__(
        self,
        *,
        step_s: Callable,
        prefill_s: float | np.ndarray,
        lengths: np.ndarray,
        batch_limit: int,
        n_chunks: float = 0,
    ) -> None:
        n = len(lengths)
        self.step = [0.0] + [float(step_s(k)) for k in range(1, batch_limit + 1)]
        self.prefill_s = np.broadcast_to(prefill_s, n)
        self.lengths, self.limit, self.n_chunks = lengths, batch_limit, n_chunks
        self.start, self.first, self.end = np.zeros(n), np.zeros(n), np.zeros(n)
        self.now, self.steps = 0.0, 0
        self.running: list[tuple[int, int]] = []  # (step at which it ends, request)
        self.waiting: deque[int] = deque()
        self.prefilling: deque[list] = deque()  # [request, share of the prompt that is left]
        self.finished: list[int] = []

    @property
    def n_held(self) -> int:
        return len(self.running) + len(self.prefilling)

    def admit(self) -> bool:
        if not self.waiting or self.n_held >= self.limit:
            return False
        request = self.waiting.popleft()
        self.start[request] = self.now
        self.prefilling.append([request, 1.0])
        return True

    def end_prefill(self, request: int) -> None:
        self.first[request] = self.now
        heapq.heappush(self.running, (self.steps + int(self.lengths[request]) - 1, request))

    def retire(self) -> None:
        while self.running and self.running[0][0] <= self.steps:
            _, request = heapq.heappop(self.running)
            self.end[request] = self.now
            self.finished.append(request)

    def whole_prefill(self) -> None:
        request, _ = self.prefilling.popleft()
        self.now += self.prefill_s[request]
        self.end_prefill(request)
        self.retire()

    def mixed_step(self) -> None:
        budget, work_s, done = 1 / self.n_chunks, 0.0, []
        while budget > 1e-9 and (self.prefilling or self.admit()):
            head = next((item for item in self.prefilling if item[1] > 0), None)
            if head is None and not self.admit():
                break
            head = head or self.prefilling[-1]
            share = min(head[1], budget)
            head[1] = head[1] - share if head[1] - share > 1e-9 else 0.0
            budget -= share
            work_s += share * self.prefill_s[head[0]]
        self.now += self.step[len(self.running)] + work_s
        self.steps += 1
        done = [item for item in self.prefilling if item[1] == 0.0]
        for item in done:
            self.prefilling.remove(item)
            self.end_prefill(item[0])
        self.retire()

    def advance(self, until_s: float) -> None:
        """One prefill, one mixed step, or as many plain steps as change nothing."""
        if self.prefilling or self.admit():
            self.mixed_step() if self.n_chunks else self.whole_prefill()
            return
        n = len(self.running)
        plain = self.running[0][0] - self.steps
        if n < self.limit and until_s < math.inf:
            plain = min(plain, max(1, math.ceil((until_s - self.now) / self.step[n])))
        self.steps += plain
        self.now += plain * self.step[n]
        self.retire()


def served(server: Server, arrival: np.ndarray, warm: int) -> Served:
    keep = slice(warm, len(arrival) - warm)
    start, first, end = server.start[keep], server.first[keep], server.end[keep]
    return Served(
        wait_s=start - arrival[keep],
        ttft_s=first - arrival[keep],
        tpot_s=(end - first) / np.maximum(server.lengths[keep] - 1, 1),
        request_s=end - arrival[keep],
        span_s=float(end.max() - start.min()),
    )


def simulate_open(*, arrival: np.ndarray, **settings) -> Served:
    """Requests that arrive at given times."""
    server = Server(**settings)
    n, i = len(arrival), 0
    while len(server.finished) < n:
        while i < n and arrival[i] <= server.now:
            server.waiting.append(i)
            i += 1
        if not server.n_held and not server.waiting:
            server.now = arrival[i]
            continue
        server.advance(arrival[i] if i < n else math.inf)
    return served(server, arrival, n // 10)


def simulate_closed(*, concurrency: int, **settings) -> Served:
    """`concurrency` clients that each send the next request when their last one ends."""
    server = Server(**settings)
    n = len(server.lengths)
    arrival = np.zeros(n)
    server.waiting.extend(range(concurrency))
    sent, done = concurrency, 0
    while done < n - concurrency:
        server.advance(math.inf)
        for _ in server.finished[done:]:
            if sent < n:
                arrival[sent] = server.now
                server.waiting.append(sent)
                sent += 1
        done = len(server.finished)
    return served(server, arrival, n // 5)
