"""What a page says where the model does not fit, or meets no objective: why, and where to go on."""

from __future__ import annotations

from app import state, ui

WAYS_OUT = (
    ("What would make it fit (Memory)", "memory"),
    ("Cards and formats that can carry this service (Options)", "options"),
)


def say_why(consequence: str, why: str) -> None:
    """A warning, and links to the pages that help."""
    ui.notes([f"{consequence}: {why}"], kind="warning")
    ui.links(WAYS_OUT, state.query())
