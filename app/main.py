"""The page map, the shared sidebar and the navigation."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from app import compute, downloads, sidebar, sign_in, state, ui, upload_limits
from catalogs.loader import CatalogError

VIEWS = Path(__file__).parent / "views"
STYLE = (Path(__file__).parent / "style.css").read_text(encoding="utf-8")
ABOUT = "Breakeven: run a language model on our own hardware, or buy it from an API?"

# The only list of pages: section, then (view file, title, address).
PAGES = {
    "Decide": [
        ("home.py", "Home", ""),
        ("start.py", "Start", "start"),
        ("options.py", "Options", "options"),
        ("compare.py", "Compare", "compare"),
    ],
    "Fit": [("fit/memory.py", "Memory", "memory")],
    "Speed": [
        ("speed/roofline.py", "Roofline", "roofline"),
        ("speed/serving.py", "Serving", "serving"),
        ("speed/speculative.py", "Speculative decoding", "speculative"),
    ],
    "Cost": [
        ("cost/unit_cost.py", "Unit cost", "unit-cost"),
        ("cost/break_even.py", "Break-even", "break-even"),
        ("cost/ownership.py", "Ownership", "ownership"),
        ("cost/traffic.py", "Traffic", "traffic"),
    ],
    "Labs": [
        ("labs/quantization.py", "Quantization", "quantization"),
        ("labs/kv_cache.py", "KV cache", "kv-cache"),
        ("labs/batching.py", "Batching", "batching"),
        ("labs/paging.py", "Paging", "paging"),
    ],
    "Evidence": [
        ("evidence/accuracy.py", "Accuracy", "accuracy"),
        ("evidence/sensitivity.py", "Sensitivity", "sensitivity"),
        ("evidence/second_opinion.py", "Second opinion", "second-opinion"),
        ("evidence/quality.py", "Quality", "quality"),
        ("evidence/catalog.py", "Catalog", "catalog"),
        ("evidence/glossary.py", "Glossary", "glossary"),
    ],
}


def page_map() -> dict[str, list[st.Page]]:
    """The sections of the navigation and their pages."""
    return {
        section: [
            st.Page(VIEWS / view, title=title, url_path=path or None, default=not path)
            for view, title, path in entries
        ]
        for section, entries in PAGES.items()
    }


def main() -> None:
    """One run of any page: link, inputs, what was wrong with them, the page itself."""
    page = st.navigation(page_map(), position="top", expanded=True)
    st.set_page_config(f"{page.title} - Breakeven", layout="wide", menu_items={"About": ABOUT})
    st.html(f"<style>{STYLE}</style>")
    upload_limits.enter(page.url_path)
    sign_in.gate()
    try:
        catalog = compute.catalog(state.asof())
    except CatalogError as error:
        ui.problems([error])
        return
    if state.adopt_link(catalog):
        st.rerun()
    sidebar.draw(catalog)
    state.settle(catalog)
    query = state.pinned_query(catalog)
    with st.container(key="be-actions", horizontal=True, horizontal_alignment="right"):
        ui.share(state.address(), query)
        link = f"{state.address()}?{query}"
        downloads.menu(compute.plan(state.scenario()), link, state.problems())
        sign_in.sign_out()
    ui.problems([*compute.catalog_problems(state.asof()), *state.problems()])
    page.run()


main()
