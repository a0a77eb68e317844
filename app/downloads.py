"""The Memo button: the decision memo and the plan's figures as files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from app.memo import memo, memo_csv, memo_json, memo_markdown, memo_pdf, shortened
from calculators.link import Problem
from calculators.plan import Plan
from calculators.report import plan_report

ATTACHED = "_memo_attached"  # paragraphs that pages attach, by page


def attach(page: str, paragraphs: Sequence[str]) -> None:
    """Put a page's result into the memo of this session; none takes it out again."""
    st.session_state.setdefault(ATTACHED, {})[page] = tuple(paragraphs)


def menu(plan: Plan, link: str, problems: Sequence[Problem]) -> None:
    """The Memo popover; a file is made when it is asked for."""

    def content() -> dict[str, Any]:
        paragraphs = [p for ps in st.session_state.get(ATTACHED, {}).values() for p in ps]
        return memo(plan, link, problems=problems, attached=paragraphs)

    with st.popover("Memo", key="memo", on_change="rerun") as popover:
        if not popover.open:
            return
        st.write("One page for a design review, and the figures behind it.")
        made = content()
        files: tuple[tuple[str, str, str, Callable[[], str | bytes]], ...] = (
            ("PDF", "pdf", "application/pdf", lambda: memo_pdf(shortened(made))),
            ("Markdown", "md", "text/markdown", lambda: memo_markdown(made)),
            ("CSV", "csv", "text/csv", lambda: memo_csv(plan_report(plan, problems))),
            ("JSON", "json", "application/json", lambda: memo_json(plan_report(plan, problems))),
        )
        for label, ending, mime, make in files:
            st.download_button(
                label,
                make,
                file_name=f"breakeven-memo.{ending}",
                mime=mime,
                key=f"memo_{ending}",
                on_click="ignore",
                width="stretch",
            )
