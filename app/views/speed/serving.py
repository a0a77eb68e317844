"""How fast is a replica for each user and for all together, and where does it stop?"""

import streamlit as st

from app import compute, explanations, state, ui
from app.figures.serving import load_figure, load_finding, rate_figure, rate_finding
from app.formatting import band, count, duration, quantity
from app.serving_rows import phase_rows, split_rows
from app.unfit import say_why
from calculators.provenance import sources

SPREADS = {"equal": 0.0, "somewhat": 0.5, "as in chats": 1.0, "wild": 1.5}

plan = compute.plan(state.scenario())
ui.page_title("Serving", __doc__)
if plan.calibrated.batch < 1:
    say_why("Nothing to serve", plan.calibrated.limit_text)
    st.stop()
spread_at, prefill_at, cards_at = st.columns(3)
spread = spread_at.select_slider(
    "Lengths of answers differ", list(SPREADS), "as in chats", key="serve_cv",
    persist_state="session",
)  # fmt: skip
chunked = prefill_at.selectbox(
    "Prompts are read", ["in pieces beside decoding", "first, decoding waits"], key="serve_chunk",
    persist_state="session",
)  # fmt: skip
usual = [n for n in (1, 2, 4, 8, 16) if n >= plan.scenario.n_cards] or [plan.scenario.n_cards]
n_cards = cards_at.selectbox(
    "Cards to cut into replicas", usual, index=min(2, len(usual) - 1), key="serve_cards",
    persist_state="session",
)  # fmt: skip
at = plan.calibrated
answers = compute.serving(plan, SPREADS[spread], chunked.startswith("in pieces"))
ui.metrics(
    [
        ("Output of a replica", quantity(at.output_tok_s, "tok/s"),
         f"{count(at.batch)} at once {band(answers.rate_band_frac)}", "calibrated"),
        ("Speed for each user", quantity(at.tok_s_each, "tok/s"),
         f"{duration(at.tpot_s)} a token {band(answers.tpot_band_frac)}", "calibrated"),
        ("Busiest hour: first token", duration(float(answers.now.ttft_p95_s[1])),
         f"19 in 20 wait less; half less than {duration(float(answers.now.ttft_p50_s[1]))}",
         "calibrated"),
        ("Saturated at", quantity(answers.open.capacity_per_s, "requests/s"),
         "a replica; beyond it the queue grows without end", "calibrated"),
        ("Most at once", count(at.batch), at.limit_text, "calibrated"),
    ]
)  # fmt: skip
ui.notes(plan.warnings, kind="warning")
ui.show_figure(
    load_figure(plan, answers), key="serve_load", alt=load_finding(plan, answers), height=560
)
ui.show_figure(rate_figure(answers), key="serve_rate", alt=rate_finding(answers))
ui.table(phase_rows(plan, answers), caption="Prefill sets the first token, decode every other one")
rows, best = split_rows(plan, n_cards)
ui.table(
    rows,
    caption=f"The same {count(n_cards)} cards: few wide replicas or many narrow ones (most output "
    "marked)",
    marked=[best],
)
ui.explanations(lambda: explanations.serving(plan, answers), sources(plan))
ui.facts(sources(plan), overridden=plan.catalog.overridden)
