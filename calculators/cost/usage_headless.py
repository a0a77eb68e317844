"""Usage tables that name nothing, or name their tokens in a column: which column is what."""

from __future__ import annotations

import csv
import io
import re

import numpy as np
import pandas as pd

from calculators.cost.usage_cells import is_empty, looks_numeric
from calculators.cost.usage_columns import choose_columns
from calculators.cost.usage_raw import RawTable

NOT_READ = "(not read)"
_DATE = re.compile(r"^\d{4}-\d{1,2}-\d{1,2}|^\d{1,2}[/.]\d{1,2}[/.]\d{2,4}|^\d{4}/\d{1,2}/\d{1,2}")
_CLOCK = re.compile(r"^\d{1,2}:\d{2}")
_LEAST_INDEX = 5
_MOST_KINDS = 200
_MOST_LONG_BYTES = 50_000_000
_MOST_FIELDS = 2000


def guessed_names(rows: list[list[str]]) -> list[str] | None:
    """Return names for the columns of a table without a header, or None if it is no usage log.

    The time is the first column of dates, else the first of numbers that never fall (a plain
    count of rows aside); then the first two columns of whole numbers are input and output.

    Parameters
    ----------
    rows : list of list of str [cells of some rows, all of one width]

    Returns
    -------
    names : list of str or None [one for each column]

    Notes
    -----
    The order time, input, output is a guess that public traces keep to. Basis: convention.

    References
    ----------
    Own rule.

    Examples
    --------
    >>> guessed_names([["0.5", "m", "10", "2"], ["1.5", "m", "12", "2"]])
    ['time', '(not read)', 'input tokens', 'output tokens']
    """
    columns = list(zip(*rows, strict=True))
    names = [NOT_READ] * len(columns)
    numeric = [i for i, column in enumerate(columns) if _is_numeric(column)]
    whole = [i for i in numeric if all(_is_whole(cell) for cell in columns[i])]
    dated = [i for i, column in enumerate(columns) if all(_DATE.match(cell) for cell in column)]
    index = [i for i in whole if _counts_rows(columns[i])]
    rising = [i for i in numeric if i not in index and _never_falls(columns[i])]
    times = dated or rising[:1]
    left = [i for i in whole if i not in times[:1] and i not in index]
    if len(left) < 2 and not dated:
        return None
    if times:
        names[times[0]] = "time"
    clock = [i for i, column in enumerate(columns) if all(_CLOCK.match(cell) for cell in column)]
    if dated and clock:
        names[dated[0]], names[clock[0]] = "date", "time"
    for place, name in zip(left, ("input tokens", "output tokens"), strict=False):
        names[place] = name
    return names if "output tokens" in names else None


def _is_numeric(column: tuple[str, ...]) -> bool:
    return all(looks_numeric(cell) or is_empty(cell) for cell in column)


def _is_whole(cell: str) -> bool:
    return is_empty(cell) or cell.strip().lstrip("+-").removesuffix(".0").isdigit()


def _numbers(column: tuple[str, ...]) -> np.ndarray:
    return pd.to_numeric(pd.Series(column), errors="coerce").to_numpy(float)


def _never_falls(column: tuple[str, ...]) -> bool:
    return bool(np.all(np.diff(_numbers(column)) >= 0))


def _counts_rows(column: tuple[str, ...]) -> bool:
    numbers = _numbers(column)
    return numbers.size >= _LEAST_INDEX and bool(np.all(np.diff(numbers) == 1))


def long_table(text: bytes, marks: str) -> RawTable | None:
    """Return a table whose rows name the kind of tokens in a cell, as one row for each time.

    Parameters
    ----------
    text : bytes [UTF-8]
    marks : str [delimiters to try]

    Returns
    -------
    table : RawTable or None [None if the text is no such table]

    Notes
    -----
    Rows of one time are added up, whatever model or key they are of. Basis: measured.

    References
    ----------
    DeepSeek usage export (`utc_date`, `type`, `amount`).

    Examples
    --------
    >>> rows = b"date,type,amount\\n2026-01-01,input_tokens,9\\n2026-01-01,output_tokens,2\\n"
    >>> long_table(rows, ",").columns["input"].tolist()
    [9.0]
    """
    if len(text) > _MOST_LONG_BYTES:
        return None
    first = text.lstrip().partition(b"\n")[0]
    for mark in marks:
        if first.count(mark.encode()) >= _MOST_FIELDS:
            continue
        try:
            frame = pd.read_csv(io.BytesIO(text), sep=mark, dtype=str, on_bad_lines="skip")
        except (ValueError, csv.Error):
            continue
        for name in frame.columns if frame.shape[1] >= 3 else ():
            kinds = [str(kind) for kind in frame[name].dropna().unique()[: _MOST_KINDS + 1]]
            roles = choose_columns(dict.fromkeys(kinds, ()))
            if len(kinds) <= _MOST_KINDS and "output" in roles and {"input", "uncached"} & {*roles}:
                return _pivoted(frame, str(name), roles)
    return None


def _pivoted(frame: pd.DataFrame, kind: str, roles: dict[str, list[str]]) -> RawTable | None:
    others = {name: frame[name].head(200).tolist() for name in frame.columns if name != kind}
    times = choose_columns(others).get("time", [])
    values = [name for name in others if _is_value(str(name), frame[name])]
    if not times or not values:
        return None
    wanted = ("input", "uncached", "output", "cached", "cache_write", "requests")
    slots = {n: role for role, names in roles.items() if role in wanted for n in names[:1]}
    amounts = pd.to_numeric(frame[values[0]], errors="coerce").fillna(0.0)
    summed = amounts.groupby([frame[times[0]], frame[kind].map(slots)]).sum().unstack(fill_value=0)
    table = RawTable(all_names=tuple(map(str, frame.columns)))
    table.columns = {"time": summed.index.to_numpy(object)}
    table.columns |= {str(role): summed[role].to_numpy(float) for role in summed.columns}
    table.names = {role: name for name, role in slots.items()} | {"time": str(times[0])}
    table.notes.append(f"The rows name their kind in {kind!r}: those of one time are added up.")
    return table


def _is_value(name: str, column: pd.Series) -> bool:
    named = re.search(r"(?i)amount|value|count|quantity|usage|tokens|total", name)
    return bool(named) and bool(column.dropna().head(200).map(looks_numeric).all())
