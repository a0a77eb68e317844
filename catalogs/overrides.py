"""A company's own facts: merged field by field onto the catalog, or new entries beside it."""

from __future__ import annotations

from datetime import date
from typing import Any

from pydantic import BaseModel

from calculators.link import from_query
from calculators.scenario import KEYS
from calculators.specs import ApiPrice, Catalog, RentalPrice
from catalogs.api_prices import with_api_defaults
from catalogs.schema import (
    ONE_SOURCE,
    TABLES,
    CatalogError,
    check_dates,
    check_sections,
    nearest,
    record,
    resolve_sources,
)
from catalogs.yaml_reader import kind_of, read_yaml


def merged(catalog: Catalog, text: str, file: str, *, today: date) -> Catalog:
    """The catalog with the overrides of a YAML text merged in and marked.

    An entry whose id the catalog knows changes the fields that it names and keeps the rest; any
    other id is a new entry and must be complete. Each needs its own source. Rental prices add
    rows. What changed is listed in `overridden`.

    Raises
    ------
    CatalogError
        One sentence: file, entry, key, what was given, what is allowed.
    """
    data = read_yaml(text, file)
    check_sections(data, file)
    named = data.get("sources", {})
    update: dict[str, Any] = {}
    changed: list[str] = []
    for section, cls in TABLES.items():
        table = dict(getattr(catalog, section))
        for key, entry in data.get(section, {}).items():
            where = f"{file}: {section}/{key}"
            table[key], keys = _merge(cls, key, entry, table.get(key), named, where)
            check_dates(table[key], where, today)
            changed += [f"{section}/{key}: {name}" for name in keys]
        update[section] = table
    rows, changed_rows = _rental_rows(data.get("rental_prices", []), named, file, today)
    update["rental_prices"] = (*catalog.rental_prices, *rows)
    own_defaults = _defaults(data.get("defaults", {}), file)
    update["defaults"] = catalog.defaults | own_defaults
    changed += changed_rows + [f"defaults: {key}" for key in own_defaults]
    update["overridden"] = (*catalog.overridden, *changed)
    result = Catalog(**{name: getattr(catalog, name) for name in Catalog.model_fields} | update)
    _check_defaults(result, own_defaults, file)
    return result


def _merge(
    cls: type[BaseModel],
    key: str,
    entry: Any,
    known: BaseModel | None,
    named: dict[str, Any],
    where: str,
) -> tuple[Any, list[str]]:
    """One override as a spec, and the keys that it sets."""
    if not isinstance(entry, dict):
        raise CatalogError(f"{where}: is {kind_of(entry)}, it must be a mapping of keys")
    fields = _own_fields(cls, entry, key, where)
    given = resolve_sources(entry, named, where, one=cls in ONE_SOURCE)
    keys = [name for name in given if name not in ("source", "sources")]
    if cls is ApiPrice:
        given = with_api_defaults(given, key, where, new=known is None)
    if known is None:
        base = {"id": key} if "id" in fields else {}
        return record(cls, base | given | {"origin": "override"}, where), keys
    if "sources" in given:
        own = tuple({"covers": tuple(keys)} | source for source in given["sources"])
        given = given | {"sources": own + tuple(known.model_dump()["sources"])}
    gone = {"source", *_stale(given)}
    base = {key: value for key, value in known.model_dump().items() if key not in gone}
    return record(cls, _deep(base, given) | {"origin": "override"}, where), keys


def _stale(given: dict[str, Any]) -> set[str]:
    """Fields that no longer hold once others are given: they were about the old figure."""
    follow = {
        "value": ("low", "high"),
        "low": ("value", "high"),
        "high": ("value", "low"),
        "price_usd": ("price_low_usd", "price_high_usd"),
        "memory_label_gb": ("memory_total_gib", "memory_visible_gib"),
        "memory_total_gib": ("memory_visible_gib",),
        "rates": ("batch", "off_peak", "off_peak_note"),
    }
    return {name for key in given for name in follow.get(key, ()) if name not in given}


def _own_fields(
    cls: type[BaseModel], entry: dict[str, Any], key: str, where: str
) -> dict[str, Any]:
    fields = dict(cls.model_fields)
    legal = tuple(name for name in (*fields, "source", "sources") if name not in ("origin", "id"))
    for name in entry:
        if name not in legal:
            raise CatalogError(f"{where}: unknown key '{name}'; {nearest(name, legal)}")
    if len(entry) == len({"source", "sources"} & entry.keys()):
        raise CatalogError(f"{where}: sets nothing; name at least one of its keys")
    return fields


def _deep(base: dict[str, Any], update: dict[str, Any]) -> dict[str, Any]:
    """A mapping with another merged in, mapping by mapping."""
    result = dict(base)
    for key, value in update.items():
        both = isinstance(value, dict) and isinstance(result.get(key), dict)
        result[key] = _deep(result[key], value) if both else value
    return result


def _rental_rows(
    rows: list[Any], named: dict[str, Any], file: str, today: date
) -> tuple[list[RentalPrice], list[str]]:
    prices, changed = [], []
    for number, row in enumerate(rows, 1):
        where = f"{file}: rental_prices/{number}"
        if not isinstance(row, dict):
            raise CatalogError(f"{where}: is {kind_of(row)}, it must be a mapping of keys")
        entry = resolve_sources({"tier": "own"} | row, named, where, one=True)
        price = record(RentalPrice, entry | {"origin": "override"}, where)
        check_dates(price, where, today)
        prices.append(price)
        changed.append(f"rental_prices/{price.accelerator}: {price.provider} {price.kind}")
    return prices, changed


def _defaults(given: dict[str, Any], file: str) -> dict[str, str]:
    """Scenario defaults as text, as a link would carry them."""
    result = {}
    for key, value in given.items():
        if key not in KEYS[1:]:
            raise CatalogError(f"{file}: defaults: unknown key '{key}'; {nearest(key, KEYS[1:])}")
        if isinstance(value, (dict, list, bool)) or value is None:
            raise CatalogError(
                f"{file}: defaults: {key}: is {kind_of(value)}, it must be a number or text"
            )
        result[key] = str(value)
    return result


def _check_defaults(catalog: Catalog, given: dict[str, str], file: str) -> None:
    """Every default must be legal in a link, with the overrides in place."""
    _, problems = from_query(given, catalog)
    for problem in problems:
        message = problem.message.split(". Kept:")[0]
        raise CatalogError(f"{file}: defaults: {problem.key}: {message}")
