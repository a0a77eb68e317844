"""Both bills of several scenarios side by side."""

from __future__ import annotations

import math
from collections.abc import Sequence

from app.figures.sketch import Sketch
from app.figures.theme import API, SELF_HOSTING, base_figure
from app.formatting import money, usd
from calculators.plan import Plan


def compare_finding(plans: Sequence[Plan]) -> str:
    """Which scenario has the lowest bill, in words."""
    bills = [
        (bill, f"the scenario Kept {i}" if i else "the present scenario", side)
        for i, plan in enumerate(plans)
        for bill, side in (
            (plan.self_host_usd_month, "self-hosting"),
            (plan.api_usd_month, "the API"),
        )
        if math.isfinite(bill)
    ]
    if not bills:
        return "No bill of these scenarios is known"
    bill, name, side = min(bills, key=lambda each: each[0])
    if len(plans) > 1 and sum(each[0] == bill for each in bills) == len(plans):
        name = "every scenario"
    return f"The lowest bill is {side} in {name}: {usd(bill)} a month"


def _title(plans: Sequence[Plan]) -> str:
    """What each side costs, in words; the page's verdict names the cheapest."""
    return (
        f"USD a month: {_between([plan.self_host_usd_month for plan in plans])} self-hosted, "
        f"{_between([plan.api_usd_month for plan in plans])} from the API"
    )


def _between(bills: Sequence[float]) -> str:
    known = [bill for bill in bills if math.isfinite(bill)]
    ends = dict.fromkeys(money(end) for end in (min(known), max(known))) if known else ["not known"]
    return " to ".join(ends)


def bills_side_by_side(plans: Sequence[Plan]) -> Sketch:
    """Self-hosting and API bill of each scenario."""
    names = ["Now", *(f"Kept {i}" for i in range(1, len(plans)))]
    figure = base_figure(_title(plans), "Scenario", "Bill [USD a month]")
    for name, colour, values in (
        ("Self-hosting", SELF_HOSTING, [plan.self_host_usd_month for plan in plans]),
        ("API", API, [plan.api_usd_month for plan in plans]),
    ):
        figure.add_bar(
            x=names,
            y=[value if math.isfinite(value) else None for value in values],
            name=name,
            text=[money(value) if math.isfinite(value) else "not known" for value in values],
            textposition="outside",
            cliponaxis=False,
            marker={"color": colour},
            hovertemplate="%{x}<br>%{y:,.0f} USD a month<extra>" + name + "</extra>",
        )
    # One scenario alone is no reason for bars as wide as the page.
    figure.update_layout(barmode="group", bargap=max(0.2, 1 - 0.25 * len(plans)))
    return figure
