"""Should we run this model on our own hardware, or buy it from an API?"""

import streamlit as st

from app import compute, explanations, state, ui
from app.figures.cost import bills_finding, bills_over_volume
from app.formatting import counted
from app.sentences import chance_line, flip_rows, flips_caption, home_metrics, rests_on
from calculators.flips import flips
from calculators.provenance import sources
from calculators.scenario import REASONS
from calculators.verdict import REASON_WORDS, verdict
from calculators.what_fits import what_fits

plan = compute.plan(state.scenario())
answer = verdict(plan)

ui.page_title("Breakeven", __doc__)
ui.verdict(answer.headline, answer.reason)
ui.metrics(home_metrics(plan))
ui.caption(f"{chance_line(plan)} {rests_on(plan)}")
ui.notes(plan.warnings, kind="warning")

changes = () if plan.fits else what_fits(plan.deployment, plan.scenario, plan.catalog)
if changes:
    ui.section("What would make it fit")
    with st.container(horizontal=True):
        for change in changes:
            if st.button(
                f"Take {change.label}: {counted(change.max_sequences, 'sequence')} at once"
            ):
                state.request(**change.keys)

wide, narrow = st.columns([3, 2], gap="large")
with wide:
    ui.show_figure(bills_over_volume(plan), key="bills", alt=bills_finding(plan))
with narrow:
    rows = flip_rows(flips(plan), plan.spreads)
    ui.table(rows, caption=flips_caption(plan))

ui.section("Reasons that are not about money")
with st.container(horizontal=True):
    chosen = [
        reason
        for reason in REASONS
        if st.checkbox(
            REASON_WORDS[reason].capitalize(),
            value=reason in plan.scenario.why,
            key=f"home_why_{reason}_{','.join(plan.scenario.why)}",
            width="content",
        )
    ]
if tuple(chosen) != plan.scenario.why:
    state.request(why=",".join(chosen))

ui.explanations(lambda: explanations.home(plan), sources(plan))
ui.facts(sources(plan), overridden=plan.catalog.overridden)
