"""Which facts stand behind the figures, from where, and how old are they?"""

from pathlib import Path

import streamlit as st

from app import catalog_rows as rows
from app import compute, explanations_labs, state, ui
from app.csv_text import csv_text
from app.derivations import catalog as catalog_facts
from catalogs.loader import CatalogError
from catalogs.yaml_reader import yaml_text

TEMPLATE = Path(__file__).parents[3] / "catalogs" / "overrides.example.yaml"

scenario = state.scenario()
known = compute.catalog(scenario.asof)
ui.page_title("Catalog", __doc__)
ui.metrics(rows.counts(known))
left, right = st.columns([1, 2])
title = left.selectbox("Table", list(rows.TABLES), key="catalog_table", persist_state="session")
name = rows.TABLES[title]
words = right.text_input("Search", key="catalog_words", persist_state="session")
table = rows.matching(rows.catalog_table(known, name), words)
headings = {column: rows.heading(column) for column in table}
st.dataframe(table, hide_index=True, height=420, column_config=headings)
st.download_button(
    f"{title} as CSV", lambda: csv_text(table), f"breakeven-{name}.csv", "text/csv",
    on_click="ignore",
)  # fmt: skip
fact = None
if name not in rows.WITHOUT_ENTRIES and not table.empty:
    chosen = st.selectbox(
        "One entry in full",
        table["id"],
        index=rows.position(table, rows.in_use(scenario).get(title)),
        format_func=lambda id_: getattr(known, name)[id_].name,
        key=f"catalog_entry_{title}",
    )
    fact = getattr(known, name)[chosen]
    ui.table(
        rows.entry_rows(fact),
        caption=f"{fact.name}: each figure with its sources, listed below",
    )
    ui.sources(fact.sources, today=known.asof, expanded=True)
    ui.notes(
        [*(f"Sources disagree: {text}" for text in fact.disagreements), *filter(None, [fact.note])]
    )
ui.explanations(
    lambda: explanations_labs.catalog(known, title, fact), catalog_facts.lines(fact, known)
)

ui.section("Your own figures")
ui.notes(
    [
        "A file of your own cards, models, prices and defaults counts for this session alone; "
        "BREAKEVEN_OVERRIDES names one for everybody. Its figures are marked wherever used."
    ]
)
st.download_button("Template with comments", TEMPLATE.read_text(encoding="utf-8"), TEMPLATE.name)
data = ui.upload("Overrides (YAML)", ["yaml", "yml"], key="catalog_overrides", max_mb=2)
if data is not None:
    try:
        name = st.session_state["catalog_overrides"].name
        text = yaml_text(data, name)
        compute.check_overrides(text, name, known.asof)
        if st.session_state.get(compute.SESSION_OVERRIDES) != text:
            st.session_state[compute.SESSION_OVERRIDES] = text
            st.rerun()
    except CatalogError as error:
        ui.problems([error])
elif compute.uploaded_overrides() and st.button("Drop the uploaded figures"):
    del st.session_state[compute.SESSION_OVERRIDES]
    st.rerun()
if known.own_figures:
    ui.table(rows.own_rows(known), caption="Own figures that count now, and where they come from")
