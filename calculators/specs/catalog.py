"""Everything known, by id, and one replica that is made of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from functools import cached_property

from pydantic import BaseModel, ConfigDict, Field

from calculators.specs.engine import EngineSpec
from calculators.specs.facts import OwnFigure
from calculators.specs.formats import CacheFormat, WeightFormat
from calculators.specs.hardware import AcceleratorSpec, Parallelism
from calculators.specs.model import ModelSpec
from calculators.specs.prices import ApiPrice, Figure, RentalPrice

MAKER_WORDS = ("nvidia", "geforce", "amd", "radeon", "instinct", "intel", "apple", "tesla")


@dataclass(frozen=True, slots=True)
class Deployment:
    """One replica: a model in two formats on cards under an engine."""

    model: ModelSpec
    weights: WeightFormat
    cache: CacheFormat
    accelerator: AcceleratorSpec
    engine: EngineSpec
    parallelism: Parallelism


class Catalog(BaseModel):
    """Everything known, by id; a pure container that catalogs/loader.py fills."""

    model_config = ConfigDict(frozen=True, arbitrary_types_allowed=True)

    def __hash__(self) -> int:
        """By identity: a catalog never changes, so that it can be the key of a cache."""
        return id(self)

    def __eq__(self, other: object) -> bool:
        return self is other

    asof: date
    accelerators: dict[str, AcceleratorSpec]
    models: dict[str, ModelSpec]
    weight_formats: dict[str, WeightFormat]
    cache_formats: dict[str, CacheFormat]
    engines: dict[str, EngineSpec]
    rental_prices: tuple[RentalPrice, ...]
    api_prices: dict[str, ApiPrice]
    ownership: dict[str, Figure]
    defaults: dict[str, str] = Field(default_factory=dict)  # scenario defaults of an override
    own_figures: tuple[OwnFigure, ...] = ()  # what overrides set
    problems: tuple[str, ...] = ()  # what a lenient load left out, one sentence each

    @property
    def overridden(self) -> tuple[str, ...]:
        """What overrides set, by name: `accelerators/h100-sxm: bandwidth_gb_s` and the like."""
        return tuple(figure.name for figure in self.own_figures)

    @cached_property
    def _aliases(self) -> dict[str, dict[str, str]]:
        tables: dict[str, dict[str, str]] = {}
        for table in ("accelerators", "models", "weight_formats", "cache_formats", "engines"):
            index: dict[str, str] = {}
            for key, fact in getattr(self, table).items():
                for alias in (key, fact.name, *fact.aliases, *getattr(fact, "hf_ids", ())):
                    index.setdefault(normalised(alias), key)
            tables[table] = index
        return tables

    def find(self, table: str, name: str) -> str | None:
        """The id in a table of an id, name or alias, whatever its case and dashes; or None."""
        index = self._aliases[table]
        return index.get(normalised(name)) or index.get(normalised(_without_maker(name)))


def normalised(name: str) -> str:
    """A name without case, spaces, dashes and underscores, for look-ups by alias."""
    return "".join(c for c in name.lower() if c not in " -_")


def _without_maker(name: str) -> str:
    """A card's name without its maker's words, as drivers and benchmark tools put them first."""
    words = name.split()
    while words and words[0].lower() in MAKER_WORDS:
        words.pop(0)
    return " ".join(words)
