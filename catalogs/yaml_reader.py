"""YAML text -> plain values: duplicate keys, anchors, tags and depth are errors, not surprises."""

from __future__ import annotations

import math
import re
from typing import Any

import yaml

from catalogs.yaml_faults import decoded, syntax_sentence
from catalogs.yaml_places import where

MAX_BYTES = 2_000_000
MAX_DEPTH = 12
MAX_NUMBER = 10**18
_MOST_DIGITS = 40
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class CatalogError(ValueError):
    """A fact that cannot be used; the message names file, entry, key and what is allowed."""


class _FaultError(Exception):
    """What is wrong on a line of a text."""

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(problem)
        self.line, self.problem = line, problem


class _UniqueKeyLoader(_Loader):
    """The safe loader, with a key given twice as an error."""

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
        seen: set[Any] = set()
        for key_node, _ in node.value:
            if key_node.tag == "tag:yaml.org,2002:merge":
                raise _at(key_node, "merge keys (<<) are not allowed, repeat the values")
            key = self.construct_object(key_node, deep=True)
            if not isinstance(key, str):
                raise _at(
                    key_node, f"key {_as_read(key_node, key)} is not text; write it in quotes"
                )
            if key in seen:
                raise _at(key_node, f"key '{key}' is given twice")
            seen.add(key)
        return super().construct_mapping(node, deep=deep)


def _as_read(node: Any, value: Any) -> str:
    """A key as it stands in the file, and how YAML reads it where that is something else."""
    given = node.value if isinstance(node, yaml.ScalarNode) else value
    return f"{given}" if str(given) == str(value) else f"{given} (read as {value})"


def _day(loader: Any, node: Any) -> Any:
    try:
        return loader.construct_yaml_timestamp(node)
    except ValueError as error:
        raise _at(node, f"{node.value} is not a day of the calendar ({error})") from None


def _number(loader: Any, node: Any) -> Any:
    """A number as it is written: YAML 1.1 would read 1:30 as 90 and 010 as 8."""
    text, whole = node.value, node.tag.endswith(":int")
    if len(text) > _MOST_DIGITS:
        raise _at(node, f"a number of {len(text):,} characters, at most {_MOST_DIGITS} are allowed")
    if ":" in text or re.fullmatch(r"[-+]?0[0-9a-z_]+", text, re.IGNORECASE):
        raise _at(node, f"is {text}, it must be a plain number such as 1.5, or text in quotes")
    return loader.construct_yaml_int(node) if whole else loader.construct_yaml_float(node)


_UniqueKeyLoader.add_constructor("tag:yaml.org,2002:timestamp", _day)
_UniqueKeyLoader.add_constructor("tag:yaml.org,2002:int", _number)
_UniqueKeyLoader.add_constructor("tag:yaml.org,2002:float", _number)


def _at(node: Any, problem: str) -> _FaultError:
    return _FaultError(node.start_mark.line, problem)


def yaml_text(data: bytes, file: str) -> str:
    """The text of a file; CatalogError in one sentence where it is not UTF-8.

    >>> yaml_text(b"a: 1", "own.yaml")
    'a: 1'
    """
    try:
        return decoded(data, file)
    except ValueError as error:
        raise CatalogError(str(error)) from None


def read_yaml(text: str, file: str, *, trusted: bool = False) -> dict[str, Any]:
    """The mapping that a YAML text holds.

    Parameters
    ----------
    text : str
        YAML of at most 2 MB and 12 levels, without anchors, aliases and tags.
    file : str
        Name for messages.
    trusted : bool
        Skips the scan for depth, anchors and tags (for files of this package).

    Returns
    -------
    dict
        Plain dicts, lists, text, numbers, booleans and dates.

    Raises
    ------
    CatalogError
        One sentence with the file and the line.

    Examples
    --------
    >>> read_yaml("a: {b: 2}", "x.yaml")
    {'a': {'b': 2}}
    """
    try:
        if not trusted:
            _check_events(text)
        data = yaml.load(text, Loader=_UniqueKeyLoader)
    except CatalogError as error:
        raise CatalogError(f"{file}: {error}") from None
    except _FaultError as fault:
        raise CatalogError(f"{file}: {where(text, fault.line)}: {fault.problem}") from None
    except yaml.YAMLError as error:
        raise CatalogError(f"{file}: {syntax_sentence(error, text)}") from None
    except (ValueError, RecursionError) as error:
        raise CatalogError(f"{file}: a value cannot be read ({error})") from None
    if data is None:
        raise CatalogError(f"{file}: the file is empty; at least one section is needed")
    if not isinstance(data, dict):
        raise CatalogError(f"{file}: the file is {kind_of(data)}, it must be a mapping of sections")
    _check_finite(data, file, ())
    return data


def _check_events(text: str) -> None:
    """Refuses what a catalog never needs, before anything is built."""
    if len(text) > MAX_BYTES:
        raise CatalogError(f"has {len(text):,} characters, at most {MAX_BYTES:,} are allowed")
    depth = 0
    for event in yaml.parse(text, Loader=_Loader):
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise _at(event, "anchors and aliases (& and *) are not allowed, repeat the value")
        tag = getattr(event, "tag", None)
        if tag:
            raise _at(event, f"the tag {tag} is not allowed, only plain values are")
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > MAX_DEPTH:
            raise _at(event, f"is nested deeper than {MAX_DEPTH} levels")


def _check_finite(value: Any, file: str, path: tuple[str, ...]) -> None:
    if isinstance(value, dict):
        for key, item in value.items():
            _check_finite(item, file, (*path, str(key)))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            _check_finite(item, file, (*path, str(index + 1)))
    elif isinstance(value, float) and not math.isfinite(value):
        raise CatalogError(f"{file}: {_named(path)}: is {value}, it must be a finite number")
    elif isinstance(value, (int, float)) and abs(value) > MAX_NUMBER:
        raise CatalogError(
            f"{file}: {_named(path)}: is {value:.3g}, it must be at most {MAX_NUMBER:.0e}"
        )


def _named(path: tuple[str, ...]) -> str:
    return ": ".join(["/".join(path[:2]), *path[2:]])


def kind_of(value: Any) -> str:
    """What a YAML value is, in words."""
    names = {
        type(None): "blank",
        str: "text",
        dict: "a mapping",
        list: "a list",
        bool: "a yes/no value",
        int: "a number",
        float: "a number",
    }
    return names.get(type(value), "a day")
