"""Tables as CSV text in which no cell is a formula to a spreadsheet."""

from __future__ import annotations

import pandas as pd

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")


def guarded(value: object) -> object:
    """A value; a text that a spreadsheet would take for a formula gets an apostrophe in front.

    >>> guarded("=1+1"), guarded("-2e3"), guarded(-2.0), guarded("h100")
    ("'=1+1", '-2e3', -2.0, 'h100')
    """
    if not isinstance(value, str) or not value.lstrip(" ").startswith(_FORMULA_STARTS):
        return value
    try:
        float(value)
    except ValueError:
        return f"'{value}"
    return value


def csv_text(table: pd.DataFrame) -> str:
    """The table with its header, without its index, every text cell and name guarded."""
    return table.map(guarded).rename(columns=guarded).to_csv(index=False)
