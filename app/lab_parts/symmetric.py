"""Symmetric quantization: whom a shared scale serves."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from app import compute, explanations_labs, lab_runs, ui
from app.figures.labs_quantization import bits_finding, errors_over_bits, row_errors, rows_finding
from app.formatting import count, number, percent
from app.lab_reference import reference_button
from app.lab_sentences import bits_line
from calculators.fit.weights import effective_bits
from calculators.labs import expected
from calculators.labs.effect import with_effective_bits
from calculators.labs.reference import symmetric_reference
from calculators.labs.symmetric import loud_matrix
from calculators.labs.symmetric_study import SchemeResult, scheme_results
from calculators.plan import Plan
from calculators.provenance import sources

ALL_BITS = tuple(range(2, 9))


def draw(plan: Plan) -> None:
    """Controls, figures, reference and the scenario's line."""
    seed = plan.scenario.seed
    bits_at, group_at, loud_at = st.columns(3)
    bits = bits_at.slider("Bits of a weight", 2, 8, 4, key="lab_sym_bits", persist_state="session")
    group = group_at.select_slider(
        "Weights in a group", (32, 64, 128, 256), 128, key="lab_sym_group", persist_state="session"
    )
    loud = loud_at.slider(
        "Loudness of two rows", 0.0, 1.2, 1.0, help="0 is none, 1 is 25 and 12 times.",
        key="lab_sym_loud", persist_state="session",
    )  # fmt: skip

    def study() -> dict:
        weights = loud_matrix(seed=seed, loudness_frac=loud)
        return {
            b: scheme_results(weights=weights, weight_bits=b, group_size=group) for b in ALL_BITS
        }

    by_bits = lab_runs.quick(("symmetric", group, loud, seed), study)
    results = by_bits[bits]
    _table(results, bits)
    left, right = st.columns(2, gap="large")
    with left:
        ui.show_figure(row_errors(results), key="lab_rows", alt=rows_finding(results))
    with right:
        ui.show_figure(errors_over_bits(by_bits), key="lab_bits", alt=bits_finding(by_bits))
    reference_button("symmetric", lambda _: symmetric_reference(), expected.SYMMETRIC)
    real_bits = float(effective_bits(bits=bits, group_size=group, scale_bits=16))
    then = compute.plan(with_effective_bits(plan, real_bits))
    what = f"{bits}-bit weights with a scale per {group} ({number(real_bits)} bits each)"
    ui.verdict(bits_line(plan, then, what))
    weights = loud_matrix(seed=seed, loudness_frac=loud)
    ui.explanations(
        lambda: explanations_labs.symmetric(weights, by_bits, bits, group, then), sources(then)
    )


def _table(results: Sequence[SchemeResult], bits: int) -> None:
    ui.table(
        [
            {
                "One scale": result.scheme,
                "Relative RMS error": percent(result.relative_rms_frac, 3),
                "Largest error": number(result.max_error),
                "Bytes stored": count(result.stored_bytes),
                "Times smaller than 16 bits": number(result.times_smaller),
            }
            for result in results
        ],
        caption=f"512 x 512 weights at {bits} bits",
    )
