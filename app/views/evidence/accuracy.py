"""How far are the predictions from what others have measured?"""

import streamlit as st

from app import compute, explanations_labs, state, ui
from app.accuracy_names import FAMILY_NAMES, GROUP_NAMES
from app.accuracy_page import accuracy_page
from app.accuracy_upload import uploaded_file, uploaded_run
from app.accuracy_words import LEFT_OUT, LEFT_OUT_NOTE
from app.score_text import assumed_lines, uncounted_lines
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
    data = uploaded_file()

own = uploaded_run(data, catalog)
if own is None:
    page = compute.accuracy_pictures(scenario.asof, left_out=left_out, family=chosen, by=by)
else:
    ui.notes([f"Assumed: {line}" for line in assumed_lines(own)])
    ui.notes([f"Not scored, {line}" for line in uncounted_lines(own)], kind="warning")
    page = accuracy_page(own, family=chosen, by=by, which="your rows")
if page is None:
    ui.notes(["No row of this kind counts."])
    st.stop()

rows = page.rows
ui.metrics(page.metrics)
ui.show_figure(page.predicted, key="accuracy_predicted", alt=page.predicted_finding, height=520)
ui.show_figure(page.errors, key="accuracy_errors", alt=page.error_finding, height=page.error_height)
ui.table(
    page.families,
    caption="By figure; rows of grades C and D are not counted. 100 % off can mean twice the value",
)
ui.table(page.worst, caption="The rows that are furthest off, and why")
if own is None:
    ui.notes([LEFT_OUT_NOTE])
published = measurement_sources().values()
ui.explanations(
    lambda: explanations_labs.accuracy(rows, by), cited("Measurement", published, catalog.asof)
)
ui.sources(published, today=catalog.asof)
