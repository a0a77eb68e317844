"""Affine quantization per group: what an outlier does to its group."""

from __future__ import annotations

import streamlit as st

from app import compute, explanations_labs, lab_runs, ui
from app.figures.labs_quantization import error_map, map_finding, step_use, steps_finding
from app.formatting import number, percent
from app.lab_reference import reference_button
from app.lab_sentences import bits_line, damage_finding
from calculators.labs import expected
from calculators.labs.affine_study import AffineStudy, affine_study
from calculators.labs.effect import with_effective_bits
from calculators.labs.reference import affine_reference
from calculators.plan import Plan
from calculators.provenance import sources

GROUPS = (32, 64, 128, 256, 512)


def draw(plan: Plan) -> None:
    """Controls, figures, reference and the scenario's line."""
    setting = _controls() | {"seed": plan.scenario.seed}
    study = lab_runs.quick(("affine", *setting.items()), lambda: affine_study(**setting))
    bits, group, damage = setting["weight_bits"], setting["group_size"], study.damage
    _metrics(study)
    left, right = st.columns(2, gap="large")
    with left:
        ui.show_figure(step_use(study), key="lab_steps", alt=steps_finding(study))
    with right:
        ui.show_figure(error_map(study, group), key="lab_map", alt=map_finding(study))
    ui.notes([damage_finding(damage.all_frac, damage.holding_frac, damage.rest_frac) + "."])
    reference_button("affine", affine_reference, expected.AFFINE)
    then = compute.plan(with_effective_bits(plan, study.effective_bits))
    what = f"{bits}-bit weights in groups of {group} ({number(study.effective_bits)} bits each)"
    ui.verdict(bits_line(plan, then, what))
    ui.explanations(lambda: explanations_labs.affine(setting, study, then), sources(then))


def _controls() -> dict[str, int]:
    bits_at, group_at, loud_at, factor_at = st.columns(4, vertical_alignment="bottom")
    bits = bits_at.slider(
        "Bits of a weight", 2, 8, 4, key="lab_affine_bits", persist_state="session"
    )
    group = group_at.select_slider(
        "Weights in a group", GROUPS, 128, key="lab_affine_group", persist_state="session"
    )
    loud = loud_at.toggle("Outliers", True, key="lab_affine_on", persist_state="session")
    factor = factor_at.slider(
        "Outliers, times louder", 2, 50, 20, disabled=not loud, key="lab_affine_factor",
        persist_state="session",
    )  # fmt: skip
    return {
        "weight_bits": bits,
        "group_size": group,
        "outlier_factor": factor if loud else 1,
    }


def _metrics(study: AffineStudy) -> None:
    damage = study.damage
    hit = f"of the weights' size; {percent(float(damage.holds_outlier.mean()))} of all groups"
    ui.metrics(
        [
            (
                "Bits of a weight, scales included",
                number(study.effective_bits),
                "not the bits of the name alone",
            ),
            ("Output error", percent(study.output_error_frac), "how far one layer's output moves"),
            ("Error in groups with an outlier", percent(damage.holding_frac), hit),
            ("Error in the rest", percent(damage.rest_frac), f"all: {percent(damage.all_frac)}"),
        ]
    )
