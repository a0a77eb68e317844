"""How far are the predictions from what others have measured?"""

import streamlit as st

from app import compute, explanations_labs, state, ui
from app.accuracy_upload import uploaded_run
from app.accuracy_words import (
    FAMILY_NAMES,
    GROUP_NAMES,
    LEFT_OUT,
    LEFT_OUT_NOTE,
    accuracy_metrics,
    family_rows,
    skipped_lines,
    worst_rows,
)
from app.figures import accuracy as figures
from calculators.evidence.accuracy import scored_only, summarise
from calculators.provenance import cited
from catalogs.measurements_loader import measurement_sources

scenario = state.scenario()
catalog = compute.catalog(scenario.asof)
ui.page_title("Accuracy", __doc__)
first, second, third, fourth = st.columns(4)
with first:
    chosen = st.selectbox("Figure", list(FAMILY_NAMES), format_func=FAMILY_NAMES.__getitem__)
with second:
    by = st.selectbox(
        "Colour and compare by", list(GROUP_NAMES), format_func=GROUP_NAMES.__getitem__
    )
with third:
    left_out = st.selectbox("Left out of the fit", list(LEFT_OUT), format_func=LEFT_OUT.__getitem__)
with fourth:
    own = uploaded_run(catalog)

everything = compute.accuracy(scenario.asof, left_out=left_out) if own is None else own
rows = scored_only(everything)
rows = rows[(rows["family"] == chosen) | (chosen == "all")]
if own is not None:
    ui.notes(skipped_lines(own), kind="warning")
if rows.empty:
    ui.notes(["No row of this kind has both a prediction and a published value."])
    st.stop()

ui.metrics(accuracy_metrics(rows, LEFT_OUT[left_out] if own is None else "your rows"))
finding = figures.predicted_finding(rows)
ui.show_figure(
    figures.predicted_figure(rows, by), key="accuracy_predicted", alt=finding, height=520
)
summary = summarise(rows, by)
finding = figures.error_finding(summary)
ui.show_figure(figures.error_figure(summary), key="accuracy_errors", alt=finding, height=460)
ui.table(family_rows(rows), caption="By figure; rows of grades C and D are never counted")
ui.table(worst_rows(rows), caption="The rows that are furthest off, and why")
if own is None:
    ui.notes([LEFT_OUT_NOTE])
published = measurement_sources().values()
ui.explanations(
    lambda: explanations_labs.accuracy(rows, by), cited("Measurement", published, catalog.asof)
)
ui.sources(published, today=catalog.asof)
