"""Where a line of a YAML text belongs, by indentation alone: it works where YAML does not."""

from __future__ import annotations

import re

_ITEM = re.compile(r"-(\s+|$)")
_KEY = re.compile(
    r"""(?P<dash>(?:-\s+)*)(?P<quote>['"]?)(?P<key>[^'"#{}\[\],]+?)(?P=quote)\s*:(?:\s|$)"""
)
_MOST_SHOWN = 60


def where(text: str, line: int) -> str:
    """Section, entry, key and number of a line, as the start of a sentence.

    Parameters
    ----------
    text : str
        YAML, readable or not.
    line : int
        Counted from 0.

    Returns
    -------
    str

    Examples
    --------
    >>> where("models:\\n  ours:\\n    name: Ours\\n    bits 4", 3)
    'models/ours: line 4'
    >>> where("rental_prices:\\n  - {usd_h: 2}\\n  - usd_h: 3", 2)
    'rental_prices/2: usd_h: line 3'
    """
    path = _path(text.splitlines()[: line + 1])
    named = ": ".join(["/".join(path[:2]), *path[2:]]) if path else ""
    return f"{named}: line {line + 1}" if named else f"line {line + 1}"


def shown(text: str, line: int) -> str:
    """A line as it stands, without its indentation, shortened.

    >>> shown("a:\\n  b 1", 1)
    'b 1'
    """
    lines = text.splitlines()
    found = lines[line].strip() if line < len(lines) else ""
    return found if len(found) <= _MOST_SHOWN else found[: _MOST_SHOWN - 3] + "..."


def is_key(text: str, line: int) -> bool:
    """Whether a line begins with `key:`."""
    lines = text.splitlines()
    return line < len(lines) and bool(_KEY.match(lines[line].strip()))


def _path(lines: list[str]) -> list[str]:
    """Keys and positions in lists from the section down to the last of these lines."""
    path: list[str] = []
    limit: int | None = None  # only lines further to the left are parents
    for number in range(len(lines) - 1, -1, -1):
        line = lines[number].expandtabs()
        body = line.strip()
        indent = len(line) - len(line.lstrip())
        if not body or body.startswith("#") or (limit is not None and indent >= limit):
            continue
        item, key = _ITEM.match(body), _KEY.match(body)
        column = indent + (item.end() if item else 0)
        if key and (limit is None or column < limit):
            path.insert(0, key["key"].strip())
        if item:
            path.insert(0, str(_position(lines[: number + 1], indent)))
        limit = indent
        if indent == 0 and not item:
            break
    return path


def _position(lines: list[str], indent: int) -> int:
    """Which item of its list the last line begins, counted from 1."""
    count = 0
    for line in reversed(lines):
        own = len(line) - len(line.lstrip())
        if not line.strip() or line.lstrip().startswith("#") or own > indent:
            continue
        if own < indent or not _ITEM.match(line.strip()):
            break
        count += 1
    return count
