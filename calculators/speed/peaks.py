"""Peaks of a deployment's cards, which an engine's constants are shares of."""

from __future__ import annotations

from calculators.specs import AcceleratorSpec, Deployment, SpeedConstants
from calculators.speed.collectives import link_bytes_s
from calculators.units import TERA

FLOP_BYTE_UNKNOWN = 100.0  # a card without a known rate computes so much per byte it can read
VECTOR_FLOP_BYTE_UNKNOWN = 35.0


def peaks(deployment: Deployment, speed: SpeedConstants) -> dict[str, float]:
    """Peaks that the constants are shares of, by the names that `StepInputs` has.

    An engine of `compute_peak` half_int8 (llama.cpp, TinyChat) multiplies 16 bits on int8 units
    or accumulates in 16 bits: at half the int8 rate, which GeForce cards do not halve, or at the
    rate of the format where that is higher (Blackwell Ultra hardly has int8 units).

    Parameters
    ----------
    deployment : one replica
    speed : constants of its engine

    Returns
    -------
    dict of float

    Examples
    --------
    See `step_inputs`.
    """
    card, tp = deployment.accelerator, deployment.parallelism.tp
    matmul, attention = card.flop_s(deployment.weights.compute), card.flop_s("16")
    if speed.compute_peak == "half_int8":
        attention = half_int8_flop_s(card)
        matmul = max(matmul or 0.0, attention)
    unknown = FLOP_BYTE_UNKNOWN * card.bandwidth_bytes_s
    return {
        "bandwidth_bytes_s": card.bandwidth_bytes_s,
        "flop_s": (matmul or unknown) * tp,
        "attention_flop_s": (attention or unknown) * tp,
        "vector_flop_s": vector_flop_s(card) * tp,
        "tflops_w": sixteen_tflops_w(card),
        "link_bytes_s": link_bytes_s(card, deployment.parallelism.n_cards),
    }


def vector_flop_s(card: AcceleratorSpec) -> float:
    """What a card computes outside its matrix units [FLOP/s]: the FP32 rate.

    Where no source gives it: 35 FLOP for each byte of bandwidth, the middle of all cards.

    Parameters
    ----------
    card : its FP32 rate and bandwidth

    Returns
    -------
    [FLOP/s]

    References
    ----------
    The FP32 rates and bandwidths of 268 cards in catalogs/accelerators (read 2026-11-30).

    Examples
    --------
    >>> from types import SimpleNamespace as Card
    >>> vector_flop_s(Card(fp32_tflops=19.5, bandwidth_bytes_s=2e12)) / 1e12
    19.5
    >>> vector_flop_s(Card(fp32_tflops=None, bandwidth_bytes_s=1e12)) / 1e12
    35.0
    """
    if card.fp32_tflops:
        return card.fp32_tflops * TERA
    return VECTOR_FLOP_BYTE_UNKNOWN * card.bandwidth_bytes_s


def half_int8_flop_s(card: AcceleratorSpec) -> float:
    """Half the int8 rate, or the 16-bit rate where that is higher; 0 where neither is known.

    rate = max(int8 rate / 2, 16-bit rate)

    Parameters
    ----------
    card : the accelerator

    Returns
    -------
    [FLOP/s]

    Examples
    --------
    >>> from types import SimpleNamespace as Card
    >>> half_int8_flop_s(Card(int8_dense_tops=660, flop_s=lambda fmt: 165e12)) / 1e12
    330.0
    """
    return max((card.int8_dense_tops or 0.0) * TERA / 2, card.flop_s("16") or 0.0)


def sixteen_tflops_w(card: AcceleratorSpec) -> float:
    """Dense 16-bit TFLOP/s per watt of board power; 1 where either is unknown.

    Cards that promise more per watt hold their clock less: matrix multiplications reach 87 % of
    the peak of an A100 (0.8 TFLOP/s per watt) and 51 % of that of an MI300X (1.7). GeForce cards,
    which halve that rate by decree, are not held by power at all.

    Parameters
    ----------
    card : its 16-bit rate (FP32 accumulate) and board power

    Returns
    -------
    [TFLOP/s/W]

    References
    ----------
    stas00/ml-engineering at 744d01e (2026-08-22), compute/accelerator, maximum achievable matmul
    FLOPS.

    Examples
    --------
    >>> from types import SimpleNamespace as Card
    >>> sixteen_tflops_w(Card(fp16_dense_tflops=312, power_w=400))
    0.78
    """
    rate = card.fp16_dense_tflops
    return rate / card.power_w if rate and card.power_w else 1.0
