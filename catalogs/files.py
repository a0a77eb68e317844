"""The catalog's own YAML files -> records by section, each file or record on its own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from calculators.specs import RentalPrice, normalised
from catalogs.schema import (
    ONE_SOURCE,
    TABLES,
    CatalogError,
    check_dates,
    check_sections,
    record,
    resolve_sources,
)
from catalogs.yaml_reader import kind_of, read_yaml

_FILES = ("accelerators/*.yaml", "models/*.yaml", "rental_prices/*.yaml")
_SINGLE = ("formats.yaml", "engines.yaml", "ownership.yaml")
_SIDE_FILES = ("calibration", "model_api", "api_list")


@dataclass(slots=True)
class Facts:
    """What the files hold; `problems` are the sentences about what was left out."""

    tables: dict[str, dict[str, Any]]
    rental_prices: list[RentalPrice] = field(default_factory=list)
    releases: dict[str, date] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)


def catalog_files(folder: Path) -> tuple[Path, ...]:
    """The YAML files that hold facts, in a fixed order."""
    many = [path for pattern in _FILES for path in sorted(folder.glob(pattern))]
    return (*many, *(folder / name for name in _SINGLE if (folder / name).exists()))


def read_facts(folder: Path, today: date | None, *, strict: bool) -> Facts:
    """Every record of the catalog's own files.

    Parameters
    ----------
    folder : Path
        Where the files are.
    today : date or None
        Facts dated later are an error; None leaves dates unchecked.
    strict : bool
        Whether a broken file or record is an error; else it is left out and named in `problems`.

    Raises
    ------
    CatalogError
        For the first broken record, where strict.
    """
    facts = Facts({name: {} for name in TABLES if name != "api_prices"})
    side = {name: _side_file(folder, name, facts, strict) for name in _SIDE_FILES}
    facts.releases = side["api_list"].get("releases", {})
    for path in catalog_files(folder):
        file = path.relative_to(folder).as_posix()
        try:
            data = _sections(read_yaml(_text(path), file, trusted=True), path.parent.name)
            check_sections(data, file)
        except CatalogError as error:
            _leave_out(error, facts, strict)
            continue
        named = data.get("sources", {})
        for section, key, entry in _entries(data):
            try:
                _add(facts, section, key, entry, named, side, today, f"{file}: {key}")
            except CatalogError as error:
                _leave_out(error, facts, strict)
    return facts


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CatalogError(f"{path.name}: cannot be read as UTF-8 text ({error})") from None


def _leave_out(error: CatalogError, facts: Facts, strict: bool) -> None:
    if strict:
        raise error
    facts.problems.append(str(error))


def _sections(data: dict[str, Any], section: str) -> dict[str, Any]:
    """A file's sections; a file that starts with `id` is one record of its folder's section."""
    if "id" not in data:
        return data
    return {section: {str(data["id"]): {key: data[key] for key in data if key != "id"}}}


def _side_file(folder: Path, name: str, facts: Facts, strict: bool) -> dict[str, Any]:
    """A file of mappings that adds to records of other files; empty where there is none."""
    path = folder / f"{name}.yaml"
    if not path.exists():
        return {}
    try:
        data = read_yaml(_text(path), path.name, trusted=True)
        data = data.get("engines", data) if name == "calibration" else data
        for key, value in data.items():
            if not isinstance(value, dict):
                what = f"is {kind_of(value)}, it must be a mapping"
                raise CatalogError(f"{path.name}: {key}: {what}")
    except CatalogError as error:
        _leave_out(error, facts, strict)
        return {}
    return data


def _entries(data: dict[str, Any]) -> Iterator[tuple[str, str, Any]]:
    """Section, key and content of every record of a file."""
    for section in data:
        if section == "rental_prices":
            for number, row in enumerate(data[section], 1):
                yield section, f"{section}/{number}", row
        elif section not in ("sources", "defaults", "api_prices"):
            for key, entry in data[section].items():
                yield section, key, entry


def _add(
    facts: Facts,
    section: str,
    key: str,
    entry: Any,
    named: dict[str, Any],
    side: dict[str, dict[str, Any]],
    today: date | None,
    where: str,
) -> None:
    """Adds one record to the facts, or raises CatalogError."""
    cls = RentalPrice if section == "rental_prices" else TABLES[section]
    if not isinstance(entry, dict):
        raise CatalogError(f"{where}: is {kind_of(entry)}, it must be a mapping of keys")
    whole = resolve_sources(entry, named, where, one=cls in ONE_SOURCE)
    if "id" in cls.model_fields:
        whole = whole | {"id": key} | _side_facts(section, key, whole, side)
    new = record(cls, whole, where)
    if today:
        check_dates(new, where, today)
    if section == "rental_prices":
        facts.rental_prices.append(new)
        return
    if key in facts.tables[section]:
        raise CatalogError(f"{where}: the id is given twice among the {section}")
    facts.tables[section][key] = new


def _side_facts(
    section: str, key: str, entry: dict[str, Any], side: dict[str, dict[str, Any]]
) -> dict[str, Any]:
    """Fitted constants (engines) or the ids at API providers (models) of a record."""
    if section == "engines":
        return side["calibration"].get(key, {})
    if section == "models":
        return {"api_ids": _api_ids(key, entry, side["model_api"].get("models", {}))}
    return {}


def _api_ids(key: str, entry: dict[str, Any], table: dict[str, dict[str, list[str]]]) -> list[str]:
    """Price lists of a model: its own, and those under its id, name, aliases or repositories."""
    names = [key, entry.get("name"), *(entry.get("aliases") or []), *(entry.get("hf_ids") or [])]
    wanted = {normalised(name.split("/")[-1]) for name in names if isinstance(name, str)}
    found = [
        id_
        for main_name, lists in table.items()
        if wanted & {normalised(name) for name in (main_name, *lists.get("names", ()))}
        for id_ in lists["ids"]
    ]
    return list(dict.fromkeys([*(entry.get("api_ids") or []), *found]))
