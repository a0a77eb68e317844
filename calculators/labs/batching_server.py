"""The server of continuous batching: it jumps from one change of the batch to the next."""

from __future__ import annotations

import heapq
from bisect import bisect_left
from collections import deque
from dataclasses import dataclass, field

from calculators.labs.batching_results import Recorder
from calculators.labs.requests import Requests
from calculators.labs.step_times import StepTimes


@dataclass(slots=True)
class Server:
    """State of continuous batching, first come, first served."""

    requests: Requests
    times: StepTimes
    log: Recorder
    chunk_tok: int | None
    now_s: float = 0.0
    n_decoded: int = 0  # decode steps so far
    n_admitted: int = 0
    n_done: int = 0
    context_sum_tok: float = 0.0  # of the active sequences
    active: list[tuple[int, int]] = field(default_factory=list)  # (step of the last token, request)
    waiting: deque[list[int]] = field(default_factory=deque)  # [request, prompt tokens left]
    free: list[int] = field(default_factory=list)
    # Plain numbers by request: a look-up in an array takes several times as long.
    input_tok: list[int] = field(init=False)
    output_tok: list[int] = field(init=False)
    extra_s: list[float] = field(init=False)

    def __post_init__(self) -> None:
        self.input_tok = self.requests.input_tok.tolist()
        self.output_tok = self.requests.output_tok.tolist()
        self.extra_s = self.times.prefill_extra_s.tolist()
        self.free = list(range(self.times.n_slots))

    def advance(self) -> bool:
        """Go on to the next change of the batch; False when every request has finished."""
        self._admit()
        if self.waiting:
            self._prefill_whole() if self.chunk_tok is None else self._prefill_chunks()
        elif self.active:
            self._decode(self._steps_to_arrival())
        elif self.n_admitted < len(self.requests):
            self.now_s = float(self.requests.arrival_s[self.n_admitted])
        return self.n_done < len(self.requests)

    def _admit(self) -> None:
        arrivals = self.requests.arrival_s
        while (
            self.free
            and self.n_admitted < len(arrivals)
            and arrivals[self.n_admitted] <= self.now_s
        ):
            request = self.n_admitted
            self.log.admitted_s[request] = self.now_s
            self.log.slot[request] = heapq.heappop(self.free)
            self.waiting.append([request, self.input_tok[request]])
            self.n_admitted += 1

    def _prefill_whole(self) -> None:
        """One pass over all waiting prompts, while decoding stands still."""
        members = [request for request, _ in self.waiting]
        extra = float(self.times.prefill_extra_s[members].sum())
        start_s = self.now_s
        self.now_s += self.times.prefill_fixed_s + extra
        self.log.step("prefill", start_s, self.now_s, n_active=len(self.active), n_steps=1)
        self.waiting.clear()
        for request in members:
            self._start_decoding(request)

    def _prefill_chunks(self) -> None:
        """Decode steps that carry prompt tokens: whole chunks of the first, or one shared."""
        budget = self.chunk_tok or 1
        head, left = self.waiting[0]
        n_steps = left // budget if left > budget else 1
        if self.active:
            n_steps = min(n_steps, self.active[0][0] - self.n_decoded)
        shares: list[tuple[int, int]] = []
        if left > budget:
            shares.append((head, budget))
        else:
            for request, tokens in self.waiting:
                shares.append((request, min(tokens, budget)))
                budget -= shares[-1][1]
                if not budget:
                    break
        self._mixed_steps(shares, n_steps)

    def _mixed_steps(self, shares: list[tuple[int, int]], n_steps: int) -> None:
        extra = sum(
            self.extra_s[request] * tokens / self.input_tok[request] for request, tokens in shares
        )
        fixed = 0.0 if self.active else self.times.prefill_fixed_s
        self._decode(n_steps, added_s=extra + fixed)
        for (request, tokens), entry in zip(shares, list(self.waiting), strict=False):
            entry[1] -= tokens * n_steps
            if not entry[1]:
                self.waiting.popleft()
                self._start_decoding(request)

    def _steps_to_arrival(self) -> int:
        """Steps until the batch changes: the next finish, or the next arrival that has a slot."""
        n_steps = self.active[0][0] - self.n_decoded
        if not self.free or self.n_admitted == len(self.requests):
            return n_steps
        wait_s = self.requests.arrival_s[self.n_admitted] - self.now_s
        if self._elapsed(n_steps) <= wait_s:
            return n_steps
        return bisect_left(range(1, n_steps), wait_s, key=self._elapsed) + 1

    def _elapsed(self, n_steps: int) -> float:
        n_active = len(self.active)
        if not n_active:
            return 0.0
        context = self.context_sum_tok / n_active
        return float(self.times.elapsed_s(n_active=n_active, context_tok=context, n_steps=n_steps))

    def _decode(self, n_steps: int, *, added_s: float = 0.0) -> None:
        n_active, start_s = len(self.active), self.now_s
        self.now_s += self._elapsed(n_steps) + n_steps * added_s
        self.n_decoded += n_steps
        self.context_sum_tok += n_steps * n_active
        kind = "mixed" if added_s else "decode"
        self.log.step(kind, start_s, self.now_s, n_active=n_active, n_steps=n_steps)
        while self.active and self.active[0][0] == self.n_decoded:
            _, request = heapq.heappop(self.active)
            self._finish(request)

    def _start_decoding(self, request: int) -> None:
        self.log.first_token_s[request] = self.now_s
        n_left = self.output_tok[request] - 1
        self.context_sum_tok += self.input_tok[request] + 1
        if n_left:
            heapq.heappush(self.active, (self.n_decoded + n_left, request))
        else:
            self._finish(request)

    def _finish(self, request: int) -> None:
        self.log.last_token_s[request] = self.log.returned_s[request] = self.now_s
        held = self.input_tok[request] + self.output_tok[request]
        self.context_sum_tok -= held
        heapq.heappush(self.free, int(self.log.slot[request]))
        self.n_done += 1
