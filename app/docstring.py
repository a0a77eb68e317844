"""Numpydoc docstrings of calculators, cut into sections for the reader."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

_UNDERLINE = re.compile(r"-{3,}")
_ENTRY = re.compile(r"^(?P<names>[\w*, ]+?)\s*(:\s*(?P<kind>.*))?$")


@dataclass(frozen=True, slots=True)
class Entry:
    """One parameter or return value: names, type with unit, description."""

    names: tuple[str, ...]
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Explanation:
    """The parts of a docstring that a page prints."""

    summary: str
    formula: str
    parameters: tuple[Entry, ...]
    returns: tuple[Entry, ...]
    notes: str
    references: str


@cache
def explanation(function: Callable[..., Any]) -> Explanation:
    """The docstring of a function by section; doctests and Raises are left out."""
    sections = _sections(inspect.getdoc(function) or function.__name__)
    summary, _, formula = sections[""].partition("\n\n")
    return Explanation(
        summary=" ".join(summary.split()),
        formula=formula.strip(),
        parameters=_entries(sections.get("Parameters", "")),
        returns=_entries(sections.get("Returns", "")),
        notes=sections.get("Notes", "").strip(),
        references=sections.get("References", "").strip(),
    )


def _sections(text: str) -> dict[str, str]:
    lines = text.splitlines()
    sections: dict[str, list[str]] = {"": []}
    title = ""
    for i, line in enumerate(lines):
        following = lines[i + 1] if i + 1 < len(lines) else ""
        if line and not line[0].isspace() and _UNDERLINE.fullmatch(following.strip()):
            title = line.strip()
            sections[title] = []
        elif not (_UNDERLINE.fullmatch(line.strip()) and not sections[title] and title):
            sections[title].append(line)
    return {name: "\n".join(_without_doctests(body)) for name, body in sections.items()}


def _without_doctests(lines: list[str]) -> list[str]:
    kept: list[str] = []
    inside = False
    for line in lines:
        if line.lstrip().startswith(">>>"):
            inside = True
        elif not line.strip():
            inside = False
        if not inside:
            kept.append(line)
    return kept


def _entries(text: str) -> tuple[Entry, ...]:
    entries: list[Entry] = []
    for line in text.splitlines():
        if not line.strip():
            continue
        if line[0].isspace() and entries:
            last = entries[-1]
            joined = f"{last.text} {line.strip()}".strip()
            entries[-1] = Entry(last.names, last.kind, joined)
        elif match := _ENTRY.match(line.strip()):
            names = tuple(name.strip() for name in match["names"].split(","))
            entries.append(Entry(names, (match["kind"] or "").strip(), ""))
        else:
            entries.append(Entry((), "", line.strip()))
    return tuple(entries)
