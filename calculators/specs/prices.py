"""Quotes, price lists and figures of ownership."""

from __future__ import annotations

from datetime import date
from typing import Literal

from pydantic import Field

from calculators.specs.facts import Source, Spec

# Figures of ownership that stand for what a link leaves out, by the key of the link.
DEFAULT_OF = {
    "electricity_usd_kwh": "kwh",
    "pue": "pue",
    "colocation_usd_kw_month": "colo",
    "residual_36m_frac": "residual",
    "staff_usd_month": "upkeep",
}


class RentalPrice(Spec):
    """A quote for one card hour; rows are dated and never edited."""

    accelerator: str
    provider: str
    tier: str
    kind: Literal["on-demand", "spot", "reserved-1m", "reserved-6m", "reserved-1y", "reserved-3y"]
    usd_h: float = Field(gt=0)
    n_offer_cards: int | None = Field(default=None, ge=1)
    seen: date
    source: Source
    note: str | None = None
    origin: Literal["catalog", "override", "custom"] = "catalog"


class PriceTier(Spec):
    """The price that applies to prompts longer than `above_tok` tokens."""

    above_tok: int = Field(ge=0)
    usd_mtok: float = Field(ge=0)


class ApiRates(Spec):
    """USD per million tokens, each a list of tiers by prompt length (the first above 0)."""

    input: tuple[PriceTier, ...] = ()
    cache_read: tuple[PriceTier, ...] = ()
    cache_write: tuple[PriceTier, ...] = ()
    output: tuple[PriceTier, ...] = ()


class ApiPrice(Spec):
    """One provider's price list for one model; `batch` where the list has that variant."""

    id: str  # provider/model
    provider: str
    provider_name: str
    model: str
    name: str
    context_tok: int | None = None
    rates: ApiRates
    batch: ApiRates | None = None
    off_peak: ApiRates | None = None  # hours in off_peak_note (UTC)
    off_peak_note: str | None = None
    comment: str | None = None
    listed: date  # release date of the price package, not the day of the price
    source: Source
    origin: Literal["catalog", "override", "custom"] = "catalog"


class Figure(Spec):
    """One cost figure: a value or a range, with its source."""

    value: float | None = None
    low: float | None = None
    high: float | None = None
    unit: str
    label: str
    source: Source
    note: str | None = None
    origin: Literal["catalog", "override", "custom"] = "catalog"

    @property
    def middle(self) -> float:
        """The value, or the middle of the range; 0 for what is not given."""
        if self.value is not None:
            return self.value
        return ((self.low or 0.0) + (self.high or 0.0)) / 2

    def covers(self, value: float) -> bool:
        """Whether a value is this figure's, or lies in its range."""
        ends = [x for x in (self.low, self.value, self.high) if x is not None]
        return bool(ends) and min(ends) <= value <= max(ends)
