"""How many conversations does the same memory hold when nobody reserves what nobody uses?"""

import streamlit as st

from app import compute, explanations_labs, lab_runs, state, ui
from app.figures.labs_paging import held_finding, held_over_time, picture, picture_finding
from app.formatting import count
from app.lab_reference import reference_button
from app.lab_sentences import paging_line, paging_row
from calculators.labs import expected
from calculators.labs.effect import held_sequences
from calculators.labs.examples import paging_example
from calculators.labs.paging_results import random_jobs
from calculators.labs.paging_study import paging_runs
from calculators.performance import context_reserved
from calculators.provenance import sources

MEMORY_TOK, LIMIT_TOK, N_SEQUENCES = 8192, 1024, 200

plan = compute.plan(state.scenario())
scenario = plan.scenario
ui.page_title("Paging", __doc__)
ui.notes(
    [
        "Nobody knows how long a conversation will become. Memory set aside for the longest stays "
        "mostly empty; handed out in small blocks as it grows, it holds several times as many.",
        "Contiguous: each gets one piece, as long as the limit or the next power of two. Paged: "
        "small blocks, one more whenever the last is full.",
    ]
)
cells = st.columns(5, vertical_alignment="bottom")
block = cells[0].select_slider(
    "Tokens in a block", (1, 4, 8, 16, 32, 64, 128, 256), 16, key="lab_p_block",
    persist_state="session",
)  # fmt: skip
prompt = cells[1].slider("Prompt, mean", 16, 512, 160, 16, key="lab_p_in", persist_state="session")
output = cells[2].slider("Output, mean", 8, 512, 96, 8, key="lab_p_out", persist_state="session")
prefix = cells[3].slider(
    "Prefix of all", 0, 512, 64, 8, key="lab_p_prefix", persist_state="session"
)
samples = cells[4].slider("Samples a prompt", 1, 8, 1, key="lab_p_k", persist_state="session")
setting = (block, prompt, output, prefix, samples, scenario.seed)
jobs = random_jobs(
    n_sequences=N_SEQUENCES,
    prompt_mean_tok=prompt,
    output_mean_tok=output,
    max_tok=LIMIT_TOK,
    prefix_tok=prefix,
    n_samples=samples,
    seed=scenario.seed,
)
runs = lab_runs.run(
    ("paging", *setting),
    lambda on: paging_runs(jobs, capacity_tok=MEMORY_TOK, block_tok=block, progress=on),
    label="Allocating in every way ...",
)
ui.table(
    [paging_row(run.summary) for run in runs],
    caption=f"{N_SEQUENCES} sequences of up to {count(LIMIT_TOK)} tokens in a cache of "
    f"{count(MEMORY_TOK)}",
)
by_name = {run.summary.policy: run for run in runs}
chosen = st.radio(
    "Picture of", list(by_name), index=len(by_name) - 1, horizontal=True, key="lab_p_shown",
    persist_state="session",
)  # fmt: skip
shown = by_name[chosen]
ui.show_figure(picture(shown), key="lab_blocks", alt=picture_finding(shown), height=480)
ui.show_figure(held_over_time(runs), key="lab_held_over", alt=held_finding(runs), height=360)
reference_button("paging", lambda _: paging_example(), expected.PAGING)
reserved = context_reserved(scenario)
held = held_sequences(
    capacity_tok=plan.fit.kv_capacity_tok, reserved_tok=reserved, input_tok=scenario.input_tok,
    output_tok=scenario.output_tok, block_tok=plan.deployment.engine.memory.block_tok,
)  # fmt: skip
ui.verdict(paging_line(plan, held, reserved))
ui.explanations(
    lambda: explanations_labs.paging(plan, runs, MEMORY_TOK, held, reserved), sources(plan)
)
