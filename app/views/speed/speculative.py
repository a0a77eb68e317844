"""Does a small model that drafts tokens make the large one faster, and up to which batch?"""

import streamlit as st

from app import compute, explanations, lab_runs, state, ui
from app.draft_inputs import draft_and_acceptance
from app.figures.speculative import batch_finding, drafts_finding, gain_over_batch, gain_over_drafts
from app.speculative_rows import gain_line, headline, rule_rows, rule_runs
from app.unfit import say_why
from calculators.provenance import sources
from calculators.speculative_answers import speculative_answers

plan = compute.plan(state.scenario())
ui.page_title("Speculative decoding", __doc__)
if plan.calibrated.batch < 1:
    say_why("Nothing to serve", plan.calibrated.limit_text)
    st.stop()
draft, acceptance = draft_and_acceptance(plan)
n_draft, seed = max(plan.scenario.n_draft, 1), plan.scenario.seed
answers = speculative_answers(plan, draft, acceptance_frac=acceptance, n_draft=n_draft)
if answers.n_held < 1:
    ui.notes([f"{draft.name} does not fit beside the model."], kind="warning")
ui.metrics(headline(plan, answers, acceptance, n_draft))
ui.show_figure(
    gain_over_batch(answers, acceptance), key="spec_batch", alt=batch_finding(answers, acceptance)
)
ui.show_figure(
    gain_over_drafts(answers, acceptance, n_draft), key="spec_drafts", alt=drafts_finding(answers)
)
runs = lab_runs.quick(
    ("speculation", acceptance, n_draft, seed), lambda: rule_runs(acceptance, n_draft, seed)
)
ui.table(
    rule_rows(runs),
    caption="The accept-reject rule itself, run 20,000 times on two small distributions",
)
ui.verdict(gain_line(plan, answers, acceptance))
ui.explanations(lambda: explanations.speculative(plan, answers, acceptance, n_draft), sources(plan))
ui.facts(sources(plan), overridden=plan.catalog.overridden)
