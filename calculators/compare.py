"""Scenarios side by side: their figures, and the inputs in which they differ."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from calculators.link import LINK_VERSION, Problem, from_query, to_query
from calculators.plan import Plan
from calculators.scenario import FIELDS, Scenario, compared_queries
from calculators.specs import Catalog
from calculators.verdict import verdict


@dataclass(frozen=True, slots=True)
class Comparison:
    """Rows of texts, one column a scenario; `marked` are rows whose values differ."""

    inputs: tuple[tuple[str, tuple[str, ...]], ...]  # only those that differ
    figures: tuple[tuple[str, str, tuple[float, ...]], ...]  # name, unit, values
    verdicts: tuple[str, ...]
    cheapest: int | None  # column whose own bill, or API bill, is lowest


def compare(plans: Sequence[Plan]) -> Comparison:
    """Figures of several plans, and the inputs in which they differ.

    Parameters
    ----------
    plans : two to four Plans

    Returns
    -------
    Comparison
    """
    figures = (
        ("Self-hosting", "USD a month", [p.self_host_usd_month for p in plans]),
        ("API", "USD a month", [p.api_usd_month for p in plans]),
        ("Cards", "", [float(p.n_cards) if p.fits else math.nan for p in plans]),
        ("Break-even", "million tokens a month", [_or_nan(p.break_even_mtok_month) for p in plans]),
        ("Hardware per million output", "USD", [p.usd_per_mtok_output for p in plans]),
        ("Sequences at once", "a replica", [float(p.performance.batch) for p in plans]),
        (
            "Speed for each user",
            "tok/s",
            [p.performance.tok_s_each if p.fits else math.nan for p in plans],
        ),
        ("First token", "s", [p.performance.ttft_s for p in plans]),
        (
            "Duty cycle",
            "%",
            [float(p.bills.duty_frac) * 100 if p.fits else math.nan for p in plans],
        ),
    )
    lowest = [min(_known(p.self_host_usd_month), _known(p.api_usd_month)) for p in plans]
    best = min(range(len(plans)), key=lowest.__getitem__) if plans else None
    return Comparison(
        inputs=tuple(differing_inputs([plan.scenario for plan in plans])),
        figures=tuple((name, unit, tuple(values)) for name, unit, values in figures),
        verdicts=tuple(verdict(plan).headline for plan in plans),
        cheapest=best if best is not None and math.isfinite(lowest[best]) else None,
    )


def pinned(scenario: Scenario) -> str:
    """The query under which a scenario is kept for comparison: its version and its differences.

    Parameters
    ----------
    scenario : Scenario

    Returns
    -------
    str, without the scenarios that it is itself compared with

    Examples
    --------
    >>> pinned(Scenario(n_cards=2, compared="v=1"))
    'v=1&cards=2'
    """
    rest = to_query(replace(scenario, compared=""))
    return f"v={LINK_VERSION}" + (f"&{rest}" if rest else "")


def side_by_side(
    scenario: Scenario, catalog: Catalog
) -> tuple[tuple[Scenario, ...], tuple[Problem, ...]]:
    """The scenario and those that it is compared with, and what was wrong with their queries.

    Parameters
    ----------
    scenario : Scenario (`cmp`)
    catalog : Catalog

    Returns
    -------
    scenarios, the present one first; problems
    """
    scenarios: list[Scenario] = [scenario]
    problems: list[Problem] = []
    for query in compared_queries(scenario.compared):
        other, found = from_query(query, catalog)
        scenarios.append(replace(other, compared=""))
        problems += found
    return tuple(scenarios), tuple(problems)


def differing_inputs(scenarios: Sequence[Scenario]) -> list[tuple[str, tuple[str, ...]]]:
    """Labels and texts of the fields in which scenarios differ.

    Parameters
    ----------
    scenarios : at least one

    Returns
    -------
    list of (label, texts), in the order of the fields

    Examples
    --------
    >>> differing_inputs([Scenario(), Scenario(n_cards=2)])
    [('Cards per replica', ('1', '2'))]
    """
    rows = []
    for name, spec in FIELDS.items():
        if name == "compared":
            continue
        values = [getattr(scenario, name) for scenario in scenarios]
        if any(value != values[0] for value in values):
            texts = tuple(spec.format(value) or spec.blank_means or "none" for value in values)
            rows.append((spec.label, texts))
    return rows


def _or_nan(value: float | None) -> float:
    return math.nan if value is None else value


def _known(value: float) -> float:
    return value if math.isfinite(value) else math.inf
