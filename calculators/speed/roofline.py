"""The reference arithmetic (basis `bound`): weights only, at peak or a fixed share of it.

It is the ceiling that no engine passes, and is shown as that: cache reads, attention, links and
overheads are left out, so real steps are slower.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from calculators.units import BITS_PER_BYTE


def decode_intensity_flop_byte(*, batch: Any, weight_bits: Any) -> Any:
    """Arithmetic per byte of weights that one decode step does; the parameter count cancels.

    intensity = 2 B / w, with w bytes per weight. A prefill of S tokens is the same with B = S.

    Parameters
    ----------
    batch : sequences (or prompt tokens) that share one read of the weights, > 0; broadcasts
    weight_bits : [bit] per weight, > 0; broadcasts

    Returns
    -------
    [FLOP/byte], broadcast shape of the inputs

    Notes
    -----
    Basis `bound`. Cache reads are left out, so the true intensity is lower.

    Examples
    --------
    >>> decode_intensity_flop_byte(batch=1, weight_bits=16)
    1.0
    """
    return 2 * batch * BITS_PER_BYTE / weight_bits


def ridge_flop_byte(*, peak_flop_s: Any, bandwidth_bytes_s: Any) -> Any:
    """Arithmetic per byte above which a card is limited by compute instead of memory.

    ridge = peak FLOP/s / peak byte/s

    Parameters
    ----------
    peak_flop_s : [FLOP/s] dense, > 0; broadcasts
    bandwidth_bytes_s : [byte/s] > 0; broadcasts

    Returns
    -------
    [FLOP/byte], broadcast shape of the inputs

    Notes
    -----
    Basis `bound`: peaks of the data sheet.

    Examples
    --------
    >>> round(ridge_flop_byte(peak_flop_s=989e12, bandwidth_bytes_s=3.35e12))
    295
    """
    return peak_flop_s / bandwidth_bytes_s


def break_even_batch(*, peak_flop_s: Any, bandwidth_bytes_s: Any, weight_bits: Any) -> Any:
    """Batch at which reading the weights takes as long as computing with them.

    batch = ridge x w / 2, with w bytes per weight

    Parameters
    ----------
    peak_flop_s : [FLOP/s] dense, > 0; broadcasts
    bandwidth_bytes_s : [byte/s] > 0; broadcasts
    weight_bits : [bit] per weight, > 0; broadcasts

    Returns
    -------
    sequences, not rounded, broadcast shape of the inputs

    Notes
    -----
    Basis `bound`. Cache reads are left out; with them the step stays memory-bound for longer.

    Examples
    --------
    >>> round(break_even_batch(peak_flop_s=989e12, bandwidth_bytes_s=3.35e12, weight_bits=4))
    74
    """
    ridge = ridge_flop_byte(peak_flop_s=peak_flop_s, bandwidth_bytes_s=bandwidth_bytes_s)
    return ridge * weight_bits / BITS_PER_BYTE / 2


def attainable_flop_s(*, intensity_flop_byte: Any, peak_flop_s: Any, bandwidth_bytes_s: Any) -> Any:
    """Rate that the roofline allows at an arithmetic intensity.

    rate = min(peak FLOP/s, intensity x byte/s)

    Parameters
    ----------
    intensity_flop_byte : [FLOP/byte] > 0; broadcasts
    peak_flop_s : [FLOP/s] dense, > 0; broadcasts
    bandwidth_bytes_s : [byte/s] > 0; broadcasts

    Returns
    -------
    [FLOP/s], broadcast shape of the inputs

    Notes
    -----
    Basis `bound`: the roof is drawn at peak.

    References
    ----------
    Williams, Waterman, Patterson: Roofline, CACM 52(4), 2009.

    Examples
    --------
    >>> float(attainable_flop_s(intensity_flop_byte=1, peak_flop_s=1e15, bandwidth_bytes_s=3e12))
    3000000000000.0
    """
    return np.minimum(peak_flop_s, intensity_flop_byte * bandwidth_bytes_s)


def weight_read_bytes(*, n_params: Any, weight_bits: Any) -> Any:
    """Bytes of all weights at nominal bits.

    bytes = P x bits / 8

    Parameters
    ----------
    n_params : parameters, > 0; broadcasts
    weight_bits : [bit] per weight, > 0; broadcasts

    Returns
    -------
    [byte], broadcast shape of the inputs

    Notes
    -----
    Basis `bound`: scales and layers kept in 16 bits are left out, so real weights are larger.

    Examples
    --------
    >>> weight_read_bytes(n_params=70e9, weight_bits=4)
    35000000000.0
    """
    return n_params * weight_bits / BITS_PER_BYTE


def single_stream_floor_s(*, n_params: Any, weight_bits: Any, bandwidth_bytes_s: Any) -> Any:
    """Least time of one token of one sequence: one read of all weights at peak bandwidth.

    time = P x bits / 8 / (byte/s)

    Parameters
    ----------
    n_params : parameters that are read, > 0; broadcasts
    weight_bits : [bit] per weight, > 0; broadcasts
    bandwidth_bytes_s : [byte/s] > 0; broadcasts

    Returns
    -------
    [s], broadcast shape of the inputs

    Notes
    -----
    Basis `bound`: no engine is faster, short of speculation.

    Examples
    --------
    >>> single_stream_floor_s(n_params=8e9, weight_bits=16, bandwidth_bytes_s=2e12)
    0.008
    """
    return weight_read_bytes(n_params=n_params, weight_bits=weight_bits) / bandwidth_bytes_s


def bound_step_s(
    *,
    batch: Any,
    weight_bytes: Any,
    active_params: Any,
    peak_flop_s: Any,
    bandwidth_bytes_s: Any,
    efficiency_frac: Any = 0.7,
) -> Any:
    """Least time of a decode step that gives each of B sequences one token.

    step = max(weight bytes / (byte/s x eff), 2 P B / (FLOP/s x eff))

    Parameters
    ----------
    batch : sequences, > 0; broadcasts
    weight_bytes : [byte] weights read per step; broadcasts
    active_params : parameters that one token multiplies; broadcasts
    peak_flop_s : [FLOP/s] dense, over all cards, > 0; broadcasts
    bandwidth_bytes_s : [byte/s] over all cards, > 0; broadcasts
    efficiency_frac : share of both peaks, 0 to 1; broadcasts

    Returns
    -------
    [s], broadcast shape of the inputs

    Notes
    -----
    Basis `bound`: cache reads, attention, links, prefill and overheads are left out, so real
    steps are slower, under long contexts more than twice.

    Examples
    --------
    >>> step = bound_step_s(batch=1, weight_bytes=35e9, active_params=70e9,
    ...                     peak_flop_s=989e12, bandwidth_bytes_s=3.35e12)
    >>> round(float(step) * 1e3, 2)
    14.93
    """
    memory_s = weight_bytes / (bandwidth_bytes_s * efficiency_frac)
    compute_s = 2.0 * active_params * batch / (peak_flop_s * efficiency_frac)
    return np.maximum(memory_s, compute_s)
