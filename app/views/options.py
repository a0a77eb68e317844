"""Which cards, formats and replicas could carry this service, and which is cheapest?"""

import streamlit as st

from app import compute, explanations, state, ui
from app.cost_rows import api_name
from app.csv_text import csv_text
from app.figures.options import cost_against_latency, options_finding
from app.formatting import count, usd
from app.option_rows import filtered, option_rows, taken
from calculators.options import options_table
from calculators.provenance import sources

plan = compute.plan(state.scenario())
found = compute.options(state.scenario())

ui.page_title("Options", __doc__)
ui.verdict(options_finding(found) + ".")
cheapest = usd(None if found.table.empty else found.table.iloc[0].usd_month)
price_list = api_name(plan.api) if plan.api else ""
holding = count(found.n_fit)
ui.metrics(
    [
        ("Cheapest, a month", cheapest, f"cards paid {plan.scenario.billing}", "calibrated"),
        ("API, a month", usd(plan.api_usd_month), price_list, "price list"),
        ("Considered", count(found.n_considered), f"{holding} hold at least one conversation", ""),
        ("Meet the objectives", count(found.n_meet), "at least 10 tok/s each", "calibrated"),
    ]
)
left, middle, right = st.columns(3)
table = found.table
cards = left.multiselect(
    "Cards",
    sorted(table["card"].unique()),
    format_func=lambda id_: plan.catalog.accelerators[id_].name,
    key="options_cards",
)
formats = middle.multiselect(
    "Weight formats",
    sorted(table["weight_format"].unique()),
    format_func=lambda id_: plan.catalog.weight_formats[id_].name,
    key="options_formats",
)
least_bits = right.slider(
    "At least this many bits per weight", 1.0, 16.0, 1.0, 0.5, key="options_bits"
)
shown = filtered(table, cards, formats, least_bits)
if shown.empty:
    ui.notes(["No configuration is left to draw: loosen the objectives or the filters."])
else:
    chosen = ui.show_figure(
        cost_against_latency(found, shown),
        key="options",
        alt=options_finding(found),
        clickable=True,
    )
    if chosen and chosen.get("customdata"):
        state.request(**taken(chosen["customdata"]))
    ui.table(
        option_rows(shown),
        caption="Cheapest configuration of each card; formats of few bits cost quality, which is "
        "not priced here: see the page Quality",
    )
st.download_button(
    "All as CSV",
    lambda: csv_text(options_table(found)),
    file_name="breakeven-options.csv",
    mime="text/csv",
    on_click="ignore",
)
ui.notes(["Click a point to take its card, cards, formats and batch into the scenario."])
ui.explanations(lambda: explanations.options(plan, found), sources(plan))
ui.facts(sources(plan), overridden=plan.catalog.overridden)
