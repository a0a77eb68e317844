"""CSV tables of measurements: their columns found, their cells read, their blanks filled."""

from __future__ import annotations

import csv
import io

import pandas as pd

from calculators.evidence.benchmark_given import Given, fill_table
from calculators.evidence.benchmark_text import BenchmarkFileError
from calculators.evidence.benchmark_text import number as number_of
from calculators.evidence.measured import NUMERIC, REQUIRED, TEXT
from calculators.wording import counted

FEWEST_COLUMNS = 4  # of those required, for a table to be taken as one of measurements
KNOWN = {*NUMERIC, *TEXT, "id", "source_group", "quality", "unscored"}
MOST_SHOWN = 30  # characters of a cell in a note


def is_measurement_table(rows: list[list[str]]) -> bool:
    """Whether the header of CSV rows has the columns of measurements, in whatever case.

    Examples
    --------
    >>> is_measurement_table([["Engine", "model", "gpu", "metric", "value"]])
    True
    """
    return len({_column(cell) for cell in rows[0]} & set(REQUIRED)) >= FEWEST_COLUMNS


def measurement_table(rows: list[list[str]], given: Given) -> tuple[pd.DataFrame, list[str]]:
    """A table of measurements and sentences on what in it is odd or was filled in.

    Parameters
    ----------
    rows : of the CSV file, the header first
    given : by the caller, for the blanks

    Returns
    -------
    (table, notes)

    Raises
    ------
    BenchmarkFileError
        a table that has no row or lacks a column

    Examples
    --------
    >>> rows = [["engine", "model", "gpu", "scenario", "metric", "value", "tp"],
    ...         ["vLLM", "m", "L4", "server", "ttft_ms", "5", "two"]]
    >>> measurement_table(rows, Given())[1]
    ['tp: no number in 1 cell of 1, such as “two”: taken as blank']
    """
    width = len(rows[0])
    longer = sum(len(row) > width for row in rows[1:])
    text = io.StringIO()
    csv.writer(text).writerows([row[:width] for row in rows])
    text.seek(0)
    frame = pd.read_csv(text, low_memory=False, index_col=False)
    if frame.empty:
        raise BenchmarkFileError("The table of measurements holds no row.")
    frame.columns = pd.Index([_column(str(name)) for name in frame.columns])
    notes = [f"{counted(longer, 'row')} longer than the header: cut"] if longer else []
    notes += [note for name in NUMERIC if name in frame for note in _numbers(frame, name)]
    notes += fill_table(frame, given)
    missing = [name for name in REQUIRED if name not in frame]
    if missing:
        raise BenchmarkFileError(
            f"The table of measurements lacks the column{'s' if len(missing) > 1 else ''} "
            f"{', '.join(missing)}; needed are {', '.join(REQUIRED)}."
        )
    return frame, notes


def _column(cell: str) -> str:
    """A column's name; one that is known is so in any case."""
    name = cell.strip()
    return name.lower() if name.lower() in KNOWN else name


def _numbers(frame: pd.DataFrame, name: str) -> list[str]:
    """Turn the texts of a column into numbers; a note where some are none."""
    column = frame[name]
    if pd.api.types.is_numeric_dtype(column):
        return []
    read = pd.to_numeric(column.map(number_of), errors="coerce")
    odd = column[read.isna() & column.notna() & (column.astype(str).str.strip() != "")]
    frame[name] = read
    if odd.empty:
        return []
    which = f"{counted(len(odd), 'cell')} of {len(frame):,}"
    shown = str(odd.iloc[0])[:MOST_SHOWN]
    return [f"{name}: no number in {which}, such as “{shown}”: taken as blank"]
