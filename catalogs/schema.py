"""Sections of a catalog file, and how their entries become specs or one clear sentence."""

from __future__ import annotations

import difflib
import re
from datetime import date
from typing import Any

from pydantic import BaseModel, ValidationError

from calculators.specs import (
    AcceleratorSpec,
    ApiPrice,
    CacheFormat,
    EngineSpec,
    Figure,
    ModelSpec,
    RentalPrice,
    WeightFormat,
)
from catalogs.memory_rules import with_memory
from catalogs.yaml_reader import CatalogError, kind_of

TABLES: dict[str, type[BaseModel]] = {
    "accelerators": AcceleratorSpec,
    "models": ModelSpec,
    "weight_formats": WeightFormat,
    "cache_formats": CacheFormat,
    "engines": EngineSpec,
    "ownership": Figure,
    "api_prices": ApiPrice,
}
SECTIONS = (*TABLES, "rental_prices", "defaults", "sources")
ONE_SOURCE = (ApiPrice, Figure, RentalPrice)
OLDEST_DAY = date(2000, 1, 1)
_MONEY = re.compile(r"currency|(^|_)(eur|gbp|chf|jpy|cny|cad|aud)(_|$)", re.IGNORECASE)
_SOURCE_KEYS = ("title", "url", "checked", "covers", "grade")


def nearest(given: str, legal: tuple[str, ...]) -> str:
    """The legal word closest to a given one, as the end of a sentence.

    >>> nearest("pric_usd", ("price_usd", "power_w"))
    "did you mean 'price_usd'?"
    """
    match = difflib.get_close_matches(given, legal, n=1, cutoff=0.55)
    listed = "allowed are " + ", ".join(sorted(set(legal)))
    money = "; all amounts are in USD" if _MONEY.search(given) else ""
    return (f"did you mean '{match[0]}'?" if match else listed) + money


def check_sections(data: dict[str, Any], file: str, legal: tuple[str, ...] = SECTIONS) -> None:
    """Every top-level key must be a section of the right kind."""
    for name, content in data.items():
        if name not in legal:
            raise CatalogError(f"{file}: unknown section '{name}'; {nearest(name, legal)}")
        wanted = list if name == "rental_prices" else dict
        if not isinstance(content, wanted):
            raise CatalogError(
                f"{file}: {name}: is {kind_of(content)}, it must be {kind_of(wanted())}"
            )


def resolve_sources(
    entry: dict[str, Any], named: dict[str, Any], where: str, *, one: bool
) -> dict[str, Any]:
    """The entry with its `source` or `sources` written out in full.

    A source is a mapping, or the name of one under the file's `sources`, alone or as
    `{use: name, covers: [fields]}`. Records with several sources keep a tuple.
    """
    given = [entry[key] for key in ("source", "sources") if key in entry]
    if len(given) != 1:
        what = "both 'source' and 'sources'" if given else "no source"
        raise CatalogError(
            f"{where}: has {what}; write source: {{title: ..., checked: YYYY-MM-DD}}"
        )
    listed = given[0] if isinstance(given[0], list) else [given[0]]
    if not listed:
        raise CatalogError(f"{where}: sources: is an empty list, one source must be given")
    sources = tuple(_source(item, named, where) for item in listed)
    rest = {key: value for key, value in entry.items() if key not in ("source", "sources")}
    if not one:
        return rest | {"sources": sources}
    if len(sources) != 1:
        raise CatalogError(f"{where}: source: {len(sources)} are given, exactly one is allowed")
    return rest | {"source": sources[0]}


def _source(item: Any, named: dict[str, Any], where: str) -> dict[str, Any]:
    extra: dict[str, Any] = {}
    if isinstance(item, dict) and "use" in item:
        extra, item = {k: v for k, v in item.items() if k != "use"}, item["use"]
    if isinstance(item, str):
        if item not in named:
            hint = nearest(item, tuple(named)) if named else "this file has no 'sources' section"
            raise CatalogError(f"{where}: source: '{item}' is not a named source; {hint}")
        where, item = f"{where}: source '{item}'", named[item]
    else:
        where = f"{where}: source"
    if not isinstance(item, dict):
        raise CatalogError(
            f"{where}: is {kind_of(item)}, it must be a mapping with title and checked"
        )
    return item | extra


def record(cls: type[BaseModel], data: dict[str, Any], where: str) -> Any:
    """A spec from plain values, strictly; or CatalogError in one sentence."""
    if cls is AcceleratorSpec:
        data = with_memory(data, where)
    try:
        return cls.model_validate(frozen(data), strict=True)
    except ValidationError as error:
        raise CatalogError(f"{where}: {_sentence(error, cls)}") from None


