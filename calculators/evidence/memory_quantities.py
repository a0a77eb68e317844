"""Predictions of the figures that engines print about memory: the parts they are made of."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from calculators.evidence.memory_settings import PrintedRow, UnknownSetting
from calculators.fit.engine_memory import Overheads, cache_budget_bytes, engine_overheads
from calculators.fit.engine_rules import engine_defaults, pass_tok
from calculators.fit.heads import heads_divide
from calculators.fit.kv_cache import cache_by_group, cache_bytes_per_tok
from calculators.fit.layer_state import entry_elements, state_bytes
from calculators.fit.pool import Pool, request_pool
from calculators.fit.stored_cache import stored_model
from calculators.fit.weights import card_weight_bytes, group_weight_bytes
from calculators.units import BITS_PER_BYTE

WINDOWED = ("sliding", "chunked")
CELL_PAD_TOK = 256  # llama.cpp rounds the cells of a window up to this


@dataclass(frozen=True, slots=True)
class MemoryFigures:
    """The figures of one printed row, in bytes, tokens and requests.

    A method raises `UnknownSetting` where a setting that its figure depends on is not known.
    """

    row: PrintedRow

    def _need_card(self) -> None:
        if not self.row.engine_known:
            raise UnknownSetting(
                f"the engine '{self.row.deployment.engine.name}' is not in the catalog"
            )
        if not self.row.card_known:
            raise UnknownSetting("the card and its memory are not given")
        if reason := self.row.deployment.engine.memory.unknown:
            raise UnknownSetting(reason)

    def model_bytes(self) -> float:
        """The whole checkpoint, towers and draft layers included."""
        if not self.row.weights_known:
            raise UnknownSetting("the weight format is not known")
        return sum(
            group_weight_bytes(self.row.deployment.model, self.row.deployment.weights).values()
        )

    def draft_bytes(self) -> float:
        """Draft layers of one card, loaded only to speculate."""
        sizes = group_weight_bytes(self.row.deployment.model, self.row.deployment.weights)
        return sizes["mtp"] / self.row.deployment.parallelism.tp

    def tower_bytes(self) -> float:
        """Vision and audio towers."""
        return group_weight_bytes(self.row.deployment.model, self.row.deployment.weights)["towers"]

    def weights_bytes(self) -> float:
        """Weights of one card; of all cards together where an engine splits by layers."""
        if not self.row.weights_known:
            raise UnknownSetting("the weight format is not known")
        if self.is_context_sized():
            sizes = group_weight_bytes(self.row.deployment.model, self.row.deployment.weights)
            return sum(size for group, size in sizes.items() if group not in ("mtp", "towers"))
        size = card_weight_bytes(self.row.deployment)
        return size + self.draft_bytes() if self.row.n_draft else size

    def is_context_sized(self) -> bool:
        """The engine allocates the cache for its context, not for what memory is left."""
        return self.row.deployment.engine.split == "layer"

    def overheads(self) -> Overheads:
        """Activation peak, runtime and graphs of one card."""
        self._need_card()
        return engine_overheads(
            self.row.deployment,
            batched_tok=self.row.batched_tok,
            max_sequences=self.row.max_sequences,
            max_model_len=self.row.max_model_len,
        )

    def pool_bytes(self) -> float:
        """What the engine leaves for the cache on one card; below 0 where nothing is left."""
        if self.row.pinned_bytes is not None:
            return self.row.pinned_bytes
        self._need_card()
        kinds = {group.kind for group in self.row.deployment.model.groups}
        if "recurrent" in kinds and self.row.deployment.engine.memory.splits_states:
            raise UnknownSetting("how much of its memory the engine gives to states is not known")
        if "compressed" in kinds:
            raise UnknownSetting("what engines need beside a compressed cache is not known")
        return cache_budget_bytes(
            self.row.deployment.engine.memory,
            visible_bytes=self.row.deployment.accelerator.memory_bytes,
            weights_bytes=self.weights_bytes(),
            overheads=self.overheads(),
        )

    def request(self) -> Pool:
        """Pages of the cache, and what a request of full length reserves of them."""
        if any(group.kind == "compressed" for group in self.row.deployment.model.groups):
            raise UnknownSetting("how engines page a compressed cache is not known")
        rule = self.row.deployment.engine.memory
        usual = engine_defaults(rule, self.row.deployment.accelerator)
        return request_pool(
            self.row.deployment,
            max_model_len=self.row.max_model_len,
            batched_tok=pass_tok(rule, usual, self.row.batched_tok, self.row.max_model_len),
            n_draft=self.row.n_draft,
        )

    def concurrency(self) -> float:
        """Requests of full length that the pool holds."""
        return self.request().concurrency(self.pool_bytes())

    def pool_tok(self) -> float:
        """Tokens of the pool: of all its pages, or of the requests where kinds of layer differ."""
        pool, length = self.request(), self.row.max_model_len
        by_group = self.row.deployment.engine.memory.counts_by_group
        if by_group or pool.request_blocks == ceil(length / pool.page_tok):
            return pool.tokens(self.pool_bytes())
        return pool.concurrency(self.pool_bytes()) * length

    def longest_tok(self) -> float:
        """The longest request that the pool holds, by bisection over whole blocks."""
        pool, block = self.pool_bytes(), self.row.deployment.engine.memory.block_tok
        low, high = 0, ceil(self.row.max_model_len / block)
        while low < high:
            middle = (low + high + 1) // 2
            if MemoryFigures(self.row.with_context(middle * block)).request().request_bytes <= pool:
                low = middle
            else:
                high = middle - 1
        return float(low * block)

    def fits(self) -> float:
        """1 where the engine starts: heads divide and one request of full length has room."""
        split = self.row.deployment.parallelism
        if split.tp > 1 and not heads_divide(self.row.deployment.model, split.tp):
            return 0.0
        if self.is_context_sized():
            room = self.row.deployment.accelerator.memory_bytes * split.n_cards
            return float(self.total_bytes() <= room)
        return float(self.pool_bytes() >= self.request().request_bytes)

    def context_bytes(self) -> float:
        """Cache of one sequence of the context over all cards; windows that an engine lists apart
        (llama.cpp) are left out."""
        parts = self._context_parts()
        apart = self.is_context_sized() and any(kind not in WINDOWED for kind, _ in parts)
        return sum(size for kind, size in parts if not (apart and kind in WINDOWED))

    def window_bytes(self) -> float:
        """Cache of the windowed layers of one sequence: a window and one micro-batch of cells."""
        return sum(size for kind, size in self._context_parts() if kind in WINDOWED)

    def _context_parts(self) -> list[tuple[str, float]]:
        """Kind and bytes of each layer group over all cards, states left out."""
        rule = self.row.deployment.engine.memory
        if self.is_context_sized() and not self.row.context_given:
            raise UnknownSetting("the context is not given, and its size is all the cache's")
        if self.row.latent_is_unsure():
            raise UnknownSetting("whether this release expands a latent to K and V is not known")
        model = stored_model(self.row.deployment.model, rule, self.row.deployment.cache.bits)
        sizes: list[tuple[str, float]] = []
        for group in model.groups:
            if group.kind == "recurrent":
                continue
            if self.is_context_sized() and group.window_tok:
                cells = ceil((group.window_tok + rule.batched_tok) / CELL_PAD_TOK) * CELL_PAD_TOK
                group = group.model_copy(update={"window_tok": cells})
            shape = model.model_copy(update={"groups": (group,)})
            (size,) = cache_by_group(
                shape, self.row.deployment.cache, context_tok=self.row.max_model_len, block_tok=1
            )
            sizes.append((group.kind, float(size)))
        return sizes

    def token_bytes(self) -> float:
        """Cache of one more token in all layers, over all cards, as the engine stores it."""
        deployment = self.row.deployment
        stored = stored_model(deployment.model, deployment.engine.memory, deployment.cache.bits)
        return float(cache_bytes_per_tok(stored, deployment.cache.bits))

    def card_token_bytes(self) -> float:
        """The same on one card: KV heads are divided, a latent is not."""
        deployment = self.row.deployment
        stored = stored_model(deployment.model, deployment.engine.memory, deployment.cache.bits)
        tp = 1 if deployment.parallelism.attention_dp else deployment.parallelism.tp
        elements = sum(group.n_caches * entry_elements(group, tp) for group in stored.groups)
        return elements * deployment.cache.bits / BITS_PER_BYTE

    def states_bytes(self) -> float:
        """Recurrent states of one sequence over all cards."""
        deployment = self.row.deployment
        stored = stored_model(deployment.model, deployment.engine.memory, deployment.cache.bits)
        return sum(state_bytes(group) for group in stored.groups)

    def total_bytes(self) -> float:
        """All that an engine with a fixed context takes: weights, cache, states, scratch."""
        cache = sum(size for _, size in self._context_parts()) + self.states_bytes()
        return self.weights_bytes() + cache + self.overheads().total_bytes
