"""The catalog as tables: every fact with its sources, ages and disagreements; no Streamlit."""

from __future__ import annotations

from datetime import date
from functools import lru_cache
from typing import Any

import pandas as pd

from app.formatting import count
from app.markup import in_order
from calculators.scenario import Scenario
from calculators.specs import ApiPrice, ApiRates, Catalog, Fact, Figure, RentalPrice, Source

TABLES = {
    "Cards": "accelerators",
    "Models": "models",
    "Weight formats": "weight_formats",
    "Cache formats": "cache_formats",
    "Engines": "engines",
    "Rents": "rental_prices",
    "API prices": "api_prices",
    "Ownership": "ownership",
}
WITHOUT_ENTRIES = ("rental_prices", "api_prices", "ownership")
_UNITS = {
    "_gb_s": "GB/s",
    "_gib": "GiB",
    "_gb": "GB",
    "_tflops": "TFLOP/s",
    "_w": "W",
    "_usd": "USD",
    "_tok": "tokens",
    "_frac": "share",
    "_bytes": "bytes",
}
_HEADINGS = {"usd_h": "USD an hour", "age_days": "age [days]", "list_released": "list of"}
_TEXT_ONLY = {"sources", "aliases", "disagreements", "note", "origin", "hf_ids", "api_ids"}


def counts(catalog: Catalog) -> list[tuple[str, str, str, str]]:
    """How much the catalog holds, as the page's row of figures."""
    return [
        ("Cards", count(len(catalog.accelerators)), "with memory, bandwidth and rates", ""),
        ("Models", count(len(catalog.models)), "shapes and parameter counts", ""),
        (
            "Rents",
            count(len(catalog.rental_prices)),
            "prices of a card hour, each with its day",
            "",
        ),
        ("API prices", count(len(catalog.api_prices)), "models at providers, as listed", ""),
    ]


@lru_cache(maxsize=32)
def catalog_table(catalog: Catalog, name: str) -> pd.DataFrame:
    """One table of the catalog, a row an entry, with sources, the oldest check and its age."""
    facts = getattr(catalog, name)
    if name == "rental_prices":
        rows = [_rent(price, catalog) for price in facts]
    elif name == "api_prices":
        rows = [_api(price, catalog.asof) for price in facts.values()]
    elif name == "ownership":
        rows = [{"id": key} | _figure(figure, catalog.asof) for key, figure in facts.items()]
    else:
        rows = [_fact(fact, catalog.asof) for fact in facts.values()]
    return pd.DataFrame(rows)


def entry_rows(fact: Fact) -> list[dict[str, str]]:
    """Every figure of one entry, with the numbers of its sources in the list below it."""
    rows = []
    listed = in_order(fact.sources)
    for field, value in fact.model_dump(exclude=_TEXT_ONLY).items():
        if value in (None, (), {}, "") or field in ("id", "name"):
            continue
        covering = [s for s in fact.sources if not s.covers or field in s.covers]
        rows.append(
            {
                "Figure": figure_name(field),
                "Value": str(value) if field.endswith("year") else _plain(value),
                "Sources": ", ".join(str(n) for n, s in enumerate(listed, 1) if s in covering),
                "Grade": ", ".join(sorted({source.grade for source in covering})),
                "Checked": min((s.checked for s in covering), default=fact.checked).isoformat(),
            }
        )
    return rows


def heading(column: str) -> str:
    """A column's heading: its figure in words, its unit in brackets.

    >>> heading("memory_label_gb"), heading("usd_h"), heading("age_days")
    ('memory label [GB]', 'USD an hour', 'age [days]')
    """
    return _HEADINGS.get(column, figure_name(column))


def in_use(scenario: Scenario) -> dict[str, str]:
    """The entry of each table that a scenario uses."""
    return {
        "Cards": scenario.gpu,
        "Models": scenario.model,
        "Weight formats": scenario.weight_format,
        "Cache formats": scenario.cache_format,
        "Engines": scenario.engine,
    }


def position(table: pd.DataFrame, entry: str | None) -> int:
    """The row of an entry, or the first: what the scenario uses is shown first."""
    ids = list(table["id"])
    return ids.index(entry) if entry in ids else 0


