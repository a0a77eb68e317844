"""YAML files, the API price package and a company's overrides -> one Catalog."""

from __future__ import annotations

from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import Any

from calculators.specs import Catalog, RentalPrice, normalised
from catalogs.api_prices import api_prices
from catalogs.overrides import merged
from catalogs.schema import (
    ONE_SOURCE,
    SECTIONS,
    TABLES,
    CatalogError,
    check_dates,
    check_sections,
    record,
    resolve_sources,
)
from catalogs.yaml_reader import kind_of, read_yaml

__all__ = ["CatalogError", "catalog_files", "load_catalog"]

FOLDER = Path(__file__).parent
MAX_OVERRIDE_BYTES = 2_000_000
_FILES = ("accelerators/*.yaml", "models/*.yaml", "rental_prices/*.yaml")
_SINGLE = ("formats.yaml", "engines.yaml", "ownership.yaml")
_SPARSE_LIMIT = 2.05


def catalog_files(folder: Path = FOLDER) -> tuple[Path, ...]:
    """The YAML files that hold facts, in a fixed order."""
    many = [path for pattern in _FILES for path in sorted(folder.glob(pattern))]
    return (*many, *(folder / name for name in _SINGLE if (folder / name).exists()))


def load_catalog(
    overrides: Path | None = None,
    asof: date | None = None,
    *,
    override_text: str | None = None,
    today: date | None = None,
    folder: Path = FOLDER,
) -> Catalog:
    """Everything known, as of a day, with a company's overrides merged in.

    Parameters
    ----------
    overrides : Path, optional
        A YAML file of the schema of `overrides.example.yaml`.
    asof : date, optional
        Prices seen or starting later are left out; the newest fact's day where not given.
    override_text : str, optional
        The same as text (an upload), merged after the file.
    today : date, optional
        Facts dated later are an error; the clock's day where not given.
    folder : Path, optional
        The catalog's own files, for tests.

    Returns
    -------
    Catalog
        Frozen; loads are cached by content.

    Raises
    ------
    CatalogError
        One sentence naming the file, the entry, the key, what was given and what is allowed.
    """
    texts = []
    if overrides is not None:
        texts.append((Path(overrides).name, _override_text(Path(overrides))))
    if override_text is not None:
        texts.append(("upload", override_text))
    return _load(folder, asof, today or date.today(), tuple(texts))


def _override_text(path: Path) -> str:
    try:
        if path.stat().st_size > MAX_OVERRIDE_BYTES:
            raise CatalogError(
                f"{path.name}: is larger than {MAX_OVERRIDE_BYTES:,} bytes, which is the limit"
            )
        return path.read_text("utf-8-sig")
    except FileNotFoundError:
        raise CatalogError(f"{path}: the overrides file does not exist") from None
    except UnicodeDecodeError:
        raise CatalogError(f"{path.name}: is not UTF-8 text, which YAML must be") from None
    except OSError as error:
        reason = error.strerror or "unknown reason"
        raise CatalogError(f"{path}: the overrides file cannot be read ({reason})") from None


@lru_cache(maxsize=32)
def _load(
    folder: Path, asof: date | None, today: date, texts: tuple[tuple[str, str], ...]
) -> Catalog:
    if texts:
        *earlier, (name, text) = texts
        base = _load(folder, asof, today, tuple(earlier))
        catalog = merged(base, text, name, today=today)
        check_catalog(catalog, name)
        return catalog
    tables, rental_prices, releases = _facts(folder, today)
    day = asof or _newest_day(tables, rental_prices)
    catalog = Catalog(
        asof=day,
        rental_prices=tuple(price for price in rental_prices if price.seen <= day),
        api_prices=_api_prices(day, releases),
        **tables,
    )
    check_catalog(catalog, "catalog")
    return catalog


def _newest_day(tables: dict[str, Any], rental_prices: tuple[RentalPrice, ...]) -> date:
    facts = (fact for table in tables.values() for fact in table.values())
    days = [s.checked for fact in facts for s in getattr(fact, "sources", ())]
    return max(days + [price.seen for price in rental_prices])


@lru_cache(maxsize=8)
def _api_prices(asof: date, releases: tuple[tuple[str, date], ...]) -> dict[str, Any]:
    return api_prices(asof, dict(releases))