def frozen(value: Any) -> Any:
    """Lists as tuples, all the way down (what frozen specs hold)."""
    if isinstance(value, dict):
        return {key: frozen(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return tuple(frozen(item) for item in value)
    return value


def _sentence(error: ValidationError, cls: type[BaseModel]) -> str:
    problems = error.errors(include_url=False)
    first = min(problems, key=lambda p: p["type"] != "extra_forbidden")
    path = _path(first["loc"])
    missing = [_path(p["loc"]) for p in problems if p["type"] == "missing"]
    if len(missing) == len(problems) > 1:
        rest = ", ".join(missing[1:])
        return f"{missing[0]}: is missing, it must be given (as must {rest})"
    more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
    given = first["input"]
    if first["type"] == "extra_forbidden":
        key = str(first["loc"][-1])
        legal = _legal_keys(cls, first["loc"][:-1])
        return f"unknown key '{path}'; {nearest(key, legal)}{more}"
    if first["type"] == "missing":
        return f"{path}: is missing, it must be given{more}"
    return f"{path}: is {_shown(given)}, it must be {_allowed(first)}{more}"


def _path(loc: tuple[Any, ...]) -> str:
    """Where a problem is, as a person would say it; the first source is just "source"."""
    if loc[:2] == ("sources", 0):
        loc = ("source", *loc[2:])
    return ": ".join(str(part + 1) if isinstance(part, int) else part for part in loc)


def _legal_keys(cls: type[BaseModel], loc: tuple[Any, ...]) -> tuple[str, ...]:
    """Fields of the model that a location inside `cls` belongs to."""
    schema: Any = cls
    for part in loc:
        if isinstance(part, int):
            continue
        if part in ("source", "sources"):
            return _SOURCE_KEYS
        schema = _inner(schema.model_fields[part].annotation) or schema
    return tuple(schema.model_fields)


def _inner(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    found = (_inner(arg) for arg in getattr(annotation, "__args__", ()))
    return next((model for model in found if model), None)


def _shown(value: Any) -> str:
    text = f"'{value}'" if isinstance(value, str) else str(value)
    if isinstance(value, (dict, list, tuple)):
        text = kind_of(list(value) if isinstance(value, tuple) else value)
    if value is None:
        return "blank"
    return text if len(text) <= 60 else text[:57] + "..."


_WORDS = {
    "float_type": "a number, without quotes, unit or thousands comma",
    "int_type": "a whole number, without quotes, unit or thousands comma",
    "int_from_float": "a whole number",
    "string_type": "text",
    "bool_type": "true or false",
    "date_type": "a day as YYYY-MM-DD, without quotes",
    "tuple_type": "a list",
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "model_attributes_type": "a mapping",
    "too_short": "a list that is not empty",
    "string_too_short": "text that is not empty",
    "string_pattern_mismatch": "letters, digits and . _ : / + -",
}


def _allowed(problem: Any) -> str:
    context = problem.get("ctx", {})
    limits = {
        "greater_than": ("gt", "greater than"),
        "greater_than_equal": ("ge", "at least"),
        "less_than": ("lt", "less than"),
        "less_than_equal": ("le", "at most"),
    }
    if problem["type"] in limits:
        key, words = limits[problem["type"]]
        return f"{words} {context[key]:g}"
    if problem["type"] == "literal_error":
        return f"one of {context['expected']}"
    return _WORDS.get(problem["type"], problem["msg"].lower())


def check_dates(entry: BaseModel, where: str, today: date) -> None:
    """No fact was read, and no price seen, after today; addresses are of the web."""
    days = [(f"source {s.title!r}: checked", s.checked) for s in getattr(entry, "sources", ())]
    source = getattr(entry, "source", None)
    days += [("source: checked", source.checked)] if source else []
    for one in (*getattr(entry, "sources", ()), *([source] if source else [])):
        if one.url and not one.url.startswith(("https://", "http://")):
            raise CatalogError(
                f"{where}: source {one.title!r}: url: is '{one.url[:60]}', it must start with "
                "https:// or http://"
            )
    days += [(key, getattr(entry, key)) for key in ("seen", "listed") if hasattr(entry, key)]
    for what, day in days:
        if day > today:
            raise CatalogError(f"{where}: {what}: is {day}, it must not be after today ({today})")
        if day < OLDEST_DAY:
            raise CatalogError(f"{where}: {what}: is {day}, it must not be before {OLDEST_DAY}")
