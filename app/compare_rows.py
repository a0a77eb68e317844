"""A comparison as rows of text; no Streamlit."""

from __future__ import annotations

import math
from collections.abc import Sequence

from app.formatting import money
from app.memo_assumptions import value_words
from calculators.compare import Comparison
from calculators.plan import Plan
from calculators.scenario import FIELDS


def column_names(found: Comparison) -> list[str]:
    """Headings of the scenarios; the first is the present one."""
    names = ["Now", *(f"Kept {i}" for i in range(1, len(found.verdicts)))]
    if found.cheapest is not None:
        names[found.cheapest] += " (cheapest)"
    return names


def figure_rows(found: Comparison) -> list[dict[str, str]]:
    """The figures of each scenario, and their verdicts."""
    names = column_names(found)
    rows = [
        {"Figure": f"{name} [{unit}]" if unit else name}
        | dict(zip(names, (_text(name, value) for value in values), strict=True))
        for name, unit, values in found.figures
    ]
    return [*rows, {"Figure": "Verdict"} | dict(zip(names, found.verdicts, strict=True))]


def _text(name: str, value: float) -> str:
    """A figure; where the bills do not cross there is no break-even."""
    return "none" if name == "Break-even" and math.isnan(value) else money(value)


def input_rows(found: Comparison, plans: Sequence[Plan]) -> list[dict[str, str]]:
    """The inputs in which the scenarios differ, in the words of people."""
    names = column_names(found)
    fields = {spec.label: name for name, spec in FIELDS.items()}
    return [
        {"Input": label} | dict(zip(names, _words(fields[label], plans), strict=True))
        for label, _ in found.inputs
    ]


def _words(name: str, plans: Sequence[Plan]) -> list[str]:
    return [value_words(FIELDS[name], getattr(plan.scenario, name), plan) for plan in plans]


def without(kept: Sequence[str], index: int) -> str:
    """The text of the kept scenarios without one of them."""
    return "|".join(query for i, query in enumerate(kept) if i != index)
