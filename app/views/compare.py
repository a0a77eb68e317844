"""How do up to four scenarios differ, and which is cheapest?"""

import streamlit as st

from app import compute, explanations, state, ui
from app.compare_rows import figure_rows, input_rows, without
from app.figures.compare import bills_side_by_side, compare_finding
from calculators.compare import compare, pinned, side_by_side
from calculators.provenance import sources
from calculators.scenario import MOST_COMPARED, compared_queries

scenario = state.scenario()
scenarios, problems = side_by_side(scenario, compute.catalog(scenario.asof))
plans = [compute.plan(each) for each in scenarios]
found = compare(plans)
kept = compared_queries(scenario.compared)

ui.page_title("Compare", __doc__)
ui.verdict(compare_finding(plans) + ".")
ui.problems(problems)
left, right = st.columns(2)
if left.button(
    "Keep this scenario for comparison",
    disabled=len(kept) >= MOST_COMPARED,
    help=f"Up to {MOST_COMPARED} beside the present one; the link carries them all.",
    key="compare_keep",
):
    state.request(cmp="|".join((*kept, pinned(scenario))))
if kept and right.button("Drop the last one kept", key="compare_drop"):
    state.request(cmp=without(kept, len(kept) - 1))
if not kept:
    ui.notes(["Keep this scenario, then change an input: the two stand side by side here."])
ui.show_figure(bills_side_by_side(plans), key="compare", alt=compare_finding(plans))
ui.table(figure_rows(found), caption="Figures; the cheapest is marked in the heading")
ui.table(input_rows(found, plans), caption="Inputs that differ")
ui.explanations(lambda: explanations.compare(plans), sources(plans[0]))
ui.facts(sources(plans[0]), overridden=plans[0].catalog.overridden)
