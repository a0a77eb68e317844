"""A plan as plain data with stable keys: what `python -m app plan` prints."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

import numpy as np

from calculators.flips import Flip, flips
from calculators.link import Problem, to_query
from calculators.performance import Performance
from calculators.plan import Plan
from calculators.provenance import SourceLine, sources
from calculators.scenario import FIELDS, Scenario
from calculators.units import GIB
from calculators.verdict import verdict


def plan_report(plan: Plan, problems: Iterable[Problem] = ()) -> dict[str, Any]:
    """A plan as a dictionary of numbers and texts; what is not known is None.

    Parameters
    ----------
    plan : Plan
    problems : what was wrong with the link

    Returns
    -------
    dict with the keys scenario, problems, fit, speed, cost, verdict, warnings, sources, asof, link
    """
    return finite(
        {
            "scenario": scenario_report(plan.scenario),
            "problems": [asdict(problem) for problem in problems],
            "fit": fit_report(plan),
            "speed": {
                "basis": plan.scenario.basis,
                "bound": performance_report(plan.bound),
                "calibrated": performance_report(plan.calibrated),
            },
            "cost": cost_report(plan),
            "verdict": verdict_report(plan),
            "warnings": list(plan.warnings),
            "sources": [source_report(line) for line in sources(plan)],
            "asof": plan.catalog.asof.isoformat(),
            "link": to_query(plan.scenario, pinned=True, asof=plan.catalog.asof.isoformat()),
        }
    )


def scenario_report(scenario: Scenario) -> dict[str, Any]:
    """The scenario by its link keys."""
    return {spec.key: getattr(scenario, name) for name, spec in FIELDS.items()}


def fit_report(plan: Plan) -> dict[str, Any]:
    """Memory: what the fullest card holds, in GiB, and how many sequences."""
    fit = plan.fit
    return {
        "fits": plan.fits,
        "limit": fit.limit,
        "limit_text": fit.limit_text,
        "weights_gib": fit.weights_bytes / GIB,
        "overhead_gib": fit.overhead_bytes / GIB,
        "cache_gib": fit.cache_budget_bytes / GIB,
        "card_gib": fit.visible_bytes / GIB,
        "kv_bytes_per_tok": fit.kv_bytes_per_tok,
        "kv_capacity_tok": fit.kv_capacity_tok,
        "max_sequences": fit.max_sequences,
        "low_sequences": fit.low_sequences,
        "high_sequences": fit.high_sequences,
        "cards": fit.n_cards,
    }


def performance_report(performance: Performance) -> dict[str, Any]:
    """Speed of one replica."""
    report = asdict(performance)
    return {
        key: report[key]
        for key in (
            *("step_s", "tpot_s", "ttft_s", "output_tok_s", "batch", "max_batch"),
            *("capacity_req_s", "band_frac", "rate_band_frac", "meets_objectives", "limit_text"),
        )
    }


def cost_report(plan: Plan) -> dict[str, Any]:
    """Money: both bills, unit costs, break-even."""
    both = plan.bills
    return {
        "self_host_usd_month": plan.self_host_usd_month,
        "api_usd_month": plan.api_usd_month,
        "hardware_usd_month": float(both.hardware_usd_month),
        "upkeep_usd_month": plan.scenario.upkeep_usd_month,
        "build_usd_month": float(plan.money.build_usd_month),
        "network_usd_month": plan.scenario.network_usd_month,
        "burst_usd_month": float(both.burst_usd_month),
        "usd_per_mtok_output": plan.usd_per_mtok_output,
        "usd_per_mtok_total": plan.usd_per_mtok_total,
        "break_even_mtok_month": plan.break_even_mtok_month,
        "crossings": [asdict(crossing) for crossing in plan.crossings],
        "api": plan.api.id if plan.api else None,
        "card_usd_h": plan.card_cost.usd_h,
        "card_cost_how": plan.card_cost.how,
        "n_cards": plan.n_cards,
        "n_replicas": float(both.n_replicas),
        "n_paid_replicas": float(both.n_paid_replicas),
        "replica_mtok_month": float(plan.money.replica_mtok_month),
        "capacity_mtok_month": float(both.capacity_mtok_month),
        "demand_mtok_month": plan.demand_mtok_month,
        "duty_frac": float(both.duty_frac),
        "peak": float(plan.money.peak),
        "carried": bool(both.carried),
    }


def verdict_report(plan: Plan) -> dict[str, Any]:
    """The answer, what turns it, and how likely it is to turn."""
    answer, chance = verdict(plan), plan.chance
    return {
        "choice": answer.choice,
        "text": answer.text,
        "headline": answer.headline,
        "reason": answer.reason,
        "overridden_by": list(answer.overridden_by),
        "flips": [flip_report(flip) for flip in flips(plan)],
        "self_host_wins_frac": chance.self_host_wins_frac if chance else None,
        "difference_p10_usd_month": chance.p10_usd_month if chance else None,
        "difference_p50_usd_month": chance.p50_usd_month if chance else None,
        "difference_p90_usd_month": chance.p90_usd_month if chance else None,
    }


def flip_report(flip: Flip) -> dict[str, Any]:
    """One input that turns the answer."""
    return asdict(flip) | {"factor": flip.factor}


def source_report(line: SourceLine) -> dict[str, Any]:
    """One fact with its source."""
    return asdict(line) | {"checked": line.checked.isoformat(), "stale": line.stale}


def finite(value: Any) -> Any:
    """The same data with nan and infinity as None, tuples as lists, so that it is plain JSON."""
    if isinstance(value, dict):
        return {key: finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [finite(item) for item in value]
    if isinstance(value, np.generic):
        return finite(value.item())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
