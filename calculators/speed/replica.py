"""One replica under one kind of request: step times and prefill from its coefficients."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from calculators.speed.decode import decode_step
from calculators.speed.inputs import StepInputs
from calculators.speed.parts import StepTime
from calculators.speed.prefill import first_token_s, prefill
from calculators.speed.serving import ClosedLoop, closed_loop

SHORTEST_OUTPUT_TOK = 1.000001  # one token has no time per further token; the limit towards it


@dataclass(frozen=True)
class Replica:
    """A deployment's coefficients with the lengths of its requests; everything broadcasts."""

    inputs: StepInputs
    input_tok: Any
    output_tok: Any
    cached_tok: Any = 0  # of the input, already in the cache

    @property
    def mean_context_tok(self) -> Any:
        """Tokens that a sequence holds on average while it decodes: input + output / 2."""
        return self.input_tok + self.output_tok / 2

    def step_s(self, n_sequences: Any) -> Any:
        """Time of one decode step of n sequences at their mean context [s]."""
        at = decode_step(self.inputs, batch=n_sequences, context_tok=self.mean_context_tok)
        return at.total_s

    @cached_property
    def prompt(self) -> StepTime:
        """What one prompt's prefill takes by itself."""
        return prefill(self.inputs, prompt_tok=self.input_tok, cached_tok=self.cached_tok)

    @property
    def prefill_s(self) -> Any:
        """Time that one prompt's prefill takes by itself [s]."""
        return self.prompt.total_s

    def at(self, n_sequences: Any) -> ClosedLoop:
        """Sustained speed with n sequences at once, each followed by the next.

        Parameters
        ----------
        n_sequences : int or array, >= 1

        Returns
        -------
        ClosedLoop of the broadcast shape
        """
        loop = closed_loop(
            step_s=self.step_s,
            prefill_s=self.prompt.work_s,  # the steps read the weights anyway
            output_tok=np.maximum(self.output_tok, SHORTEST_OUTPUT_TOK),
            concurrency=n_sequences,
        )
        return self._with_first_token(loop)

    def _with_first_token(self, loop: ClosedLoop) -> ClosedLoop:
        """The loop with the time to first token that servers were measured to have."""
        ttft_s = first_token_s(
            self.inputs, prompt=self.prompt, step_s=loop.step_s, n_sequences=loop.concurrency
        )
        ttft_s = np.maximum(ttft_s, loop.ttft_s)
        request_s = ttft_s + (np.maximum(self.output_tok, SHORTEST_OUTPUT_TOK) - 1) * loop.tpot_s
        rate = loop.concurrency / request_s
        return replace(
            loop,
            ttft_s=ttft_s,
            ttft_burst_s=np.maximum(loop.ttft_burst_s, ttft_s),
            request_s=request_s,
            requests_per_s=rate,
            output_tok_s=rate * self.output_tok,
            prefill_frac=rate * self.prompt.work_s,
        )
