"""A reference table beside what was reproduced, at the digits that the reference prints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

_TABLE_KEYS = ("columns", "rows", "n_labels")


@dataclass(frozen=True, slots=True)
class About:
    """A reference figure that holds within a tolerance."""

    text: str
    within: float

    def agrees(self, value: Any) -> bool:
        return abs(float(value) - float(self.text)) <= self.within


@dataclass(frozen=True, slots=True)
class Below:
    """A reference figure that only has to stay below a limit."""

    text: str
    limit: float

    def agrees(self, value: Any) -> bool:
        return float(value) < self.limit


@dataclass(frozen=True, slots=True)
class Compared:
    """One figure of a reference table."""

    figure: str
    here: str
    reference: str
    agrees: bool


def compared(here: Any, reference: Any, name: str = "") -> tuple[Compared, ...]:
    """Every figure of a reference table beside the reproduced one.

    Parameters
    ----------
    here : dict
        The reproduced table, raw numbers.
    reference : dict
        The same keys; numbers as the text that was printed, or About, or Below.
    name : str
        Put before each figure's name.

    Returns
    -------
    tuple of Compared
        Figures that the reference names, in its order.

    Raises
    ------
    KeyError
        Where a figure of the reference was not reproduced.

    Notes
    -----
    A figure agrees when it prints the same at the reference's digits, or within its tolerance.

    References
    ----------
    The reference tables of the project.

    Examples
    --------
    >>> row, = compared({"std": 0.031260}, {"std": "0.0313"})
    >>> row.here, row.agrees
    ('0.0313', True)
    """
    return tuple(_walk(here, reference, name))


def _walk(here: Any, reference: Any, name: str) -> Iterator[Compared]:
    if isinstance(reference, Mapping) and "columns" in reference:
        yield from _rows(here["rows"], reference, name)
        reference = {k: v for k, v in reference.items() if k not in _TABLE_KEYS}
    if isinstance(reference, Mapping):
        for key, expected in reference.items():
            yield from _walk(here[key], expected, f"{name}, {key}".strip(", "))
    elif isinstance(reference, list):
        for index, expected in enumerate(reference):
            yield from _walk(here[index], expected, f"{name} {index + 1}")
    else:
        yield _figure(here, reference, name.replace("_", " "))


def _rows(
    rows: Sequence[Sequence[Any]], reference: Mapping[str, Any], name: str
) -> Iterator[Compared]:
    columns, n_labels = reference["columns"], reference.get("n_labels", 1)
    for row, expected in zip(rows, reference["rows"], strict=True):
        label = ", ".join(
            f"{column} {value}" if isinstance(value, int) else str(value)
            for column, value in zip(columns[:n_labels], row[:n_labels], strict=True)
        )
        for column, value, wanted in list(zip(columns, row, expected, strict=True))[n_labels:]:
            yield from _walk(value, wanted, f"{name} {label}: {column}".strip())


def _figure(here: Any, reference: Any, name: str) -> Compared:
    if isinstance(reference, About | Below):
        shown = _printed(here, reference.text)
        return Compared(name, shown, reference.text, reference.agrees(here))
    if isinstance(reference, str):
        shown = _printed(here, reference)
        return Compared(name, shown, reference, shown == reference)
    return Compared(name, str(here), str(reference), here == reference)


def _printed(value: Any, like: str) -> str:
    """A number at the digits of a text."""
    if "e" in like:
        return f"{float(value):.{len(like.split('e')[0].split('.')[1])}e}"
    return f"{float(value):.{len(like.partition('.')[2])}f}"
