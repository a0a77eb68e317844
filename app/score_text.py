"""What `score` and `fit` print: plain tables and sentences for whoever reads a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import pandas as pd

from app.accuracy_names import FAMILY_NAMES, GROUP_NAMES, lean
from app.formatting import counted, number, percent
from calculators.evidence.accuracy import scored_only, summarise, uncounted

NAMES = GROUP_NAMES | {"metric": "Metric"}
GROUPS = ("scenario", "metric", "engine", "gpu")
NONE = "-"
FEW_ROWS = 12  # of a file: each is printed
MOST_ASSUMED = 12  # different assumptions that are printed
LEGEND = (
    "Median error: median of |predicted / value - 1| (MdAPE). Within 2x: predicted / value of 0.5 "
    "to 2. Reference\narithmetic: median error of weights only at 0.7 of peak, on the same rows."
)


def plain_table(rows: Sequence[Mapping[str, str]]) -> str:
    """Rows as aligned text: the first column to the left, the others to the right.

    Examples
    --------
    >>> print(plain_table([{"Card": "L4", "Rows": "12"}, {"Card": "H100", "Rows": "3"}]))
    Card  Rows
    L4      12
    H100     3
    """
    lines = [list(rows[0]), *([str(cell) for cell in row.values()] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    first, others = widths[0], widths[1:]
    return "\n".join(
        "  ".join([name.ljust(first), *map(str.rjust, cells, others)]).rstrip()
        for name, *cells in lines
    )


def speed_text(scored: pd.DataFrame, notes: Iterable[str] = ()) -> str:
    """What a scored file says: notes, assumptions, why rows do not count, and the errors."""
    parts = [_listed("About this file", notes), _listed("Assumed", assumed_lines(scored))]
    counts = scored_only(scored)
    if counts.empty:
        parts.append(f"No row could be scored: the file holds {counted(len(scored), 'row')}.")
    else:
        parts.append(f"{len(counts):,} of {counted(len(scored), 'row')} scored.")
    parts.append(_listed("Not scored", uncounted_lines(scored)))
    if len(scored) <= FEW_ROWS and scored["predicted"].notna().any():
        parts.append(plain_table(_rows(scored)))
    if len(counts):
        parts += [plain_table(_summary(counts, None)), *_by_group(counts), LEGEND]
    return "\n\n".join(part for part in parts if part)


def uncounted_lines(scored: pd.DataFrame) -> list[str]:
    """Why rows do not count, each reason once with the number of its rows."""
    reasons = uncounted(scored)
    return [
        f"{counted(n, 'row')}: {why}" for why, n in reasons[reasons != ""].value_counts().items()
    ]


def assumed_lines(scored: pd.DataFrame) -> list[str]:
    """What stands in for blanks in a file, each assumption once with the number of its rows."""
    parts = scored["assumed"].str.split("; ").explode()
    found = parts[parts.fillna("") != ""].value_counts()
    lines = [f"{text} ({counted(n, 'row')})" for text, n in found.head(MOST_ASSUMED).items()]
    if len(found) > MOST_ASSUMED:
        lines.append(f"{len(found) - MOST_ASSUMED} more, in the column `assumed` of the rows")
    return lines


def figures_text(table: pd.DataFrame) -> str:
    """A table of figures with its columns' names in words; what is missing is a dash."""
    named = table.rename(columns=lambda name: str(name).replace("_", " "))
    return plain_table(
        [
            {name: _cell(value) for name, value in row.items()}
            for row in named.astype(object).to_dict("records")
        ]
    )


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.3f}" if value == value else NONE
    return NONE if value is None else str(value)


def _figure(value: float) -> str:
    return number(value) if value == value else NONE


def _listed(title: str, lines: Iterable[str]) -> str:
    found = [f"  - {line}" for line in lines]
    return "\n".join([f"{title}:", *found]) if found else ""


def _rows(scored: pd.DataFrame) -> list[dict[str, str]]:
    reasons = uncounted(scored)
    return [
        {
            "Row": str(row.metric),
            "At once": _figure(row.batch_or_concurrency),
            "Value": _figure(row.value),
            "Predicted": _figure(row.predicted),
            "Predicted / value": f"{row.ratio:.2f}" if row.ratio == row.ratio else NONE,
            "Counts": "no" if why else "yes",
        }
        for row, why in zip(_with_batch(scored).itertuples(), reasons, strict=True)
    ]


def _with_batch(scored: pd.DataFrame) -> pd.DataFrame:
    given = scored.get("batch_or_concurrency", pd.Series(float("nan"), scored.index))
    numbers = {
        name: pd.to_numeric(scored[name], errors="coerce") for name in ("value", "predicted")
    }
    return scored.assign(batch_or_concurrency=pd.to_numeric(given, errors="coerce"), **numbers)


def _by_group(rows: pd.DataFrame) -> list[str]:
    """A table for each column whose groups differ, and one line for those that do not."""
    tables, same = [], []
    for key in GROUPS:
        names = rows[key].fillna("").astype(str).unique()
        if len(names) > 1:
            tables.append(plain_table(_summary(rows, key)))
        else:
            same.append(f"{NAMES[key].lower()} {names[0] or 'blank'}")
    return [*tables, f"All of {', '.join(same)}."] if same else tables


def _summary(rows: pd.DataFrame, key: str | None) -> list[dict[str, str]]:
    return [
        {
            NAMES[key] if key else "Figure": _group(line[0], key),
            "Rows": f"{line.n_rows:,}",
            "Median error": percent(line.median_abs_error_frac),
            "Tends to be": lean(line.bias_frac),
            "Within 25 %": percent(line.within_25_frac),
            "Within 2x": percent(line.within_2x_frac),
            "Reference arithmetic": percent(line.bound_error_frac),
        }
        for line in summarise(rows, key).itertuples(index=False)
    ]


def _group(name: str, key: str | None) -> str:
    return name or "blank" if key else FAMILY_NAMES[name]
