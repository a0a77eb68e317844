"""The lab of formats: methods on one made-up layer, and what all labs say of the scenario."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from app.derivations.derivation import DEPLOYMENT, Derivation, cards_text, derived
from app.derivations.derivation import amount as a
from app.derivations.lab_quantization import RUN
from app.derivations.memory import held
from app.formatting import number, percent, usd
from calculators.fit.weights import effective_bits
from calculators.labs.activations import quantized_output_error_frac
from calculators.labs.effect import output_usd_mtok, with_effective_bits
from calculators.labs.format_study import N_SAMPLES, FormatStudy
from calculators.labs.gptq_awq import awq_restored, gptq_restored, outlier_inputs
from calculators.labs.symmetric import loud_matrix
from calculators.plan import Plan

UNKNOWN = float("nan")
N_ROWS = 512


def methods(
    study: FormatStudy, *, weight_bits: int, n_loud: int, loud_factor: float, seed: int
) -> tuple[Derivation, ...]:
    """Errors of every method on the lab's layer, their bits, and rounded activations."""
    weights = loud_matrix(n_rows=N_ROWS, seed=seed).astype(float)
    fresh = outlier_inputs(
        n_samples=N_SAMPLES, n_inputs=N_ROWS, n_loud=n_loud, factor=loud_factor, seed=2 * seed + 2
    )
    size = float(np.sqrt(np.mean(weights**2)))
    length = float(np.linalg.norm(fresh @ weights.T))
    grouped = weight_bits + 16 / 128
    return (
        derived(
            "Chart and table: output error of each method",
            f"{N_SAMPLES:,} made-up inputs pass through the layer before and after: how far the "
            "output moves, over its own length.",
            _lines((m.name, m.output_moved, length, m.output_error_frac) for m in study.methods),
            RUN,
            gptq_restored,
        ),
        derived(
            "Table: weight error of each method",
            "The root of the mean squared error over that of the weights. A method that looks at "
            "inputs accepts more of it where it does little harm.",
            _lines((m.name, m.weight_moved, size, m.weight_error_frac) for m in study.methods),
            RUN,
            awq_restored,
        ),
        derived(
            "Table: bits of a weight",
            "Steps and their part of the 16-bit scale of 128 weights; other formats as their "
            "definition says.",
            f"{weight_bits} bits + 16 bits / 128 = {number(grouped)}",
            "bound",
            effective_bits,
        ),
        derived(
            "Chart: rounded activations",
            "The same measure when the intermediate results are rounded to 8 bits as well.",
            _lines((name, error * length, length, error) for name, error in study.activations),
            RUN,
            quantized_output_error_frac,
        ),
    )


def _lines(parts: Iterable[tuple[str, float, float, float]]) -> str:
    """What moved, over the whole, for each method."""
    return "\n".join(
        f"{name}: {a(moved)} moved / {a(whole)} = {percent(error_frac)}"
        for name, moved, whole, error_frac in parts
    )


def in_your_scenario(then: Plan) -> tuple[Derivation, ...]:
    """The last line of the lab: sequences at once and cost at the lab's bits."""
    return (
        replace(held(then, "Last line: sequences at once")[0], function=with_effective_bits),
        full_load_cost(then, then.performance.output_tok_s, "Last line: cost at full load"),
    )


def full_load_cost(plan: Plan, output_tok_s: float, name: str) -> Derivation:
    """Hardware cost of a million output tokens of a replica that never rests."""
    cost, rate = output_usd_mtok(plan, output_tok_s), plan.card_cost.usd_h
    return derived(
        name,
        "An hour of the cards over the tokens of that hour, the answer's tokens alone.",
        f"{a(rate or 0.0)} USD a card hour x {cards_text(plan.scenario.n_cards)} x 1,000,000 / "
        f"({a(output_tok_s)} tok/s x 3,600) = {usd(cost)}",
        plan.performance.basis,
        output_usd_mtok,
        (*DEPLOYMENT, "Rent"),
        known=UNKNOWN if cost is None else cost,
    )
