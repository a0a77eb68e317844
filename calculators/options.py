"""Every feasible configuration of a scenario, ranked by its monthly bill."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from calculators.cost.api_choice import resolve_api
from calculators.cost.bills import Bills, bills
from calculators.cost.card_cost import card_cost
from calculators.money import api_usd_request, money_inputs
from calculators.options_axes import Axes, holds, in_16_bits, published, serves
from calculators.options_grid import Grid, feasible_grid
from calculators.performance import Performance
from calculators.plan import plan
from calculators.resolve import resolve_deployment
from calculators.scenario import Scenario
from calculators.specs import AcceleratorSpec, Catalog
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
    axes = _axes(free, catalog, counts)
    n = len(axes.cards) * len(axes.counts) * len(axes.weights) * len(axes.caches)
    if not n:
        return Options(pd.DataFrame(columns=_COLUMNS), 0, 0, 0)
    grid = feasible_grid(axes, free)
    if not len(grid.card):
        return Options(pd.DataFrame(columns=_COLUMNS), n, 0, 0)
    replica = Replica(
        inputs=grid.inputs,
        input_tok=free.input_tok,
        output_tok=free.output_tok,
        cached_tok=min(free.prefix_tok, free.input_tok - 1),
    )
    batch = _batches(replica, grid, free)
    meets = batch >= 1
    at = replica.at(np.maximum(batch, 1))
    usd_month = np.array([card_cost(free, catalog, card).usd_month for card in axes.cards], float)
    both = _bills(free, catalog, grid, at, usd_month[grid.card])
    table = _table(grid, batch, at, both)[meets]
    table = table.sort_values(["usd_month", "tpot_ms", "n_cards"], kind="stable")
    table["pareto"] = _pareto(table["usd_month"].to_numpy(), table["tpot_ms"].to_numpy())
    return Options(table.reset_index(drop=True), n, len(grid.card), len(table))


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


def _axes(scenario: Scenario, catalog: Catalog, counts: tuple[int, ...]) -> Axes:
    engine = catalog.engines[scenario.engine]
    model = resolve_deployment(scenario, catalog).model
    return Axes(
        model=model,
        engine=engine,
        cards=tuple(c for c in catalog.accelerators.values() if _usable(c, scenario, catalog)),
        counts=counts,
        weights=tuple(
            f for f in catalog.weight_formats.values() if serves(engine, f) and published(f, model)
        ),
        caches=tuple(f for f in catalog.cache_formats.values() if holds(engine, f, model)),
        choice=scenario.parallel,
    )


def _usable(card: AcceleratorSpec, scenario: Scenario, catalog: Catalog) -> bool:
    vendors = catalog.engines[scenario.engine].vendors
    if (vendors and card.vendor not in vendors) or not card.fp16_dense_tflops:
        return False
    cost = card_cost(scenario, catalog, card)
    return cost.usd_month is not None and (cost.quotes is not None) == (scenario.billing != "owned")


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
    scenario: Scenario, catalog: Catalog, grid: Grid, at: ClosedLoop, card_usd_month: NDArray
) -> Bills:
    cost = card_cost(scenario, catalog, grid.axes.cards[0])
    api = resolve_api(scenario, catalog, grid.axes.model)
    still = Performance("calibrated", 1, 1, 1.0, 1.0, 1.0, 1.0, 1.0)
    money = money_inputs(scenario, still, cost, api).with_(
        capacity_req_s=at.requests_per_s,
        n_cards=np.array(grid.axes.counts)[grid.n],
        card_usd_month=card_usd_month,
        api_usd_request=api_usd_request(scenario, api),
    )
    return bills(money)


_COLUMNS = (
    *("card", "cards_per_replica", "replicas", "n_cards", "weight_format", "cache_format", "batch"),
    *("ttft_ms", "tpot_ms", "tok_s_each", "output_tok_s", "duty_frac", "usd_month"),
    *("api_usd_month", "cheaper", "weight_bits", "ppl_delta"),
    *("card_name", "weight_name", "cache_name", "in_16_bits", "pareto"),
)


def _table(grid: Grid, batch: NDArray, at: ClosedLoop, both: Bills) -> pd.DataFrame:
    axes = grid.axes
    cards = np.array([card.id for card in axes.cards], object)[grid.card]
    widened = np.array([[in_16_bits(f, card) for f in axes.weights] for card in axes.cards])
    count = np.array(axes.counts)[grid.n]
    usd = np.asarray(both.self_host_usd_month, float)
    api = np.broadcast_to(np.asarray(both.api_usd_month, float), usd.shape)
    return pd.DataFrame(
        {
            "card": cards,
            "cards_per_replica": count,
            "replicas": both.n_replicas,
            "n_cards": both.n_replicas * count,
            "weight_format": np.array([f.id for f in axes.weights], object)[grid.weights],
            "cache_format": np.array([f.id for f in axes.caches], object)[grid.cache],
            "batch": batch,
            "ttft_ms": at.ttft_s * 1e3,
            "tpot_ms": at.tpot_s * 1e3,
            "tok_s_each": 1 / at.tpot_s,
            "output_tok_s": at.output_tok_s,
            "duty_frac": both.duty_frac,
            "usd_month": usd,
            "api_usd_month": api,
            "cheaper": np.where(usd < api, "self-host", "api"),
            "weight_bits": np.array([f.bits for f in axes.weights])[grid.weights],
            "ppl_delta": np.array([f.ppl_delta for f in axes.weights], float)[grid.weights],
            "card_name": np.array([card.name for card in axes.cards], object)[grid.card],
            "weight_name": np.array([f.name for f in axes.weights], object)[grid.weights],
            "cache_name": np.array([f.name for f in axes.caches], object)[grid.cache],
            "in_16_bits": widened[grid.card, grid.weights],
        }
    )


def _pareto(cost: NDArray, latency: NDArray) -> NDArray[np.bool_]:
    """Rows (cost ascending) whose latency is below that of every cheaper row."""
    best = np.minimum.accumulate(np.concatenate([[np.inf], latency[:-1]]))
    return latency < best
