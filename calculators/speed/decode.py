"""The decode step as it really is: memory + compute + communication + overhead."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from calculators.speed.inputs import StepInputs
from calculators.speed.parallel import step_inputs

__all__ = [
    "StepInputs",
    "StepTime",
    "cache_read_bytes_sequence",
    "capped_tok_sum",
    "communication_s",
    "compute_s",
    "decode_step",
    "expert_coverage_frac",
    "step_inputs",
]


@dataclass(frozen=True, slots=True)
class StepTime:
    """Parts of a forward pass [s]; `total_s` is their sum."""

    memory_s: Any
    compute_s: Any
    communication_s: Any
    overhead_s: Any

    @property
    def total_s(self) -> Any:
        return self.memory_s + self.compute_s + self.communication_s + self.overhead_s


def expert_coverage_frac(*, expert_miss_frac: Any, n_tok: Any) -> Any:
    """Share of the routed experts that a batch of tokens touches.

    coverage = 1 - (1 - k/E)^B

    Parameters
    ----------
    expert_miss_frac : 1 - k/E, 0 to 1; broadcasts
    n_tok : tokens routed at once, >= 0; broadcasts

    Returns
    -------
    share, 0 to 1, broadcast shape of the inputs

    Notes
    -----
    Routing is taken as even and independent. Real routing is skewed: fewer experts are touched,
    so this errs towards slower steps at middle batches.

    Examples
    --------
    >>> expert_coverage_frac(expert_miss_frac=0.75, n_tok=2)
    0.4375
    """
    return 1.0 - expert_miss_frac**n_tok


def cache_read_bytes_sequence(inputs: StepInputs, *, context_tok: Any) -> Any:
    """Bytes of cache and state that one sequence moves in a step, on one card.

    bytes = state + context x linear + sum of min(context, limit) x capped

    Parameters
    ----------
    inputs : coefficients of the deployment; broadcasts
    context_tok : [tok] held by the sequence, >= 0; broadcasts

    Returns
    -------
    [byte], broadcast shape of the inputs

    Examples
    --------
    >>> one = StepInputs(0, 0, 0, 5.0, 2.0, (1.0, 0, 0), (0, 0, 0), (10.0, 0, 0), *([1.0] * 20))
    >>> float(cache_read_bytes_sequence(one, context_tok=100))
    215.0
    """
    held = capped_tok_sum(inputs.cap_bytes_tok, inputs.cap_tok, context_tok)
    return inputs.state_bytes + context_tok * inputs.cache_bytes_tok + held


def capped_tok_sum(slopes: Any, limits: Any, context_tok: Any) -> Any:
    """Sum of slope x min(context, limit); what grows only up to a window.

    Parameters
    ----------
    slopes, limits : three numbers or arrays each
    context_tok : [tok]; broadcasts

    Returns
    -------
    the slopes' unit x tok, broadcast shape of the inputs

    Examples
    --------
    >>> float(capped_tok_sum((2.0, 1.0, 0.0), (10.0, 100.0, 0.0), 50.0))
    70.0
    """
    return sum(
        slope * np.minimum(context_tok, limit)
        for slope, limit in zip(slopes, limits, strict=True)
        if np.any(slope)
    )


def decode_step(inputs: StepInputs, *, batch: Any, context_tok: Any) -> StepTime:
    """Time of one decode step that gives each of B sequences one token.

    step = memory + compute + communication + overhead, with
    memory = (dense + experts x coverage + B x cache at the context) / (byte/s x e_bw)
    compute = B x (2 x active parameters + attention) / (FLOP/s x e_flop)
    communication = collectives x latency + B x bytes / (link x e_link)
    overhead = per step + per layer + per sequence

    Parameters
    ----------
    inputs : coefficients of the deployment, or stacked ones; broadcasts
    batch : sequences of the replica, > 0; broadcasts
    context_tok : [tok] mean context that a sequence holds, >= 0; broadcasts

    Returns
    -------
    StepTime, each part [s] of the broadcast shape

    Notes
    -----
    Basis `calibrated`. Pipeline stages work on different sequences, so each sees B / stages of
    them; in data-parallel attention each card holds B / groups whole sequences. Work of other
    sequences' prefills is not in it.

    References
    ----------
    Published measurements add memory and compute rather than hide one behind the other
    (catalogs/measurements, read 2026-11-30).

    Examples
    --------
    >>> one = StepInputs(8e9, 0, 0, 0, 1e5, *([(0, 0, 0)] * 3), 16e9, 0, 0, 0, 0, 0, 1, 1,
    ...                  1e12, 1e14, 1e14, 1e9, 1, 1, 1, 0, 0, 1e-3, 0, 0)
    >>> step = decode_step(one, batch=10, context_tok=1000)
    >>> [round(float(part) * 1e3, 3) for part in (step.memory_s, step.compute_s, step.total_s)]
    [9.0, 1.6, 11.6]
    """
    sequences = batch / inputs.n_stages
    held = np.maximum(sequences / inputs.n_data, 1.0)
    coverage = expert_coverage_frac(expert_miss_frac=inputs.expert_miss_frac, n_tok=sequences)
    cache = held * cache_read_bytes_sequence(inputs, context_tok=context_tok)
    memory = inputs.dense_bytes + inputs.expert_bytes * coverage + cache
    attention = context_tok * inputs.attention_flop_tok + capped_tok_sum(
        inputs.cap_flop_tok, inputs.cap_tok, context_tok
    )
    return StepTime(
        memory_s=memory / (inputs.bandwidth_bytes_s * inputs.bandwidth_frac),
        compute_s=compute_s(inputs, n_tok=sequences, attention_flop_tok=attention),
        communication_s=communication_s(inputs, n_tok=sequences),
        overhead_s=inputs.step_overhead_s
        + inputs.n_layers * inputs.layer_overhead_s
        + sequences * inputs.sequence_overhead_s,
    )


def compute_s(inputs: StepInputs, *, n_tok: Any, attention_flop_tok: Any) -> Any:
    """Time that the multiplications of n tokens take.

    time = n x (2 x active parameters / FLOP/s + attention / FLOP/s in 16 bits) / e_flop

    Parameters
    ----------
    inputs : coefficients of the deployment; broadcasts
    n_tok : tokens of the pass, >= 0; broadcasts
    attention_flop_tok : [FLOP] of attention per token; broadcasts

    Returns
    -------
    [s], broadcast shape of the inputs

    Examples
    --------
    >>> one = StepInputs(*([0] * 5), *([(0, 0, 0)] * 3), 16e9, 0, 0, 0, 0, 0, 1, 1,
    ...                  1e12, 1e14, 1e14, 1e9, 1, 0.5, 1, 0, 0, 0, 0, 0)
    >>> compute_s(one, n_tok=10, attention_flop_tok=0)
    0.0032
    """
    matmul = inputs.matmul_flop_tok / inputs.flop_s
    attention = attention_flop_tok / inputs.attention_flop_s
    return n_tok * (matmul + attention) / inputs.flop_frac


def communication_s(inputs: StepInputs, *, n_tok: Any) -> Any:
    """Time that the collectives of a pass take.

    time = hops x latency + n x bytes / (link x e_link)

    Parameters
    ----------
    inputs : coefficients of the deployment; broadcasts
    n_tok : tokens of the pass, >= 0; broadcasts

    Returns
    -------
    [s], broadcast shape of the inputs

    Examples
    --------
    >>> one = StepInputs(*([0] * 5), *([(0, 0, 0)] * 3), 0, 0, 0, 1e6, 100, 0, 1, 1,
    ...                  1, 1, 1, 1e9, 1, 1, 0.5, 1e-5, 0, 0, 0, 0)
    >>> round(communication_s(one, n_tok=10), 6)
    0.021
    """
    link = n_tok * inputs.reduce_bytes_tok / (inputs.link_bytes_s * inputs.link_frac)
    return link + inputs.n_reduce_hops * inputs.reduce_latency_s
