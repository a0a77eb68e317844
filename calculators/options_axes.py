"""What the options combine: cards, cards per replica, and the formats that an engine serves."""

from __future__ import annotations

from dataclasses import dataclass

from calculators.resolve import parallelism
from calculators.specs import (
    AcceleratorSpec,
    CacheFormat,
    Deployment,
    EngineSpec,
    ModelSpec,
    Parallelism,
    WeightFormat,
)
from calculators.speed.traits import kernel_on

WIDEST_CACHE_BITS = 16.0  # no engine needs a wider one


@dataclass(frozen=True, slots=True)
class Axes:
    """What is combined: the cards, cards per replica, and formats that the engine serves."""

    model: ModelSpec
    engine: EngineSpec
    cards: tuple[AcceleratorSpec, ...]
    counts: tuple[int, ...]
    weights: tuple[WeightFormat, ...]
    caches: tuple[CacheFormat, ...]
    choice: str  # how a replica is split

    def parallelism(self, n_cards: int) -> Parallelism:
        return parallelism(n_cards, self.choice, self.engine.split)

    def deployment(self, card: int = 0, n: int = 0, weights: int = 0, cache: int = 0) -> Deployment:
        return Deployment(
            model=self.model,
            weights=self.weights[weights],
            cache=self.caches[cache],
            accelerator=self.cards[card],
            engine=self.engine,
            parallelism=self.parallelism(self.counts[n]),
        )


def published(fmt: WeightFormat, model: ModelSpec) -> bool:
    """Are models such as this one published in a weight format?

    Parameters
    ----------
    fmt : WeightFormat with `checkpoints`: of any model, of experts alone, or of few models
    model : ModelSpec

    Returns
    -------
    bool
    """
    return fmt.checkpoints == "any" or (fmt.checkpoints == "experts" and bool(model.n_experts))


def stores(card: AcceleratorSpec, cache: CacheFormat) -> bool:
    """Has a card the units without which no engine stores a cache format?

    Parameters
    ----------
    card : AcceleratorSpec
    cache : CacheFormat with `units`

    Returns
    -------
    bool
    """
    return cache.units == "any" or bool(card.fp4_dense_tflops)


def in_16_bits(fmt: WeightFormat, card: AcceleratorSpec) -> bool:
    """Is a format that is made for narrow units computed in 16 bits, for the card lacks them?

    Parameters
    ----------
    fmt : WeightFormat with `compute`
    card : AcceleratorSpec

    Returns
    -------
    bool
    """
    return fmt.compute != "16" and kernel_on(fmt, card) in ("16", "w8", "w4")


def serves(engine: EngineSpec, fmt: WeightFormat) -> bool:
    """Does an engine class serve a weight format?

    Parameters
    ----------
    engine : EngineSpec with `families`
    fmt : WeightFormat with `family` and `engines`

    Returns
    -------
    bool; an empty list on either side means no restriction from that side
    """
    by_family = not engine.families or fmt.family in engine.families
    by_engine = not fmt.engines or engine.id in fmt.engines
    return by_family and by_engine


def holds(engine: EngineSpec, cache: CacheFormat, model: ModelSpec) -> bool:
    """Does an engine class store a model's cache in a format?

    Parameters
    ----------
    engine : EngineSpec
    cache : CacheFormat with `engines` and `kinds`
    model : ModelSpec

    Returns
    -------
    bool; an empty list means no restriction
    """
    by_engine = not cache.engines or engine.id in cache.engines
    if cache.bits > WIDEST_CACHE_BITS:
        return False
    kinds = {group.kind for group in model.groups}
    return by_engine and (not cache.kinds or bool(kinds & set(cache.kinds)))
