"""What no single record can show: names that clash, prices of unknown cards, sparse rates."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from calculators.specs import AcceleratorSpec, Catalog, normalised

NAMED_TABLES = ("accelerators", "models", "weight_formats", "cache_formats", "engines")
SPARSE_FACTOR = 2.05


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


def _card_faults(card: AcceleratorSpec) -> Iterator[str]:
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
