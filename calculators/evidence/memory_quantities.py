"""Predictions of the figures that engines print about memory: the parts they are made of."""

from __future__ import annotations

from math import ceil

from calculators.evidence.memory_settings import PrintedRow, UnknownSetting
from calculators.fit.engine_memory import Overheads, cache_budget_bytes, engine_overheads
from calculators.fit.engine_rules import engine_defaults, pass_tok
from calculators.fit.heads import heads_divide
from calculators.fit.kv_cache import cache_by_group
from calculators.fit.layer_state import state_bytes
from calculators.fit.pool import Pool, request_pool
from calculators.fit.stored_cache import stored_model
from calculators.fit.weights import card_weight_bytes, group_weight_bytes

WINDOWED = ("sliding", "chunked")
CELL_PAD_TOK = 256  # llama.cpp rounds the cells of a window up to this


def _need_card(row: PrintedRow) -> None:
    if not row.engine_known:
        raise UnknownSetting(f"the engine '{row.deployment.engine.name}' is not in the catalog")
    if not row.card_known:
        raise UnknownSetting("the card and its memory are not given")


def model_bytes(row: PrintedRow) -> float:
    """The whole checkpoint, towers and draft layers included."""
    if not row.weights_known:
        raise UnknownSetting("the weight format is not known")
    return sum(group_weight_bytes(row.deployment.model, row.deployment.weights).values())


def draft_bytes(row: PrintedRow) -> float:
    """Draft layers of one card, loaded only to speculate."""
    sizes = group_weight_bytes(row.deployment.model, row.deployment.weights)
    return sizes["mtp"] / row.deployment.parallelism.tp


def tower_bytes(row: PrintedRow) -> float:
    """Vision and audio towers."""
    return group_weight_bytes(row.deployment.model, row.deployment.weights)["towers"]


def weights_bytes(row: PrintedRow) -> float:
    """Weights of one card; of all cards together where an engine splits by layers."""
    if not row.weights_known:
        raise UnknownSetting("the weight format is not known")
    if is_context_sized(row):
        sizes = group_weight_bytes(row.deployment.model, row.deployment.weights)
        return sum(size for group, size in sizes.items() if group not in ("mtp", "towers"))
    size = card_weight_bytes(row.deployment)
    return size + draft_bytes(row) if row.n_draft else size


def is_context_sized(row: PrintedRow) -> bool:
    """The engine allocates the cache for its context, not for what memory is left."""
    return row.deployment.engine.split == "layer"


def overheads(row: PrintedRow) -> Overheads:
    """Activation peak, runtime and graphs of one card."""
    _need_card(row)
    return engine_overheads(
        row.deployment,
        batched_tok=row.batched_tok,
        max_sequences=row.max_sequences,
        max_model_len=row.max_model_len,
    )


def pool_bytes(row: PrintedRow) -> float:
    """What the engine leaves for the cache on one card; below 0 where nothing is left."""
    _need_card(row)
    return cache_budget_bytes(
        row.deployment.engine.memory,
        visible_bytes=row.deployment.accelerator.memory_bytes,
        weights_bytes=weights_bytes(row),
        overheads=overheads(row),
    )


def request(row: PrintedRow) -> Pool:
    """Pages of the cache, and what a request of full length reserves of them."""
    if any(group.kind == "compressed" for group in row.deployment.model.groups):
        raise UnknownSetting("how engines page a compressed cache is not known")
    rule = row.deployment.engine.memory
    usual = engine_defaults(rule, row.deployment.accelerator)
    return request_pool(
        row.deployment,
        max_model_len=row.max_model_len,
        batched_tok=pass_tok(rule, usual, row.batched_tok, row.max_model_len),
        n_draft=row.n_draft,
    )


def concurrency(row: PrintedRow) -> float:
    """Requests of full length that the pool holds."""
    return request(row).concurrency(pool_bytes(row))


def pool_tok(row: PrintedRow) -> float:
    """Tokens of the pool: requests of full length that it holds x their length."""
    return concurrency(row) * row.max_model_len


def longest_tok(row: PrintedRow) -> float:
    """The longest request that the pool holds, by bisection over whole blocks."""
    pool, block = pool_bytes(row), row.deployment.engine.memory.block_tok
    low, high = 0, ceil(row.max_model_len / block)
    while low < high:
        middle = (low + high + 1) // 2
        if request(row.with_context(middle * block)).request_bytes <= pool:
            low = middle
        else:
            high = middle - 1
    return float(low * block)


def fits(row: PrintedRow) -> float:
    """1 where the engine starts: heads divide and one request of full length has room."""
    split = row.deployment.parallelism
    if split.tp > 1 and not heads_divide(row.deployment.model, split.tp):
        return 0.0
    if is_context_sized(row):
        room = row.deployment.accelerator.memory_bytes * split.n_cards
        return float(total_bytes(row) <= room)
    return float(pool_bytes(row) >= request(row).request_bytes)


def context_bytes(row: PrintedRow) -> float:
    """Cache of one sequence of the context over all cards; windows that an engine lists apart
    (llama.cpp) are left out."""
    parts = _context_parts(row)
    apart = is_context_sized(row) and any(kind not in WINDOWED for kind, _ in parts)
    return sum(size for kind, size in parts if not (apart and kind in WINDOWED))


def window_bytes(row: PrintedRow) -> float:
    """Cache of the windowed layers of one sequence: a window and one micro-batch of cells."""
    return sum(size for kind, size in _context_parts(row) if kind in WINDOWED)


def _context_parts(row: PrintedRow) -> list[tuple[str, float]]:
    """Kind and bytes of each layer group over all cards, states left out."""
    rule = row.deployment.engine.memory
    model = stored_model(row.deployment.model, rule)
    sizes: list[tuple[str, float]] = []
    for group in model.groups:
        if group.kind == "recurrent":
            continue
        if is_context_sized(row) and group.window_tok:
            cells = ceil((group.window_tok + rule.batched_tok) / CELL_PAD_TOK) * CELL_PAD_TOK
            group = group.model_copy(update={"window_tok": cells})
        shape = model.model_copy(update={"groups": (group,)})
        (size,) = cache_by_group(
            shape, row.deployment.cache, context_tok=row.max_model_len, block_tok=1
        )
        sizes.append((group.kind, float(size)))
    return sizes


def states_bytes(row: PrintedRow) -> float:
    """Recurrent states of one sequence over all cards."""
    return sum(state_bytes(group) for group in row.deployment.model.groups)


def total_bytes(row: PrintedRow) -> float:
    """All that an engine with a fixed context takes: weights, cache, states, scratch."""
    cache = sum(size for _, size in _context_parts(row)) + states_bytes(row)
    return weights_bytes(row) + cache + overheads(row).total_bytes
