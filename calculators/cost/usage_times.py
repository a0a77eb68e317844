"""Times of a usage log in seconds, whatever the log wrote: epochs, relative clocks or dates."""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from calculators.cost.usage_cells import is_empty, plain_name

UNITS = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}
_TAILS = {"s": "s", "sec": "s", "secs": "s", "seconds": "s", "second": "s", "millis": "ms"}
_TAILS |= {"ms": "ms", "milliseconds": "ms", "us": "us", "ns": "ns", "nano": "ns", "nanos": "ns"}
_EPOCHS = ((1e17, "ns"), (1e14, "us"), (1e11, "ms"), (3e8, "s"))
_HAS_DATE = re.compile(r"\d{4}|\d{1,2}[/.-]\d{1,2}[/.-]\d{2}")
_FIRST_S = 946_684_800.0  # 2000-01-01
_LAST_S = 4_102_444_800.0  # 2100-01-01
_SPARSE_GAP_S = 300.0
_CLOCKS = ("", " %H:%M", " %H:%M:%S", " %H:%M:%S.%f", " %I:%M %p", " %I:%M:%S %p")
_DAYS = ("%d/%b/%Y:%H:%M:%S %z", "%a %b %d %H:%M:%S %Y", "%Y/%m/%d", "%b %d, %Y", "%d %b %Y")


@dataclass(frozen=True)
class Times:
    """Seconds since 1970 (absolute) or since the log's zero; NaN where unreadable."""

    time_s: NDArray[np.float64]
    is_absolute: bool
    unit: str
    note: str = ""


def parse_times(cells: Any, *, name: str, unit: str = "auto", sparse_unit: str = "s") -> Times:
    """Return the times of a column in seconds, with the unit inferred from the values.

    The size of the median tells an epoch in s, ms, us or ns; smaller numbers are a relative clock.

    Parameters
    ----------
    cells : sequence [numbers or text], shape (rows,)
    name : str [column name; an ending such as `_ms` gives the unit of a relative clock]
    unit : str [`auto`, `s`, `ms`, `us` or `ns`; a given unit rules a relative clock]
    sparse_unit : str [`s` or `ms`: what whole numbers of a relative clock are, if nothing tells]

    Returns
    -------
    times : Times [s], shape (rows,)

    Notes
    -----
    Whole numbers of a relative clock can be seconds or milliseconds; the note then says which was
    taken. Dates without a zone are taken as written, those with one become UTC. Basis: as given.

    References
    ----------
    Unix time; ISO 8601.

    Examples
    --------
    >>> parse_times(["1700000000000"], name="ts").time_s.tolist()
    [1700000000.0]
    """
    column = pd.Series(cells)
    numbers = pd.to_numeric(column, errors="coerce").to_numpy(dtype=float, na_value=np.nan)
    finite = numbers[np.isfinite(numbers)]
    written = column[np.isnan(numbers)]
    if finite.size and finite.size >= int((~written.map(is_empty).astype(bool)).sum()):
        return _numeric_times(numbers, finite, plain_name(name), unit, sparse_unit)
    return _written_times(column)


def _numeric_times(
    numbers: NDArray[np.float64],
    finite: NDArray[np.float64],
    name: str,
    unit: str,
    sparse_unit: str,
) -> Times:
    if _are_compact_dates(finite):
        return _written_times(pd.Series(numbers).map(lambda x: f"{x:.0f}" if x == x else None))
    middle = float(np.median(np.abs(finite)))
    epoch = next((epoch_unit for least, epoch_unit in _EPOCHS if middle >= least), None)
    if epoch:
        seconds = numbers * UNITS[epoch]
        return Times(_within_years(seconds), True, epoch)
    tail = _TAILS.get(name.rsplit("_", 1)[-1])
    if unit in UNITS or tail:
        chosen = unit if unit in UNITS else str(tail)
        return Times(numbers * UNITS[chosen], False, chosen)
    return _guessed_clock(numbers, finite, sparse_unit)


def _guessed_clock(
    numbers: NDArray[np.float64], finite: NDArray[np.float64], sparse_unit: str
) -> Times:
    span = float(finite.max() - finite.min())
    whole = bool(np.all(finite == np.round(finite)))
    sparse = span / max(finite.size - 1, 1) > _SPARSE_GAP_S
    chosen = "ms" if whole and (sparse_unit == "ms" or sparse) else "s"
    other = "s" if chosen == "ms" else "ms"
    note = (
        f"The times are a relative clock from {finite.min():g} to {finite.max():g} without a unit: "
        f"read as {chosen}, {_span_text(span * UNITS[chosen])} in all; "
        f"in {other} it would be {_span_text(span * UNITS[other])}."
    )
    return Times(numbers * UNITS[chosen], False, chosen, note if whole and span > 0 else "")


