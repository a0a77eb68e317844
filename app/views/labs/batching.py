"""Why does a server that lets requests in and out at every step serve so many more of them?"""

from functools import partial

import streamlit as st

from app import compute, explanations_labs, lab_runs, state, ui
from app.figures.labs_batching import timeline, timeline_finding, waits, waits_finding
from app.formatting import count, quantity
from app.lab_parts.batching_requests import requests_for
from app.lab_reference import reference_button
from app.lab_sentences import batching_line, summary_row
from app.unfit import say_why
from calculators.labs import expected
from calculators.labs.batching_results import BatchingRun
from calculators.labs.batching_study import (
    batching_runs,
    modelled_step_times,
    saturation_requests_s,
)
from calculators.labs.examples import batching_example
from calculators.provenance import sources
from calculators.speed.parallel import step_inputs

RUN_AT_ONCE = 300  # requests that are served in a blink; more wait for the button

plan = compute.plan(state.scenario())
ui.page_title("Batching", __doc__)
ui.notes(
    [
        "Answers differ in length. A static batch holds all places until its longest answer is "
        "done; a continuous batch gives each place away as soon as it is free."
    ]
)
if plan.calibrated.batch < 1:
    say_why("Nothing to serve", plan.calibrated.limit_text)
    st.stop()
source, requests = requests_for(plan)
load_at, chunk_at, run_at = st.columns(3, vertical_alignment="bottom")
load = load_at.slider(
    "Load, % of what it can serve", 10, 150, 90, 10, key="lab_b_load", persist_state="session"
)
chunk = chunk_at.select_slider(
    "Chunk of prefill, tokens (0: whole)", (0, 128, 256, 512, 1024, 2048), 512, key="lab_b_chunk",
    persist_state="session",
)  # fmt: skip
key = ("batching", source, load, chunk)
runs: tuple[BatchingRun, ...] = ()
pressed = run_at.button("Run", type="primary", width="stretch")
at_once = len(requests) <= RUN_AT_ONCE
if pressed or at_once or lab_runs.kept(key) is not None:
    times = modelled_step_times(
        step_inputs(plan.deployment),
        n_slots=plan.calibrated.batch,
        requests=requests,
        cached_tok=plan.scenario.prefix_tok,
    )
    most = lab_runs.quick(("saturation", source), lambda: saturation_requests_s(requests, times))
    arriving = requests.at_rate(most * load / 100)
    label = f"Serving {count(len(requests))} requests in each way ..."
    serve = partial(batching_runs, arriving, times, chunk_tok=chunk or None)
    if at_once:
        runs = lab_runs.quick(key, serve)
    else:
        runs = lab_runs.run(key, lambda on: serve(progress=on), label=label)
    ui.table(
        [summary_row(run.summary) for run in runs],
        caption=f"{count(len(requests))} requests at {quantity(most * load / 100, 'a second')}, "
        f"{count(plan.calibrated.batch)} slots",
    )
    ui.show_figure(timeline(runs), key="lab_timeline", alt=timeline_finding(runs), height=520)
    ui.show_figure(waits(runs), key="lab_waits", alt=waits_finding(runs))
    ui.verdict(batching_line(plan, runs[0].summary, runs[1].summary))
else:
    ui.notes(["Press Run: the same requests go through static and continuous batches."])
reference_button("batching", lambda _: batching_example(), expected.BATCHING)
ui.explanations(lambda: explanations_labs.batching(plan, runs), sources(plan))
