"""How the cells of a table's column stand below each other."""

from __future__ import annotations

import re
from collections.abc import Sequence
from numbers import Real

from app.formatting import UNKNOWN

MAX_NUMBER_CHARS = 18  # a longer text is no figure to align, even if it starts with a digit
MAX_DECIMALS = 4  # columns of smaller shares are too far apart to stand on one point
MAX_RATIO = 1000
_DIGITS = 3
_MISSING = ("", UNKNOWN, "unlimited", "none")
_PLAIN = re.compile(r"[-+±~<>≥≤ ]*([\d,]*\d)(?:\.(\d+))?")


def is_number(value: object) -> bool:
    """Whether a cell is a figure, or is empty beside figures.

    >>> is_number(1.5), is_number("12 %"), is_number(None), is_number(True), is_number("yes")
    (True, True, True, False, False)
    """
    if value is None or value in _MISSING:
        return True
    if isinstance(value, Real) and not isinstance(value, bool):
        return True
    return (
        isinstance(value, str)
        and len(value) <= MAX_NUMBER_CHARS
        and value.lstrip("+-±~<>≥≤ ")[:1].isdigit()
    )


def on_one_point(cells: Sequence[str]) -> list[tuple[str, str]]:
    """Each cell's text, and what is left free behind it so that decimal points stand in line.

    A whole number beside decimals shows the zeros that are significant: 95 stands for 95.0 in a
    column of three digits. Cells with a unit, columns without decimals, and columns whose
    figures are orders apart (as rows of different units make them) stay as they are.

    >>> on_one_point(["95", "66.5", "1,230", "none"])
    [('95.0', ''), ('66.5', ''), ('1,230', '.0'), ('none', '')]
    """
    found = [_PLAIN.fullmatch(cell) for cell in cells]
    most = max((len(match[2] or "") for match in found if match), default=0)
    if not 0 < most <= MAX_DECIMALS or not _of_one_kind([match for match in found if match]):
        return [(cell, "") for cell in cells]
    return [
        _placed(cell, match, most) if match else (cell, "")
        for cell, match in zip(cells, found, strict=True)
    ]


def _of_one_kind(figures: Sequence[re.Match[str]]) -> bool:
    """Whether figures are near enough to each other to be of one unit."""
    sizes = [float(f"{match[1]}.{match[2] or 0}".replace(",", "")) for match in figures]
    known = [size for size in sizes if size > 0]
    return bool(known) and max(known) <= MAX_RATIO * min(known)


def _placed(cell: str, match: re.Match[str], most: int) -> tuple[str, str]:
    whole, decimals = match[1], match[2] or ""
    if not decimals and whole != "0":
        decimals = "0" * min(most, max(0, _DIGITS - len(whole.replace(",", ""))))
        cell += f".{decimals}" if decimals else ""
    free = "0" * (most - len(decimals))
    return cell, free if decimals else f".{free}"
