"""Usage logs as text tables: CSV, TSV and their like, with or without a header, several in one."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator

import pyarrow as pa
import pyarrow.csv as pa_csv

from calculators.cost.usage_cells import looks_numeric
from calculators.cost.usage_columns import choose_columns
from calculators.cost.usage_headless import guessed_names, long_table
from calculators.cost.usage_raw import Progress, RawTable, UsageLogError

_DELIMITERS = ",\t;|"
_BLOCK_BYTES = 8 << 20
_MAX_HEADERS = 1000
_MAX_FIELDS = 2000
_N_SAMPLES = 200
_MAX_RAGGED = 100_000
_MARKS: tuple[bytes, ...] = (
    b"oken",
    b"OKEN",
    b"toks",
    b"_tok",
    b"length",
    b"Length",
    b"_len",
    b"size",
    b"isl",
)
_MARKS += (b"input", b"Input", b"prompt", b"Prompt")


def read_tables(text: bytes, *, progress: Progress = None) -> list[RawTable]:
    """Return the tables of a text file that have tokens in them, cells unparsed.

    Parameters
    ----------
    text : bytes [UTF-8 text]
    progress : callable or None [called with the share done, 0 to 1]

    Returns
    -------
    tables : list of RawTable [one for each header with token columns]

    Raises
    ------
    UsageLogError
        If there is no table with input and output tokens.

    Notes
    -----
    A file without a header is read as time, input, output in the order of its number columns.
    Lines before the first header and rows of another width are counted, not read. Basis: as given.

    References
    ----------
    RFC 4180 (CSV).

    Examples
    --------
    >>> read_tables(b"time,prompt_tokens,completion_tokens\\n5,10,2\\n")[0].names["input"]
    'prompt_tokens'
    """
    headers = list(_headers(text))
    if not headers:
        found = _headless(text, progress) or long_table(text, _DELIMITERS)
        parted = re.sub(rb"[ \t]+", b"\t", text)
        if found is None and parted != text:
            headers = list(_headers(parted))
            text = parted
            found = _headless(text, progress) if not headers else None
        if found is None and not headers:
            raise UsageLogError(_no_columns_message(text))
        if found is not None:
            return [found]
    tables = []
    for index, (start, end, names, mark) in enumerate(headers):
        stop = headers[index + 1][0] if index + 1 < len(headers) else len(text)
        body = memoryview(text)[end:stop]
        line = text.count(b"\n", 0, start) + 1
        share = _share(progress, end / len(text), stop / len(text))
        table = _read_body(body, names, mark, progress=share)
        before = text[:start].count(b"\n") if index == 0 else 0
        if before:
            table.notes.append(
                f"{before} lines before the header in line {line} hold no requests: not read."
            )
        tables.append(table)
    return tables


def _share(progress: Progress, low: float, high: float) -> Progress:
    return (lambda done: progress(low + done * (high - low))) if progress else None


def _headers(text: bytes) -> Iterator[tuple[int, int, list[str], str]]:
    """Find header lines by a few words, with a plain search: a pattern is ten times slower."""
    ahead = {mark: text.find(mark) for mark in _MARKS}
    for _ in range(_MAX_HEADERS):
        ahead = {mark: place for mark, place in ahead.items() if place >= 0}
        if not ahead:
            return
        start = text.rfind(b"\n", 0, min(ahead.values())) + 1
        end = text.find(b"\n", start)
        end = len(text) if end < 0 else end + 1
        header = _as_header(text[start:end])
        if header:
            yield start, end, *header
        ahead = {m: text.find(m, end) if place < end else place for m, place in ahead.items()}


def _as_header(line: bytes) -> tuple[list[str], str] | None:
    if len(line) > 100_000:
        return None
    for mark in _DELIMITERS:
        names = _split(line, mark)
        if 2 <= len(names) <= _MAX_FIELDS and not any(looks_numeric(name) for name in names):
            roles = choose_columns(dict.fromkeys(names, ()))
            if "output" in roles and ("input" in roles or "uncached" in roles or "total" in roles):
                return names, mark
    return None


def _split(line: bytes, mark: str) -> list[str]:
    text = line.decode("utf-8", "replace").strip("\r\n")
    try:
        return [name.strip() for name in next(csv.reader([text], delimiter=mark))]
    except (csv.Error, StopIteration):
        return []


def _headless(text: bytes, progress: Progress) -> RawTable | None:
    lines = [line for line in text[:200_000].split(b"\n") if line.strip()][:50]
    for mark in _DELIMITERS:
        rows = [_split(line, mark) for line in lines]
        width = len(rows[0]) if rows else 0
        cells = [row for row in rows if len(row) == width]
        if not 3 <= width <= _MAX_FIELDS or len(cells) < len(rows) / 2:
            continue
        names = guessed_names(cells)
        if names:
            table = _read_body(memoryview(text), names, mark, progress=progress)
            read_as = ", ".join(f"{n} {name}" for n, name in enumerate(names, 1))
            table.notes.append(f"The file has no header: its columns are read as {read_as}.")
            return table
    return None


def _no_columns_message(text: bytes) -> str:
    first = text.lstrip()[:200].partition(b"\n")[0].decode("utf-8", "replace").strip()
    cost = re.search(r"(?i)amount|cost|spend|price", first)
    hint = " It looks like a cost export: export usage (tokens) instead." if cost else ""
    return (
        "No columns of input and output tokens were found; the first line is "
        f"{first!r}.{hint} Needed are a time, input tokens and output tokens."
    )


def _read_body(body: memoryview, names: list[str], mark: str, *, progress: Progress) -> RawTable:
    table = RawTable(all_names=tuple(names), delimiter=mark)
    keys = [name if name not in names[:i] else f"(repeated {i})" for i, name in enumerate(names)]
    samples = _sample(body, keys, mark)
    if not samples[keys[0]]:
        return table
    roles = {role: found[:1] for role, found in choose_columns(samples).items()}
    roles["cache_write"] = choose_columns(samples).get("cache_write", [])
    try:
        cells = _read_csv(body, keys, roles, mark, table, progress)
    except pa.ArrowInvalid as error:
        raise UsageLogError(f"The table cannot be read on: {str(error)[:120]}.") from None
    for role, found in roles.items():
        for index, key in enumerate(found):
            slot = role if index == 0 else f"{role}{index + 1}"
            table.columns[slot] = cells[key]
            table.names[slot] = key
    return table


def _sample(body: memoryview, keys: list[str], mark: str) -> dict[str, list[str]]:
    lines = bytes(body[:2_000_000]).split(b"\n")[:_N_SAMPLES]
    rows = [_split(line, mark) for line in lines if line.strip()]
    fitting = [row for row in rows if len(row) == len(keys)]
    return {key: [row[index] for row in fitting] for index, key in enumerate(keys)}


def _read_csv(
    body: memoryview,
    keys: list[str],
    roles: dict[str, list[str]],
    mark: str,
    table: RawTable,
    progress: Progress,
) -> dict[str, pa.ChunkedArray]:
    wanted = sorted({key for found in roles.values() for key in found})
    if not wanted:
        return {}
    ragged: list[list[str]] = []

    def skip(row: pa_csv.InvalidRow) -> str:
        cells = _split(row.text.rstrip(mark + " \r\n").encode(), mark)
        if len(cells) <= len(keys) and len(ragged) < _MAX_RAGGED:
            ragged.append(cells + [""] * (len(keys) - len(cells)))
        else:
            table.reject(f"more fields than the {len(keys)} of the header", row.text)
        return "skip"

    n_quotes = sum(part.count(b'"') for part in _parts(body))
    if n_quotes % 2:
        table.notes.append("A quotation mark is left open: quotation marks are read as text.")
    reader = pa_csv.open_csv(
        pa.BufferReader(pa.py_buffer(body)),
        read_options=pa_csv.ReadOptions(column_names=keys, block_size=_BLOCK_BYTES),
        parse_options=pa_csv.ParseOptions(
            delimiter=mark,
            invalid_row_handler=skip,
            quote_char=False if n_quotes % 2 else '"',
            newlines_in_values=n_quotes > 0 and not n_quotes % 2,
        ),
        convert_options=pa_csv.ConvertOptions(
            include_columns=wanted, column_types=dict.fromkeys(wanted, pa.string())
        ),
    )
    batches = []
    for batch in reader:
        batches.append(batch)
        if progress:
            progress(min(len(batches) * _BLOCK_BYTES / max(len(body), 1), 1.0))
    padded = {
        key: pa.array([row[keys.index(key)] for row in ragged], pa.string()) for key in wanted
    }
    batches.append(pa.record_batch(padded, schema=reader.schema))
    whole = pa.Table.from_batches(batches, schema=reader.schema)
    return {key: whole.column(key) for key in wanted}


def _parts(body: memoryview) -> Iterator[bytes]:
    for start in range(0, len(body), _BLOCK_BYTES):
        yield body[start : start + _BLOCK_BYTES].tobytes()
