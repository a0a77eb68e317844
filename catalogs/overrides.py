"""A company's own facts: merged field by field onto the catalog, or new entries beside it."""

from __future__ import annotations

from datetime import date
from typing import Any

from pydantic import BaseModel

from calculators.link import from_query
from calculators.scenario import KEYS
from calculators.specs import DEFAULT_OF, ApiPrice, Catalog, OwnFigure, RentalPrice, Source
from catalogs.api_prices import with_api_defaults
from catalogs.own_figures import NEW_ENTRY, default_of, own_figure
from catalogs.schema import (
    ONE_SOURCE,
    SECTIONS,
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
    rows. A figure of ownership that stands for a link's default (electricity, staff) sets that
    default too. What changed is listed in `own_figures`.

    Raises
    ------
    CatalogError
        One sentence: file, entry, key, what was given, what is allowed.
    """
    data = read_yaml(text, file)
    check_sections(data, file)
    named = data.get("sources", {})
    update: dict[str, Any] = {}
    own: list[OwnFigure] = []
    for section, cls in TABLES.items():
        table = dict(getattr(catalog, section))
        for key, entry in data.get(section, {}).items():
            where = f"{file}: {section}/{key}"
            table[key], given = _merge(cls, key, entry, table, named, where)
            check_dates(table[key], where, today)
            known = key in getattr(catalog, section)
            own += _listed(f"{section}/{key}", given, table[key], known=known)
        update[section] = table
    rows = _rental_rows(data.get("rental_prices", []), named, update["accelerators"], file, today)
    update["rental_prices"] = (*catalog.rental_prices, *rows)
    own += [_rent(row) for row in rows]
    figures = {key: update["ownership"][key] for key in data.get("ownership", {})}
    implied = {k: v for key, figure in figures.items() for k, v in default_of(key, figure).items()}
    stated, listed = _defaults(data.get("defaults", {}), named, file)
    own += listed
    if not own:
        raise CatalogError(f"{file}: sets nothing; give one of {', '.join(SECTIONS[:-1])}")
    update["defaults"] = catalog.defaults | implied | stated
    update["own_figures"] = (*catalog.own_figures, *own)
    result = Catalog(**{name: getattr(catalog, name) for name in Catalog.model_fields} | update)
    _check_defaults(result, implied | stated, stated, file, today)
    return result


def _merge(
    cls: type[BaseModel],
    key: str,
    entry: Any,
    table: dict[str, Any],
    named: dict[str, Any],
    where: str,
) -> tuple[Any, dict[str, Any]]:
    """One override as a spec, and what it sets by key."""
    if not isinstance(entry, dict):
        raise CatalogError(f"{where}: is {kind_of(entry)}, it must be a mapping of keys")
    _check_keys(cls, entry, where)
    known = table.get(key)
    given = resolve_sources(entry, named, where, one=cls in ONE_SOURCE)
    stated = {name: value for name, value in entry.items() if name not in ("source", "sources")}
    if cls is ApiPrice:
        given = with_api_defaults(given, key, where, new=known is None)
    if known is None:
        base = {"id": key} if "id" in cls.model_fields else {}
        return _new(cls, base | given | {"origin": "override"}, key, table, where), stated
    if "unit" in stated and stated["unit"] != getattr(known, "unit", None):
        raise CatalogError(f"{where}: unit: is '{stated['unit']}', it must be '{known.unit}'")
    if "sources" in given:
        _check_covers(cls, given["sources"], where)
        own = tuple({"covers": tuple(stated)} | source for source in given["sources"])
        given = given | {"sources": own + tuple(known.model_dump()["sources"])}
    gone = {"source", *_stale(given)}
    base = {name: value for name, value in known.model_dump().items() if name not in gone}
    return record(cls, _deep(base, given) | {"origin": "override"}, where), stated


def _new(
    cls: type[BaseModel], data: dict[str, Any], key: str, table: dict[str, Any], where: str
) -> Any:
    """A new entry, which must be complete; a mistyped id of the catalog is told."""
    if cls is ApiPrice and not all(key.partition("/")):
        near = nearest(key, tuple(table))
        hint = f"; {near}" if near.startswith("did") else ""
        raise CatalogError(f"{where}: is no id of an API price, which is provider/model{hint}")
    try:
        return record(cls, data, where)
    except CatalogError as error:
        near = nearest(key, tuple(table))
        hint = near if near.startswith("did") else "the Catalog page lists its ids"
        raise CatalogError(
            f"{error}; the catalog has no '{key}', so this is a new entry ({hint})"
        ) from None


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


def _check_keys(cls: type[BaseModel], entry: dict[str, Any], where: str) -> None:
    legal = tuple(
        dict.fromkeys(
            name
            for name in (*cls.model_fields, "source", "sources")
            if name not in ("origin", "id")
        )
    )
    for name in entry:
        if name not in legal:
            raise CatalogError(f"{where}: unknown key '{name}'; {nearest(name, legal)}")
    if len(entry) == len({"source", "sources"} & entry.keys()):
        raise CatalogError(f"{where}: sets nothing; name at least one of its keys")


def _check_covers(cls: type[BaseModel], sources: tuple[dict[str, Any], ...], where: str) -> None:
    legal = tuple(cls.model_fields)
    for source in sources:
        for name in source.get("covers") or ():
            if name not in legal:
                raise CatalogError(
                    f"{where}: source: covers: '{name}' is not a key of the entry; "
                    f"{nearest(str(name), legal)}"
                )


def _deep(base: dict[str, Any], update: dict[str, Any]) -> dict[str, Any]:
    """A mapping with another merged in, mapping by mapping."""
    result = dict(base)
    for key, value in update.items():
        both = isinstance(value, dict) and isinstance(result.get(key), dict)
        result[key] = _deep(result[key], value) if both else value
    return result


def _listed(name: str, stated: dict[str, Any], entry: Any, *, known: bool) -> list[OwnFigure]:
    """What an entry sets, a figure a line; a new entry is one line."""
    source = getattr(entry, "source", None) or entry.sources[0]
    if not known:
        return [own_figure(f"{name}: {NEW_ENTRY}", stated, source)]
    return [own_figure(f"{name}: {key}", value, source) for key, value in stated.items()]


def _rent(row: RentalPrice) -> OwnFigure:
    name = f"rental_prices/{row.accelerator}: {row.provider} {row.kind}"
    return own_figure(name, f"{row.usd_h:g} USD a card hour", row.source)


def _rental_rows(
    rows: list[Any], named: dict[str, Any], cards: dict[str, Any], file: str, today: date
) -> list[RentalPrice]:
    prices: list[RentalPrice] = []
    for number, row in enumerate(rows, 1):
        where = f"{file}: rental_prices/{number}"
        if not isinstance(row, dict):
            raise CatalogError(f"{where}: is {kind_of(row)}, it must be a mapping of keys")
        _check_keys(RentalPrice, row, where)
        entry = resolve_sources({"tier": "own"} | row, named, where, one=True)
        price = record(RentalPrice, entry | {"origin": "override"}, where)
        if price.accelerator not in cards:
            raise CatalogError(
                f"{where}: accelerator: is '{price.accelerator}', which is not an accelerator id "
                f"of the catalog; {nearest(price.accelerator, tuple(cards))}"
            )
        check_dates(price, where, today)
        if price in prices:
            first = prices.index(price) + 1
            raise CatalogError(f"{where}: is the same quote as rental_prices/{first}; give it once")
        prices.append(price)
    return prices


def _defaults(
    given: dict[str, Any], named: dict[str, Any], file: str
) -> tuple[dict[str, str], list[OwnFigure]]:
    """Scenario defaults as text, as a link would carry them, and as own figures."""
    values, where = dict(given), f"{file}: defaults"
    source = None
    if "source" in values:
        found = resolve_sources({"source": values.pop("source")}, named, where, one=True)
        source = record(Source, found["source"], f"{where}: source")
    for key, value in values.items():
        if key not in KEYS[1:]:
            raise CatalogError(f"{where}: unknown key '{key}'; {nearest(key, KEYS[1:])}")
        if isinstance(value, (dict, list, bool)) or value is None:
            raise CatalogError(f"{where}: {key}: is {kind_of(value)}, it must be a number or text")
    texts = {key: str(value) for key, value in values.items()}
    return texts, [own_figure(f"defaults: {key}", text, source) for key, text in texts.items()]


def _check_defaults(
    catalog: Catalog, given: dict[str, str], stated: dict[str, str], file: str, today: date
) -> None:
    """Every default must be legal in a link, with the overrides in place."""
    _, problems = from_query(given, catalog)
    figures = {key: f"ownership/{figure}: value" for figure, key in DEFAULT_OF.items()}
    for problem in problems:
        place = f"defaults: {problem.key}" if problem.key in stated else figures[problem.key]
        message = problem.message.split(". Kept:")[0]
        raise CatalogError(f"{file}: {place}: {message}")
    if given.get("asof", "") > today.isoformat():
        raise CatalogError(
            f"{file}: defaults: asof: is {given['asof']}, it must not be after today ({today})"
        )
