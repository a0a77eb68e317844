"""How sure the answer is."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.derivations.derivation import API_PRICE, DEPLOYMENT, RENT, Derivation, derived
from app.derivations.derivation import amount as a
from app.derivations.middle import percentile_equation
from app.formatting import chance as likely
from app.formatting import number, percent, usd
from calculators.cost.bills import bills
from calculators.evidence.sensitivity import (
    Bar,
    MonteCarlo,
    flip_map,
    monte_carlo,
    tornado,
    with_value,
)
from calculators.plan import Plan

_FACTS = (RENT, API_PRICE, *DEPLOYMENT)


def quantiles(chance: MonteCarlo) -> tuple[Derivation, ...]:
    """The three marks of the distribution, each from its neighbours in the sorted draws."""
    return tuple(
        derived(
            name,
            f"The {chance.n_draws:,} draws in order of their difference, self-hosting less API: "
            f"{percent(place)} of them lie below this one. Where the place falls between two "
            "draws, it lies between them in proportion.",
            percentile_equation(chance.difference_usd_month, place, _month),
            "assumption",
            monte_carlo,
            _FACTS,
        )
        for name, place in (
            ("One time in ten below", 0.1),
            ("Middle", 0.5),
            ("One time in ten above", 0.9),
        )
    )


def _month(value: float) -> str:
    return usd(value, "month")


def wins(chance: MonteCarlo) -> Derivation:
    """The share of draws in which self-hosting is cheaper, and the distribution."""
    n = round(chance.self_host_wins_frac * chance.n_draws)
    return derived(
        "Self-hosting is cheaper, and the distribution",
        f"Every uncertain input is drawn from its range ({chance.n_draws:,} times, seed "
        f"{chance.seed}), both bills are worked out anew; counted are the draws below zero. "
        f"Said as {likely(chance.self_host_wins_frac)}: the ranges bear no more digits.",
        f"{n:,} / {chance.n_draws:,} draws = {percent(chance.self_host_wins_frac)}",
        "assumption",
        monte_carlo,
        _FACTS,
    )


def widest_bar(plan: Plan, bars: Sequence[Bar]) -> Derivation:
    """Both ends of the tornado's widest bar."""
    if not bars:
        return derived("Chart: tornado", "No input varies.", "", "assumption", tornado)
    bar = bars[0]
    ends = bills(with_value(plan.money, bar.spread, np.array([bar.spread.low, bar.spread.high])))
    own = np.broadcast_to(ends.self_host_usd_month, 2)
    api = np.broadcast_to(ends.api_usd_month, 2)
    lines = [
        f"{a(own[i])} USD self-hosting - {a(api[i])} USD API = {usd(value, 'month')}"
        for i, value in enumerate((bar.at_low_usd_month, bar.at_high_usd_month))
    ]
    return derived(
        f"Chart: the widest bar ({bar.spread.label})",
        f"Both bills at {number(bar.spread.low)} and at {number(bar.spread.high)} "
        f"{bar.spread.unit}, everything else as it is.",
        "\n".join(lines),
        "assumption",
        tornado,
        _FACTS,
        known=bar.width_usd_month,
    )


def map_point(plan: Plan) -> Derivation:
    """The difference at the present values, where the flip map says "now"."""
    difference = float(plan.bills.difference_usd_month)
    return derived(
        "Chart: flip map, at the present values",
        "Self-hosting less API; the map shows the same for other values of two inputs, and the "
        "answer turns where it is zero.",
        f"{a(plan.self_host_usd_month)} USD self-hosting - {a(plan.api_usd_month)} USD API = "
        f"{usd(difference, 'month')}",
        plan.performance.basis,
        flip_map,
        _FACTS,
        known=plan.self_host_usd_month - plan.api_usd_month,
    )
