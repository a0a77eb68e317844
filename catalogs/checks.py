"""What no single record can show: names that clash, unknown ids, sparse rates, other units."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from calculators.specs import AcceleratorSpec, ApiPrice, Catalog, normalised
from catalogs.schema import nearest

NAMED_TABLES = ("accelerators", "models", "weight_formats", "cache_formats", "engines")
SPARSE_FACTOR = 2.05
PLAUSIBLE = {  # field of a card: lowest, highest, unit; what lies outside is in another unit
    "bandwidth_gb_s": (10, 100_000, "GB/s"),
    "fp16_dense_tflops": (0.1, 50_000, "TFLOP/s"),
    "memory_label_gb": (0.5, 10_000, "GB"),
    "memory_total_gib": (0.5, 10_000, "GiB"),
    "power_w": (2, 50_000, "W"),
}
USD_H = (0.005, 500.0)  # a card hour
USD_MTOK = (0.0005, 5000.0)  # a million tokens, where they are not free
FIGURES = {  # lowest and highest of a figure of ownership, by its unit
    "USD per kWh": (0.001, 3.0),
    "USD per kW and month": (1.0, 5000.0),
    "USD a month": (0.0, 1e8),
    "USD per GB": (0.0, 10.0),
    "factor": (1.0, 5.0),
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
        if not USD_H[0] <= price.usd_h <= USD_H[1]:
            yield (
                f"rental_prices/{price.accelerator}: {price.provider}: usd_h: is "
                f"{price.usd_h:,.10g}, it must be from {USD_H[0]:g} to {USD_H[1]:g} USD an hour"
            )
    for card in catalog.accelerators.values():
        yield from _card_faults(card)
    yield from _format_faults(catalog)
    for listed in catalog.api_prices.values():
        if listed.origin != "catalog":
            yield from _rate_faults(listed)
    yield from _figure_faults(catalog)
    yield from _reference_faults(catalog)


def _rate_faults(price: ApiPrice) -> Iterator[str]:
    """Rates in another unit, such as USD per token."""
    for list_name in ("rates", "batch", "off_peak"):
        for kind, tiers in getattr(price, list_name) or ():
            for tier in tiers:
                if tier.usd_mtok and not USD_MTOK[0] <= tier.usd_mtok <= USD_MTOK[1]:
                    yield (
                        f"api_prices/{price.id}: {list_name}: {kind}: is {tier.usd_mtok:.3g}, it "
                        f"must be 0, or from {USD_MTOK[0]:g} to {USD_MTOK[1]:,g} USD per million "
                        "tokens"
                    )


def _figure_faults(catalog: Catalog) -> Iterator[str]:
    """Figures of ownership upside down, or outside what their unit can be."""
    for key, figure in catalog.ownership.items():
        steps = [x for x in (figure.low, figure.value, figure.high) if x is not None]
        if steps != sorted(steps):
            yield f"ownership/{key}: low, value and high are {steps}, they must rise"
        share = figure.unit.startswith("share")
        least, most = (0.0, 1.0) if share else FIGURES.get(figure.unit, (0.0, 1e12))
        for name in ("low", "value", "high"):
            given = getattr(figure, name)
            if given is not None and not least <= given <= most:
                yield (
                    f"ownership/{key}: {name}: is {given:,.10g}, it must be from {least:g} to "
                    f"{most:,g} ({figure.unit})"
                )


def _reference_faults(catalog: Catalog) -> Iterator[str]:
    """Ids in one table that another table does not hold."""
    for model in catalog.models.values():
        for field, table in (
            ("native_format", catalog.weight_formats),
            ("native_cache_format", catalog.cache_formats),
        ):
            id_ = getattr(model, field)
            if id_ and id_ not in table:
                yield (
                    f"models/{model.id}: {field}: is '{id_}', which the catalog does not hold; "
                    f"{nearest(id_, tuple(table))}"
                )
    for fmt in catalog.weight_formats.values():
        unknown = sorted(set(fmt.engines) - catalog.engines.keys())
        if unknown:
            yield (
                f"weight_formats/{fmt.id}: engines: is '{unknown[0]}', which the catalog does not "
                f"hold; {nearest(unknown[0], tuple(catalog.engines))}"
            )


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
