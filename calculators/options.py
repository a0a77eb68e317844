"""Every feasible configuration of a scenario, ranked by its monthly bill."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from calculators.cost.api_choice import resolve_api
from calculators.cost.bills import Bills, bills
from calculators.cost.card_cost import CardCost, card_cost
from calculators.money import api_usd_request, money_inputs
from calculators.options_axes import Axes, holds, in_16_bits, published, serves
from calculators.options_grid import Grid, feasible_grid
from calculators.performance import Performance
from calculators.plan import plan
from calculators.resolve import resolve_deployment
from calculators.scenario import Scenario
from calculators.specs import Catalog, RentalPrice
from calculators.speed.replica import Replica
from calculators.speed.serving import ClosedLoop

CARD_COUNTS = (1, 2, 4, 8)
SLOWEST_TPOT_MS = 100.0  # ten tokens a second, faster than people read


@dataclass(frozen=True, slots=True)
class Options:
    """Configurations that fit and meet the objectives, cheapest first, as a table of arrays."""

    table: pd.DataFrame
    n_considered: int
    n_fit: int  # hold at least one sequence
    n_meet: int  # and meet the objectives, with a known card cost

    @property
    def front(self) -> pd.DataFrame:
        """Configurations that no other beats in both bill and time per token."""
        return self.table[self.table["pareto"]]


def options(
    scenario: Scenario, catalog: Catalog, *, counts: tuple[int, ...] = CARD_COUNTS
) -> Options:
    """Rank every configuration of card, cards per replica, weight and cache format.

    Replicas follow from the demand, the batch is the largest that memory and objectives allow.

    Parameters
    ----------
    scenario : Scenario; its card, cards, formats, batch and replicas are what is searched
    catalog : Catalog
    counts : cards per replica that are tried

    Returns
    -------
    Options

    Notes
    -----
    Weight formats that the scenario's engine serves and that models such as this one are published
    in; cache formats that engine and card can store; cards of vendors that it runs on whose rent
    (or, for bought cards, price) is known. Quality differs between formats: see their published
    loss. Without an objective, ten tokens a second for each user are asked for.
    """
    free = replace(
        scenario,
        demand_mtok=plan(scenario, catalog).demand_mtok_month,  # a duty cycle stands for one
        n_replicas=0,
        tpot_ms=scenario.tpot_ms or SLOWEST_TPOT_MS,
        duty_frac=None,
        rate_usd_h=None,
        price_usd=None,
        memory_gib=None,
        bandwidth_gb_s=None,
        fp16_dense_tflops=None,
        bits=None,
    )
    costs = _costs(free, catalog)
    axes = _axes(free, catalog, counts, costs)
    n = len(axes.cards) * len(axes.counts) * len(axes.weights) * len(axes.caches)
    if not n:
        return Options(_NO_ROWS, 0, 0, 0)
    grid = feasible_grid(axes, free)
    if not len(grid.card):
        return Options(_NO_ROWS, n, 0, 0)
    replica = Replica(
        inputs=grid.inputs,
        input_tok=free.input_tok,
        output_tok=free.output_tok,
        cached_tok=min(free.prefix_tok, free.input_tok - 1),
    )
    batch = _batches(replica, grid, free)
    at = replica.at(np.maximum(batch, 1))
    both = _bills(free, catalog, grid, at, costs)
    table = _table(grid, batch, at, both)
    return Options(table, n, len(grid.card), len(table))


def options_table(found: Options) -> pd.DataFrame:
    """The ranked table with a rank column, for files.

    Parameters
    ----------
    found : Options

    Returns
    -------
    DataFrame, cheapest first, `rank` from 1
    """
    table = found.table.copy()
    table.insert(0, "rank", np.arange(1, len(table) + 1))
    return table


def _costs(scenario: Scenario, catalog: Catalog) -> dict[str, CardCost]:
    """What each card costs that the engine runs on and whose rent (or price) is known, by id."""
    vendors = catalog.engines[scenario.engine].vendors
    prices: dict[str, list[RentalPrice]] = {}
    for price in catalog.rental_prices:
        prices.setdefault(price.accelerator, []).append(price)
    costs = {
        card.id: card_cost(scenario, catalog, card, prices=prices.get(card.id, []))
        for card in catalog.accelerators.values()
        if card.fp16_dense_tflops and (not vendors or card.vendor in vendors)
    }
    bought = scenario.billing == "owned"
    return {
        id_: cost
        for id_, cost in costs.items()
        if cost.usd_month is not None and (cost.quotes is None) == bought
    }


def _axes(
    scenario: Scenario, catalog: Catalog, counts: tuple[int, ...], cards: Iterable[str]
) -> Axes:
    engine = catalog.engines[scenario.engine]
    model = resolve_deployment(scenario, catalog).model
    return Axes(
        model=model,
        engine=engine,
        cards=tuple(catalog.accelerators[id_] for id_ in cards),
        counts=counts,
        weights=tuple(
            f for f in catalog.weight_formats.values() if serves(engine, f) and published(f, model)
        ),
        caches=tuple(f for f in catalog.cache_formats.values() if holds(engine, f, model)),
        choice=scenario.parallel,
    )


def _batches(replica: Replica, grid: Grid, scenario: Scenario) -> NDArray[np.int64]:
    """The largest batch of each configuration that meets the objectives; 0 where none does."""
    most = grid.max_sequences
    if scenario.batch:
        most = np.where(most >= scenario.batch, scenario.batch, 0)
    low, high = np.zeros_like(most), most.copy()
    for _ in range(int(np.ceil(np.log2(max(most.max(initial=1), 2)))) + 1):
        middle = (low + high + 1) // 2
        at = replica.at(np.maximum(middle, 1))
        good = (at.ttft_s * 1e3 <= (scenario.ttft_ms or np.inf)) & (
            at.tpot_s * 1e3 <= (scenario.tpot_ms or np.inf)
        )
        low, high = np.where(good, middle, low), np.where(good, high, middle - 1)
        high = np.maximum(high, low)
    return low


def _bills(
    scenario: Scenario, catalog: Catalog, grid: Grid, at: ClosedLoop, costs: dict[str, CardCost]
) -> Bills:
    of_cards = [costs[card.id] for card in grid.axes.cards]
    api = resolve_api(scenario, catalog, grid.axes.model)
    still = Performance("calibrated", 1, 1, 1.0, 1.0, 1.0, 1.0, 1.0)
    money = money_inputs(scenario, still, of_cards[0], api).with_(
        capacity_req_s=at.requests_per_s,
        n_cards=np.array(grid.axes.counts)[grid.n],
        card_usd_month=np.array([cost.usd_month for cost in of_cards], float)[grid.card],
        api_usd_request=api_usd_request(scenario, api),
    )
    return bills(money)


_COLUMNS = (
    *("card", "cards_per_replica", "replicas", "n_cards", "weight_format", "cache_format", "batch"),
    *("ttft_ms", "tpot_ms", "tok_s_each", "output_tok_s", "duty_frac", "usd_month"),
    *("api_usd_month", "cheaper", "weight_bits", "ppl_delta"),
    *("card_name", "weight_name", "cache_name", "in_16_bits", "pareto"),
)
_NO_ROWS = pd.DataFrame(columns=_COLUMNS).astype({"weight_bits": float, "pareto": bool})


def _table(grid: Grid, batch: NDArray, at: ClosedLoop, both: Bills) -> pd.DataFrame:
    """The configurations that meet the objectives, cheapest first."""
    count = np.array(grid.axes.counts)[grid.n]
    columns = {
        "cards_per_replica": count,
        "replicas": both.n_replicas,
        "n_cards": both.n_replicas * count,
        "batch": batch,
        "ttft_ms": at.ttft_s * 1e3,
        "tpot_ms": at.tpot_s * 1e3,
        "tok_s_each": 1 / at.tpot_s,
        "output_tok_s": at.output_tok_s,
        "duty_frac": both.duty_frac,
        "usd_month": both.self_host_usd_month,
        "api_usd_month": both.api_usd_month,
    }
    columns = {name: np.broadcast_to(values, batch.shape) for name, values in columns.items()}
    ranks = [columns[name] for name in ("n_cards", "tpot_ms", "usd_month")]  # the last counts first
    rows = np.lexsort(ranks)
    rows = rows[batch[rows] >= 1]
    found = {name: values[rows] for name, values in columns.items()}
    found |= _names(grid.axes, grid.card[rows], grid.weights[rows], grid.cache[rows])
    cheaper = (found["usd_month"] < found["api_usd_month"]).astype(int)
    found["cheaper"] = _text(["api", "self-host"], cheaper)
    found["pareto"] = _pareto(found["usd_month"], found["tpot_ms"])
    return pd.DataFrame({name: found[name] for name in _COLUMNS})


def _names(axes: Axes, card: NDArray, weights: NDArray, cache: NDArray) -> dict[str, Any]:
    """What is known of each row's card and formats."""
    widened = np.array([[in_16_bits(f, card) for f in axes.weights] for card in axes.cards])
    return {
        "card": _text([c.id for c in axes.cards], card),
        "weight_format": _text([f.id for f in axes.weights], weights),
        "cache_format": _text([f.id for f in axes.caches], cache),
        "weight_bits": np.array([f.bits for f in axes.weights])[weights],
        "ppl_delta": np.array([f.ppl_delta for f in axes.weights], float)[weights],
        "card_name": _text([c.name for c in axes.cards], card),
        "weight_name": _text([f.name for f in axes.weights], weights),
        "cache_name": _text([f.name for f in axes.caches], cache),
        "in_16_bits": widened[card, weights],
    }


def _text(words: Sequence[str], rows: NDArray) -> Any:
    """Words by row as a column of texts."""
    return pd.array(words, dtype="str").take(rows)


def _pareto(cost: NDArray, latency: NDArray) -> NDArray[np.bool_]:
    """Rows (cost ascending) whose latency is below that of every cheaper row."""
    best = np.minimum.accumulate(np.concatenate([[np.inf], latency[:-1]]))
    return latency < best
