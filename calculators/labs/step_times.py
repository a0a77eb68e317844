"""Step times of a server in a table, so that a simulation of many steps looks them up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from calculators.labs.quantization import LabError
from calculators.labs.requests import Requests

N_GRID = 129
Array = NDArray[np.float64]


class DecodeTime(Protocol):
    """Seconds of a decode step of `batch` sequences at a mean context; broadcasts."""

    def __call__(self, *, batch: Array, context_tok: Array) -> Any: ...


class PrefillTime(Protocol):
    """Seconds to process a prompt alone; broadcasts."""

    def __call__(self, *, prompt_tok: Array) -> Any: ...


@dataclass(frozen=True, slots=True)
class StepTimes:
    """Decode times by batch (row 0 is empty) and context; prefill times by request.

    `integral_s` is the integral of each row up to each context. `prefill_fixed_s` is what a pass
    costs whatever it holds (mostly reading the weights); `prefill_extra_s` what each prompt adds.
    """

    context_tok: Array
    decode_s: Array
    integral_s: Array
    prefill_fixed_s: float
    prefill_extra_s: Array

    @property
    def n_slots(self) -> int:
        return len(self.decode_s) - 1

    def elapsed_s(self, *, n_active: int, context_tok: float, n_steps: Any) -> Any:
        """Time of the next steps, while every sequence grows by a token a step.

        Each step stands for the stretch of half a token around its context; `n_steps` broadcasts.
        """
        before = context_tok - 0.5
        return self._up_to(n_active, before + n_steps) - self._up_to(n_active, before)

    def _up_to(self, n_active: int, context_tok: Any) -> Any:
        start, second = self.context_tok.item(0), self.context_tok.item(1)
        width = second - start
        place = (context_tok - start) / width
        index = _cell(place)
        row, rest = self.decode_s[n_active], place - index
        slope = row[index + 1] - row[index]
        return self.integral_s[n_active, index] + width * rest * (row[index] + slope * rest / 2)


def _cell(place: Any) -> Any:
    """The grid's cell of a place; of one number without NumPy, which takes ten times as long."""
    if isinstance(place, float):
        return min(max(int(place), 0), N_GRID - 2)
    return np.clip(place, 0, N_GRID - 2).astype(np.int64)


def step_times(
    *, decode_s: DecodeTime, prefill_s: PrefillTime, n_slots: int, requests: Requests
) -> StepTimes:
    """Tabulate a step model for a set of requests.

    fixed = 2 prefill(1) - prefill(2); extra = prefill(prompt) - fixed

    Parameters
    ----------
    decode_s : callable(batch=, context_tok=) [s]
        Broadcasts; a constant may be returned.
    prefill_s : callable(prompt_tok=) [s]
        Broadcasts; a constant may be returned.
    n_slots : int [sequences]
        Most at once, 1 or more.
    requests : Requests
        Whose lengths bound the contexts.

    Returns
    -------
    StepTimes

    Raises
    ------
    LabError
        No slot, or a time that is negative or not finite.

    Notes
    -----
    Linear between 129 contexts: exact for full attention, within a grid step at a window's edge.

    References
    ----------
    The step model of calculators/speed.

    Examples
    --------
    >>> one = Requests(np.zeros(1), np.array([10]), np.array([5]))
    >>> times = step_times(decode_s=lambda *, batch, context_tok: 0.5,
    ...                    prefill_s=lambda *, prompt_tok: 2.0 + 0.1 * prompt_tok,
    ...                    n_slots=2, requests=one)
    >>> float(times.prefill_fixed_s), times.prefill_extra_s.tolist()
    (2.0, [1.0])
    >>> float(times.elapsed_s(n_active=2, context_tok=10.5, n_steps=3))
    1.5
    """
    if n_slots < 1:
        raise LabError(f"n_slots: {n_slots} given; 1 or more is allowed")
    longest = float((requests.input_tok + requests.output_tok).max())
    context_tok = np.linspace(1.0, longest + 1.0, N_GRID)
    batch = np.arange(1, n_slots + 1, dtype=np.float64)
    rows = np.broadcast_to(
        decode_s(batch=batch[:, None], context_tok=context_tok[None, :]), (n_slots, N_GRID)
    )
    prompts = np.concatenate([[1.0, 2.0], requests.input_tok]).astype(np.float64)
    alone = np.broadcast_to(prefill_s(prompt_tok=prompts), prompts.shape).astype(np.float64)
    for name, values in (("decode_s", rows), ("prefill_s", alone)):
        if not np.all(np.isfinite(values)) or np.any(values < 0):
            raise LabError(f"{name}: gives times that are negative or not finite")
    fixed = float(np.clip(2 * alone[0] - alone[1], 0.0, alone.min()))
    table = np.vstack([np.zeros(N_GRID), rows])
    areas = (table[:, 1:] + table[:, :-1]) / 2 * np.diff(context_tok)
    integral = np.concatenate([np.zeros((n_slots + 1, 1)), np.cumsum(areas, axis=1)], axis=1)
    return StepTimes(context_tok, table, integral, fixed, alone[2:] - fixed)
