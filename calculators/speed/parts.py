"""The parts of a forward pass: bytes read, arithmetic, sending."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from calculators.speed.inputs import StepInputs


@dataclass(frozen=True, slots=True)
class StepTime:
    """Parts of a forward pass [s]; `total_s` is their sum."""

    memory_s: Any
    compute_s: Any  # what is not hidden behind memory
    communication_s: Any
    overhead_s: Any

    @property
    def total_s(self) -> Any:
        return self.memory_s + self.compute_s + self.communication_s + self.overhead_s

    @property
    def work_s(self) -> Any:
        """What it adds to a pass that reads the weights anyway."""
        return self.compute_s + self.communication_s


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
    >>> one = StepInputs(0, state_bytes=5.0, cache_bytes_tok=2.0, cap_bytes_tok=(1.0, 0, 0),
    ...                  cap_tok=(10.0, 0, 0))
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


def exposed_s(memory_s: Any, compute_s: Any, overlap_exponent: Any) -> Any:
    """Time of compute that is not hidden behind memory.

    exposed = (memory^p + compute^p)^(1/p) - memory; p = 1 adds, p = infinity hides fully

    Parameters
    ----------
    memory_s, compute_s : [s] >= 0; broadcast
    overlap_exponent : p, >= 1; broadcasts

    Returns
    -------
    [s], broadcast shape of the inputs

    Examples
    --------
    >>> exposed_s(3.0, 4.0, 2.0)
    2.0
    """
    if np.all(overlap_exponent == 1.0):
        return compute_s
    together = memory_s**overlap_exponent + compute_s**overlap_exponent
    return together ** (1.0 / overlap_exponent) - memory_s


def compute_s(inputs: StepInputs, *, n_tok: Any, attention_flop_tok: Any) -> Any:
    """Time that the multiplications of n tokens take, and what they read and write between.

    multiplied = (2 x active parameters / FLOP/s + attention / (16-bit FLOP/s x e_a)) / e_flop
    x (TFLOP/s per watt)^power exponent; moved = activation bytes x passes / (byte/s x e_bw);
    time = n x (multiplied + moved)

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
    >>> one = StepInputs(0, matmul_flop_tok=16e9, flop_s=1e14, flop_frac=0.5)
    >>> compute_s(one, n_tok=10, attention_flop_tok=0)
    0.0032
    """
    matmul = inputs.matmul_flop_tok / inputs.flop_s
    attention = attention_flop_tok / (inputs.attention_flop_s * inputs.attention_frac)
    held_down = inputs.tflops_w**inputs.power_exponent
    multiplied_s = (matmul + attention) * held_down / inputs.flop_frac
    moved_bytes = inputs.activation_bytes_tok * inputs.activation_passes
    moved_s = moved_bytes / (inputs.bandwidth_bytes_s * inputs.bandwidth_frac)
    return n_tok * (multiplied_s + moved_s)


def expert_pad_s(inputs: StepInputs, *, coverage_frac: Any) -> Any:
    """Time of multiplying what fills up the tiles of routed experts.

    time = touched experts x pad x 2 x parameters of an expert / (FLOP/s x e_flop)

    Parameters
    ----------
    inputs : coefficients of the deployment; broadcasts
    coverage_frac : share of the experts that is touched, 0 to 1; broadcasts

    Returns
    -------
    [s], broadcast shape of the inputs

    Notes
    -----
    Many small experts with few tokens each are slower than a few large ones.

    Examples
    --------
    >>> one = StepInputs(0, expert_flop=1e12, flop_s=1e14, expert_pad_tok=10)
    >>> expert_pad_s(one, coverage_frac=0.5)
    0.05
    """
    work_flop = inputs.expert_flop * coverage_frac * inputs.expert_pad_tok
    return work_flop / (inputs.flop_s * inputs.flop_frac)


def unpack_s(inputs: StepInputs) -> Any:
    """Time of unpacking quantized weights before they are multiplied, once a step.

    time = packed weights of a token x FLOP to unpack one / FLOP/s outside matrix units

    Parameters
    ----------
    inputs : coefficients of the deployment; broadcasts

    Returns
    -------
    [s]

    Notes
    -----
    Felt where arithmetic is scarce beside bandwidth: an A100 has 10 FP32 operations for each byte
    that it reads, an RTX 4090 has 82. Further experts of a batch are not counted.

    Examples
    --------
    >>> unpack_s(StepInputs(0, packed_params=8e9, unpack_flop=10, vector_flop_s=1e13))
    0.008
    """
    return inputs.packed_params * inputs.unpack_flop / inputs.vector_flop_s


def communication_s(inputs: StepInputs, *, n_tok: Any) -> Any:
    """Time that cards spend on sending, in collectives and from stage to stage.

    time = hops x latency + n x bytes / (link x e_link) + (cards - 1 of a layer split) x hop

    Parameters
    ----------
    inputs : coefficients of the deployment; broadcasts
    n_tok : tokens of the pass, >= 0; broadcasts

    Returns
    -------
    [s], broadcast shape of the inputs

    Examples
    --------
    >>> one = StepInputs(0, reduce_bytes_tok=1e6, n_reduce_hops=100, link_bytes_s=1e9,
    ...                  link_frac=0.5, reduce_latency_s=1e-5)
    >>> round(communication_s(one, n_tok=10), 6)
    0.021
    """
    link = n_tok * inputs.reduce_bytes_tok / (inputs.link_bytes_s * inputs.link_frac)
    hops = (inputs.n_split - 1) * inputs.stage_hop_s
    return link + inputs.n_reduce_hops * inputs.reduce_latency_s + hops
