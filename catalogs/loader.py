"""YAML files, the API price package and a company's overrides -> one Catalog."""

from __future__ import annotations

from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import Any

from calculators.specs import Catalog
from catalogs.api_prices import api_prices
from catalogs.checks import faults
from catalogs.files import Facts, read_facts
from catalogs.overrides import merged
from catalogs.schema import CatalogError
from catalogs.yaml_reader import yaml_text

__all__ = ["FOLDER", "CatalogError", "load_catalog"]

FOLDER = Path(__file__).parent
MAX_OVERRIDE_BYTES = 2_000_000


def load_catalog(
    overrides: Path | None = None,
    asof: date | None = None,
    *,
    override_text: str | None = None,
    override_name: str = "upload",
    today: date | None = None,
    folder: Path = FOLDER,
    strict: bool = True,
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
    override_name : str
        Name of that text for messages.
    today : date, optional
        Facts dated later are an error. Where not given, the catalog's own files are not checked
        against the clock, and overrides are against the later of the clock and the catalog.
    folder : Path, optional
        The catalog's own files, for tests.
    strict : bool
        Whether something broken is an error. If not, that record, file or set of overrides is
        left out, and `problems` of the result says so, one sentence each.

    Returns
    -------
    Catalog
        Frozen; loads are cached by content.

    Raises
    ------
    CatalogError
        One sentence naming the file, the entry, the key, what was given and what is allowed.
    """
    problems: list[str] = []
    texts = []
    if overrides is not None:
        try:
            texts.append((Path(overrides).name, _override_text(Path(overrides))))
        except CatalogError as error:
            if strict:
                raise
            problems.append(f"{error}; these overrides are left out")
    if override_text is not None:
        texts.append((override_name, override_text))
    catalog = _load(folder, asof, today, date.today(), tuple(texts), strict)
    if not problems:
        return catalog
    return catalog.model_copy(update={"problems": (*catalog.problems, *problems)})


def _override_text(path: Path) -> str:
    try:
        if path.stat().st_size > MAX_OVERRIDE_BYTES:
            raise CatalogError(
                f"{path.name}: is larger than {MAX_OVERRIDE_BYTES:,} bytes, which is the limit"
            )
        return yaml_text(path.read_bytes(), path.name)
    except FileNotFoundError:
        raise CatalogError(f"{path.name}: the overrides file does not exist") from None
    except OSError as error:
        reason = error.strerror or "unknown reason"
        raise CatalogError(f"{path.name}: the overrides file cannot be read ({reason})") from None


@lru_cache(maxsize=32)
def _load(
    folder: Path,
    asof: date | None,
    today: date | None,
    clock: date,
    texts: tuple[tuple[str, str], ...],
    strict: bool,
) -> Catalog:
    if not texts:
        return _own(folder, asof, today, strict)
    *earlier, (name, text) = texts
    base = _load(folder, asof, today, clock, tuple(earlier), strict)
    latest = today or max(clock, _newest_day(_facts(folder, today, strict)))
    try:
        catalog = merged(base, text, name, today=latest)
        known = set(faults(base))
        for sentence in faults(catalog):
            if sentence not in known:
                raise CatalogError(f"{name}: {sentence}")
    except CatalogError as error:
        if strict:
            raise
        problem = f"{error}; these overrides are left out"
        return base.model_copy(update={"problems": (*base.problems, problem)})
    return catalog


def _own(folder: Path, asof: date | None, today: date | None, strict: bool) -> Catalog:
    """The catalog without overrides."""
    facts = _facts(folder, today, strict)
    day = asof or _newest_day(facts)
    cards = facts.tables["accelerators"]
    catalog = Catalog(
        asof=day,
        rental_prices=tuple(price for price in facts.rental_prices if price.seen <= day),
        api_prices=_api_prices(day, tuple(facts.releases.items())),
        problems=tuple(facts.problems),
        **facts.tables,
    )
    sentences = [f"catalog: {sentence}" for sentence in faults(catalog)]
    if not sentences:
        return catalog
    if strict:
        raise CatalogError(sentences[0])
    known = tuple(price for price in catalog.rental_prices if price.accelerator in cards)
    update = {"problems": (*catalog.problems, *sentences), "rental_prices": known}
    return catalog.model_copy(update=update)


def _newest_day(facts: Facts) -> date:
    records = (fact for table in facts.tables.values() for fact in table.values())
    days = [source.checked for fact in records for source in getattr(fact, "sources", ())]
    return max([*days, *(price.seen for price in facts.rental_prices)], default=date.min)


@lru_cache(maxsize=8)
def _api_prices(asof: date, releases: tuple[tuple[str, date], ...]) -> dict[str, Any]:
    return api_prices(asof, dict(releases))


@lru_cache(maxsize=8)
def _facts(folder: Path, today: date | None, strict: bool) -> Facts:
    return read_facts(folder, today, strict=strict)
