"""Formats and cards by the names that start-up logs and their readers use."""

from __future__ import annotations

import re
from datetime import date

from calculators.specs import (
    AcceleratorSpec,
    CacheFormat,
    Catalog,
    ModelSpec,
    Source,
    WeightFormat,
    normalised,
)

SOURCE = (Source(title="the row itself", checked=date(1970, 1, 1), grade="C"),)
LABEL_ERROR_FRAC = 0.005
BITS_ONLY = ("fp4", "fp8", "fp4/fp8", "fp8/fp4")  # say no more than how wide a checkpoint is
_BITS = re.compile(r"(?:bf|fp|f|int|q)(\d+)", re.I)
_CACHE_BITS = {"16": 16.0, "32": 32.0, "8": 8.0, "4": 4.0}


def weight_format(text: str, model: ModelSpec, catalog: Catalog) -> WeightFormat | None:
    """The weight format that a text names; the checkpoint's own where the model says so."""
    for part in (text, *re.split(r"[(,/+]", text)[:1], *re.split(r"[ (,/+]", text)[:1]):
        found = catalog.find("weight_formats", part) if part else None
        if found:
            break
    else:
        return None
    fmt = catalog.weight_formats[found]
    native = catalog.weight_formats.get(model.native_format)
    if native and _means_native(text, fmt, native):
        fmt = native
    elif fmt.family == "nvfp4" and model.n_experts:
        fmt = experts_only(fmt)
    return checkpoint_format(fmt, model, catalog)


def published_format(fmt: WeightFormat, name: str, catalog: Catalog) -> WeightFormat:
    """The format as the publisher that a model's name begins with makes it."""
    publisher = name.partition("/")[0].lower() if "/" in name else ""
    for other in catalog.weight_formats.values():
        alike = other.family == fmt.family and other.nominal_bits == fmt.nominal_bits
        if alike and publisher in other.publishers:
            return other
    return fmt


def _means_native(text: str, fmt: WeightFormat, native: WeightFormat) -> bool:
    """The checkpoint's own format: of the same family and width, or a mix with that width in it."""
    widths = {round(native.nominal_bits), *(round(b) for b in native.group_bits.values() if b < 16)}
    if normalised(text) in BITS_ONLY:
        return round(fmt.nominal_bits) in widths
    return native.family == fmt.family and native.nominal_bits == fmt.nominal_bits


def experts_only(fmt: WeightFormat) -> WeightFormat:
    """The format with attention and shared experts in 16 bits, as mixtures are published in NVFP4.

    Seven of eight published NVFP4 mixtures exclude attention, and most the shared experts too
    (`exclude_modules` of their hf_quant_config.json files).

    Parameters
    ----------
    fmt : WeightFormat
        Any format.

    Returns
    -------
    WeightFormat
        What is already named in `group_bits` stays.
    """
    plain = {"attention": 16.0, "shared_experts": 16.0}
    return fmt.model_copy(update={"group_bits": plain | fmt.group_bits})


def checkpoint_format(fmt: WeightFormat, model: ModelSpec, catalog: Catalog) -> WeightFormat:
    """A model's own format with the bits of the groups that its checkpoint stores differently."""
    if fmt.id != model.native_format or not model.group_formats:
        return fmt
    bits = {
        group: catalog.weight_formats[name].bits
        for group, name in model.group_formats.items()
        if name in catalog.weight_formats
    }
    return fmt.model_copy(update={"group_bits": fmt.group_bits | bits})


def blank_weights() -> WeightFormat:
    """A weight format that stands in where none is known; nothing may be read from it."""
    return WeightFormat(
        id="unknown", name="unknown", sources=SOURCE, family="native", nominal_bits=16, bits=16
    )


def cache_format(
    text: str, model: ModelSpec, weights: WeightFormat | None, catalog: Catalog
) -> CacheFormat:
    """The cache format that a text names; "auto" is what the checkpoint asks for, else 16 bits.

    Published NVFP4 checkpoints ask for an FP8 cache (`kv_cache_quant_algo`).
    """
    inner = re.search(r"auto\s*\((.+?)\)", text)
    name = inner.group(1) if inner else re.split(r"[ (]", text)[0]
    if normalised(name) in ("", "auto"):
        asks_fp8 = weights is not None and weights.family == "nvfp4"
        name = model.native_cache_format or ("fp8" if asks_fp8 else "bf16")
    found = catalog.find("cache_formats", name)
    if found:
        return catalog.cache_formats[found]
    match = _BITS.search(name)
    bits = _CACHE_BITS.get(match.group(1), 16.0) if match else 16.0
    return CacheFormat(
        id="unknown", name=name or "unknown", sources=SOURCE, nominal_bits=bits, bits=bits
    )


def card_named(name: str, printed: float | None, catalog: Catalog) -> AcceleratorSpec | None:
    """The card of that name; a printed memory that is neither label nor driver total wins."""
    tries = (name, name.split("(")[0], re.sub(r"\s*\d+ ?Gi?B.*", "", name))
    found = next((hit for part in tries if (hit := catalog.find("accelerators", part))), None)
    if found is None:
        if printed is None:
            return None
        return blank_card().model_copy(
            update={"memory_total_gib": printed, "memory_visible_gib": printed, "name": name}
        )
    card = catalog.accelerators[found]
    if printed is None or _is_label(card, printed):
        return card
    return card.model_copy(update={"memory_visible_gib": printed})


def _is_label(card: AcceleratorSpec, printed_gib: float) -> bool:
    """A whole number, or what the driver shows: more than a process may allocate."""
    near_total = abs(printed_gib / card.memory_total_gib - 1) < LABEL_ERROR_FRAC
    above = printed_gib > card.memory_visible_gib
    return (printed_gib == int(printed_gib) or near_total) and above


def blank_card() -> AcceleratorSpec:
    """A card that stands in where none is known; nothing may be read from it."""
    return AcceleratorSpec(
        id="unknown",
        name="unknown",
        sources=SOURCE,
        vendor="unknown",
        form="unknown",
        memory_total_gib=1.0,
        memory_visible_gib=1.0,
        memory_type="unknown",
        bandwidth_gb_s=1.0,
    )
