"""A trained classifier, quantized: the cliff between three and two bits."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from app import compute, explanations_labs, lab_runs, ui
from app.digits import digits_data
from app.figures.labs_quantization import (
    accuracy_over_bits,
    channel_ranges,
    cliff_finding,
    spread_finding,
)
from app.formatting import number, percent
from app.lab_reference import reference_button
from app.lab_sentences import bits_line
from calculators.labs import expected
from calculators.labs.classifier import Classifier, accuracy_frac, train_classifier
from calculators.labs.digits import CliffRow, accuracy_cliff, channel_range_spread
from calculators.labs.effect import with_effective_bits
from calculators.labs.reference import digits_reference
from calculators.labs.symmetric import SCHEMES
from calculators.plan import Plan
from calculators.provenance import sources

ALL_BITS = tuple(range(2, 9))
Trained = tuple[Classifier, Sequence[CliffRow], float, int]  # with accuracy, and test images


def draw(plan: Plan) -> None:
    """Training, figures, reference and the scenario's line."""
    seed = plan.scenario.seed
    key = ("digits", seed)
    trained: Trained | None = None
    bits = st.slider(
        "Bits in your scenario", 2, 8, 3, key="lab_digits_bits", persist_state="session"
    )
    if lab_runs.kept(key) is None and not st.button(
        "Train the classifier", type="primary", help="A few seconds; once for everyone."
    ):
        ui.notes(["64-256-256-10 on 1,257 images of digits, tested on 540. Not trained yet."])
    else:
        trained = _results(key, seed)
    reference_button("digits", lambda on: digits_reference(digits_data(), on), expected.DIGITS)
    then = compute.plan(with_effective_bits(plan, float(bits)))
    ui.verdict(bits_line(plan, then, f"{bits}-bit weights"))
    ui.explanations(lambda: explanations_labs.digits(trained, then), sources(then))


def _results(key: tuple, seed: int) -> Trained:
    data = digits_data()
    model = lab_runs.run(
        key, lambda on: train_classifier(data, seed=seed, progress=on), label="Training ..."
    )
    full = accuracy_frac(model, images=data.test_images, digits=data.test_digits)
    rows = lab_runs.quick(
        ("cliff", seed), lambda: accuracy_cliff(model, data, bits=ALL_BITS, schemes=SCHEMES)
    )
    spread = channel_range_spread(model)
    ui.metrics(
        [
            ("Accuracy in full precision", percent(full, 4), "540 test images"),
            *(
                (f"Spread of layer {i + 1}", number(value), "loudest over median channel")
                for i, value in enumerate(spread)
            ),
        ]
    )
    left, right = st.columns(2, gap="large")
    with left:
        ui.show_figure(
            accuracy_over_bits(rows, full), key="lab_cliff", alt=cliff_finding(rows, full)
        )
    with right:
        ui.show_figure(channel_ranges(model, spread), key="lab_spread", alt=spread_finding(spread))
    return model, rows, full, len(data.test_digits)
