"""The link: a scenario as the text after `?`, read field by field and written back.

A default that changes moves LINK_VERSION, and the old value goes to CHANGED_DEFAULTS, so that an
old link keeps its figures; a key that changes its form is moved by MIGRATIONS.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode

from calculators.scenario import FIELDS, NAMES, Scenario
from calculators.scenario_fields import FieldError, FieldSpec, shown
from calculators.specs import Catalog

LINK_VERSION = 1
_NO_KEY = "(no key)"
CHANGED_DEFAULTS: dict[int, dict[str, str]] = {}
_SEVERAL = {name for name, spec in FIELDS.items() if spec.kind == "choices"}
MIGRATIONS: dict[int, Callable[[dict[str, str]], dict[str, str]]] = {}


@dataclass(frozen=True, slots=True)
class Problem:
    """What was wrong with one key of a link."""

    key: str
    given: str
    message: str

    def __str__(self) -> str:
        return f"{self.key}: {self.message}"


def defaults(company: Mapping[str, str] | None = None) -> Scenario:
    """What a link means where it says nothing, a company's own defaults put over ours."""
    return from_query(dict(company or {}))[0]


def to_query(scenario: Scenario, *, pinned: bool = False, asof: str | None = None) -> str:
    """The part of a link after `?`: what differs from the defaults, or (pinned) every field.

    A pinned link holds the version, every field and the catalog's date `asof`, so that it opens
    the same figures when defaults or facts change. from_query reads the scenario back.
    """
    base = Scenario()
    pairs = []
    for name, spec in FIELDS.items():
        value = getattr(scenario, name)
        if name == "asof" and pinned and value is None:
            value = asof
        if pinned or value != getattr(base, name):
            pairs.append((spec.key, spec.format(value)))
    head = [("v", str(LINK_VERSION))] if pinned else []
    return urlencode(head + pairs, quote_via=quote, safe="/:,")


def from_query(
    raw: str | Mapping[str, str | list[str]],
    catalog: Catalog | None = None,
) -> tuple[Scenario, tuple[Problem, ...]]:
    """Read a link field by field; what is wrong falls back to its default and is named.

    `raw` is the text after `?` or a mapping of keys to (lists of) texts. Ids are checked where a
    catalog is given. Never raises for what a link holds.
    """
    problems: list[Problem] = []
    given = _first_values(raw, problems)
    version = _version(given, problems)
    if version in MIGRATIONS:
        given = MIGRATIONS[version](given)
    given = _frozen(version, catalog.defaults if catalog else {}) | given
    values: dict[str, Any] = {}
    for key, text in given.items():
        name = NAMES.get(key)
        if name is None:
            problems.append(
                Problem(shown(key) or _NO_KEY, shown(text), "is not a key of a link; ignored")
            )
            continue
        try:
            values[name] = _parse(FIELDS[name], text, catalog)
        except FieldError as error:
            kept = shown(FIELDS[name].format(getattr(Scenario(), name))) or "empty"
            problems.append(Problem(key, shown(text), f"{error}. Kept: {kept}"))
    return Scenario(**values), tuple(problems)


def _parse(spec: FieldSpec, text: str, catalog: Catalog | None) -> Any:
    if spec.kind != "id":
        return spec.parse(text, (), lambda *_: None)
    if catalog is None:
        return spec.parse(text, (text,), lambda *_: None)
    ids = getattr(catalog, spec.table)
    find = catalog.find if spec.table != "api_prices" else lambda *_: None
    return spec.parse(text, ids, find)


def _first_values(
    raw: str | Mapping[str, str | list[str]], problems: list[Problem]
) -> dict[str, str]:
    if isinstance(raw, str):
        try:
            pairs = parse_qsl(raw.lstrip("?"), keep_blank_values=True, max_num_fields=1000)
        except ValueError:
            problems.append(Problem("link", shown(raw), "has over 1,000 parts; all ignored"))
            pairs = []
    else:
        pairs = [
            (key, text)
            for key, texts in raw.items()
            for text in ([texts] if isinstance(texts, str) else texts)
        ]
    values: dict[str, str] = {}
    repeated: set[str] = set()
    for key, text in pairs:
        if key in values and NAMES.get(key) in _SEVERAL:
            values[key] += f",{text}"
            continue
        if key in values and key not in repeated:
            repeated.add(key)
            problems.append(
                Problem(shown(key) or _NO_KEY, shown(text), "stands more than once; first kept")
            )
        values.setdefault(key, text)
    return values


def _version(given: dict[str, str], problems: list[Problem]) -> int:
    text = given.pop("v", str(LINK_VERSION))
    known = [str(version) for version in (*sorted(MIGRATIONS), LINK_VERSION)]
    if text in known:
        return int(text)
    problems.append(
        Problem(
            "v",
            shown(text),
            f"is “{shown(text)}”; allowed is {', '.join(known)}. Read as {LINK_VERSION}",
        )
    )
    return LINK_VERSION


def _frozen(version: int, company: Mapping[str, str]) -> dict[str, str]:
    if version == LINK_VERSION:
        return dict(company)
    changed: dict[str, str] = {}
    for older in sorted(CHANGED_DEFAULTS, reverse=True):
        if older >= version:
            changed |= CHANGED_DEFAULTS[older]
    return changed
