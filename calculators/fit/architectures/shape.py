"""The shape of a model between its config and the spec: layers, each with counts and a cache."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields

from calculators.specs import LayerGroup


@dataclass(frozen=True, slots=True)
class Counts:
    """Parameters of one layer by group."""

    attention: int = 0
    dense_mlp: int = 0
    routed_experts: int = 0
    shared_experts: int = 0
    rest: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(Counts)))

    @property
    def total(self) -> int:
        return sum(getattr(self, f.name) for f in fields(Counts))


@dataclass(frozen=True, slots=True)
class Layer:
    """One layer: its parameters, and what it keeps for a sequence (None: nothing).

    `also` is a second cache of the same layer; `shares` marks a layer that reads the cache of
    an earlier layer and owns none.
    """

    counts: Counts
    cache: LayerGroup | None = None
    also: LayerGroup | None = None
    shares: bool = False


@dataclass(frozen=True, slots=True)
class Experts:
    """Mixture of experts: how many, how many of them a token uses, how wide."""

    n: int = 0
    top_k: int = 0
    n_shared: int = 0
    width: int = 0


@dataclass(frozen=True, slots=True)
class Shape:
    """A language model: layers, embedding, head and what lies outside the layers."""

    hidden: int
    vocab: int
    layers: tuple[Layer, ...]
    embedding: int
    head: int
    rest: int
    tied: bool
    intermediate: int = 0
    experts: Experts = field(default_factory=Experts)
    max_context_tok: int | None = None
    mtp: int = 0
    notes: tuple[str, ...] = ()

    @property
    def counts(self) -> Counts:
        return sum((layer.counts for layer in self.layers), Counts())

    @property
    def n_moe_layers(self) -> int:
        return sum(layer.counts.routed_experts > 0 for layer in self.layers)


def grouped(layers: Sequence[Layer]) -> tuple[LayerGroup, ...]:
    """Layers that keep the same kind of state, as groups in order of first appearance."""
    sizes: dict[LayerGroup, list[int]] = {}
    for layer in layers:
        for cache in (layer.cache, layer.also):
            if cache is not None:
                size = sizes.setdefault(cache, [0, 0])
                size[0] += 1
                size[1] += not layer.shares
    return tuple(
        cache.model_copy(update={"n_layers": n, "n_cache_layers": None if n_own == n else n_own})
        for cache, (n, n_own) in sizes.items()
    )
