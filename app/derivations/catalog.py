"""The Catalog page's figures: how many facts there are, and how old the shown ones are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from datetime import date
from typing import Any

from app.catalog_rows import TABLES, catalog_table
from app.derivations.derivation import Derivation, derived
from app.derivations.derivation import amount as a
from app.derivations.middle import percentile_equation
from app.formatting import count, counted, gib, number
from calculators.cost.rental import rental_quotes, rental_range
from calculators.provenance import SourceLine, cited
from calculators.specs import AcceleratorSpec, Catalog, Fact, ModelSpec, WeightFormat
from catalogs.loader import load_catalog

FACT = "Entry"
ON_DEMAND = "on-demand"
_MOST_CARDS = 8


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
    name = oldest.get("name", oldest.get("label", ""))
    return Derivation(
        f"Table: {title}, age in days",
        f"Figures stand as their sources state them. Their age is the day of these figures, "
        f"{known.asof.isoformat()}, less the day on which a source was read. The oldest of this "
        f"table, {name}, was read {oldest[day]}. Days are counted from 1 January.",
        _age_line(date.fromisoformat(oldest[day]), known.asof),
        "catalog",
        load_catalog,
        (FACT,),
    )


def _age_line(read: date, asof: date) -> str:
    """Days between two days, from their places in the year."""
    between = (date(asof.year, 1, 1) - date(read.year, 1, 1)).days
    earlier = f" + {between:,} days of earlier years" if between else ""
    today, then = asof.timetuple().tm_yday, read.timetuple().tm_yday
    return f"day {today}{earlier} - day {then} = {counted((asof - read).days, 'day')}"


def rents(known: Catalog) -> Derivation:
    """The rent that pages use of the cards with most quotes: the middle one."""
    by_card = Counter(p.accelerator for p in known.rental_prices if p.kind == ON_DEMAND)
    rows = []
    for card, _ in by_card.most_common(_MOST_CARDS):
        quotes = rental_quotes(known.rental_prices, card, ON_DEMAND, known.asof)
        if quotes:
            middle = percentile_equation([q.usd_h for q in quotes], 0.5, _usd_h)
            name = known.accelerators[card].name if card in known.accelerators else card
            rows.append(f"{name}, {counted(len(quotes), 'quote')}: {middle}")
    return derived(
        "Table: Rents, and the rate that other pages use",
        "Each line is a provider's price of one card for an hour. Other pages use the middle one "
        "of the newest quotes of a card on demand, sorted by price; with an even number of quotes, "
        "half way between the two in the middle.",
        "\n".join(rows),
        "measured",
        rental_range,
    )


def _usd_h(value: float) -> str:
    return f"{value:,.2f} USD an hour"


def entry(fact: Fact) -> Derivation:
    """One entry in full: every figure beside the source that covers it, and what follows."""
    return Derivation(
        f"Table: {fact.name}",
        "Each figure stands as its source states it, converted to the unit of its name. A source "
        "covers the figures that it names, or all of them. Grade A is the primary source, B one "
        "that collects or transcribes others, C a blog, an estimate or an uncited figure. Where "
        "figures of the entry are put together for other pages, it is done below.",
        "\n".join(_follows(fact)),
        "catalog",
        load_catalog,
        (FACT,),
    )


def _follows(fact: Fact) -> list[str]:
    """What pages make of an entry's own figures."""
    if isinstance(fact, AcceleratorSpec) and fact.fp16_dense_tflops:
        per_byte = 1000 * fact.fp16_dense_tflops / fact.bandwidth_gb_s
        return [
            f"operations for each byte read: {a(fact.fp16_dense_tflops)} TFLOP/s x 1,000 / "
            f"{a(fact.bandwidth_gb_s)} GB/s = {number(per_byte)} FLOP a byte"
        ]
    if isinstance(fact, ModelSpec):
        size = 2 * fact.total_params
        return [f"weights in 16 bits: {fact.total_params:,} x 2 / 1,073,741,824 = {gib(size)}"]
    if isinstance(fact, WeightFormat) and fact.group_size and not fact.whole_file_bits:
        extra = fact.scale_bits + fact.zero_bits
        bits = fact.nominal_bits + extra / fact.group_size
        return [
            f"bits of a weight with its scales: {a(fact.nominal_bits)} + {a(extra)} / "
            f"{fact.group_size} = {a(bits)}"
        ]
    return []


def lines(fact: Fact | None, known: Catalog) -> tuple[SourceLine, ...]:
    """The sources of the entry that is shown."""
    return cited(FACT, fact.sources, known.asof) if fact else ()
