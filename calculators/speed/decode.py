"""The decode step as it really is: memory + compute + communication + overhead."""

from __future__ import annotations

from typing import Any

import numpy as np

from calculators.speed.inputs import StepInputs
from calculators.speed.parallel import step_inputs
from calculators.speed.parts import (
    StepTime,
    cache_read_bytes_sequence,
    capped_tok_sum,
    communication_s,
    compute_s,
    expert_coverage_frac,
    expert_pad_s,
    exposed_s,
    unpack_s,
)

__all__ = [
    "StepInputs",
    "StepTime",
    "cache_read_bytes_sequence",
    "capped_tok_sum",
    "communication_s",
    "compute_s",
    "decode_step",
    "expert_coverage_frac",
    "expert_pad_s",
    "exposed_s",
    "step_inputs",
    "unpack_s",
]


def decode_step(
    inputs: StepInputs, *, batch: Any, context_tok: Any, positions: Any = 1
) -> StepTime:
    """Time of one decode step that gives each of B sequences one token: the sum of four parts.

    memory = (dense + experts x coverage / e_x + B x cache at the context / e_c) / (byte/s x e_bw)
    compute = B x (2 x active parameters + attention) / (FLOP/s x e_flop) + unpacking of weights,
    less what is hidden; and B x attention x slowdown / FP32 FLOP/s without matrix units
    communication = collectives x latency + B x bytes / (link x e_link)
    overhead = per step + per layer + per sequence

    Parameters
    ----------
    inputs : coefficients of the deployment, or stacked ones; broadcasts
    batch : sequences of the replica, > 0; broadcasts
    context_tok : [tok] mean context that a sequence holds, >= 0; broadcasts
    positions : tokens of each sequence in the step, >= 1; above 1 where drafts are verified

    Returns
    -------
    StepTime, each part [s] of the broadcast shape

    Notes
    -----
    Basis `calibrated`. Pipeline stages see B / stages sequences each, cards in data-parallel
    attention B / groups. Others' prefills are not in it.

    References
    ----------
    Published measurements hide little behind memory: the fit to catalogs/measurements.

    Examples
    --------
    >>> one = StepInputs(8e9, cache_bytes_tok=1e5, matmul_flop_tok=16e9, bandwidth_bytes_s=1e12,
    ...                  flop_s=1e14, step_overhead_s=1e-3)
    >>> step = decode_step(one, batch=10, context_tok=1000)
    >>> [round(float(part) * 1e3, 3) for part in (step.memory_s, step.compute_s, step.total_s)]
    [9.0, 1.6, 11.6]
    """
    sequences = batch / inputs.n_stages
    held = np.maximum(sequences / inputs.n_data, 1.0)
    n_tok = sequences * positions
    coverage = expert_coverage_frac(expert_miss_frac=inputs.expert_miss_frac, n_tok=n_tok)
    cache = cache_read_bytes_sequence(inputs, context_tok=context_tok) / inputs.cache_frac
    memory = inputs.dense_bytes + inputs.expert_bytes * coverage / inputs.expert_frac + held * cache
    memory_s = memory / (inputs.bandwidth_bytes_s * inputs.bandwidth_frac)
    attention = context_tok * inputs.attention_flop_tok + capped_tok_sum(
        inputs.cap_flop_tok, inputs.cap_tok, context_tok
    )
    work_s = compute_s(inputs, n_tok=n_tok, attention_flop_tok=attention)
    work_s = work_s + expert_pad_s(inputs, coverage_frac=coverage) + unpack_s(inputs)
    return StepTime(
        memory_s=memory_s,
        compute_s=exposed_s(memory_s, work_s, inputs.overlap_exponent)
        + held * attention * inputs.attention_slowdown / inputs.vector_flop_s,
        communication_s=communication_s(inputs, n_tok=n_tok),
        overhead_s=inputs.step_overhead_s
        + inputs.n_layers * inputs.layer_overhead_s
        + held * inputs.sequence_overhead_s,
    )
