"""Which rows of a usage log cannot be used, and why: counted with examples."""

from __future__ import annotations

from typing import Any

import pandas as pd

from calculators.cost.usage_cells import is_empty, plain_name
from calculators.cost.usage_raw import RawTable

_LARGEST_TOK = 1e13
_N_EXAMPLES = 3


def reject_rows(table: RawTable, frame: pd.DataFrame) -> int:
    """Mark the usable rows in `frame["ok"]`, count the others in the table, return the empty ones.

    A bucket without tokens (a day without traffic) is empty, not bad: it counts as zero traffic.

    Parameters
    ----------
    table : RawTable [receives the counts and examples]
    frame : DataFrame [time, input, output, bucket, and row, the position in the file]

    Returns
    -------
    n_empty : int [rows]

    Notes
    -----
    Each row is counted once, for the first reason that holds. Basis: measured.

    References
    ----------
    Own rule.

    Examples
    --------
    >>> table = RawTable({"time": ["5"], "input": ["x"], "output": ["2"]})
    >>> frame = pd.DataFrame({"time": 5.0, "input": None, "output": 2.0, "bucket": 0, "row": [0]})
    >>> reject_rows(table, frame), table.bad_rows
    (0, {'input tokens are not a number': 1})
    """
    time, received, sent = frame["time"], frame["input"], frame["output"]
    left = pd.Series(True, index=frame.index)
    header = _repeats_header(table, frame)
    if header.any():
        left = _count(table, frame, left, header, "the header again")
    if "time" in table.columns:
        blank = time.isna() & _blank(table, frame, "time")
        nothing = blank & received.isna() & sent.isna()
        left = _count(table, frame, left, nothing, "empty row")
        left = _count(table, frame, left, blank, "time is missing")
        left = _count(table, frame, left, time.isna(), "time is not a date from 2000 to 2099")
    empty = left & received.isna() & sent.isna() & (frame["bucket"] > 0)
    frame.loc[empty, ["input", "output", "cached", "requests"]] = 0.0
    received, sent = frame["input"], frame["output"]
    left = _count(table, frame, left, received.isna() & sent.isna(), "no token counts")
    for slot, tokens in (("input", received), ("output", sent)):
        missing = tokens.isna() & _blank(table, frame, slot)
        left = _count(table, frame, left, missing, f"{slot} tokens are missing")
        left = _count(table, frame, left, tokens.isna(), f"{slot} tokens are not a number")
        negative = f"{slot} tokens are negative (-1 means not recorded)"
        left = _count(table, frame, left, tokens < 0, negative)
        left = _count(table, frame, left, tokens > _LARGEST_TOK, f"{slot} tokens above 10^13")
    frame["ok"] = left
    return int(empty.sum())


def without_repeats(table: RawTable, kept: pd.DataFrame) -> pd.DataFrame:
    """Return the rows without earlier copies of the same request, which are counted.

    Parameters
    ----------
    table : RawTable [receives the count]
    kept : DataFrame [usable rows in the order of time, with row, the position in the file]

    Returns
    -------
    kept : DataFrame

    Notes
    -----
    Logs of streamed answers write one request several times under one id; the last has the whole
    output. Rows without an id all stay. Basis: measured.

    References
    ----------
    Own rule.

    Examples
    --------
    >>> table = RawTable({"id": ["a", "a"]})
    >>> rows = pd.DataFrame({"row": [0, 1], "input": [5, 5]})
    >>> len(without_repeats(table, rows)), table.bad_rows
    (1, {'the same request id again': 1})
    """
    if "id" not in table.columns:
        return kept
    ids = pd.Series(_cells(table.columns["id"])).astype("string").iloc[kept["row"]]
    keys = pd.DataFrame({"id": ids.to_numpy(), "input": kept["input"].to_numpy()})
    repeats = (keys.duplicated(keep="last") & keys["id"].notna() & (keys["id"] != "")).to_numpy()
    if repeats.any():
        examples = keys["id"][repeats]
        table.reject("the same request id again", f"id {examples.iloc[0]}", int(repeats.sum()))
    return kept[~repeats]


def _count(
    table: RawTable, frame: pd.DataFrame, left: pd.Series, bad: pd.Series, reason: str
) -> pd.Series:
    hit = left & bad
    n_hit = int(hit.sum())
    if n_hit:
        rows = frame.loc[hit, "row"].iloc[:_N_EXAMPLES]
        for index, row in enumerate(rows):
            count = n_hit - len(rows) + 1 if index == 0 else 1
            table.reject(reason, f"row {row + 1}: {_row_text(table, int(row))}", count)
    return left & ~bad


def _row_text(table: RawTable, row: int) -> str:
    shown = ("time", "input", "uncached", "output")
    found = {slot: table.columns[slot][row] for slot in shown if slot in table.columns}
    return ", ".join(f"{table.names.get(slot, slot)} {cell}" for slot, cell in found.items())


def _blank(table: RawTable, frame: pd.DataFrame, slot: str) -> pd.Series:
    column = table.columns.get(slot, table.columns.get("uncached"))
    if column is None:
        return pd.Series(True, index=frame.index)
    suspects = frame.index[frame["time" if slot == "time" else slot].isna()]
    cells = _cells(column)
    blank = [is_empty(cells[row]) for row in frame.loc[suspects, "row"]]
    return pd.Series(blank, index=suspects, dtype=bool).reindex(frame.index, fill_value=False)


def _repeats_header(table: RawTable, frame: pd.DataFrame) -> pd.Series:
    suspects = frame.index[frame["output"].isna()]
    name = plain_name(table.names.get("output", "?"))
    cells = _cells(table.columns.get("output", ()))
    again = [plain_name(str(cells[row])) == name for row in frame.loc[suspects, "row"]]
    return pd.Series(again, index=suspects, dtype=bool).reindex(frame.index, fill_value=False)


def _cells(column: Any) -> Any:
    return column.to_pandas().to_numpy() if hasattr(column, "to_pandas") else column
