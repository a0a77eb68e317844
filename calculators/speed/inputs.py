"""Coefficients of the step model: what a deployment reads, computes and sends per step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

N_CAPS = 3


@dataclass(frozen=True, slots=True)
class StepInputs:
    """Coefficients of one deployment, or arrays of them for many (see `stack`).

    Everything is per card where cards hold different parts, and per replica where they work
    together. `cap_*` are three terms that grow with the context only up to a limit (sliding
    windows, selected tokens); unused ones are 0.
    """

    # what a step does
    dense_bytes: Any  # weights that every step reads, per card
    expert_bytes: Any  # routed experts held, per card
    expert_miss_frac: Any  # share of experts that one token does not touch
    state_bytes: Any  # per sequence and step, whatever the context, per card
    cache_bytes_tok: Any  # per sequence and token of context, per card
    cap_bytes_tok: Any
    cap_flop_tok: Any
    cap_tok: Any
    matmul_flop_tok: Any  # per token
    attention_flop_tok: Any  # per token and token of context, in a decode step
    prefill_attention_flop_tok: Any  # the same where a prompt is processed
    reduce_bytes_tok: Any  # over the link, per token and card
    n_reduce_hops: Any  # collectives of a step x log2(cards)
    n_layers: Any
    n_data: Any  # groups of sequences in data-parallel attention
    n_stages: Any  # pipeline stages that work on different sequences
    # peaks
    bandwidth_bytes_s: Any  # per card
    flop_s: Any  # of the compute format, over the cards that work at once
    attention_flop_s: Any  # of 16 bits, over the same cards
    link_bytes_s: Any
    # constants of the engine class on this kind of card
    bandwidth_frac: Any
    flop_frac: Any
    link_frac: Any
    reduce_latency_s: Any  # per hop
    layer_overhead_s: Any
    step_overhead_s: Any
    sequence_overhead_s: Any
    prefill_overhead_s: Any


def stack(inputs: Sequence[StepInputs]) -> StepInputs:
    """Many deployments as one StepInputs of arrays, evaluated in one call.

    Parameters
    ----------
    inputs : of scalars, at least one

    Returns
    -------
    StepInputs of arrays of shape (n,); the `cap_*` fields are tuples of three such arrays

    Examples
    --------
    >>> one = StepInputs(*([1.0] * 5), *([(0.0, 0.0, 0.0)] * 3), *([1.0] * 20))
    >>> stack([one, one]).dense_bytes
    array([1., 1.])
    """
    columns = {}
    for field in fields(StepInputs):
        values = np.array([getattr(item, field.name) for item in inputs], dtype=float)
        columns[field.name] = tuple(values.T) if values.ndim == 2 else values
    return StepInputs(**columns)


def expand(inputs: StepInputs, n_axes: int = 1) -> StepInputs:
    """Stacked coefficients with trailing axes of length one, to broadcast over batch or context.

    Parameters
    ----------
    inputs : stacked, shape (n,)
    n_axes : trailing axes to add

    Returns
    -------
    StepInputs of shape (n, 1, ...)

    Examples
    --------
    >>> one = StepInputs(*([1.0] * 5), *([(0.0, 0.0, 0.0)] * 3), *([1.0] * 20))
    >>> expand(stack([one, one])).dense_bytes.shape
    (2, 1)
    """

    def reshaped(value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(reshaped(item) for item in value)
        return np.reshape(value, np.shape(value) + (1,) * n_axes)

    return StepInputs(**{f.name: reshaped(getattr(inputs, f.name)) for f in fields(inputs)})
