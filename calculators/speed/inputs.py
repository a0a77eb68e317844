"""Coefficients of the step model: what a deployment reads, computes and sends per step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Any

import numpy as np

N_CAPS = 3


NO_CAPS = (0.0,) * N_CAPS


@dataclass(frozen=True, slots=True)
class StepInputs:
    """Coefficients of one deployment, or arrays of them for many (see `stack`).

    Everything is per card where cards hold different parts, and per replica where they work
    together. `cap_*` are three terms that grow with the context only up to a limit (sliding
    windows, selected tokens); unused ones are 0.
    """

    # what a step does
    dense_bytes: Any  # weights that every step reads, per card
    expert_bytes: Any = 0.0  # routed experts held, per card
    expert_miss_frac: Any = 1.0  # share of experts that one token does not touch
    state_bytes: Any = 0.0  # per sequence and step, whatever the context, per card
    cache_bytes_tok: Any = 0.0  # per sequence and token of context, per card
    cap_bytes_tok: Any = NO_CAPS
    cap_flop_tok: Any = NO_CAPS
    cap_tok: Any = NO_CAPS
    matmul_flop_tok: Any = 0.0  # per token
    attention_flop_tok: Any = 0.0  # per token and token of context, in a decode step
    prefill_attention_flop_tok: Any = 0.0  # the same where a prompt is processed
    packed_params: Any = 0.0  # weights of one token that are unpacked before they are multiplied
    activation_bytes_tok: Any = 0.0  # of all layers, per token and card
    n_scores: Any = 0.0  # query heads over all layers
    expert_flop: Any = 0.0  # one token through every routed expert
    reduce_bytes_tok: Any = 0.0  # over the link, per token and card
    n_reduce_hops: Any = 0.0  # collectives of a step x log2(cards)
    n_layers: Any = 0.0
    n_data: Any = 1.0  # groups of sequences in data-parallel attention
    n_stages: Any = 1.0  # pipeline stages that work on different sequences
    n_split: Any = 1.0  # cards of a layer split, which work one after the other
    # peaks
    bandwidth_bytes_s: Any = 1.0  # per card
    flop_s: Any = 1.0  # of the compute format, over the cards that work at once
    attention_flop_s: Any = 1.0  # of 16 bits, over the same cards
    link_bytes_s: Any = 1.0
    vector_flop_s: Any = 1.0  # outside matrix units, over the same cards
    tflops_w: Any = 1.0  # 16-bit TFLOP/s per watt: how far power holds the clock down
    # constants of the engine class for such a deployment
    bandwidth_frac: Any = 1.0
    expert_frac: Any = 1.0  # of bandwidth_frac
    cache_frac: Any = 1.0  # of bandwidth_frac
    flop_frac: Any = 1.0
    power_exponent: Any = 0.0
    attention_frac: Any = 1.0  # of flop_frac
    expert_pad_tok: Any = 0.0  # tokens' work that each touched expert adds
    unpack_flop: Any = 0.0  # per packed weight and step
    activation_passes: Any = 0.0  # how often activations are read or written
    overlap_exponent: Any = 1.0
    link_frac: Any = 1.0
    reduce_latency_s: Any = 0.0  # per hop
    stage_hop_s: Any = 0.0
    layer_overhead_s: Any = 0.0
    step_overhead_s: Any = 0.0
    sequence_overhead_s: Any = 0.0
    prefill_layer_s: Any = 0.0
    prefill_overhead_s: Any = 0.0
    score_bytes: Any = 0.0
    attention_slowdown: Any = 0.0  # times the FP32 time, in a decode step
    first_token_s: Any = 0.0  # of a server: network, tokenizer, scheduling
    first_token_layer_s: Any = 0.0
    first_token_steps: Any = 0.0
    queue_frac: Any = 0.0  # of the others' prompts that a prompt waits for
    split_gain: Any = 1.0


_NAMES = tuple(field.name for field in fields(StepInputs))
_VALUES = attrgetter(*_NAMES)


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
    >>> one = StepInputs(dense_bytes=1.0)
    >>> stack([one, one]).dense_bytes
    array([1., 1.])
    """
    columns = {}
    for name, values in zip(_NAMES, zip(*map(_VALUES, inputs), strict=True), strict=True):
        column = np.array(values, dtype=float)
        columns[name] = tuple(column.T) if column.ndim == 2 else column
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
    >>> one = StepInputs(dense_bytes=1.0)
    >>> expand(stack([one, one])).dense_bytes.shape
    (2, 1)
    """

    def reshaped(value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(reshaped(item) for item in value)
        return np.reshape(value, np.shape(value) + (1,) * n_axes)

    return StepInputs(**{f.name: reshaped(getattr(inputs, f.name)) for f in fields(inputs)})
