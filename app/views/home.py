"""Should we run this model on our own hardware, or buy it from an API?"""

import streamlit as st

from app import compute, explanations, state, ui
from app.figures.cost import bills_finding, bills_over_volume
from app.sentences import chance_line, flip_rows, home_metrics, rests_on
from calculators.flips import flips
from calculators.provenance import sources
from calculators.scenario import REASONS
from calculators.verdict import REASON_WORDS, verdict

plan = compute.plan(state.scenario())
answer = verdict(plan)

ui.page_title("Breakeven", __doc__)
ui.verdict(answer.headline, answer.reason)
ui.metrics(home_metrics(plan))
ui.caption(f"{chance_line(plan)} {rests_on(plan)}")
ui.notes(plan.warnings, kind="warning")

wide, narrow = st.columns([3, 2], gap="large")
with wide:
    ui.show_figure(bills_over_volume(plan), key="bills", alt=bills_finding(plan))
with narrow:
    rows = flip_rows(flips(plan), plan.spreads)
    ui.table(rows, caption="What would turn the answer, all else equal")

ui.section("Reasons that are not about money")
chosen = [
    reason
    for column, reason in zip(st.columns(len(REASONS)), REASONS, strict=True)
    if column.checkbox(
        REASON_WORDS[reason].capitalize(),
        value=reason in plan.scenario.why,
        key=f"home_why_{reason}_{','.join(plan.scenario.why)}",
    )
]
if tuple(chosen) != plan.scenario.why:
    state.request(why=",".join(chosen))

ui.explanations(lambda: explanations.home(plan), sources(plan))
ui.facts(sources(plan), overridden=plan.catalog.overridden)
