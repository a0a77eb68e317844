"""Does a deployment fit, how many sequences does it hold, and what is the limit?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from calculators.fit.engine_memory import Overheads, cache_budget_bytes, engine_overheads
from calculators.fit.engine_rules import engine_defaults
from calculators.fit.heads import heads_divide, next_tensor_cards
from calculators.fit.held_sequences import held_sequences, shared_prefix_bytes
from calculators.fit.kv_cache import cache_bytes_per_tok
from calculators.fit.pool import held_bytes
from calculators.fit.weights import card_weight_bytes
from calculators.specs import Deployment, Parallelism

Limit = Literal["heads", "weights", "cache", "slots"]

WEIGHTS_ERROR_FRAC = 0.01  # of printed weights, central two thirds
OVERHEAD_ERROR_FRAC = 0.3  # of printed activation and runtime, central two thirds
RANGE_BELOW_FRAC = 0.25  # a cache under this share of the budget is shown as a range


@dataclass(frozen=True, slots=True)
class Fit:
    """What the fullest card of one replica holds; counts are of the whole replica."""

    fits: bool
    limit: Limit
    limit_text: str
    n_cards: int
    visible_bytes: float
    budget_bytes: float
    weights_bytes: float
    activation_bytes: float
    runtime_bytes: float
    graphs_bytes: float
    cache_budget_bytes: float
    cache_low_bytes: float
    cache_high_bytes: float
    kv_bytes_per_tok: float
    sequence_bytes: float
    kv_capacity_tok: int
    max_sequences: int
    low_sequences: int
    high_sequences: int
    next_divisor: int | None

    @property
    def overhead_bytes(self) -> float:
        return self.activation_bytes + self.runtime_bytes + self.graphs_bytes

    @property
    def shows_range(self) -> bool:
        """The cache is so small a rest that its error counts."""
        return self.cache_budget_bytes < RANGE_BELOW_FRAC * self.budget_bytes


def _cuts_heads(parallelism: Parallelism) -> bool:
    return parallelism.tp > 1 and not parallelism.attention_dp


def _limit(
    deployment: Deployment, cache: float, n_held: float, n_slots: int, one_fits: bool
) -> tuple[Limit, str]:
    """What stops this deployment, or stops it from holding more sequences."""
    card = deployment.accelerator.name
    tp = deployment.parallelism.tp
    if _cuts_heads(deployment.parallelism) and not heads_divide(deployment.model, tp):
        following = next_tensor_cards(deployment.model, tp)
        works = f"; the next count that works is {following}" if following else ""
        return "heads", f"The attention heads do not divide by {tp} cards{works}."
    if cache <= 0:
        return "weights", (
            f"The model (its weights) and the engine leave no room for conversations (a cache) "
            f"on {card}."
        )
    if not one_fits:
        return "cache", "One conversation of this length does not fit beside the model's weights."
    if n_held >= n_slots:
        return "slots", f"The engine runs at most {n_slots:,} sequences at once; memory has room."
    return "cache", "Memory for conversations (the cache) is the limit; the model's weights fit."


def capacity(
    deployment: Deployment,
    *,
    context_tok: int,
    prefix_tok: int = 0,
    open_conversations: int = 0,
    max_model_len: int | None = None,
    batched_tok: int | None = None,
    max_sequences: int | None = None,
) -> Fit:
    """Whether a replica fits its cards, how many sequences it holds, and what is the limit.

    sequences = floor((cache budget - shared prefix) / (bytes of a sequence - shared prefix)) - idle

    Parameters
    ----------
    deployment : Deployment
        One replica.
    context_tok : int [tokens]
        Tokens that each sequence reserves, at least 1.
    prefix_tok : int [tokens]
        Tokens of prompt that all sequences share, at least 0.
    open_conversations : int [conversations]
        Conversations of the whole replica that hold cache while idle, at least 0.
    max_model_len : int [tokens], optional
        Longest sequence that the engine is to accept; one such must fit.
    batched_tok, max_sequences : int, optional
        Engine settings; its defaults for the card where not given.

    Returns
    -------
    Fit
        Bytes are of the fullest card; sequences and tokens of the replica.

    Notes
    -----
    Basis: calibrated. Against printed logs the cache errs by a few percent where it is large,
    and by more where it is a small rest: then `shows_range`.

    References
    ----------
    As `engine_memory`.

    Examples
    --------
    `python -m app plan` prints the result under `fit`.
    """
    longest_tok = max(max_model_len or 0, context_tok)
    card = _card_memory(deployment, batched_tok, max_sequences, longest_tok)
    one = held_bytes(deployment, context_tok)
    longest = held_bytes(deployment, longest_tok) if longest_tok > context_tok else one
    n_ranks = deployment.parallelism.tp if deployment.parallelism.attention_dp else 1
    n_slots = n_ranks * _slots(deployment, max_sequences)
    cache, error = card.cache_bytes, card.error_bytes
    low, held, high = n_ranks * held_sequences(
        budget_bytes=(cache - error, cache, cache + error),
        sequence_bytes=one,
        shared_bytes=min(shared_prefix_bytes(deployment, min(prefix_tok, context_tok)), one),
        n_idle=-(-open_conversations // n_ranks),
    )
    limit, text = _limit(deployment, cache, held, n_slots, cache >= longest)
    fits = limit in ("cache", "slots") and cache >= longest
    n_active = int(min(held, n_slots)) if limit in ("cache", "slots") else 0
    return Fit(
        fits=fits,
        limit=limit,
        limit_text=text,
        n_cards=deployment.parallelism.n_cards,
        visible_bytes=deployment.accelerator.memory_bytes,
        budget_bytes=card.budget_bytes,
        weights_bytes=card.weights_bytes,
        activation_bytes=card.overheads.activation_bytes,
        runtime_bytes=card.overheads.runtime_bytes,
        graphs_bytes=card.overheads.graphs_bytes,
        cache_budget_bytes=cache,
        cache_low_bytes=cache - error,
        cache_high_bytes=cache + error,
        kv_bytes_per_tok=float(cache_bytes_per_tok(deployment.model, deployment.cache.bits)),
        sequence_bytes=one,
        kv_capacity_tok=max(int(n_ranks * cache / one * context_tok), 0) if one > 0 else 0,
        max_sequences=n_active,
        low_sequences=int(min(low, n_active)),
        high_sequences=int(min(high, n_slots)),
        next_divisor=next_tensor_cards(deployment.model, deployment.parallelism.tp),
    )


@dataclass(frozen=True, slots=True)
class _CardMemory:
    """Where the memory of the fullest card goes before the cache, and how sure that is."""

    budget_bytes: float
    weights_bytes: float
    overheads: Overheads
    cache_bytes: float
    error_bytes: float


def _card_memory(
    deployment: Deployment, batched_tok: int | None, max_sequences: int | None, longest_tok: int
) -> _CardMemory:
    weights = card_weight_bytes(deployment)
    overheads = engine_overheads(
        deployment,
        batched_tok=batched_tok,
        max_sequences=max_sequences,
        max_model_len=longest_tok,
    )
    cache = cache_budget_bytes(
        deployment.engine.memory,
        visible_bytes=deployment.accelerator.memory_bytes,
        weights_bytes=weights,
        overheads=overheads,
    )
    error = WEIGHTS_ERROR_FRAC * weights + OVERHEAD_ERROR_FRAC * overheads.total_bytes
    budget = _budget_bytes(deployment, overheads, weights, cache)
    return _CardMemory(budget, weights, overheads, cache, error)


def _slots(deployment: Deployment, max_sequences: int | None) -> int:
    """Sequences that one engine runs at once: the setting, or its default for the card."""
    rule = deployment.engine.memory
    return max_sequences or engine_defaults(rule, deployment.accelerator).max_sequences


def _budget_bytes(
    deployment: Deployment, overheads: Overheads, weights: float, cache: float
) -> float:
    """What weights, engine and cache may take of the card together."""
    rule = deployment.engine.memory
    if rule.utilisation_of == "total":
        return deployment.accelerator.memory_bytes * rule.utilisation_frac
    return weights + overheads.total_bytes + max(cache, 0.0)
