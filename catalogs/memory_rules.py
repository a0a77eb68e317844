"""What a process may allocate of a card's memory, where no source prints it."""

from __future__ import annotations

from typing import Any

from catalogs.yaml_reader import CatalogError

DRIVER_RESERVE_GIB = 0.3
DRIVER_RESERVE_FRAC = 0.0025
UNIFIED_FRAC = {"apple": 0.75}
UNIFIED_OTHER_FRAC = 0.935


def visible_memory_gib(*, memory_total_gib: float, vendor: str, unified: bool) -> float:
    """Memory that a process may allocate, from what the driver reports.

    NVIDIA cards: total - (0.3 + 0.25 % of total), which meets the pairs that drivers and engines
    printed (H100 79.65 / 79.18, H200 140.40 / 139.80, RTX 3090 24.00 / 23.69 GiB) within 0.2 GiB.
    Unified memory: 75 % on Apple (the default limit of macOS), 93.5 % elsewhere (119.7 of 128
    GiB on DGX Spark). Others, as AMD (191.98 of 192 GiB), show nearly all.

    Parameters
    ----------
    memory_total_gib : float
        What the driver reports, or the label [GiB].
    vendor : str
        As in the catalog.
    unified : bool
        Whether CPU and GPU share the memory.

    Returns
    -------
    float
        Visible memory [GiB], to two decimals.

    Notes
    -----
    Basis `measured` for the cards named above, an estimate for others: it errs by up to 0.5 GiB,
    and on unified machines by what the operating system and other programs hold.

    Examples
    --------
    >>> visible_memory_gib(memory_total_gib=80, vendor="NVIDIA", unified=False)
    79.5
    """
    if unified:
        return round(memory_total_gib * UNIFIED_FRAC.get(vendor.lower(), UNIFIED_OTHER_FRAC), 2)
    if vendor.lower() == "nvidia":
        reserve_gib = DRIVER_RESERVE_GIB + DRIVER_RESERVE_FRAC * memory_total_gib
        return round(memory_total_gib - reserve_gib, 2)
    return round(memory_total_gib * 0.9999, 2)


def with_memory(entry: dict[str, Any], where: str) -> dict[str, Any]:
    """The entry with total and visible memory filled in by rule where they are left out."""
    entry = dict(entry)
    label_gib = entry.get("memory_label_gb")
    if entry.get("memory_total_gib") is None and label_gib is not None:
        entry["memory_total_gib"] = label_gib
    total_gib = entry.get("memory_total_gib")
    if total_gib is None:
        raise CatalogError(
            f"{where}: memory_total_gib: is missing, it or memory_label_gb must be given"
        )
    if entry.get("memory_visible_gib") is None and isinstance(total_gib, (int, float)):
        entry["memory_visible_gib"] = visible_memory_gib(
            memory_total_gib=total_gib,
            vendor=str(entry.get("vendor", "")),
            unified=entry.get("form") in ("SoC", "unified"),
        )
    return entry
