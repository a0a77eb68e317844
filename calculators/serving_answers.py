"""A scenario's replica under load: by concurrency, by request rate, and its cards cut otherwise."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from calculators.fit.capacity import capacity
from calculators.performance import band_frac, context_reserved, replica_of
from calculators.plan import Plan
from calculators.resolve import resolve_deployment
from calculators.scenario import Scenario
from calculators.specs import Catalog
from calculators.speed.open_loop import OpenLoop, open_loop
from calculators.speed.replica import SHORTEST_OUTPUT_TOK, Replica
from calculators.speed.serving import n_prefill_chunks
from calculators.speed.sizing import Split, replicas_against_tensor_parallel
from calculators.units import MEGA, SECONDS_PER_HOUR

BEYOND = 4  # concurrency is drawn up to so many times what memory holds
N_POINTS = 160
LOADS = np.concatenate([np.linspace(0.02, 0.9, 10), np.linspace(0.93, 0.99, 4)])


@dataclass(frozen=True, slots=True)
class LoadCurve:
    """One replica by the number of requests at once; beyond `n_held` requests wait for a slot."""

    concurrency: np.ndarray
    output_tok_s: np.ndarray
    tpot_s: np.ndarray
    ttft_s: np.ndarray
    meets: np.ndarray  # both objectives, or those that are set
    n_held: int


@dataclass(frozen=True, slots=True)
class ServingAnswers:
    """What the Serving page shows."""

    curve: LoadCurve
    open: OpenLoop  # over LOADS of the capacity, the wait's percentiles left out
    now: OpenLoop  # at the demand's mean and busiest hour, per serving replica
    prefill_s: float
    n_chunks: float
    tpot_band_frac: float | None
    ttft_band_frac: float | None
    rate_band_frac: float | None


def serving_answers(plan: Plan, *, length_cv: float = 1.0, chunked: bool = True) -> ServingAnswers:
    """The scenario's replica in a closed and an open loop.

    concurrency beyond what memory holds: TTFT = TTFT at the limit + (requests - limit) / rate;
    open loop: times stretched so that it saturates at the replica's capacity, and the fixed time
    that servers take for a first token added

    Parameters
    ----------
    plan : a plan whose replica holds at least one sequence
    length_cv : standard deviation / mean of the output lengths
    chunked : prefill in chunks of the engine's step beside decoding; else prompts stop decoding

    Returns
    -------
    ServingAnswers

    Examples
    --------
    The page Serving shows them.
    """
    scenario, at = plan.scenario, plan.calibrated
    replica = replica_of(plan.deployment, scenario)
    new_tok = scenario.input_tok - min(scenario.prefix_tok, scenario.input_tok - 1)
    batched_tok = plan.deployment.engine.memory.batched_tok
    n_chunks = float(n_prefill_chunks(prompt_tok=new_tok, batched_tok=batched_tok)) * chunked
    work_s = float(replica.at(1).prefill_frac / replica.at(1).requests_per_s)
    settings: dict[str, Any] = {
        "step_s": replica.step_s,
        "prefill_s": work_s,
        "output_tok": max(scenario.output_tok, SHORTEST_OUTPUT_TOK),
        "batch_limit": at.batch,
        "length_cv": length_cv,
        "n_chunks": n_chunks,
    }
    idle = open_loop(**settings, requests_per_s=1e-9, wait_shares=False)
    slower = idle.capacity_per_s / at.capacity_req_s
    settings["step_s"] = lambda n: slower * replica.step_s(n)
    settings["prefill_s"] = slower * work_s
    first_s = max(float(replica.at(1).ttft_s - slower * idle.ttft_p50_s), 0.0)

    def loop(rates_per_s: np.ndarray, *, wait_shares: bool) -> OpenLoop:
        found = open_loop(**settings, requests_per_s=rates_per_s, wait_shares=wait_shares)
        return replace(
            found,
            ttft_p50_s=found.ttft_p50_s + first_s,
            ttft_p95_s=found.ttft_p95_s + first_s,
            request_s=found.request_s + first_s,
        )

    return ServingAnswers(
        curve=load_curve(replica, scenario, at.max_batch),
        open=loop(LOADS * at.capacity_req_s, wait_shares=False),
        now=loop(np.array(demand_per_s(plan)), wait_shares=True),
        prefill_s=float(replica.prefill_s),
        n_chunks=n_chunks,
        tpot_band_frac=at.band_frac,
        ttft_band_frac=band_frac(plan.deployment, "ttft_load", "ttft"),
        rate_band_frac=at.rate_band_frac,
    )


def demand_per_s(plan: Plan) -> tuple[float, float]:
    """Requests a second at each serving replica: the month's mean, and the busiest hour.

    rate = demand x own share / tokens of a request / seconds of the month / serving replicas

    Parameters
    ----------
    plan : a plan

    Returns
    -------
    (mean, busiest hour) [1/s], at least 1e-9

    Examples
    --------
    See `serving_answers`.
    """
    money, scenario = plan.money, plan.scenario
    own_tok = float(money.demand_mtok_month) * MEGA * float(money.split_frac)
    seconds = float(money.hours_month) * SECONDS_PER_HOUR
    n_replicas = float(plan.bills.n_replicas)
    serving = max(n_replicas - scenario.n_spare, 1.0) if np.isfinite(n_replicas) else 1.0
    mean = own_tok / float(money.request_tok) / seconds / serving
    return max(mean, 1e-9), max(mean * float(money.peak), 1e-9)


def load_curve(replica: Replica, scenario: Scenario, n_held: int) -> LoadCurve:
    """Throughput and latency of a replica over the number of requests at once.

    Parameters
    ----------
    replica : step times under the scenario's requests
    scenario : with the objectives
    n_held : sequences that memory holds, >= 1

    Returns
    -------
    LoadCurve

    Examples
    --------
    See `serving_answers`.
    """
    highest = max(BEYOND * n_held, 16)
    grid = np.geomspace(1, highest, N_POINTS)
    concurrency = np.unique(np.round(np.append(grid, n_held)))
    at = replica.at(np.minimum(concurrency, n_held))
    waiting = np.maximum(concurrency - n_held, 0.0)
    ttft_s = at.ttft_s + waiting / at.requests_per_s
    objectives = (scenario.ttft_ms, scenario.tpot_ms)
    times = (ttft_s * 1e3, at.tpot_s * 1e3)
    met = [t <= o for t, o in zip(times, objectives, strict=True) if o is not None]
    return LoadCurve(
        concurrency=concurrency,
        output_tok_s=at.output_tok_s,
        tpot_s=at.tpot_s,
        ttft_s=ttft_s,
        meets=np.logical_and.reduce(met) if met else np.ones_like(ttft_s, dtype=bool),
        n_held=n_held,
    )


def card_splits(plan: Plan, *, n_cards: int) -> pd.DataFrame:
    """The same cards as replicas of every tensor-parallel size, under as many requests in all.

    Parameters
    ----------
    plan : a plan
    n_cards : cards in all, >= 1

    Returns
    -------
    DataFrame as of `replicas_against_tensor_parallel`

    Examples
    --------
    See the page Serving.
    """
    scenario = plan.scenario
    requests = max(round(plan.calibrated.batch * n_cards / scenario.n_cards), 1)
    return replicas_against_tensor_parallel(
        n_cards=n_cards,
        concurrency=requests,
        split_of=lambda tp: _split(scenario, plan.catalog, tp),
        ttft_objective_s=None if scenario.ttft_ms is None else scenario.ttft_ms / 1e3,
        tpot_objective_s=None if scenario.tpot_ms is None else scenario.tpot_ms / 1e3,
    )


def _split(scenario: Scenario, catalog: Catalog, tp: int) -> Split:
    deployment = resolve_deployment(replace(scenario, n_cards=tp), catalog)
    fit = capacity(
        deployment,
        context_tok=context_reserved(scenario),
        prefix_tok=scenario.prefix_tok,
        open_conversations=scenario.n_open,
    )
    replica = replica_of(deployment, scenario)
    return Split(tp, replica.at, fit.max_sequences)
