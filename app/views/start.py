"""What are you planning? Three questions fill the dashboard in for your case."""

from urllib.parse import urlencode

import streamlit as st

from app import compute, state, ui
from app.guide import EXAMPLES, TASKS, TIMES, UNITS, WAYS, cautions, filled, offered
from app.markup import link_list
from calculators.guided import Answers
from calculators.verdict import verdict

known = compute.catalog(state.scenario().asof)
base = state.base_scenario(known)
models, cards = offered(known)
ui.page_title("Start", __doc__)

ui.section("1. What is it for?")
left, right = st.columns(2)
task = left.selectbox("Kind of use", TASKS, format_func=lambda task: task.name)
model = right.selectbox(
    "Model (type to search)",
    models,
    index=min(2, len(models) - 1),
    format_func=lambda id_: models[id_],
    help="If in doubt, keep a suggestion: larger ones answer better and cost more.",
)
ui.section("2. How much will it be used?")
number, unit, when = st.columns([1, 2, 2])
amount = number.number_input("How many", 0.001, 1e9, 300.0, format="%g")
of = unit.selectbox("Of what", list(UNITS), format_func=lambda unit: UNITS[unit])
times = when.selectbox("When", list(TIMES), format_func=lambda time: TIMES[time])
ui.section("3. What must be so?")
left, right = st.columns(2)
stay = left.checkbox("The data must stay in-house")
languages = left.checkbox("It must be good at other languages than English")
way = right.radio("Hardware", list(WAYS), format_func=lambda way: WAYS[way], horizontal=True)
card, n_cards = "", 1
if way == "have":
    card = right.selectbox("Which card", cards, format_func=lambda id_: cards[id_])
    n_cards = int(right.number_input("How many cards", 1, 64, 1))
staff = left.number_input(
    "People who run it, USD a month",
    0.0,
    1e7,
    base.upkeep_usd_month,
    step=500.0,
    format="%.0f",
)

answers = Answers(task, model, float(amount), of, times, stay, way, card, n_cards, float(staff))
plan = compute.guided(answers, state.scenario().asof)
answer = verdict(plan)
ui.section("The answer")
ui.verdict(answer.headline, answer.reason)
query = urlencode(state.address_of(plan.scenario, base), doseq=True)
st.html(link_list([("Fill this in and open every figure", f"./?{query}")]))
ui.caption("The inputs at the side, Share and Memo hold the earlier scenario until then.")
ui.notes([*cautions(answers, plan, other_languages=languages), *plan.warnings], kind="warning")
ui.table(filled(answers, plan), caption="What was filled in, and why")
ui.section("Examples")
st.html(link_list([(words, f"./?{query}") for words, query in EXAMPLES]))
