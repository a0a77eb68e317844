"""What one could change of a deployment that is short of memory, and what each would give."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from calculators.fit.backwards import spread
from calculators.fit.capacity import Fit, capacity
from calculators.fit.heads import next_tensor_cards
from calculators.fit.pool import held_bytes
from calculators.options_axes import holds, serves
from calculators.performance import context_reserved, reference_max_batch
from calculators.scenario import Scenario
from calculators.specs import CacheFormat, Catalog, Deployment, WeightFormat

CONTEXTS_TOK = (2048, 8192, 32_768)
USUAL_BITS = (16, 8, 4)
CURVE_POINTS = 40
SHORTEST_TOK = 512
LONGEST_TOK = 1_048_576


@dataclass(frozen=True, slots=True)
class Choice:
    """Something that one could change, and what it would give."""

    label: str
    deployment: Deployment
    context_tok: int
    fit: Fit


@dataclass(frozen=True, slots=True)
class ContextRow:
    """Sequences of one length: what the engine holds, its range, and the reference ceiling."""

    context_tok: int
    fit: Fit
    n_reference: int


@dataclass(frozen=True, slots=True)
class Curve:
    """Cache of one sequence on one card over its length, in one format."""

    label: str
    context_tok: np.ndarray
    sequence_bytes: np.ndarray


class Question:
    """A deployment and what is asked of it; yields the parts of `MemoryAnswers`."""

    def __init__(self, deployment: Deployment, scenario: Scenario, catalog: Catalog) -> None:
        self.deployment = deployment
        self.catalog = catalog
        self.context_tok = context_reserved(scenario)
        self.n_wanted = max(scenario.batch, 1)
        self.settings = {
            "prefix_tok": scenario.prefix_tok,
            "open_conversations": scenario.n_open,
        }

    def fit(self, deployment: Deployment, context_tok: int | None = None) -> Fit:
        return capacity(deployment, context_tok=context_tok or self.context_tok, **self.settings)

    def choice(self, label: str, deployment: Deployment, context_tok: int | None = None) -> Choice:
        fit = self.fit(deployment, context_tok)
        return Choice(label, deployment, context_tok or self.context_tok, fit)

    def choices(self) -> Iterator[Choice]:
        """What one would try, in that order: cache, weights, both, cards, card, context."""
        yield self.choice("As it is", self.deployment)
        yield from self.format_choices()
        yield from self.card_choices()
        half = self.context_tok // 2
        if half >= SHORTEST_TOK:
            yield self.choice(f"Half the context: {half:,} tokens", self.deployment, half)

    def format_choices(self) -> Iterator[Choice]:
        mine, cache = self.deployment, self.cache_of(8)
        narrow = cache if cache and cache.bits < mine.cache.bits - 0.5 else None
        narrower = [fmt for fmt in self.usual_formats() if fmt.bits < mine.weights.bits - 0.5]
        if narrow:
            yield self.choice(f"Cache in {narrow.name}", replace(mine, cache=narrow))
        for fmt in narrower:
            yield self.choice(f"Weights in {fmt.name}", replace(mine, weights=fmt))
        if narrow and narrower:
            both = replace(mine, cache=narrow, weights=narrower[-1])
            yield self.choice(f"{narrower[-1].name} with the cache in {narrow.name}", both)

    def card_choices(self) -> Iterator[Choice]:
        mine = self.deployment
        if self.replicates_cache():
            changes = {"attention_dp": True, "expert_parallel": True}
            whole = replace(mine, parallelism=mine.parallelism.model_copy(update=changes))
            yield self.choice("Data-parallel attention: whole sequences on a card", whole)
        more, larger = self.more_cards(), self.larger_card()
        if more:
            yield self.choice(f"{more.parallelism.n_cards} cards instead", more)
        if larger:
            yield self.choice(f"{larger.accelerator.name} instead", larger)

    def replicates_cache(self) -> bool:
        """Do several cards keep the same cache, because it cannot be cut any further?"""
        split = self.deployment.parallelism
        replicated = any(
            group.latent_dim or 0 < group.n_kv_heads < split.tp
            for group in self.deployment.model.groups
        )
        can = self.deployment.engine.split == "tensor" and self.deployment.model.n_experts > 0
        return can and split.tp > 1 and not split.attention_dp and replicated

    def more_cards(self) -> Deployment | None:
        split = self.deployment.parallelism
        if split.pp > 1 or self.deployment.engine.split == "layer":
            return spread(self.deployment, split.n_cards + 1)
        following = next_tensor_cards(self.deployment.model, split.tp)
        return spread(self.deployment, following) if following else None

    def larger_card(self) -> Deployment | None:
        """The next larger card of the same maker and the same form or better."""
        mine = self.deployment.accelerator
        larger = [
            card
            for card in self.catalog.accelerators.values()
            if card.vendor == mine.vendor
            and card.memory_visible_gib > 1.15 * mine.memory_visible_gib
            and card.bandwidth_gb_s >= mine.bandwidth_gb_s
            and not card.whole_machine
        ]
        if not larger:
            return None
        return replace(
            self.deployment, accelerator=min(larger, key=lambda card: card.memory_visible_gib)
        )

    def cache_of(self, bits: int) -> CacheFormat | None:
        """The first cache format of so many bits that the engine holds for this model."""
        mine = self.deployment
        return next(
            (
                fmt
                for fmt in self.catalog.cache_formats.values()
                if fmt.nominal_bits == bits and holds(mine.engine, fmt, mine.model)
            ),
            None,
        )

    def usual_formats(self) -> list[WeightFormat]:
        """One weight format of 16, of 8 and of 4 bits that the engine serves."""
        served = [
            fmt
            for fmt in self.catalog.weight_formats.values()
            if serves(self.deployment.engine, fmt)
        ]
        found = (
            next((fmt for fmt in served if round(fmt.nominal_bits) == bits), None)
            for bits in USUAL_BITS
        )
        return [fmt for fmt in found if fmt]

    def formats(self) -> Iterator[tuple[Choice, Choice | None]]:
        """The scenario's and the usual weight formats, each with both widths of cache."""
        mine = self.deployment.weights
        others = [
            fmt for fmt in self.usual_formats() if round(fmt.nominal_bits) != round(mine.bits)
        ]
        wide, narrow = self.cache_of(16) or self.deployment.cache, self.cache_of(8)
        for fmt in sorted((mine, *others), key=lambda fmt: -fmt.bits):
            weighted = replace(self.deployment, weights=fmt)
            yield (
                self.choice(fmt.name, replace(weighted, cache=wide)),
                self.choice(fmt.name, replace(weighted, cache=narrow)) if narrow else None,
            )

    def contexts(self) -> Iterator[ContextRow]:
        for length in sorted({*CONTEXTS_TOK, self.context_tok}):
            n_reference = reference_max_batch(self.deployment, length)
            yield ContextRow(length, self.fit(self.deployment, length), n_reference)

    def curves(self) -> Iterator[Curve]:
        """The cache of one sequence over its length, by cache format."""
        most = min(self.deployment.model.max_context_tok or LONGEST_TOK, LONGEST_TOK)
        lengths = np.unique(np.geomspace(SHORTEST_TOK, max(most, 2048), CURVE_POINTS).astype(int))
        found = (self.cache_of(bits) for bits in USUAL_BITS)
        for fmt in dict.fromkeys((self.deployment.cache.id, *(f.id for f in found if f))):
            cache = self.catalog.cache_formats.get(fmt, self.deployment.cache)
            cached = replace(self.deployment, cache=cache)
            sizes = np.array([held_bytes(cached, int(length)) for length in lengths])
            yield Curve(cache.name, lengths, sizes)
