"""Formats and methods of the field: on the lab's matrix, and what is published about them."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from app import compute, explanations_labs, lab_runs, ui
from app.figures.labs_quantization import (
    activations_figure,
    activations_finding,
    methods_figure,
    methods_finding,
)
from app.formatting import number, percent
from app.lab_sentences import bits_line
from calculators.labs.format_study import FormatStudy, format_study
from calculators.labs.gguf import decode_gguf_name
from calculators.labs.quantization import LabError
from calculators.plan import Plan
from calculators.provenance import sources


def draw(plan: Plan) -> None:
    """Controls, figures, the catalog's formats and the scenario's line."""
    seed = plan.scenario.seed
    bits_at, loud_at, factor_at = st.columns(3)
    bits = bits_at.slider("Bits of a weight", 2, 8, 4, key="lab_fmt_bits", persist_state="session")
    loud = loud_at.slider("Loud channels", 0, 32, 8, key="lab_fmt_loud", persist_state="session")
    factor = factor_at.slider(
        "Times louder", 1, 100, 30, key="lab_fmt_factor", persist_state="session"
    )
    setting = {"weight_bits": bits, "n_loud": loud, "loud_factor": factor, "seed": seed}
    study = lab_runs.run(
        ("formats", bits, loud, factor, seed),
        lambda on: format_study(**setting, progress=on),
        label="Rounding with every method ...",
    )
    left, right = st.columns([3, 2], gap="large")
    with left:
        ui.show_figure(methods_figure(study), key="lab_methods", alt=methods_finding(study))
    with right:
        ui.show_figure(
            activations_figure(study), key="lab_activations", alt=activations_finding(study)
        )
    _methods(study)
    _gguf()
    formats = plan.catalog.weight_formats
    chosen = st.selectbox(
        "Format in your scenario", list(formats), format_func=lambda key: formats[key].name,
        index=list(formats).index(plan.scenario.weight_format), key="lab_fmt_id",
        persist_state="session",
    )  # fmt: skip
    then = compute.plan(replace(plan.scenario, weight_format=chosen, bits=None))
    ui.verdict(bits_line(plan, then, formats[chosen].name))
    _published(plan)
    ui.explanations(lambda: explanations_labs.formats(study, setting, then), sources(then))


def _methods(study: FormatStudy) -> None:
    with st.expander("What each method does"):
        ui.table(
            [
                {
                    "Method": method.name,
                    "What it does": method.how,
                    "Bits of a weight": number(method.bits),
                    "Weight error": percent(method.weight_error_frac),
                    "Output error": percent(method.output_error_frac),
                }
                for method in study.methods
            ],
            caption="Bits with scales; a larger weight error can mean a smaller output error",
        )


def _gguf() -> None:
    name = st.text_input("A GGUF name, decoded", "Q4_K_M", key="lab_gguf", persist_state="session")
    try:
        ui.notes([decode_gguf_name(name).sentence])
    except LabError as error:
        ui.problems([error])


def _published(plan: Plan) -> None:
    with st.expander("Real bits and published loss of every format"):
        ui.table(
            [
                {
                    "Format": fmt.name,
                    "Nominal bits": number(fmt.nominal_bits),
                    "Real bits": number(fmt.whole_file_bits or fmt.bits),
                    "Perplexity added": number(fmt.ppl_delta) if fmt.ppl_delta is not None else "",
                    "Published": fmt.loss_note or "",
                }
                for fmt in plan.catalog.weight_formats.values()
            ],
            caption="Real bits count scales; for GGUF they are the average of a whole file",
        )
