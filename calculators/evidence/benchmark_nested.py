"""Figures that stand in an object of statistics, brought together with the key above them."""

from __future__ import annotations

from typing import Any

from calculators.evidence.benchmark_keys import meaning, setting


def with_statistics(value: Any) -> Any:
    """A JSON value whose objects of statistics are keys beside each other.

    {"ttft_ms": {"mean": 90, "percentiles": {"p50": 80}}} becomes {"ttft_ms_mean": 90,
    "ttft_ms_percentiles_p50": 80}; objects whose own keys name what they hold stay

    Parameters
    ----------
    value : of a benchmark file

    Returns
    -------
    the same value, or a copy

    Examples
    --------
    >>> with_statistics({"model": "m", "ttft_ms": {"mean": 90, "p50": 80}})
    {'model': 'm', 'ttft_ms_mean': 90, 'ttft_ms_p50': 80}
    """
    if isinstance(value, list):
        return [with_statistics(item) for item in value]
    if not isinstance(value, dict):
        return value
    joined: dict[str, Any] = {}
    for key, item in value.items():
        if isinstance(item, dict) and _is_statistics(str(key), item):
            joined |= _leaves(str(key), item)
        else:
            joined[key] = with_statistics(item)
    return joined


def _is_statistics(key: str, item: dict[str, Any]) -> bool:
    """Whether keys below name a quantity only together with the key above them."""
    below = _leaves(key, item)
    return any(map(_named, below)) and not any(_named(str(name)) for name in item)


def _named(key: str) -> bool:
    return meaning(key) is not None or setting(key) is not None


def _leaves(key: str, item: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in item.items():
        if isinstance(value, dict):
            found |= _leaves(f"{key}_{name}", value)
        elif not isinstance(value, list):
            found[f"{key}_{name}"] = value
    return found
