"""What the Accuracy page shows of scored rows; without Streamlit, so that it is made once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from app.accuracy_words import accuracy_metrics, family_rows, worst_rows
from app.component.body import figure_body
from app.figures import accuracy as figures
from calculators.evidence.accuracy import scored_only, summarise


@dataclass(frozen=True)
class AccuracyPage:
    """The figures as JSON, their findings, and the rows of the tables."""

    rows: pd.DataFrame
    metrics: Sequence[tuple[str, ...]]
    predicted: str
    predicted_finding: str
    errors: str
    error_finding: str
    error_height: int
    families: Sequence[Mapping[str, object]]
    worst: Sequence[Mapping[str, object]]


def accuracy_page(scored: pd.DataFrame, *, family: str, by: str, which: str) -> AccuracyPage | None:
    """Pictures and tables of the rows of a family (or "all"); None where there is none."""
    rows = scored_only(scored)
    rows = rows[(rows["family"] == family) | (family == "all")]
    if rows.empty:
        return None
    summary = summarise(rows, by)
    return AccuracyPage(
        rows=rows,
        metrics=accuracy_metrics(rows, which),
        predicted=figure_body(figures.predicted_figure(rows, by)),
        predicted_finding=figures.predicted_finding(rows),
        errors=figure_body(figures.error_figure(summary)),
        error_finding=figures.error_finding(summary),
        error_height=figures.error_height(summary),
        families=family_rows(rows),
        worst=worst_rows(rows),
    )
