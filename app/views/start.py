"""What are you planning? Three questions fill the dashboard in for your case."""

import streamlit as st

from app import compute, state, ui
from app.guide import EXAMPLES, MODELS, TASKS, Answers, guided
from app.markup import link_list
from calculators.link import from_query, to_query
from calculators.verdict import verdict

known = compute.catalog(state.scenario().asof)
ui.page_title("Start", __doc__)
with st.form("guided"):
    task = st.selectbox("1. What is it for?", TASKS, format_func=lambda task: task.name)
    offered = [(words, id_) for words, id_ in MODELS if id_ in known.models]
    model = st.radio(
        "Which kind of model?",
        offered,
        index=min(2, len(offered) - 1),
        format_func=lambda pair: f"{pair[0]} ({known.models[pair[1]].name})",
    )
    requests = st.number_input(
        "2. How many requests a day, on average over the month?", 1, 1_000_000_000, 3000
    )
    stay = st.checkbox("3. The data must stay in-house")
    buy = st.checkbox("We would buy the cards, not rent them")
    if st.form_submit_button("Show me the answer", type="primary"):
        answers = Answers(task, model[1], float(requests), stay, buy)
        scenario, _ = from_query(guided(answers, known), known)
        answer = verdict(compute.plan(scenario))
        ui.verdict(answer.headline, answer.reason)
        st.html(link_list([("Open it with every figure", f"./?{to_query(scenario)}")]))
ui.notes(
    [
        "The lengths of requests are typical ones: put in your own afterwards, or your log "
        "on the Traffic page."
    ]
)
ui.section("Examples")
st.html(link_list([(words, f"./?{query}") for words, query in EXAMPLES]))
