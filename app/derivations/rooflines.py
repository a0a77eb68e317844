"""Memory against arithmetic on one card."""

from __future__ import annotations

from app.derivations.derivation import CARD, MODEL, WEIGHT_FORMAT, Derivation, derived
from app.derivations.derivation import amount as a
from app.formatting import number, quantity
from calculators.plan import Plan
from calculators.speed.roofline import (
    attainable_flop_s,
    break_even_batch,
    decode_intensity_flop_byte,
    ridge_flop_byte,
)
from calculators.units import TERA

UNKNOWN = float("nan")
_FACTS = (CARD, WEIGHT_FORMAT, MODEL)


def ridge(plan: Plan) -> Derivation:
    """Operations for each byte at which arithmetic and memory take equally long."""
    card = plan.deployment.accelerator
    peak, bandwidth = (card.fp16_dense_tflops or 0.0) * TERA, card.bandwidth_bytes_s
    at = ridge_flop_byte(peak_flop_s=peak, bandwidth_bytes_s=bandwidth)
    return derived(
        "Ridge of this card, and the table's column",
        "What the card computes in a second over what it reads in a second, both by data sheet. "
        "Work with fewer operations a byte waits for memory.",
        f"{a((card.fp16_dense_tflops or 0) * 1000)} GFLOP / {a(card.bandwidth_gb_s)} GB = "
        f"{quantity(at, 'FLOP/byte')}",
        "bound",
        ridge_flop_byte,
        (CARD,),
        known=at if at else UNKNOWN,
    )


def turning_batch(plan: Plan) -> Derivation:
    """The batch at which reading the weights takes as long as computing with them."""
    card, bits = plan.deployment.accelerator, plan.deployment.weights.nominal_bits
    peak, bandwidth = (card.fp16_dense_tflops or 0.0) * TERA, card.bandwidth_bytes_s
    turn = break_even_batch(peak_flop_s=peak, bandwidth_bytes_s=bandwidth, weight_bits=bits)
    return derived(
        "Break-even batch, and the table's columns",
        "Each weight is read once for all sequences and used in two operations for each of them; "
        "from this batch on arithmetic is the limit. The cache is left out.",
        f"{a(peak / bandwidth)} FLOP a byte x {a(bits)} bits / 8 / 2 = {number(turn)}",
        "bound",
        break_even_batch,
        _FACTS,
        known=turn if turn else UNKNOWN,
    )


def point(plan: Plan) -> Derivation:
    """Where decoding lies on the card's roof."""
    card, bits = plan.deployment.accelerator, plan.deployment.weights.nominal_bits
    peak, batch = (card.fp16_dense_tflops or 0.0) * TERA, max(plan.performance.batch, 1)
    at = decode_intensity_flop_byte(batch=batch, weight_bits=bits)
    roof = attainable_flop_s(
        intensity_flop_byte=at, peak_flop_s=peak, bandwidth_bytes_s=card.bandwidth_bytes_s
    )
    return derived(
        f"Chart: decoding at batch {batch}",
        "Two operations for each weight and sequence over the bytes of a weight; the roof is the "
        "smaller of the peak rate and what memory can feed.",
        f"2 x {batch} x 8 / {a(bits)} bits = {quantity(float(at), 'FLOP a byte')}\n"
        f"min({a(card.fp16_dense_tflops or 0)} TFLOP ; {a(at)} FLOP a byte x "
        f"{a(card.bandwidth_gb_s)} GB / 1,000) = {quantity(float(roof) / TERA, 'TFLOP a second')}",
        "bound",
        attainable_flop_s,
        _FACTS,
        known=float(roof) if peak else UNKNOWN,
    )
