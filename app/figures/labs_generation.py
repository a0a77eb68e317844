"""Pictures of the KV-cache lab."""

from __future__ import annotations

import numpy as np

from app.figures.sketch import Sketch
from app.figures.theme import CACHE, OVERHEAD, base_figure
from app.formatting import gib, number
from calculators.labs.generation_counts import cached_work, naive_work
from calculators.plan import Plan
from calculators.units import GIB

N_POINTS = 60


def work_finding(prompt_tok: int, n_new_tok: int) -> str:
    """How much work the cache saves at this length, in words."""
    naive = naive_work(prompt_tok=prompt_tok, n_new_tok=n_new_tok)
    cached = cached_work(prompt_tok=prompt_tok, n_new_tok=n_new_tok)
    return (
        f"At {n_new_tok:,} new tokens the naive loop does {number(naive.proj / cached.proj)} times "
        f"the projections and {number(naive.scores / cached.scores)} times the scores"
    )


def work_over_length(prompt_tok: int, n_new_tok: int) -> Sketch:
    """Projected rows and score elements of both loops against length."""
    figure = base_figure(work_finding(prompt_tok, n_new_tok), "New tokens", "Operations counted")
    lengths = np.unique(np.geomspace(1, max(n_new_tok, 2), N_POINTS).round())
    naive = naive_work(prompt_tok=prompt_tok, n_new_tok=lengths)
    cached = cached_work(prompt_tok=prompt_tok, n_new_tok=lengths)
    for name, values, colour, dash in (
        ("naive scores, n³", naive.scores, OVERHEAD, "solid"),
        ("naive projections, n²", naive.proj, OVERHEAD, "dash"),
        ("cached scores, n²", cached.scores, CACHE, "solid"),
        ("cached projections, n", cached.proj, CACHE, "dash"),
    ):
        figure.add_scatter(x=lengths, y=values, name=name, line={"color": colour, "dash": dash})
    figure.update_xaxes(type="log", dtick="D2")
    figure.update_yaxes(type="log", dtick=2)
    return figure


def memory_finding(plan: Plan, held_bytes: np.ndarray) -> str:
    """What the cache costs in the scenario's model, in words."""
    return (
        f"The saving is bought with memory: {gib(float(held_bytes[-1]))} for one conversation of "
        f"{plan.scenario.context_tok:,} tokens of {plan.deployment.model.name}"
    )


def memory_over_length(plan: Plan, lengths_tok: np.ndarray, held_bytes: np.ndarray) -> Sketch:
    """Cache that one conversation of the scenario's model holds against its length."""
    figure = base_figure(
        memory_finding(plan, held_bytes), "Tokens in the conversation", "Cache held [GiB]"
    )
    figure.add_scatter(
        x=lengths_tok, y=held_bytes / GIB, name="cached", line={"color": CACHE}, fill="tozeroy"
    )
    figure.add_scatter(
        x=lengths_tok,
        y=np.zeros(len(lengths_tok)),
        name="naive: the tokens alone",
        line={"color": OVERHEAD, "dash": "dash"},
    )
    # The last length is said too, though its number passes the end of the axis.
    figure.update_xaxes(ticklabeloverflow="allow")
    return figure
