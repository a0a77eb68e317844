"""The bytes of an uploaded log as UTF-8 text, or one sentence that says what they are instead."""

from __future__ import annotations

import codecs
import json
import re
from typing import BinaryIO

from calculators.cost.usage_raw import UsageLogError

MAX_BYTES = 200_000_000
MAX_OBJECT_BYTES = 100_000_000
_MAGIC = {
    b"PK\x03\x04": "a zip archive or an Excel workbook: unpack it, or save the sheet as CSV",
    b"\x1f\x8b": "a gzip archive: unpack it first",
    b"PAR1": "a Parquet file: save it as CSV",
    b"(\xb5/\xfd": "a zstd archive: unpack it first",
    b"BZh": "a bzip2 archive: unpack it first",
    b"\xfd7zXZ": "an xz archive: unpack it first",
    b"7z\xbc\xaf": "a 7z archive: unpack it first",
    b"SQLite": "a SQLite database: export the table as CSV",
    b"%PDF": "a PDF document: export the figures as CSV",
}
_POINTER = b"version https://git-lfs.github.com/spec"


def log_text(data: bytes | BinaryIO, filename: str = "") -> bytes:
    """Return the text of an uploaded log as UTF-8 bytes without a byte order mark.

    Parameters
    ----------
    data : bytes or binary file object [up to 200 MB]
    filename : str [shown in messages only]

    Returns
    -------
    text : bytes [UTF-8]

    Raises
    ------
    UsageLogError
        If it is empty, too large, an archive, a binary file or a pointer to the data.

    Notes
    -----
    UTF-16 and Windows-1252 are recoded. Basis: as given.

    References
    ----------
    Unicode byte order marks; the Git LFS pointer format, version 1.

    Examples
    --------
    >>> log_text(b"\\xef\\xbb\\xbfa,b")
    b'a,b'
    """
    content = data if isinstance(data, bytes) else data.read(MAX_BYTES + 1)
    name = f"{filename[:80]!r}" if filename else "The file"
    if len(content) > MAX_BYTES:
        raise UsageLogError(f"{name} is larger than 200 MB: send a part of it, a week will do.")
    if not content.strip():
        raise UsageLogError(f"{name} is empty.")
    if content.startswith(_POINTER):
        raise UsageLogError(
            f"{name} is a Git LFS pointer, not the data: run `git lfs pull`, then send the file."
        )
    for magic, what in _MAGIC.items():
        if content.startswith(magic):
            raise UsageLogError(f"{name} is {what}.")
    return _recoded(content, name)


def is_json(text: bytes) -> bool:
    """Tell whether a text is JSON by its first mark, and refuse what is markup or counters.

    Parameters
    ----------
    text : bytes [UTF-8]

    Returns
    -------
    json : bool [flag]

    Raises
    ------
    UsageLogError
        If it is HTML or XML, one reading of Prometheus counters, or an object of over 100 MB.

    Notes
    -----
    Basis: convention.

    References
    ----------
    RFC 8259; the Prometheus text format.

    Examples
    --------
    >>> is_json(b'{"a": 1}'), is_json(b"a,b")
    (True, False)
    """
    start = text[:200_000].lstrip()
    if start.startswith((b"# HELP", b"# TYPE")):
        raise UsageLogError(_snapshot_message(text))
    if start.startswith(b"<"):
        raise UsageLogError("The file is HTML or XML, not a log: export it as CSV or JSON.")
    if start[:1] == b"{" and len(text) > MAX_OBJECT_BYTES and not _first_line_is_json(start):
        raise UsageLogError("One JSON object of over 100 MB: save it as JSON lines.")
    return start[:1] in (b"{", b"[")


def _first_line_is_json(start: bytes) -> bool:
    try:
        return isinstance(json.loads(start.partition(b"\n")[0]), dict)
    except (ValueError, RecursionError):
        return False


def _recoded(content: bytes, name: str) -> bytes:
    for mark, encoding in ((codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16")):
        if content.startswith(mark):
            return content.decode(encoding, "replace").encode()
    content = content.removeprefix(codecs.BOM_UTF8)
    if b"\0" in content[: 1 << 20]:
        raise UsageLogError(f"{name} is a binary file, not a log: export it as CSV or JSON.")
    try:
        content.decode()
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace").encode()
    return content if b"\r" not in content[:4096] else _with_line_feeds(content)


def _with_line_feeds(content: bytes) -> bytes:
    return content.replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def _snapshot_message(text: bytes) -> str:
    pattern = rb"(?m)^\S*(prompt|generation)_tokens_(?:sum|total)(?:\{[^}\n]*\})? ([\d.e+]+)$"
    sums = [(kind.decode(), value.decode()) for kind, value in re.findall(pattern, text)]
    found = ", ".join(f"{kind} tokens {value}" for kind, value in sums[:2])
    return (
        f"The file is one reading of a server's counters{f' ({found})' if found else ''}: "
        "it has no times, so no rates follow. Send readings over time (a Prometheus range query, "
        "a CSV of scrapes) or a log of requests."
    )
