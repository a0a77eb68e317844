"""What is wrong with a text that is no YAML: where, what stands there, what is allowed."""

from __future__ import annotations

import re

import yaml

from catalogs.yaml_places import is_key, shown, where

_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_NO_YAML = "is not readable as YAML"
_HINTS = (  # what the parser says, what a person must do
    (r"quoted scalar", "the quote that opens here is not closed; close it on the same line"),
    (r"flow (mapping|sequence|node)", "the { or [ that opens here is not closed, or lacks a comma"),
    (
        r"mapping values",
        "write key: value, one on a line, and put text that holds a colon in quotes",
    ),
    (
        r"expected (key|'-' indicator|<block end>)|block (mapping|collection)",
        "its indentation fits no line above it; the keys of one entry start in the same column",
    ),
    (r"second document|another document", "--- starts a second document, one is allowed"),
)


def syntax_sentence(error: yaml.YAMLError, text: str) -> str:
    """Place, text and remedy of a syntax error, without the file's name.

    Parameters
    ----------
    error : yaml.YAMLError
    text : str
        What was read.

    Returns
    -------
    str

    Examples
    --------
    >>> text = "models:\\n  ours:\\n    name: 'Ours\\n"
    >>> try:
    ...     yaml.safe_load(text)
    ... except yaml.YAMLError as error:
    ...     print(syntax_sentence(error, text)[:61])
    models/ours: name: line 3: “name: 'Ours” is not readable as Y
    """
    said = f"{getattr(error, 'context', '')} {getattr(error, 'problem', '')}"
    line = _line(error, text, said)
    here = shown(text, line)
    hint = next((words for pattern, words in _HINTS if re.search(pattern, said)), None)
    if isinstance(error, yaml.reader.ReaderError):
        return f"{where(text, line)}: holds a character that no text has, as other kinds of file do"
    if "cannot start any token" in said:
        hint = _odd_start(here, text.splitlines()[line])
    return f"{where(text, line)}: “{here}” {_NO_YAML}: {hint or ' '.join(said.split())}"


def _line(error: yaml.YAMLError, text: str, said: str) -> int:
    """The line to blame: where something opens that is not closed, or that lacks its colon."""
    position = getattr(error, "position", None)
    if position is not None:
        return text.count("\n", 0, position)
    opened, found = getattr(error, "context_mark", None), getattr(error, "problem_mark", None)
    if opened and re.search("quoted|flow", said):
        return _last_text(text, int(opened.line))
    line = _last_text(text, int(found.line) if found else 0)
    above = _last_text(text, line - 1)
    lacks = "mapping values" in said and not is_key(text, above)
    return above if lacks and not shown(text, above).startswith("#") else line


def _last_text(text: str, line: int) -> int:
    """A line, or the nearest one above it that is not blank."""
    return next((n for n in range(line, -1, -1) if shown(text, n)), max(line, 0))


def _odd_start(here: str, line: str) -> str:
    """Which character may not begin a value, and what to write instead."""
    if "\t" in line:
        return "it holds a tab; indent with spaces"
    odd = re.search(r"[@`%]", here)
    return f"text that starts with {odd[0] if odd else 'such a character'} must stand in quotes"


def decoded(data: bytes, file: str) -> str:
    """The text of a file; ValueError with a sentence where it is not UTF-8.

    Parameters
    ----------
    data : bytes
    file : str
        Name for the sentence.

    Returns
    -------
    str

    Raises
    ------
    ValueError
        File, entry and line, the byte that was found, and what is allowed.

    Examples
    --------
    >>> decoded(b"a: 1", "own.yaml")
    'a: 1'
    """
    if data[:2] in _UTF16:
        raise ValueError(f"{file}: is not UTF-8 text but UTF-16; save it as UTF-8")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start)
        place = where(data.decode("latin-1"), line)
        byte = f"0x{data[error.start]:02x}"
        raise ValueError(
            f"{file}: {place}: holds the byte {byte}, which is not UTF-8 text; save it as UTF-8"
        ) from None
