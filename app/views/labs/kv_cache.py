"""What exactly does a KV cache save, and what does it cost?"""

import numpy as np
import streamlit as st

from app import compute, explanations_labs, lab_runs, state, ui
from app.figures.labs_generation import (
    memory_finding,
    memory_over_length,
    work_finding,
    work_over_length,
)
from app.formatting import count
from app.lab_reference import reference_button
from app.lab_sentences import cache_line, loop_metrics, work_rows
from calculators.fit.kv_cache import sequence_cache_bytes
from calculators.labs import expected
from calculators.labs.generation import generate_cached, generate_naive, one_layer_model
from calculators.labs.generation_counts import model_work
from calculators.labs.reference import generation_reference
from calculators.provenance import sources

plan = compute.plan(state.scenario())
model, scenario = plan.deployment.model, plan.scenario
ui.page_title("KV cache", __doc__)
ui.notes(
    [
        "A model writes one token at a time. Without notes on what it has read, it would read "
        "everything again for each; those notes are the cache. A tiny model runs both ways here."
    ]
)
left, right = st.columns(2)
n_prompt = left.slider("Prompt tokens", 1, 64, 4, key="lab_kv_prompt", persist_state="session")
n_new = right.slider("New tokens", 1, 400, 60, key="lab_kv_new", persist_state="session")

tiny = one_layer_model(seed=scenario.seed)
prompt = np.random.default_rng(scenario.seed).integers(0, tiny.n_vocab, n_prompt).tolist()
setting = {"prompt": prompt, "n_new_tok": n_new}
naive, cached = lab_runs.quick(
    ("generation", n_prompt, n_new, scenario.seed),
    lambda: (generate_naive(tiny, **setting), generate_cached(tiny, **setting)),
)
ui.metrics(loop_metrics(naive, cached, n_new))
first, second = st.columns(2, gap="large")
with first:
    alt = work_finding(n_prompt, n_new)
    ui.show_figure(work_over_length(n_prompt, n_new), key="lab_work", alt=alt)
with second:
    lengths = np.linspace(1, max(scenario.context_tok, 2), 65).round()
    held = sequence_cache_bytes(model, plan.deployment.cache, context_tok=lengths)
    ui.show_figure(
        memory_over_length(plan, lengths, held), key="lab_held", alt=memory_finding(plan, held)
    )
reference_button("generation", lambda _: generation_reference(), expected.GENERATION)
work = model_work(model, prompt_tok=scenario.input_tok, n_new_tok=scenario.output_tok)
ui.table(
    work_rows(work),
    caption=f"The same count for {model.name}: {count(scenario.input_tok)} tokens in, "
    f"{count(scenario.output_tok)} out",
)
ui.verdict(cache_line(plan, work))
ui.explanations(
    lambda: explanations_labs.kv_cache(plan, (n_prompt, n_new), (naive, cached), work),
    sources(plan),
)
