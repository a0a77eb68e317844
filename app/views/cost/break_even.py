"""At which volume do the two bills cross, and what can the fleet carry at all?"""

import streamlit as st

from app import compute, explanations, state, ui
from app.cost_rows import (
    api_name,
    crossing_rows,
    lists_line,
    never_or_where,
    offer_rows,
    reading_rows,
    service_rows,
)
from app.figures.cost import bills_finding, bills_over_volume
from app.formatting import quantity, usd
from calculators.cost.api_offers import api_offers, usual_ids
from calculators.provenance import sources
from calculators.verdict import replica_saves_usd_month, replica_usd_month

plan = compute.plan(state.scenario())
marginal = st.session_state.get("break_even_marginal", True)

ui.page_title("Break-even", __doc__)
ui.verdict(never_or_where(plan))
ui.metrics(
    [
        (
            "Self-hosting, a month",
            usd(plan.self_host_usd_month),
            "full cost",
            plan.performance.basis,
        ),
        ("API, a month", usd(plan.api_usd_month), "the whole demand", "price list"),
        (
            "A full replica, a month",
            usd(replica_usd_month(plan) if plan.fits else None),
            f"saves {usd(replica_saves_usd_month(plan))} of API spend" if plan.fits else "",
            plan.performance.basis,
        ),
        (
            "It carries",
            quantity(float(plan.money.replica_mtok_month) if plan.fits else None, "million tokens"),
            "a month, at its planned load in the peak hour",
            plan.performance.basis,
        ),
    ]
)
ui.notes(plan.warnings, kind="warning")
ui.show_figure(
    bills_over_volume(plan, marginal=marginal),
    key="break_even",
    alt=bills_finding(plan),
    height=480,
)
st.toggle(
    "Draw the marginal cost too (hardware and people already there: energy alone)",
    value=True,
    key="break_even_marginal",
    persist_state="session",
)
ui.table(reading_rows(plan), caption="Readings of self-hosting")
ui.table(service_rows(plan), caption="What a user gets")
ui.table(crossing_rows(plan), caption="Every volume at which the cheaper side changes")

ui.section("API price lists at these requests")
ids = st.multiselect(
    "API models",
    sorted(plan.catalog.api_prices),
    default=list(usual_ids(plan)),
    format_func=lambda id_: api_name(plan.catalog.api_prices[id_]),
    key=f"break_even_apis_{plan.scenario.model}_{plan.api and plan.api.id}",
)
caption = f"The whole demand at each, cheapest of these first; {lists_line(plan, ids)}"
rows = offer_rows(api_offers(plan, ids), plan.deployment.model.name)
ui.table(rows, caption=caption)
ui.explanations(lambda: explanations.break_even(plan), sources(plan))
ui.facts(sources(plan), overridden=plan.catalog.overridden)
