"""Every configuration of card, cards, weight format and cache format as arrays of one length.

Each coefficient depends on few of the four axes, so it is worked out once for each value of
those, and spread over the grid by index: tens of thousands of configurations in a few passes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calculators.fit.capacity import held_sequences, shared_prefix_bytes
from calculators.fit.engine_memory import Overheads, cache_budget_bytes, engine_overheads
from calculators.fit.engine_rules import engine_defaults
from calculators.fit.heads import heads_divide
from calculators.fit.pool import held_bytes
from calculators.fit.weights import card_weight_bytes
from calculators.options_axes import Axes, stores
from calculators.performance import context_reserved
from calculators.scenario import Scenario
from calculators.specs import Deployment
from calculators.speed.inputs import StepInputs
from calculators.speed.parallel import step_inputs, work
from calculators.speed.traits import format_class, is_packed

Ints = NDArray[np.int64]
Table = dict[str, NDArray[np.float64]]  # field of StepInputs -> its values

OF_WEIGHTS = ("dense_bytes", "expert_bytes")
OF_CACHE = (
    *("state_bytes", "cache_bytes_tok", "cap_bytes_tok", "cap_flop_tok", "cap_tok"),
    *("attention_flop_tok", "prefill_attention_flop_tok"),
)


@dataclass(frozen=True, slots=True)
class Grid:
    """The configurations that hold at least one sequence; arrays of one length."""

    axes: Axes
    card: Ints  # indices into the axes
    n: Ints
    weights: Ints
    cache: Ints
    max_sequences: Ints
    inputs: StepInputs  # of arrays


def feasible_grid(axes: Axes, scenario: Scenario) -> Grid:
    """The configurations of the axes whose memory holds at least one sequence.

    Parameters
    ----------
    axes : Axes, none of them empty
    scenario : Scenario (`ctx`, `prefix`, `open`)

    Returns
    -------
    Grid, possibly of length 0

    Notes
    -----
    The same rules as `capacity` and `step_inputs` for one deployment; card counts by which heads
    do not divide, counts beyond one server, and caches that a card has no units for are left out.
    """
    shape = (len(axes.cards), len(axes.counts), len(axes.weights), len(axes.caches))
    held = _held(axes, scenario).reshape(shape)
    card, n, weights, cache = np.nonzero(held >= 1)
    return Grid(
        axes=axes,
        card=card,
        n=n,
        weights=weights,
        cache=cache,
        max_sequences=held[card, n, weights, cache].astype(np.int64),
        inputs=_inputs(axes, card, n, weights, cache),
    )


def _held(axes: Axes, scenario: Scenario) -> NDArray[np.float64]:
    """Sequences of a replica, shape (cards, counts, weights, caches)."""
    context, rule = context_reserved(scenario), axes.engine.memory
    slots = np.array([engine_defaults(rule, card).max_sequences for card in axes.cards])
    stored = np.array([[stores(card, cache) for cache in axes.caches] for card in axes.cards])
    budgets = _budgets(_SameAxes(axes))
    held = np.stack(
        [
            _held_by(axes, scenario, n, context, budgets[n], slots)
            * _allowed(axes, n)[:, None, None]
            for n in range(len(axes.counts))
        ],
        axis=1,
    )
    return held * stored[:, None, None, :]


def _allowed(axes: Axes, n: int) -> NDArray[np.bool_]:
    """Cards on which a replica of so many can run."""
    count, split = axes.counts[n], axes.parallelism(axes.counts[n])
    cuts = split.tp > 1 and not split.attention_dp
    divides = not cuts or heads_divide(axes.model, split.tp)
    return np.array([divides and count <= card.n_server_cards for card in axes.cards])


def _held_by(
    axes: Axes, scenario: Scenario, n: int, context: int, budget_bytes: Any, slots: Any
) -> NDArray[np.float64]:
    split = axes.parallelism(axes.counts[n])
    one, shared = np.array(
        [
            _sequence(axes.deployment(n=n, cache=c), scenario, context)
            for c in range(len(axes.caches))
        ]
    ).T
    n_ranks = split.tp if split.attention_dp else 1
    held = held_sequences(
        budget_bytes=budget_bytes[:, :, None],
        sequence_bytes=one,
        shared_bytes=np.minimum(shared, one),
        n_idle=-(-scenario.n_open // n_ranks),
    )
    return np.minimum(held, slots[:, None, None]) * n_ranks


def _sequence(deployment: Deployment, scenario: Scenario, context: int) -> tuple[float, float]:
    one = held_bytes(deployment, context)
    return one, shared_prefix_bytes(deployment, min(scenario.prefix_tok, context))


def _inputs(axes: Axes, card: Ints, n: Ints, weights: Ints, cache: Ints) -> StepInputs:
    """Coefficients of the step model for each configuration, spread by what they depend on."""
    kinds = [format_class(fmt) for fmt in axes.weights]
    classes = sorted(set(kinds))
    by_weights, by_cache, by_card = _tables(_SameAxes(axes))
    class_of = np.array([classes.index(kind) for kind in kinds])[weights]
    rows = {
        OF_WEIGHTS: (by_weights, n * len(axes.weights) + weights),
        OF_CACHE: (by_cache, n * len(axes.caches) + cache),
    }
    card_row = (card * len(axes.counts) + n) * len(classes) + class_of
    spread: dict[str, Any] = {}
    for field in fields(StepInputs):
        table, row = next(
            (pair for names, pair in rows.items() if field.name in names), (by_card, card_row)
        )
        values = table[field.name][row] if len(row) else np.zeros((0, *table[field.name].shape[1:]))
        spread[field.name] = tuple(values.T) if values.ndim == 2 else values
    return StepInputs(**spread)


class _SameAxes:
    """Axes; equal where their parts are the same objects (specs are frozen)."""

    def __init__(self, axes: Axes) -> None:
        self.axes = axes
        parts = (axes.model, axes.engine, *axes.cards, *axes.weights, *axes.caches)
        self.key = (tuple(map(id, parts)), axes.counts, axes.choice)

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _SameAxes) and self.key == other.key


@lru_cache(maxsize=8)
def _budgets(same: _SameAxes) -> list[NDArray[np.float64]]:
    """For each count, memory left to the cache by card and weight format [byte]; remembered."""
    axes = same.axes
    visible = np.array([card.memory_bytes for card in axes.cards])
    budgets = []
    for n in range(len(axes.counts)):
        weights = [
            card_weight_bytes(axes.deployment(n=n, weights=w)) for w in range(len(axes.weights))
        ]
        each = [engine_overheads(axes.deployment(card=i, n=n)) for i in range(len(axes.cards))]
        overheads = Overheads(
            *(np.array([getattr(o, f.name) for o in each])[:, None] for f in fields(Overheads))
        )
        budget = cache_budget_bytes(
            axes.engine.memory,
            visible_bytes=visible[:, None],
            weights_bytes=np.array(weights),
            overheads=overheads,
        )
        budgets.append(np.asarray(budget))
    return budgets


@lru_cache(maxsize=8)
def _tables(same: _SameAxes) -> tuple[Table, Table, Table]:
    """Coefficients by cards and weights, by cards and cache, and by card; remembered."""
    axes = same.axes
    kinds = [format_class(fmt) for fmt in axes.weights]
    by_weights = _table(
        step_inputs(axes.deployment(n=i, weights=w))
        for i in range(len(axes.counts))
        for w in range(len(axes.weights))
    )
    by_cache = _table(
        step_inputs(axes.deployment(n=i, cache=c))
        for i in range(len(axes.counts))
        for c in range(len(axes.caches))
    )
    by_card = _table(_of_cards(axes, [kinds.index(kind) for kind in sorted(set(kinds))]))
    return by_weights, by_cache, by_card


def _of_cards(axes: Axes, formats: list[int]) -> Iterator[StepInputs]:
    """Coefficients by card, count and format; the same work on many cards is added up once."""
    done: dict[tuple[int, int, bool, bool], dict[str, Any]] = {}
    for card in range(len(axes.cards)):
        for n, weights in product(range(len(axes.counts)), formats):
            deployment = axes.deployment(card=card, n=n, weights=weights)
            # Of a card, only these two change the work.
            key = n, weights, deployment.accelerator.link_sums, is_packed(deployment)
            if key not in done:
                done[key] = work(deployment)
            yield step_inputs(deployment, shared=done[key])


def _table(inputs: Iterator[StepInputs]) -> Table:
    rows = list(inputs)
    return (
        {
            f.name: np.array([getattr(row, f.name) for row in rows], dtype=float)
            for f in fields(StepInputs)
        }
        if rows
        else {f.name: np.zeros((1, 3)) for f in fields(StepInputs)}
    )
