"""What no single record can show: names that clash, prices of unknown cards, sparse rates."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from calculators.specs import AcceleratorSpec, Catalog, normalised

NAMED_TABLES = ("accelerators", "models", "weight_formats", "cache_formats", "engines")
SPARSE_FACTOR = 2.05
PLAUSIBLE = {  # field of a card: lowest, highest, unit; what lies outside is in another unit
    "bandwidth_gb_s": (10, 100_000, "GB/s"),
    "fp16_dense_tflops": (0.1, 50_000, "TFLOP/s"),
    "memory_total_gib": (0.5, 10_000, "GiB"),
    "power_w": (2, 50_000, "W"),
}


def faults(catalog: Catalog) -> Iterator[str]:
    """One sentence for each contradiction between records of a catalog.

    Parameters
    ----------
    catalog : Catalog

    Returns
    -------
    iterator of str
        Empty where all is well.
    """
    for section in NAMED_TABLES:
        yield from _clashes(section, getattr(catalog, section))
    for price in catalog.rental_prices:
        if price.accelerator not in catalog.accelerators:
            yield (
                f"rental_prices: {price.provider}: accelerator: '{price.accelerator}' is not an "
                "accelerator id of the catalog"
            )
    for card in catalog.accelerators.values():
        yield from _card_faults(card)
    yield from _format_faults(catalog)
    for key, figure in catalog.ownership.items():
        steps = [x for x in (figure.low, figure.value, figure.high) if x is not None]
        if steps != sorted(steps):
            yield f"ownership/{key}: low, value and high are {steps}, they must rise"


def _format_faults(catalog: Catalog) -> Iterator[str]:
    """Weight formats of families that no engine serves."""
    families = {family for engine in catalog.engines.values() for family in engine.families}
    if all(engine.families for engine in catalog.engines.values()):
        for key, fmt in catalog.weight_formats.items():
            if fmt.family not in families:
                yield (
                    f"weight_formats/{key}: family: '{fmt.family}' is one that no engine serves; "
                    f"allowed are {', '.join(sorted(families))}"
                )


def _card_faults(card: AcceleratorSpec) -> Iterator[str]:
    for field, (least, most, unit) in PLAUSIBLE.items():
        value = getattr(card, field)
        if value is not None and not least <= value <= most:
            yield (
                f"accelerators/{card.id}: {field}: is {value:,.10g}, it must be from {least:g} to "
                f"{most:,} {unit}"
            )
    low, high = card.fp16_dense_tflops, card.fp8_dense_tflops
    if low and high and high > SPARSE_FACTOR * low:
        yield (
            f"accelerators/{card.id}: fp8_dense_tflops: is {high:g}, it must be at most twice "
            f"fp16_dense_tflops ({low:g}); a higher rate is a sparse one"
        )
    if card.memory_visible_gib > card.memory_total_gib:
        yield (
            f"accelerators/{card.id}: memory_visible_gib: is {card.memory_visible_gib:g}, it must "
            f"be at most memory_total_gib ({card.memory_total_gib:g})"
        )


def _clashes(section: str, table: dict[str, Any]) -> Iterator[str]:
    owners: dict[str, str] = {}
    for key, fact in table.items():
        for alias in (key, fact.name, *fact.aliases):
            owner = owners.setdefault(normalised(alias), key)
            if owner != key:
                yield f"{section}/{key}: the name '{alias}' already belongs to '{owner}'"
