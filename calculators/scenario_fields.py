"""Kinds of scenario fields: each parses a link's text into a value in range, or says why not."""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Callable, Collection
from dataclasses import Field, dataclass, field
from datetime import date
from typing import Any

_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?", re.ASCII)
_MAX_TEXT = 8000
_SHOWN = 60


class FieldError(ValueError):
    """A value that a field does not accept; the message says what is allowed."""


def shown(text: str) -> str:
    """A given value, short enough for a message."""
    clean = "".join(c if c.isprintable() else "�" for c in text)
    return clean if len(clean) <= _SHOWN else f"{clean[:_SHOWN]}… ({len(text)} characters)"


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """One key of the link: how it is read, written, limited and labelled.

    kind is number, integer, choice, id (of a catalog table), choices, text or date.
    `blank` fields may be empty: None then means "follows from the rest", as `blank_means` says.
    """

    key: str
    kind: str
    label: str
    unit: str = ""
    help: str = ""
    low: float = -math.inf
    high: float = math.inf
    options: tuple[str, ...] = ()
    table: str = ""
    blank: bool = False
    blank_means: str = ""
    check: Callable[[str], object] | None = None

    @property
    def allowed(self) -> str:
        """What the field accepts, in words."""
        if self.kind in ("number", "integer"):
            what = "a whole number" if self.kind == "integer" else "a number"
            words = f"{what} from {self.low:,.10g} to {self.high:,.10g}"
        elif self.kind == "choice":
            words = "one of " + ", ".join(self.options)
        elif self.kind == "choices":
            words = "any of " + ", ".join(self.options) + ", separated by commas"
        elif self.kind == "id":
            words = f"an id from the catalog ({self.table.replace('_', ' ')})"
        elif self.kind == "date":
            words = "a day as YYYY-MM-DD"
        else:
            words = "text"
        return words + (f", or empty ({self.blank_means})" if self.blank else "")

    def parse(self, text: str, ids: Collection[str], find: Callable[[str, str], str | None]) -> Any:
        """The value of a text, or FieldError. `ids` are the catalog's; `find` knows aliases."""
        text = text.strip()
        if not text:
            if self.blank:
                return None
            if self.kind == "choices":
                return ()
            if self.kind == "text":
                return _text(self, text)
            raise FieldError(f"is empty; allowed is {self.allowed}")
        if len(text) > _MAX_TEXT:
            raise FieldError(f"has {len(text):,} characters; at most {_MAX_TEXT:,} are allowed")
        return _PARSERS[self.kind](self, text, ids, find)

    def format(self, value: Any) -> str:
        """The text of a value in a link; parse(format(value)) is the value."""
        if value is None:
            return ""
        if isinstance(value, tuple):
            return ",".join(value)
        if isinstance(value, float):
            return format_number(value)
        return str(value)


def format_number(value: float) -> str:
    """A number in up to 12 significant digits, without a trailing `.0`."""
    return f"{value:.12g}"


def _number(spec: FieldSpec, text: str, *_: Any) -> float | int:
    if not _NUMBER.fullmatch(text):
        raise FieldError(f"is “{shown(text)}”; allowed is {spec.allowed}")
    value = float(f"{float(text):.12g}") if math.isfinite(float(text)) else math.inf
    if not spec.low <= value <= spec.high:
        raise FieldError(f"is {shown(text)}; allowed is {spec.allowed}")
    if spec.kind == "integer":
        if value != int(value):
            raise FieldError(f"is {shown(text)}; allowed is {spec.allowed}")
        return int(value)
    return value + 0.0


def _choice(spec: FieldSpec, text: str, *_: Any) -> str:
    if text not in spec.options:
        raise FieldError(f"is “{shown(text)}”; allowed is {spec.allowed}")
    return text


def _choices(spec: FieldSpec, text: str, *_: Any) -> tuple[str, ...]:
    given = [part.strip() for part in text.split(",") if part.strip()]
    for part in given:
        if part not in spec.options:
            raise FieldError(f"holds “{shown(part)}”; allowed is {spec.allowed}")
    return tuple(option for option in spec.options if option in given)


def _id(
    spec: FieldSpec, text: str, ids: Collection[str], find: Callable[[str, str], str | None]
) -> str:
    if text in ids or text in spec.options:
        return text
    found = find(spec.table, text)
    if found is not None:
        return found
    near = difflib.get_close_matches(text[:200].lower(), ids, n=3, cutoff=0.4)
    hint = f"; close to it: {', '.join(near)}" if near else ""
    raise FieldError(f"is “{shown(text)}”, which the catalog does not hold{hint}")


def _date(spec: FieldSpec, text: str, *_: Any) -> str:
    try:
        if not re.fullmatch(r"\d{4}-\d{2}-\d{2}", text, re.ASCII):
            raise ValueError
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise FieldError(f"is “{shown(text)}”; allowed is {spec.allowed}") from None


def _text(spec: FieldSpec, text: str, *_: Any) -> str:
    if spec.check is not None:
        try:
            spec.check(text)
        except ValueError as error:
            raise FieldError(f"is “{shown(text)}”: {error}") from None
    return text


_PARSERS: dict[str, Callable[..., Any]] = {
    "number": _number,
    "integer": _number,
    "choice": _choice,
    "choices": _choices,
    "id": _id,
    "date": _date,
    "text": _text,
}


def define(default: Any, key: str, kind: str, label: str, **settings: Any) -> Any:
    """A dataclass field of the scenario that carries its FieldSpec."""
    return field(default=default, metadata={"spec": FieldSpec(key, kind, label, **settings)})


def spec_of(dataclass_field: Field[Any]) -> FieldSpec:
    """The FieldSpec that a scenario's dataclass field carries."""
    return dataclass_field.metadata["spec"]
