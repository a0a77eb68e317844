"""What a plan rests on: every fact with its source and its age."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from calculators.cost.card_cost import RESERVED_KEYS, SERVER_COST_KEY, SPOT_KEY
from calculators.cost.rental import rental_quotes
from calculators.plan import Plan
from calculators.scenario import NAMES
from calculators.specs import DEFAULT_OF, Fact, Source

STALE_PRICE_DAYS = 90
STAFF_KEY = "staff_usd_month"


@dataclass(frozen=True, slots=True)
class SourceLine:
    """One fact of a plan: what it is, where it comes from, how old it is."""

    fact: str
    title: str
    url: str | None
    checked: date
    age_days: int
    grade: str
    origin: str
    is_price: bool = False
    note: str = ""

    @property
    def stale(self) -> bool:
        """A price older than 90 days."""
        return self.is_price and self.age_days > STALE_PRICE_DAYS


def sources(plan: Plan) -> tuple[SourceLine, ...]:
    """Every fact that a plan rests on, with source and age.

    Parameters
    ----------
    plan : Plan

    Returns
    -------
    tuple of SourceLine, facts before prices
    """
    d = plan.deployment
    facts: tuple[tuple[str, Fact], ...] = (
        (f"Model: {d.model.name}", d.model),
        (f"Card: {d.accelerator.name}", d.accelerator),
        (f"Weight format: {d.weights.name}", d.weights),
        (f"Cache format: {d.cache.name}", d.cache),
        (f"Engine: {d.engine.name}", d.engine),
    )
    lines = [
        _line(plan, label, source, fact.origin) for label, fact in facts for source in fact.sources
    ]
    return (*lines, *_ownership(plan), *_rent(plan), *_api(plan))


def cited(kind: str, found: Iterable[Source], today: date) -> tuple[SourceLine, ...]:
    """Sources of one kind of fact that belong to no plan, each once, as lines.

    Parameters
    ----------
    kind : str
        What they are sources of.
    found : iterable of Source
    today : date

    Returns
    -------
    tuple of SourceLine

    Notes
    -----
    Basis: as published.

    Examples
    --------
    >>> day = date(2026, 1, 2)
    >>> line = cited("Score", [Source(title="Paper", checked=day)] * 2, date(2026, 1, 5))[0]
    >>> line.fact, line.age_days
    ('Score: Paper', 3)
    """
    return tuple(
        SourceLine(
            fact=f"{kind}: {source.title}",
            title=source.title,
            url=source.url,
            checked=source.checked,
            age_days=(today - source.checked).days,
            grade=source.grade,
            origin="catalog",
        )
        for source in {one.model_dump_json(): one for one in found}.values()
    )


def oldest_days(lines: tuple[SourceLine, ...]) -> int:
    """Age of the oldest fact [days]; 0 where there is none.

    Parameters
    ----------
    lines : tuple of SourceLine

    Returns
    -------
    int [days]
    """
    return max((line.age_days for line in lines), default=0)


def _line(
    plan: Plan,
    label: str,
    source: Source,
    origin: str,
    *,
    seen: date | None = None,
    is_price: bool = False,
    note: str = "",
) -> SourceLine:
    day = seen or source.checked
    return SourceLine(
        fact=label,
        title=source.title,
        url=source.url,
        checked=day,
        age_days=(plan.catalog.asof - day).days,
        grade=source.grade,
        origin=origin,
        is_price=is_price,
        note=note,
    )


def _ownership(plan: Plan) -> list[SourceLine]:
    """Figures of ownership that the bill rests on: staff, discounts, what bought cards need."""
    scenario, cost, figures = plan.scenario, plan.card_cost, plan.catalog.ownership
    bought = cost.price_usd is not None
    keys = [
        key
        for key, link_key in DEFAULT_OF.items()
        if (bought or key == STAFF_KEY)
        and key in figures
        and figures[key].covers(getattr(scenario, NAMES[link_key]))
    ]
    if bought and not plan.deployment.accelerator.whole_machine:
        keys.append(SERVER_COST_KEY)
    if "less the usual" in cost.how:
        spot = scenario.billing == "spot"
        keys.append(SPOT_KEY if spot else RESERVED_KEYS[36 if scenario.term_months >= 36 else 12])
    used = [figures[key] for key in keys if key in figures]
    return [
        _line(plan, f"Cost: {one.label}", one.source, one.origin, note=one.note or "")
        for one in used
    ]


def _rent(plan: Plan) -> list[SourceLine]:
    if plan.card_cost.quotes is None or plan.scenario.rate_usd_h is not None:
        return []
    kind = _contract(plan)
    card, day = plan.deployment.accelerator.id, plan.catalog.asof
    return [
        _line(
            plan,
            f"Rent: {quote.provider}, {quote.usd_h:g} USD per card hour",
            quote.source,
            quote.origin,
            seen=quote.seen,
            is_price=True,
            note=quote.note or "",
        )
        for quote in rental_quotes(plan.catalog.rental_prices, card, kind, day)
    ]


def _contract(plan: Plan) -> str:
    """The kind of contract whose quotes the rent is made of."""
    scenario = plan.scenario
    if scenario.billing == "on-demand" or "on-demand" in plan.card_cost.how:
        return "on-demand"
    if scenario.billing == "spot":
        return "spot"
    return "reserved-3y" if scenario.term_months >= 36 else "reserved-1y"


def _api(plan: Plan) -> list[SourceLine]:
    if plan.api is None:
        return []
    note = "release date of the price list, not the day of the price"
    label = f"API price: {plan.api.name} at {plan.api.provider_name}"
    return [
        _line(
            plan,
            label,
            plan.api.source,
            plan.api.origin,
            seen=plan.api.listed,
            is_price=True,
            note=note,
        )
    ]
