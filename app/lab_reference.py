"""The button that reproduces a reference table, with what the reference prints beside it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from app import lab_runs, ui
from app.lab_runs import Progress
from calculators.labs.comparison import Compared, compared


def reference_button(name: str, work: Callable[[Progress], Any], expected: dict[str, Any]) -> None:
    """A button; once pressed, the reproduced table beside the reference's figures."""
    key = ("reference", name)
    pressed = st.button("Reproduce the reference table", key=f"lab_reference_{name}")
    if pressed:
        lab_runs.run(key, work, label="Reproducing the reference table ...")
        st.session_state[f"_shown_{name}"] = True
    table = lab_runs.kept(key) if st.session_state.get(f"_shown_{name}") else None
    if table is not None:
        show_compared(compared(table, expected))


def show_compared(rows: tuple[Compared, ...]) -> None:
    """Every figure of a reference table beside the reproduced one."""
    agreeing = sum(row.agrees for row in rows)
    ui.table(
        [
            {
                "Figure": row.figure[:1].upper() + row.figure[1:],
                "Here": row.here,
                "Reference": row.reference,
                "Agrees": "yes" if row.agrees else "no",
            }
            for row in rows
        ],
        caption=f"Reference: {agreeing} of {len(rows)} figures agree",
        marked=[index for index, row in enumerate(rows) if not row.agrees],
    )