def _span_text(seconds: float) -> str:
    for size, word in ((86400, "days"), (3600, "hours"), (60, "minutes")):
        if seconds >= 2 * size:
            return f"{seconds / size:.3g} {word}"
    return f"{seconds:.3g} seconds"


def _within_years(seconds: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.where((seconds >= _FIRST_S) & (seconds < _LAST_S), seconds, np.nan)


def _are_compact_dates(finite: NDArray[np.float64]) -> bool:
    days = finite // 1e6 if finite.min() >= 1e13 else finite
    inside = (days >= 20000101) & (days < 21000101) & (finite == np.round(finite))
    month, day = days // 100 % 100, days % 100
    return bool(np.all(inside & (month >= 1) & (month <= 12) & (day >= 1) & (day <= 31)))


def _written_times(column: pd.Series) -> Times:
    text = column.astype("string").str.strip().str.slice(0, 60)
    dated = text.str.contains(_HAS_DATE).fillna(False)
    text = text.where(dated)  # without a date, words such as "now" would read the clock
    text = text.str.replace(r"\s*(?:UTC|GMT)$", "+00:00", regex=True)
    dates = _to_utc(text, format="ISO8601")
    day_first, note = _day_first(text[dates.isna()])
    for form in _formats_of(text[dates.isna()].dropna(), day_first):
        dates = dates.fillna(_to_utc(text.where(dates.isna()), format=form))
    left = dates.isna() & text.notna()
    if left.any():
        unique = pd.Series(text[left].unique()[:200_000], dtype="string")
        parsed = _to_utc(unique, format="mixed", dayfirst=day_first)
        dates = dates.fillna(text.where(left).map(dict(zip(unique, parsed, strict=True))))
    epoch = pd.Timestamp("1970-01-01", tz="UTC")
    seconds = ((pd.to_datetime(dates, utc=True) - epoch) / pd.Timedelta(seconds=1)).to_numpy(float)
    return Times(_within_years(np.asarray(seconds, dtype=np.float64)), True, "date", note)


def _formats_of(text: pd.Series, day_first: bool) -> list[str]:
    order = "%d{0}%m{0}%Y" if day_first else "%m{0}%d{0}%Y"
    days = (*_DAYS, *(order.format(mark) for mark in "/.-"))
    forms = (day + clock for day in days for clock in _CLOCKS if "%H" not in day or not clock)
    first = text.iloc[:1]
    return [form for form in forms if first.size and _to_utc(first, format=form).notna().all()]


def _to_utc(text: pd.Series, **options: Any) -> pd.Series:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            dates = pd.to_datetime(text, utc=True, errors="coerce", **options)
            return dates.where(dates.dt.year.between(1990, 2110))  # the rest overflows when joined
        except (ValueError, OverflowError, TypeError):
            return pd.Series(pd.NaT, index=text.index, dtype="datetime64[ns, UTC]")


def _day_first(text: pd.Series) -> tuple[bool, str]:
    parts = text.dropna().str.extract(r"^(\d{1,2})([/.-])(\d{1,2})[/.-]\d{2,4}")
    parts = parts.dropna()
    if parts.empty:
        return False, ""
    first, second = parts[0].astype(int).max(), parts[2].astype(int).max()
    if first > 12 or second > 12:
        return bool(first > 12), ""
    day_first = bool((parts[1] == ".").all())
    order = "day before month" if day_first else "month before day"
    return day_first, f"Dates such as {text.dropna().iloc[0]!r} are read with the {order}."


def clock_seconds(cells: Any) -> NDArray[np.float64]:
    """Return the seconds after midnight of a column that holds an hour or a time of day.

    Parameters
    ----------
    cells : sequence [hours 0 to 23, or text such as 14:05], shape (rows,)

    Returns
    -------
    clock_s : array [s], shape (rows,), NaN where unreadable

    Notes
    -----
    Basis: as given.

    References
    ----------
    ISO 8601 times of day.

    Examples
    --------
    >>> clock_seconds(["1", "14:30"]).tolist()
    [3600.0, 52200.0]
    """
    text = pd.Series(cells).astype("string").str.strip()
    hours = pd.to_numeric(text, errors="coerce").to_numpy(dtype=float, na_value=np.nan)
    padded = text.where(text.str.count(":") == 2, text + ":00")
    clocks = pd.to_timedelta(padded, errors="coerce").dt.total_seconds().to_numpy(float)
    return np.where(np.isfinite(hours) & (hours < 24), hours * 3600, clocks)
