"""The addresses of all pages, read from the page map in app/main.py without running it."""

from __future__ import annotations

import ast
from pathlib import Path

MAIN = Path(__file__).resolve().parents[2] / "app" / "main.py"


def page_map() -> dict[str, list[tuple[str, str, str]]]:
    """The PAGES literal: section to (view file, title, address)."""
    for node in ast.parse(MAIN.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "PAGES":
            return ast.literal_eval(node.value)
    raise LookupError("app/main.py holds no PAGES")


def addresses() -> list[str]:
    """The address of each page; Home, whose address is empty, as `home`."""
    return [path or "home" for section in page_map().values() for _, _, path in section]
