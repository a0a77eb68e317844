"""The memo's table of assumptions: each input by its name, with its unit and who set it."""

from __future__ import annotations

from typing import Any

from app.cost_rows import api_name
from app.formatting import joined, percent, usd
from app.names import names
from calculators.link import defaults
from calculators.plan import Plan
from calculators.scenario import FIELDS, Scenario
from calculators.scenario_fields import FieldSpec
from calculators.verdict import REASON_WORDS

ALWAYS = (
    "model",
    "weight_format",
    "gpu",
    "engine",
    "api",
    "demand_mtok",
    "input_tok",
    "output_tok",
    "context_tok",
    "profile",
    "billing",
)
NEVER = ("compared", "asof", "why")  # said elsewhere in a memo, or of other scenarios
OURS, COMPANY, SCENARIO = "default", "company default", "this scenario"


def assumptions(plan: Plan) -> list[list[str]]:
    """What a reader must know to judge the answer: input, value with unit, who set it.

    Everything that differs from the defaults is listed, and what matters in any case.
    """
    scenario, plain = plan.scenario, Scenario()
    company = defaults(company=plan.catalog.defaults)
    rows = []
    for name, spec in FIELDS.items():
        value, first = getattr(scenario, name), getattr(plain, name)
        if name in ALWAYS or (value != first and name not in NEVER):
            by = OURS if value == first else SCENARIO
            by = COMPANY if by != OURS and value == getattr(company, name) else by
            rows.append([spec.label, value_words(spec, value, plan), by])
    by_rate = SCENARIO if scenario.rate_usd_h is not None else "the catalog's prices"
    by_duty = SCENARIO if scenario.duty_frac is not None else "the demand"
    cost = f"{usd(plan.card_cost.usd_h)} an hour ({plan.card_cost.how})"
    duty = f"{percent(float(plan.bills.duty_frac))} of the month"
    return [*rows, ["Cost of a card", cost, by_rate], ["Duty cycle that results", duty, by_duty]]


def value_words(spec: FieldSpec, value: Any, plan: Plan) -> str:
    """A value as people say it: names for ids, thousands apart, shares in per cent."""
    if spec.key == "api" and value is None and plan.api is not None:
        return f"{api_name(plan.api)} ({spec.blank_means})"
    if value is None:
        return spec.blank_means
    if spec.kind == "id":
        return names(plan.catalog, spec)[value]
    if spec.kind == "choices":
        return joined([REASON_WORDS.get(part, part) for part in value]) or "none"
    if spec.kind not in ("number", "integer"):
        return str(value)
    if spec.unit.startswith("share"):
        return f"{100 * value:,.6g} %{spec.unit.removeprefix('share')}"
    return f"{value:,.12g} {spec.unit}".strip()
