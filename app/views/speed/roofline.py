"""Does memory or arithmetic limit the speed, and from which batch on does that change?"""

import streamlit as st

from app import compute, explanations, state, ui
from app.figures.roofline import break_even_rows, ridge_of, roofline, roofline_finding
from app.formatting import count, number, quantity
from calculators.provenance import sources
from calculators.speed.roofline import break_even_batch
from calculators.units import TERA

USUAL = ["a100-80gb-sxm", "l40s", "b200"]

plan = compute.plan(state.scenario())
card, performance = plan.deployment.accelerator, plan.performance
peak_flop_s = (card.fp16_dense_tflops or 0.0) * TERA
turn = break_even_batch(
    peak_flop_s=peak_flop_s,
    bandwidth_bytes_s=card.bandwidth_bytes_s,
    weight_bits=plan.deployment.weights.nominal_bits,
)

ui.page_title("Roofline", __doc__)
ui.metrics(
    [
        ("Ridge of this card", quantity(ridge_of(card), "FLOP/byte"), card.name, "bound"),
        ("Break-even batch", number(float(turn)), "weights read once, no cache", "bound"),
        (
            "Batch that memory holds",
            count(performance.max_batch),
            performance.limit_text,
            performance.basis,
        ),
        (
            "Step at the scenario's batch",
            quantity(plan.calibrated.step_s * 1e3, "ms"),
            f"the reference arithmetic says {quantity(plan.bound.step_s * 1e3, 'ms')}",
            "calibrated",
        ),
    ]
)
ui.notes(plan.warnings, kind="warning")
known = {
    id_: spec.name for id_, spec in plan.catalog.accelerators.items() if spec.fp16_dense_tflops
}
chosen = st.multiselect(
    "Other cards to draw",
    sorted(known),
    default=[id_ for id_ in USUAL if id_ in known],
    format_func=known.__getitem__,
    max_selections=5,
    key="roofline_cards",
    persist_state="session",
)
others = [plan.catalog.accelerators[id_] for id_ in chosen]
ui.show_figure(roofline(plan, others), key="roofline", alt=roofline_finding(plan), height=520)
ui.table(
    break_even_rows([card, *(other for other in others if other.id != card.id)]),
    caption="Ridge and break-even batch: a ceiling, weights only, at peak rates",
)
ui.explanations(lambda: explanations.roofline(plan), sources(plan))
ui.facts(sources(plan), overridden=plan.catalog.overridden)
