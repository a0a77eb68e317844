"""The Catalog page's figures: how many facts there are, and how old the shown ones are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import Any

from app.catalog_rows import TABLES, catalog_table
from app.derivations.derivation import Derivation, derived
from app.formatting import count
from calculators.provenance import SourceLine, cited
from calculators.specs import Catalog, Fact
from catalogs.loader import load_catalog

FACT = "Entry"


def counts(known: Catalog) -> tuple[Derivation, ...]:
    """The metrics at the top: entries of each kind, by where they come from."""
    shown: dict[str, Collection[Any]] = {
        "Cards": known.accelerators.values(),
        "Models": known.models.values(),
        "Rents": known.rental_prices,
        "API prices": known.api_prices.values(),
    }
    found = []
    for name, facts in shown.items():
        origins = Counter(fact.origin for fact in facts)
        parts = " + ".join(f"{n:,} {origin}" for origin, n in sorted(origins.items())) or "0"
        found.append(
            derived(
                name,
                "Entries of the catalog, and of your own file where there is one.",
                f"{parts} = {count(len(facts))}",
                "catalog",
                load_catalog,
            )
        )
    return tuple(found)


def ages(known: Catalog, title: str) -> Derivation:
    """The column of ages: the day of the figures less the oldest day of a source."""
    table = catalog_table(known, TABLES[title])
    day = next((c for c in ("oldest_check", "seen", "list_released") if c in table.columns), "")
    if table.empty or not day:
        return Derivation(f"Table: {title}", "It has no entry.", "", "catalog", load_catalog)
    oldest = table.loc[table["age_days"].idxmax()]
    name = oldest.get("id", oldest.get("card", ""))
    return Derivation(
        f"Table: {title}, age in days",
        f"Figures stand as their sources state them. Their age is the day of these figures, "
        f"{known.asof.isoformat()}, less the day on which a source was read. The oldest of this "
        f"table, {name}, was read {oldest[day]}: {oldest['age_days']:,} days before.",
        "",
        "catalog",
        load_catalog,
        (FACT,),
    )


def entry(fact: Fact) -> Derivation:
    """One entry in full: every figure beside the source that covers it."""
    return Derivation(
        f"Table: {fact.name}",
        "Each figure stands as its source states it, converted to the unit of its name. A source "
        "covers the figures that it names, or all of them. Grade A is the primary source, B one "
        "that collects or transcribes others, C a blog, an estimate or an uncited figure.",
        "",
        "catalog",
        load_catalog,
        (FACT,),
    )


def lines(fact: Fact | None, known: Catalog) -> tuple[SourceLine, ...]:
    """The sources of the entry that is shown."""
    return cited(FACT, fact.sources, known.asof) if fact else ()
