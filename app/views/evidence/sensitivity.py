"""How sure is the answer, and what would have to be true for the other one?"""

import streamlit as st

from app import compute, explanations, state, ui
from app.figures.flip_map import flip_map_figure, map_finding
from app.figures.sensitivity import (
    chance_finding,
    distribution_figure,
    tornado_figure,
    tornado_finding,
)
from app.formatting import chance as chance_words
from app.formatting import percent, usd
from app.sentences import flip_rows, flips_caption, spread_rows
from app.unfit import say_why
from calculators.evidence.sensitivity import monte_carlo, tornado
from calculators.flips import flips
from calculators.provenance import sources

plan = compute.plan(state.scenario())
ui.page_title("Sensitivity", __doc__)
if plan.chance is None:
    if plan.fits:
        ui.notes(["One of the two bills is not known: there is nothing to vary."], kind="warning")
    else:
        say_why("There is no bill of self-hosting to vary", plan.performance.limit_text)
    st.stop()

spreads = {spread.label: spread for spread in plan.spreads}
with st.expander("Your own ranges (values that are passed one time in ten)"):
    own = ui.ranges(list(spreads.values()), key="sensitivity")
usual = list(own) == list(plan.spreads)
chance = plan.chance if usual else monte_carlo(plan.money, own, seed=plan.scenario.seed)
bars = tornado(plan.money, own)

ui.verdict(chance_finding(chance) + ".")
ui.metrics(
    [
        ("One time in ten below", usd(chance.p10_usd_month), "P10 of the monthly difference", ""),
        ("Middle", usd(chance.p50_usd_month), "P50, self-hosting less API, USD a month", ""),
        ("One time in ten above", usd(chance.p90_usd_month), "P90 of the monthly difference", ""),
        (
            "Self-hosting is cheaper",
            chance_words(chance.self_host_wins_frac),
            f"standard error {percent(chance.standard_error_frac)}, seed {chance.seed}",
            "",
        ),
    ]
)
shown = st.radio(
    "Second picture",
    ["Distribution", "Flip map"],
    horizontal=True,
    key="sensitivity_second",
    persist_state="session",
)
now = float(plan.bills.difference_usd_month)
ui.show_figure(tornado_figure(bars, now), key="tornado", alt=tornado_finding(bars))
if shown == "Flip map":
    labels = list(spreads)
    left, right = st.columns(2)
    across = spreads[left.selectbox("Across", labels, index=1, key="flip_across")]
    down = spreads[right.selectbox("Down", labels, index=0, key="flip_down")]
    ui.show_figure(
        flip_map_figure(plan, across, down), key="flip_map", alt=map_finding(plan, across, down)
    )
else:
    ui.show_figure(distribution_figure(chance), key="chance", alt=chance_finding(chance))
ui.table(flip_rows(flips(plan), most=8), caption=flips_caption(plan))
ranges = "The ranges: one draw in ten lies below the low value, one in ten above the high one"
ui.table(spread_rows(own), caption=ranges)
ui.explanations(lambda: explanations.sensitivity(plan, chance, bars), sources(plan))
ui.facts(sources(plan), overridden=plan.catalog.overridden)
