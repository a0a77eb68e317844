"""Prefill: the same sum as a decode step, for all tokens of a prompt at once."""

from __future__ import annotations

from typing import Any

import numpy as np

from calculators.speed.inputs import StepInputs
from calculators.speed.parts import (
    StepTime,
    cache_read_bytes_sequence,
    communication_s,
    compute_s,
    expert_coverage_frac,
    expert_pad_s,
    exposed_s,
)

MICROBATCH_TOK = 512  # of a prompt, on its way through a layer split


def prefill(
    inputs: StepInputs, *, prompt_tok: Any, cached_tok: Any = 0, batch: Any = 1
) -> StepTime:
    """Time to process the prompts of B sequences, up to their first token.

    prefill = memory + compute + communication + overhead, with S = B x (prompt - cached) tokens
    compute = S x (2 x active parameters + attention at the mean position) / (FLOP/s x e_flop)
    memory = (weights + cache + attention scores, where an engine writes them) / (byte/s x e_bw)
    In a layer split the parts of a long prompt follow each other through the cards.

    Parameters
    ----------
    inputs : coefficients of the deployment, or stacked ones; broadcasts
    prompt_tok : [tok] length of a prompt, > 0; broadcasts
    cached_tok : [tok] of it already in the cache, 0 to prompt - 1; broadcasts
    batch : prompts processed together, > 0; broadcasts

    Returns
    -------
    StepTime, each part [s] of the broadcast shape

    Notes
    -----
    Basis `calibrated`. The output head is counted for every token although engines compute it for
    the last one only: up to a few per cent too slow. Waiting behind other requests is not in it.

    Examples
    --------
    >>> one = StepInputs(8e9, matmul_flop_tok=16e9, bandwidth_bytes_s=1e12, flop_s=1e14,
    ...                  prefill_overhead_s=1e-3)
    >>> time = prefill(one, prompt_tok=1000)
    >>> [round(float(part) * 1e3, 3) for part in (time.compute_s, time.overhead_s)]
    [160.0, 1.0]
    """
    new_tok = np.maximum(prompt_tok - cached_tok, 1)
    tokens = batch * new_tok
    coverage = expert_coverage_frac(expert_miss_frac=inputs.expert_miss_frac, n_tok=tokens)
    held = np.maximum(batch / inputs.n_data, 1.0)
    cache = cache_read_bytes_sequence(inputs, context_tok=prompt_tok) / inputs.cache_frac
    position_tok = cached_tok + new_tok / 2
    scores = tokens * position_tok * inputs.n_scores * inputs.score_bytes
    weights = inputs.dense_bytes + inputs.expert_bytes * coverage / inputs.expert_frac
    memory_s = (weights + held * cache + scores) / (
        inputs.bandwidth_bytes_s * inputs.bandwidth_frac
    )
    attention = position_tok * inputs.prefill_attention_flop_tok + _capped_flop(
        inputs, cached_tok, new_tok
    )
    work_s = compute_s(inputs, n_tok=tokens, attention_flop_tok=attention)
    work_s = work_s + expert_pad_s(inputs, coverage_frac=coverage)
    gain = split_speedup(prompt_tok=new_tok, n_split=inputs.n_split, split_gain=inputs.split_gain)
    return StepTime(
        memory_s=memory_s / gain,
        compute_s=exposed_s(memory_s, work_s, inputs.overlap_exponent) / gain,
        communication_s=communication_s(inputs, n_tok=tokens),
        overhead_s=inputs.prefill_overhead_s
        + inputs.n_layers * (inputs.layer_overhead_s + inputs.prefill_layer_s) / gain,
    )


def first_token_s(inputs: StepInputs, *, prompt: StepTime, step_s: Any, n_sequences: Any) -> Any:
    """Time to first token of a server that decodes for others meanwhile.

    TTFT = fixed + layers x launch + prefill + steps x step + share x (n - 1) x prompt work

    Parameters
    ----------
    inputs : coefficients of the deployment; broadcasts
    prompt : time of the prompt by itself
    step_s : [s] of one decode step of all sequences; broadcasts
    n_sequences : sequences at once, >= 1; broadcasts

    Returns
    -------
    [s], broadcast shape of the inputs

    Notes
    -----
    Basis `calibrated`, and the least certain of all: it depends on when requests start. Layers
    are launched one by one where prompts are mixed with decoding.

    Examples
    --------
    >>> one = StepInputs(0, first_token_s=0.01, first_token_steps=1, queue_frac=0.1)
    >>> prompt = StepTime(memory_s=0.0, compute_s=0.1, communication_s=0.0, overhead_s=0.0)
    >>> round(first_token_s(one, prompt=prompt, step_s=0.02, n_sequences=11), 3)
    0.23
    """
    fixed = inputs.first_token_s + inputs.n_layers * inputs.first_token_layer_s
    others = (n_sequences - 1) * prompt.work_s
    waits = inputs.first_token_steps * step_s + inputs.queue_frac * others
    return fixed + prompt.total_s + waits


def split_speedup(*, prompt_tok: Any, n_split: Any, split_gain: Any) -> Any:
    """How much faster a layer split processes a long prompt than one card after the other.

    speed-up = (m n / (m + n - 1))^gain, for m parts of a prompt that follow each other

    Parameters
    ----------
    prompt_tok : [tok] > 0; broadcasts
    n_split : cards of the layer split, >= 1; broadcasts
    split_gain : exponent, 0 (none) to 1 (ideal); broadcasts

    Returns
    -------
    factor >= 1, broadcast shape of the inputs

    References
    ----------
    The time of a pipeline of m parts over n stages; that llama.cpp does so is from knowledge, not
    re-read.

    Examples
    --------
    >>> float(split_speedup(prompt_tok=2048, n_split=4, split_gain=1.0)) == 16 / 7
    True
    """
    parts = np.maximum(prompt_tok / MICROBATCH_TOK, 1.0)
    return (parts * n_split / (parts + n_split - 1.0)) ** split_gain


def _capped_flop(inputs: StepInputs, start_tok: Any, new_tok: Any) -> Any:
    return sum(
        slope * mean_capped_tok(start_tok=start_tok, new_tok=new_tok, limit_tok=limit)
        for slope, limit in zip(inputs.cap_flop_tok, inputs.cap_tok, strict=True)
        if np.any(slope)
    )


def mean_capped_tok(*, start_tok: Any, new_tok: Any, limit_tok: Any) -> Any:
    """Mean of min(position, limit) over the positions start to start + new.

    mean = (integral of min(x, limit) from start to end) / new

    Parameters
    ----------
    start_tok : [tok] >= 0; broadcasts
    new_tok : [tok] > 0; broadcasts
    limit_tok : [tok] >= 0; broadcasts

    Returns
    -------
    [tok], broadcast shape of the inputs

    Examples
    --------
    >>> float(mean_capped_tok(start_tok=0, new_tok=200, limit_tok=100))
    75.0
    """
    end_tok = start_tok + new_tok
    return (_capped_area(end_tok, limit_tok) - _capped_area(start_tok, limit_tok)) / new_tok


def _capped_area(position_tok: Any, limit_tok: Any) -> Any:
    below = np.minimum(position_tok, limit_tok)
    return below * below / 2 + np.maximum(position_tok - limit_tok, 0) * limit_tok
