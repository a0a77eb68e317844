"""The text of a benchmark file as Python values, or one sentence that says what is wrong."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from dataclasses import dataclass, field
from typing import Any

MAX_BYTES = 10_000_000
MAX_DEPTH = 12
MAX_RECORDS = 20_000
_ARCHIVES = ((b"PK", "a zip archive"), (b"\x1f\x8b", "a gzip archive"), (b"%PDF", "a PDF"))
DELIMITERS = (",", ";", "\t")
_DECIMAL_COMMA = re.compile(r"^(\s*-?\d+),(\d+\s*)$")
_PRINTED = re.compile(
    r"^[ \t]*([A-Za-z][A-Za-z0-9 ()/.%-]{2,50}):[ \t]+(-?[\d.,]+|inf|(?:sglang|vllm)\S*)[ \t]*\r?$",
    re.MULTILINE,
)
FEWEST_PRINTED = 5  # lines of a printed result
_TABLE_RULE = re.compile(r"^[\s|:-]+$")


class BenchmarkFileError(ValueError):
    """A benchmark file that cannot be used; the message is one sentence that names the problem."""


@dataclass(frozen=True, slots=True)
class Content:
    """What a file holds: JSON values, or the rows of a table; `notes` say what was left out."""

    kind: str  # json, csv or markdown
    values: list[Any]
    text: str = ""
    notes: list[str] = field(default_factory=list)


def read_content(data: bytes) -> Content:
    """Decode a file as JSON (one value, lines, or values in a row), CSV or a Markdown table.

    Parameters
    ----------
    data : the file, at most 10 MB

    Returns
    -------
    Content

    Raises
    ------
    BenchmarkFileError
        an empty, too large, packed, binary or broken file

    Examples
    --------
    >>> read_content(b'{"a": 1}' + bytes([10]) + b'{"a": 2}').values
    [{'a': 1}, {'a': 2}]
    """
    text = _text(data)
    start = text.lstrip()[:1]
    if start in ("{", "["):
        values, notes = _json_values(text)
        return Content("json", values, notes=notes)
    if start == "|":
        return Content("markdown", _markdown_rows(text), text)
    head = text.lstrip().partition("\n")[0]
    if len(printed := _printed(text)) >= FEWEST_PRINTED:
        return Content("json", [printed], text)
    mark = max(DELIMITERS, key=head.count)
    if mark in head:
        text = text if mark == "," else _with_commas(text, mark)
        return Content("csv", _csv_rows(text), text)
    raise BenchmarkFileError(
        "The file is neither JSON, JSON lines, CSV nor a Markdown table; YAML and HTML reports are "
        "not read: save the tool's JSON."
    )


def _text(data: bytes) -> str:
    if not data.strip():
        raise BenchmarkFileError("The file is empty.")
    if len(data) > MAX_BYTES:
        raise BenchmarkFileError(
            f"The file has {len(data) / 1e6:.1f} MB; at most {MAX_BYTES / 1e6:.0f} MB are read."
        )
    for magic, what in _ARCHIVES:
        if data.startswith(magic):
            raise BenchmarkFileError(f"The file is {what}, not a result; unpack it first.")
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        raise BenchmarkFileError("The file is binary, not text in UTF-8.") from None
    if "\0" in text:
        raise BenchmarkFileError("The file is binary, not text.")
    return text


def _printed(text: str) -> dict[str, str]:
    """The last table of "Name (unit): number" lines that a tool printed to the terminal."""
    found: dict[str, str] = {}
    for name, value in _PRINTED.findall(text):
        found[name.strip()] = value
    return found


def _json_values(text: str) -> tuple[list[Any], list[str]]:
    decoder, position = json.JSONDecoder(), 0
    values: list[Any] = []
    notes: list[str] = []
    while position < len(text) and len(values) < MAX_RECORDS:
        if text[position] in " \t\r\n,":
            position += 1
            continue
        try:
            value, position = decoder.raw_decode(text, position)
        except RecursionError:
            raise BenchmarkFileError("The JSON is nested too deeply to be a result.") from None
        except ValueError as error:
            if not values:
                raise BenchmarkFileError(f"The file is broken JSON: {error}.") from None
            notes.append(f"the text after record {len(values)} is not JSON and was left out")
            break
        values.append(value)
    if _depth(values) > MAX_DEPTH + 1:
        raise BenchmarkFileError(f"The JSON is nested more than {MAX_DEPTH} levels deep.")
    while any(isinstance(value, list) for value in values):
        lists = (value if isinstance(value, list) else [value] for value in values)
        values = [value for part in lists for value in part][:MAX_RECORDS]
    return values, notes


def _depth(value: Any) -> int:
    """Levels of lists and dictionaries, counted without recursion."""
    deepest, level = 0, [value]
    while level and deepest <= MAX_DEPTH + 1:
        inner: list[Any] = []
        for item in level:
            if isinstance(item, dict):
                inner.extend(item.values())
            elif isinstance(item, list):
                inner.extend(item)
        deepest, level = deepest + 1, [i for i in inner if isinstance(i, dict | list)]
    return deepest


def _with_commas(text: str, delimiter: str) -> str:
    """A table separated by semicolons or tabs as CSV; "1,5" is a decimal comma in it."""
    out = io.StringIO()
    try:
        rows = list(csv.reader(io.StringIO(text), delimiter=delimiter))
    except csv.Error as error:
        raise BenchmarkFileError(f"The file is a broken table: {error}.") from None
    csv.writer(out).writerows([_DECIMAL_COMMA.sub(r"\1.\2", cell) for cell in row] for row in rows)
    return out.getvalue()


def _csv_rows(text: str) -> list[list[str]]:
    csv.field_size_limit(MAX_BYTES)
    try:
        rows = [row for row in csv.reader(io.StringIO(text)) if any(c.strip() for c in row)]
    except csv.Error as error:
        raise BenchmarkFileError(f"The file is broken CSV: {error}.") from None
    if not rows:
        raise BenchmarkFileError("The CSV table has no cell with a text.")
    return rows


def _markdown_rows(text: str) -> list[list[str]]:
    lines = [line.strip() for line in text.splitlines() if line.strip().startswith("|")]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [row for row, line in zip(rows, lines, strict=True) if not _TABLE_RULE.match(line)]


def table_records(rows: list[list[str]]) -> list[dict[str, str]]:
    """Rows below a header as dictionaries; short rows are filled with blanks.

    Examples
    --------
    >>> table_records([["a", "b"], ["1", "2"], ["3"]])
    [{'a': '1', 'b': '2'}, {'a': '3', 'b': ''}]
    """
    names = [name.strip() for name in rows[0]]
    filled = ([*row, *[""] * len(names)] for row in rows[1:])
    return [dict(zip(names, row, strict=False)) for row in filled]


def number(value: Any) -> float | None:
    """A finite number of a JSON or CSV cell, else None; "1,234.5" counts, true does not.

    Examples
    --------
    >>> number("1,234.5"), number("inf"), number(True), number(None)
    (1234.5, None, None, None)
    """
    if isinstance(value, str):
        value = value.strip().replace(",", "")
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        found = float(value)
    except (ValueError, OverflowError):
        return None
    return found if math.isfinite(found) else None
