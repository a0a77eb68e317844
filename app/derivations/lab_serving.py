"""The figures of the labs on the KV cache and on batches."""

from __future__ import annotations

from collections.abc import Sequence

from app.derivations.derivation import DEPLOYMENT, MODEL, Derivation, derived
from app.derivations.derivation import amount as a
from app.derivations.lab_scores import score_lines
from app.derivations.middle import time_equation
from app.formatting import count, duration, gib, number, percent, quantity
from app.memory_words import KINDS
from calculators.fit.pool import request_pool
from calculators.labs.batching_results import BatchingRun, finished_run, percentiles
from calculators.labs.generation import Generation
from calculators.labs.generation_counts import GroupWork, cached_work, model_work, naive_work
from calculators.performance import context_reserved
from calculators.plan import Plan


def loops(
    n_prompt: int, n_new: int, naive: Generation, cached: Generation
) -> tuple[Derivation, ...]:
    """Rows projected, score elements and rows held by the two loops of the lab."""
    total, mean = n_prompt + n_new, n_prompt + (n_new - 1) / 2
    later = sum(range(n_prompt + 1, total + 1))
    return (
        derived(
            "Rows projected",
            "Three vectors (query, key, value) for each token that a step works on: all tokens so "
            "far without a cache, each token once with it.",
            f"without: 3 x {n_new} steps x {a(mean, 8)} tokens on average = "
            f"{count(naive.work.proj)}\nwith: 3 x {total} tokens = {count(cached.work.proj)}",
            "bound",
            naive_work,
        ),
        derived(
            "Score elements",
            "Every token that a step works on is compared with every token so far.",
            f"without, length x length, summed: {_squares(total - 1)} - {_squares(n_prompt - 1)} = "
            f"{count(naive.work.scores)}\n"
            f"with, the prompt once and then one row a step: {n_prompt} x {n_prompt} + {later:,} = "
            f"{count(cached.work.scores)}",
            "bound",
            cached_work,
        ),
        derived(
            "Rows held",
            "The price of the cache: a key and a value of each token stay in memory; else 0.",
            f"{n_prompt} prompt + {n_new} new = {count(cached.work.cache_rows)} keys",
            "bound",
            cached_work,
        ),
    )


def _squares(n: int) -> str:
    """The sum of the squares of 1 to n, as one reckons it."""
    return f"{n} x {n + 1} x {2 * n + 1} / 6"


def model_loops(plan: Plan, work: Sequence[GroupWork]) -> tuple[Derivation, ...]:
    """The same counts for the scenario's model, and the memory of one conversation."""
    scenario, d = plan.scenario, plan.deployment
    tokens, new = scenario.input_tok, scenario.output_tok
    lines = []
    for group in work:
        name = f"{group.n_layers} layers, {KINDS[group.kind]}"
        mean = tokens + (new - 1) / 2
        lines += [
            f"{name}, naive: 3 x {new:,} x {a(mean, 8)} x {group.n_layers} = "
            f"{number(group.naive.proj)}",
            f"{name}, cached: 3 x ({tokens:,} + {new:,}) x {group.n_layers} = "
            f"{number(group.cached.proj)}",
        ]
    for layers, group in zip(d.model.groups, work, strict=True):
        lines += score_lines(layers, group, tokens, new)
    naive, cached = (sum(g.naive.proj for g in work), sum(g.cached.proj for g in work))
    lines.append(f"all: {a(naive)} / {a(cached)} = {number(naive / cached)} times")
    pool = request_pool(d, max_model_len=context_reserved(scenario), batched_tok=1)
    return (
        derived(
            "Table: the same count for your model",
            "The lab's count times the layers; scores also times the heads, and no wider than a "
            "layer's window.",
            "\n".join(lines),
            "bound",
            model_work,
            (MODEL,),
        ),
        derived(
            "Chart and last line: memory of one conversation",
            "Pages of the reserved context, times what a page takes on a card.",
            f"{pool.request_blocks:,} pages x {a(pool.block_bytes / 2**30, 8)} GiB = "
            f"{gib(plan.fit.sequence_bytes)}",
            "bound",
            request_pool,
            DEPLOYMENT,
        ),
    )


def batching(runs: Sequence[BatchingRun], n_slots: int) -> tuple[Derivation, ...]:
    """The table of policies: output, idle slots, waits."""
    output, idle = [], []
    for run in runs:
        done, table = run.summary, run.requests
        tokens = int(table.output_tok.sum())
        busy = float((table.last_token_s - table.admitted_s).sum())
        output.append(
            f"{done.policy}: {tokens:,} tokens / {a(done.end_s)} s = "
            f"{quantity(done.output_tok_s, 'tok/s')}"
        )
        idle.append(
            f"{done.policy}: 1 - {a(busy, 6)} s at work / ({n_slots} slots x "
            f"{a(done.end_s, 6)} s) = {percent(done.idle_frac)}"
        )
    policy = "Each request passes through a simulated server whose steps take as long as the "
    return (
        derived(
            "Table: output",
            f"{policy}model of your scenario says. All tokens over the time until the last answer.",
            "\n".join(output),
            "calibrated",
            finished_run,
            DEPLOYMENT,
        ),
        derived(
            "Table and chart: slots idle",
            "Time in which a slot holds no request that still writes, over the time of all slots.",
            "\n".join(idle),
            "calibrated",
            finished_run,
            DEPLOYMENT,
        ),
        _waits(runs),
    )


def _waits(runs: Sequence[BatchingRun]) -> Derivation:
    """Each wait of the table, from its neighbours in the sorted list of the run's requests."""
    lines = []
    for run in runs:
        table, name = run.requests, run.summary.policy
        several = table[table.output_tok > 1]
        pauses = (several.last_token_s - several.first_token_s) / (several.output_tok - 1)
        for what, waits, place in (
            ("first token, half", table.first_token_s - table.arrival_s, 0.5),
            ("first token, 95 %", table.first_token_s - table.arrival_s, 0.95),
            ("answer, half", table.returned_s - table.arrival_s, 0.5),
            ("answer, 95 %", table.returned_s - table.arrival_s, 0.95),
            ("per token, 95 %", pauses, 0.95),
        ):
            if len(waits):
                lines.append(f"{name}, {what}: {time_equation(waits, place, duration)}")
    return derived(
        "Table and chart: waits",
        "The requests of the run sorted by their wait: half of them, or 95 of 100, wait no "
        "longer than this. Where that place lies between two requests, the wait does too, in "
        "proportion. The chart shows all of them.",
        "\n".join(lines),
        "calibrated",
        percentiles,
        DEPLOYMENT,
    )
