"""The roofline: what cards can do at each arithmetic intensity, and where the work lies."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np

from app.figures.sketch import Sketch
from app.figures.theme import DASHES, SELF_HOSTING, SERIES, SYMBOLS, base_figure
from app.formatting import number
from calculators.plan import Plan
from calculators.specs import AcceleratorSpec
from calculators.speed.roofline import (
    attainable_flop_s,
    break_even_batch,
    decode_intensity_flop_byte,
    ridge_flop_byte,
)
from calculators.units import TERA

_LOW, _HIGH = 0.25, 30_000.0
_HOVER = "%{x:.3g} FLOP per byte<br>%{y:.3g} TFLOP/s"


def roofline_finding(plan: Plan) -> str:
    """Whether decoding is bound by memory or by compute at the scenario's batch, in words."""
    card, batch = plan.deployment.accelerator, max(plan.performance.batch, 1)
    if not card.fp16_dense_tflops:
        return f"No 16-bit rate of {card.name} is known: only its bandwidth is drawn"
    here = decode_intensity_flop_byte(batch=batch, weight_bits=plan.deployment.weights.nominal_bits)
    ridge = ridge_of(card)
    used = float(here / ridge)
    if used < 1:
        return (
            f"At batch {batch} decoding uses {number(used * 100)} % of the arithmetic of "
            f"{card.name}: memory is the limit, a fuller batch is free"
        )
    return f"At batch {batch} decoding is limited by the arithmetic of {card.name}"


def ridge_of(card: AcceleratorSpec) -> float:
    """FLOP per byte at which a card's arithmetic and bandwidth are in balance."""
    peak = (card.fp16_dense_tflops or 0.0) * TERA
    return float(ridge_flop_byte(peak_flop_s=peak, bandwidth_bytes_s=card.bandwidth_bytes_s))


def roofline(plan: Plan, others: Sequence[AcceleratorSpec] = ()) -> Sketch:
    """Roofs of the scenario's card and others; decode at the batch and prefill on the own roof."""
    own = plan.deployment.accelerator
    figure = base_figure(
        roofline_finding(plan),
        "Arithmetic intensity [FLOP per byte of weights]",
        "Attainable [TFLOP/s in 16 bits, peak]",
    )
    x = np.geomspace(_LOW, _HIGH, 160)
    for i, card in enumerate([own, *(c for c in others if c.id != own.id)]):
        peak = (card.fp16_dense_tflops or np.nan) * TERA
        roof = attainable_flop_s(
            intensity_flop_byte=x, peak_flop_s=peak, bandwidth_bytes_s=card.bandwidth_bytes_s
        )
        figure.add_scatter(
            x=x,
            y=roof / TERA,
            name=escape(card.name),
            line={
                "color": SELF_HOSTING if i == 0 else SERIES[i % len(SERIES)],
                "dash": DASHES[i % len(DASHES)],
                "width": 3 if i == 0 else 2,
            },
            hovertemplate=f"{_HOVER}<extra>{escape(card.name)}</extra>",
        )
    if own.fp16_dense_tflops:
        _points(figure, plan)
    figure.update_xaxes(type="log", dtick=1)
    figure.update_yaxes(type="log", dtick=1)
    return figure


def _points(figure: Sketch, plan: Plan) -> None:
    """Where decode and prefill lie on the own card's roof."""
    card, bits = plan.deployment.accelerator, plan.deployment.weights.nominal_bits
    peak = (card.fp16_dense_tflops or 0.0) * TERA
    batch = max(plan.performance.batch, 1)
    turn = int(
        np.ceil(
            break_even_batch(
                peak_flop_s=peak, bandwidth_bytes_s=card.bandwidth_bytes_s, weight_bits=bits
            )
        )
    )
    work = {
        "decode, one user": 1,
        f"decode, batch {batch}": batch,
        f"break-even batch {turn}": turn,
        f"prefill, {plan.scenario.input_tok:,} tokens": plan.scenario.input_tok,
    }
    for i, (name, n_tok) in enumerate(work.items()):
        at = float(decode_intensity_flop_byte(batch=n_tok, weight_bits=bits))
        y = attainable_flop_s(
            intensity_flop_byte=at, peak_flop_s=peak, bandwidth_bytes_s=card.bandwidth_bytes_s
        )
        figure.add_scatter(
            x=[at],
            y=[float(y) / TERA],
            mode="markers",
            name=name,
            marker={"size": 12, "symbol": SYMBOLS[i], "color": SELF_HOSTING},
            hovertemplate=f"{name}<br>{_HOVER}<extra></extra>",
        )


def break_even_rows(cards: Sequence[AcceleratorSpec]) -> list[dict[str, str]]:
    """Ridge and break-even batch of cards at 16, 8 and 4 bits, as table rows."""
    rows = []
    for card in cards:
        peak = (card.fp16_dense_tflops or np.nan) * TERA
        batches = {
            f"Break-even batch at {bits} bits": number(
                float(
                    break_even_batch(
                        peak_flop_s=peak,
                        bandwidth_bytes_s=card.bandwidth_bytes_s,
                        weight_bits=bits,
                    )
                )
            )
            for bits in (16, 8, 4)
        }
        rows.append(
            {
                "Card": card.name,
                "16-bit dense [TFLOP/s]": number(card.fp16_dense_tflops),
                "Bandwidth [GB/s]": number(card.bandwidth_gb_s),
                "Ridge [FLOP/byte]": number(ridge_of(card)),
                **batches,
            }
        )
    return rows