@lru_cache(maxsize=8)
def _facts(folder: Path, today: date) -> tuple[dict[str, Any], tuple[RentalPrice, ...], Any]:
    """The files' records by section, the rental prices, and the price list's release days."""
    extra = {name: _side_file(folder, name) for name in ("calibration", "model_api", "api_list")}
    tables: dict[str, dict[str, Any]] = {name: {} for name in TABLES if name != "api_prices"}
    rows: list[RentalPrice] = []
    for path in catalog_files(folder):
        file = path.relative_to(folder).as_posix()
        data = _sections(read_yaml(path.read_text("utf-8"), file, trusted=True), path.parent.name)
        check_sections(data, file)
        named = data.get("sources", {})
        for section, table in tables.items():
            for key, entry in data.get(section, {}).items():
                where = f"{file}: {key}"
                if key in table:
                    raise CatalogError(f"{where}: the id is given twice among the {section}")
                entry = _with_side_facts(section, key, entry, extra, where)
                table[key] = _record(section, key, entry, named, where, today)
        for number, row in enumerate(data.get("rental_prices", []), 1):
            where = f"{file}: rental_prices/{number}"
            rows.append(record(RentalPrice, resolve_sources(row, named, where, one=True), where))
            check_dates(rows[-1], where, today)
    return tables, tuple(rows), tuple(extra["api_list"].get("releases", {}).items())


def _sections(data: dict[str, Any], section: str) -> dict[str, Any]:
    """A file's sections; a file that starts with `id` is one record of its folder's section."""
    if "id" not in data:
        return data
    return {section: {data["id"]: {key: data[key] for key in data if key != "id"}}}


def _side_file(folder: Path, name: str) -> dict[str, Any]:
    path = folder / f"{name}.yaml"
    if not path.exists():
        return {}
    data = read_yaml(path.read_text("utf-8"), path.name, trusted=True)
    return data.get("engines", data) if name == "calibration" else data


def _with_side_facts(
    section: str, key: str, entry: Any, extra: dict[str, dict[str, Any]], where: str
) -> dict[str, Any]:
    """The entry with fitted constants (engines) or the ids at API providers (models)."""
    if not isinstance(entry, dict):
        raise CatalogError(f"{where}: is {kind_of(entry)}, it must be a mapping of keys")
    if section == "engines":
        return entry | extra["calibration"].get(key, {})
    if section == "models":
        return entry | {"api_ids": _api_ids(key, entry, extra["model_api"].get("models", {}))}
    return entry


def _api_ids(key: str, entry: dict[str, Any], table: dict[str, list[str]]) -> list[str]:
    """Price lists of a model: its own, and those under its id, name, aliases or repositories."""
    names = [key, entry.get("name"), *(entry.get("aliases") or []), *(entry.get("hf_ids") or [])]
    wanted = {normalised(name.split("/")[-1]) for name in names if isinstance(name, str)}
    found = [i for name, ids in table.items() if normalised(name) in wanted for i in ids]
    return list(dict.fromkeys([*(entry.get("api_ids") or []), *found]))


def _record(
    section: str, key: str, entry: dict[str, Any], named: Any, where: str, today: date
) -> Any:
    cls = TABLES[section]
    own = resolve_sources(entry, named, where, one=cls in ONE_SOURCE)
    result = record(cls, own | {"id": key} if "id" in cls.model_fields else own, where)
    check_dates(result, where, today)
    return result


def check_catalog(catalog: Catalog, file: str) -> None:
    """What no single record can show: names that clash, unknown cards, sparse rates.

    Raises
    ------
    CatalogError
        One sentence naming both records.
    """
    for section in SECTIONS[:5]:
        _check_aliases(section, getattr(catalog, section), file)
    for price in catalog.rental_prices:
        if price.accelerator not in catalog.accelerators:
            raise CatalogError(
                f"{file}: rental_prices: {price.provider}: accelerator: '{price.accelerator}' is "
                "not an accelerator id of the catalog"
            )
    for card in catalog.accelerators.values():
        low, high = card.fp16_dense_tflops, card.fp8_dense_tflops
        if low and high and high > _SPARSE_LIMIT * low:
            raise CatalogError(
                f"{file}: accelerators/{card.id}: fp8_dense_tflops: is {high:g}, it must be at "
                f"most twice fp16_dense_tflops ({low:g}); a higher rate is a sparse one"
            )
        if card.memory_visible_gib > card.memory_total_gib:
            raise CatalogError(
                f"{file}: accelerators/{card.id}: memory_visible_gib: is "
                f"{card.memory_visible_gib:g}, it must be at most memory_total_gib "
                f"({card.memory_total_gib:g})"
            )


def _check_aliases(section: str, table: dict[str, Any], file: str) -> None:
    owners: dict[str, str] = {}
    for key, fact in table.items():
        for alias in (key, fact.name, *fact.aliases):
            owner = owners.setdefault(normalised(alias), key)
            if owner != key:
                raise CatalogError(
                    f"{file}: {section}/{key}: the name '{alias}' already belongs to '{owner}'"
                )
