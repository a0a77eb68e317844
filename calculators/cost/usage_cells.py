"""Cells and column names of usage logs: what is empty, what is a number, which words a name has."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

_EMPTY = {"", "na", "n/a", "nan", "none", "null", "-", "nil", "undefined", "\\n"}
_NUMBER = re.compile(r"^[+-]?(\d[\d,_ ']*\.?\d*|\.\d+)([eE][+-]?\d+)?$")


def plain_name(name: str) -> str:
    """Return a column name as lower-case words joined by underscores.

    Capitals inside a word, dots, blanks and dashes all part words.

    Parameters
    ----------
    name : str [any text]

    Returns
    -------
    plain : str [lower-case words]

    Notes
    -----
    Basis: convention.

    References
    ----------
    Names as usage exports and public request traces write them.

    Examples
    --------
    >>> plain_name("usage.promptTokenCount"), plain_name("Request tokens")
    ('usage_prompt_token_count', 'request_tokens')
    """
    parted = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name[:300])
    parted = re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1_\2", parted)
    return re.sub(r"[^a-z0-9]+", "_", parted.lower()).strip("_")


def is_empty(value: Any) -> bool:
    """Tell whether a cell holds nothing: None, NaN or a word for it.

    Parameters
    ----------
    value : object [a cell]

    Returns
    -------
    empty : bool [flag]

    Notes
    -----
    Basis: convention.

    References
    ----------
    Own rule.

    Examples
    --------
    >>> is_empty("N/A"), is_empty(0)
    (True, False)
    """
    if isinstance(value, float):
        return value != value
    return value is None or (isinstance(value, str) and value.strip().lower() in _EMPTY)


def looks_numeric(value: Any) -> bool:
    """Tell whether a cell is a number, or text that writes one.

    Parameters
    ----------
    value : object [a cell]

    Returns
    -------
    numeric : bool [flag]

    Notes
    -----
    Thousands separators count as part of a number. Basis: convention.

    References
    ----------
    Own rule.

    Examples
    --------
    >>> looks_numeric("1,024"), looks_numeric("gpt-4")
    (True, False)
    """
    if isinstance(value, str):
        return len(value) < 40 and _NUMBER.match(value.strip()) is not None
    return isinstance(value, int | float) and not isinstance(value, bool)


def numbers_of(column: Any, *, dot_groups: bool = False) -> NDArray[np.float64]:
    """Return a column as numbers, NaN where a cell is none.

    Parameters
    ----------
    column : sequence or Arrow array [cells], shape (rows,)
    dot_groups : bool [dots may part thousands, as in tables with semicolons]

    Returns
    -------
    numbers : array [as written], shape (rows,)

    Notes
    -----
    Thousands may be parted by commas, blanks, apostrophes or underscores. Basis: as given.

    References
    ----------
    Own rule.

    Examples
    --------
    >>> numbers_of(["1,024", "x"]).tolist()
    [1024.0, nan]
    """
    if dot_groups:
        column = _without_dot_groups(
            pd.Series(column.to_pandas() if isinstance(column, pa.ChunkedArray) else column)
            .astype("string")
            .str.strip()
        )
    elif isinstance(column, pa.ChunkedArray):
        try:
            return np.array(column.cast(pa.float64()).to_numpy(), dtype=float)
        except pa.ArrowInvalid:
            column = column.to_pandas()
    numbers = pd.to_numeric(pd.Series(column), errors="coerce")
    if numbers.isna().any():
        text = pd.Series(column).where(numbers.isna()).astype("string").str.strip()
        plain = text.where(text.str.fullmatch(r"[+-]?\d{1,3}([, _']\d{3})+(\.\d+)?"))
        plain = plain.str.replace(r"[, _']", "", regex=True)
        grouped = pd.to_numeric(plain, errors="coerce").astype("Float64")
        numbers = numbers.astype("Float64").fillna(grouped)
    return numbers.to_numpy(dtype=float, na_value=np.nan)


def _without_dot_groups(text: pd.Series) -> pd.Series:
    dotted = text[text.str.contains(".", regex=False).fillna(False)]
    if not dotted.empty and dotted.str.fullmatch(r"\d{1,3}(\.\d{3})+").all():
        return text.str.replace(".", "", regex=False)
    return text


def plain_cells(column: Any) -> Any:
    """Return an Arrow array as numbers if it holds nothing else, otherwise as text.

    Parameters
    ----------
    column : sequence or Arrow array [cells], shape (rows,)

    Returns
    -------
    cells : sequence [numbers or text], shape (rows,)

    Notes
    -----
    Basis: as given.

    References
    ----------
    Own rule.

    Examples
    --------
    >>> plain_cells(pa.chunked_array([["5", "6"]])).tolist()
    [5.0, 6.0]
    """
    if isinstance(column, pa.ChunkedArray):
        try:
            return column.cast(pa.float64()).to_numpy()
        except pa.ArrowInvalid:
            return column.to_pandas()
    return column
