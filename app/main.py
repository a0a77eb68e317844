"""The page map, the shared sidebar and the navigation."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from app import compute, sidebar, state, ui

VIEWS = Path(__file__).parent / "views"
STYLE = (Path(__file__).parent / "style.css").read_text(encoding="utf-8")

# The only list of pages: section, then (view file, title, address).
PAGES = {
    "Decide": [("home.py", "Home", "")],
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
    st.set_page_config(page_title="Breakeven", layout="wide")
    st.html(f"<style>{STYLE}</style>")
    page = st.navigation(page_map(), position="top")
    catalog = compute.catalog(state.asof())
    if state.adopt_link(catalog):
        st.rerun()
    sidebar.draw(catalog)
    state.settle()
    ui.share(state.address(), state.pinned_query(catalog))
    ui.problems(state.problems())
    page.run()


main()
