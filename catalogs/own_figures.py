"""What an override set, as a list that a reader can check; and which figures are defaults too."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from calculators.specs import DEFAULT_OF, Figure, OwnFigure, Source

NEW_ENTRY = "new entry"
_MOST_SHOWN = 100


def own_figure(name: str, value: Any, source: Mapping[str, Any] | Source | None) -> OwnFigure:
    """One figure that an override sets, with its value as text and its source.

    >>> own_figure("accelerators/x: price_usd", 27500, None).text
    'accelerators/x: price_usd = 27,500'
    """
    text = plain(value)
    shown = text if len(text) <= _MOST_SHOWN else text[: _MOST_SHOWN - 3] + "..."
    found = Source(**source) if isinstance(source, Mapping) else source
    return OwnFigure(name=name, value=shown, source=found)


def plain(value: Any) -> str:
    """A value of an override in words.

    >>> plain({"input": [{"above_tok": 0, "usd_mtok": 0.4}], "note": None})
    'input 0.4'
    """
    if isinstance(value, Mapping):
        if value.keys() == {"above_tok", "usd_mtok"}:
            above = f" above {value['above_tok']:,}" if value["above_tok"] else ""
            return f"{plain(value['usd_mtok'])}{above}"
        return ", ".join(f"{key} {plain(item)}" for key, item in value.items() if item is not None)
    if isinstance(value, (list, tuple)):
        return "; ".join(plain(item) for item in value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,.10g}" if isinstance(value, (int, float)) else str(value)


def default_of(key: str, figure: Figure) -> dict[str, str]:
    """The default of a link that a figure of ownership sets: its value, or the middle of its range.

    >>> from datetime import date
    >>> source = Source(title="t", checked=date(2026, 1, 2))
    >>> default_of("pue", Figure(low=1.2, high=1.4, unit="factor", label="PUE", source=source))
    {'pue': '1.3'}
    """
    if key not in DEFAULT_OF:
        return {}
    return {DEFAULT_OF[key]: f"{figure.middle:.10g}"}