def own_rows(catalog: Catalog) -> list[dict[str, str]]:
    """What overrides set: the figure, its value, its source and the day that it was read."""
    return [
        {
            "Own figure": figure.name,
            "Value": figure.value,
            "Source": figure.source.title if figure.source else "none given",
            "Checked": figure.source.checked.isoformat() if figure.source else "",
        }
        for figure in catalog.own_figures
    ]


def figure_name(field: str) -> str:
    """A field's name in words, its unit in brackets.

    >>> figure_name("memory_label_gb"), figure_name("fp16_dense_tflops"), figure_name("vendor")
    ('memory label [GB]', 'fp16 dense [TFLOP/s]', 'vendor')
    """
    field = field.removeprefix("n_")
    for suffix, unit in _UNITS.items():
        if field.endswith(suffix):
            return f"{field.removesuffix(suffix).replace('_', ' ')} [{unit}]"
    return field.replace("_", " ")


def matching(table: pd.DataFrame, words: str) -> pd.DataFrame:
    """The rows that hold every one of the words in any column, whatever their case."""
    if table.empty or not words.strip():
        return table
    text = table.map(str).agg(" ".join, axis=1).str.lower()
    keep = pd.Series(True, index=table.index)
    for word in words.lower().split():
        keep &= text.str.contains(word, regex=False)
    return table[keep]


def _fact(fact: Fact, today: date) -> dict[str, Any]:
    figures = {
        key: value if isinstance(value, int | float | str) else _plain(value)
        for key, value in fact.model_dump(exclude=_TEXT_ONLY).items()
        if value is not None
    }
    return (
        figures
        | _sourced(fact.sources, today)
        | {
            "disagreements": "; ".join(fact.disagreements),
            "note": fact.note or "",
            "origin": fact.origin,
        }
    )


def _sourced(sources: tuple[Source, ...], today: date) -> dict[str, Any]:
    oldest = min(source.checked for source in sources)
    return {
        "sources": "; ".join(source.title for source in sources),
        "oldest_check": oldest.isoformat(),
        "age_days": (today - oldest).days,
        "grades": ", ".join(sorted({source.grade for source in sources})),
    }


def _rent(price: RentalPrice, catalog: Catalog) -> dict[str, Any]:
    known = catalog.accelerators.get(price.accelerator)
    return {
        "card": price.accelerator,
        "name": known.name if known else price.accelerator,
        "provider": price.provider,
        "kind": price.kind,
        "usd_h": price.usd_h,
        "tier": price.tier,
        "seen": price.seen.isoformat(),
        "age_days": (catalog.asof - price.seen).days,
        "sources": price.source.title,
        "note": price.note or "",
        "origin": price.origin,
    }


def _api(price: ApiPrice, today: date) -> dict[str, Any]:
    return {
        "id": price.id,
        "name": price.name,
        "input": _tiers(price.rates, "input"),
        "cache_read": _tiers(price.rates, "cache_read"),
        "cache_write": _tiers(price.rates, "cache_write"),
        "output": _tiers(price.rates, "output"),
        "batch_output": _tiers(price.batch, "output"),
        "list_released": price.listed.isoformat(),
        "age_days": (today - price.listed).days,
        "sources": price.source.title,
        "note": price.comment or "",
        "origin": price.origin,
    }


def _tiers(rates: ApiRates | None, name: str) -> str:
    tiers = getattr(rates, name) if rates else ()
    return "; ".join(
        f"{t.usd_mtok:g}" + (f" above {t.above_tok:,}" if t.above_tok else "") for t in tiers
    )


def _figure(figure: Figure, today: date) -> dict[str, Any]:
    return {
        "label": figure.label,
        "value": figure.value,
        "low": figure.low,
        "high": figure.high,
        "unit": figure.unit,
        **_sourced((figure.source,), today),
        "note": figure.note or "",
        "origin": figure.origin,
    }


def _plain(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {_plain(item)}" for key, item in value.items() if item)
    if isinstance(value, list | tuple):
        return "; ".join(_plain(item) for item in value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:,.10g}"
    return f"{value:,}" if isinstance(value, int) else str(value)
