"""Which facts stand behind the figures, from where, and how old are they?"""

from pathlib import Path

import streamlit as st

from app import compute, explanations_labs, state, ui
from app.catalog_rows import TABLES, catalog_table, entry_rows, matching
from app.csv_text import csv_text
from app.derivations import catalog as catalog_facts
from app.formatting import count
from catalogs.loader import CatalogError, load_catalog

TEMPLATE = Path(__file__).parents[3] / "catalogs" / "overrides.example.yaml"

known = compute.catalog(state.scenario().asof)
ui.page_title("Catalog", __doc__)
ui.metrics(
    [
        ("Cards", count(len(known.accelerators)), "with memory, bandwidth and rates", ""),
        ("Models", count(len(known.models)), "shapes and parameter counts", ""),
        ("Rents", count(len(known.rental_prices)), "prices of a card hour, each with its day", ""),
        ("API prices", count(len(known.api_prices)), "models at providers, as listed", ""),
    ]
)
left, right = st.columns([1, 2])
title = left.selectbox("Table", list(TABLES), key="catalog_table", persist_state="session")
words = right.text_input("Search", key="catalog_words", persist_state="session")
table = matching(catalog_table(known, TABLES[title]), words)
st.dataframe(table, hide_index=True, height=420)
st.download_button(f"{title} as CSV", csv_text(table), f"breakeven-{TABLES[title]}.csv", "text/csv")
fact = None
if TABLES[title] not in ("rental_prices", "api_prices", "ownership") and not table.empty:
    chosen = st.selectbox("One entry in full", table["id"], key=f"catalog_entry_{title}")
    fact = getattr(known, TABLES[title])[chosen]
    ui.table(entry_rows(fact, known.asof), caption=f"{fact.name}: each figure with its sources")
    ui.sources(fact.sources, today=known.asof)
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
data = ui.upload("Overrides (YAML)", ["yaml", "yml"], key="catalog_overrides")
if data is not None:
    try:
        text = data.decode("utf-8-sig")
        load_catalog(compute.overrides_path(), known.asof, override_text=text)
        if st.session_state.get(compute.SESSION_OVERRIDES) != text:
            st.session_state[compute.SESSION_OVERRIDES] = text
            st.rerun()
    except UnicodeDecodeError:
        ui.problems(["The file is not UTF-8 text, which YAML must be."])
    except CatalogError as error:
        ui.problems([error])
elif compute.uploaded_overrides() and st.button("Drop the uploaded figures"):
    del st.session_state[compute.SESSION_OVERRIDES]
    st.rerun()
if known.overridden:
    ui.table([{"Own figure": name} for name in known.overridden], caption="What is overridden")
