"""The last line of each lab: what it does to the reader's own scenario. No Streamlit."""

from __future__ import annotations

from collections.abc import Sequence

from app.formatting import band, count, gib, number, percent, quantity, usd
from app.memory_words import KINDS
from calculators.labs.batching_results import BatchingSummary
from calculators.labs.effect import HeldSequences, output_usd_mtok
from calculators.labs.generation import Generation
from calculators.labs.generation_counts import GroupWork
from calculators.labs.paging_results import PagingSummary
from calculators.plan import Plan


def bits_line(now: Plan, then: Plan, what: str) -> str:
    """A scenario at other bits beside the scenario as it is."""
    if not then.fits:
        return f"In your scenario, {what} does not fit: {then.performance.limit_text}"
    weights = f"{gib(then.fit.weights_bytes)} of weights a card (now {gib(now.fit.weights_bytes)})"
    most, most_now = then.performance.max_batch, now.performance.max_batch
    held = f"{count(most)} sequences at once (now {count(most_now)})"
    cost, cost_now = (output_usd_mtok(plan, plan.performance.output_tok_s) for plan in (then, now))
    return (
        f"In your scenario, {what}: {weights}, {held}, "
        f"{usd(cost, 'million output tokens')} at full load (now {usd(cost_now)})."
    )


def cache_line(plan: Plan, work: tuple[GroupWork, ...]) -> str:
    """What the cache saves and costs for one of the scenario's requests."""
    naive = sum(group.naive.proj for group in work)
    cached = sum(group.cached.proj for group in work)
    one = plan.fit.sequence_bytes
    cost = output_usd_mtok(plan, plan.performance.output_tok_s)
    saved = (
        f"In your scenario, one request without a cache would project "
        f"{quantity(naive / cached, 'times')} as many rows. With it, a conversation holds "
        f"{gib(one)} a card"
    )
    if not plan.fits:
        return f"{saved}, for which there is no room: {plan.performance.limit_text}"
    return (
        f"{saved}, so memory holds {count(plan.performance.max_batch)} at once: "
        f"{usd(cost, 'million output tokens')} of hardware at full load."
    )


def loop_metrics(naive: Generation, cached: Generation, n_new: int) -> list[tuple[str, str, str]]:
    """What both loops of the lab did, without a cache beside with one."""
    same = "the same tokens" if naive.tokens == cached.tokens else "DIFFERENT tokens"
    pairs = {
        "Rows projected": (naive.work.proj, cached.work.proj, "tokens worked on"),
        "Score elements": (naive.work.scores, cached.work.scores, "comparisons of tokens"),
        "Rows held": (0, cached.work.cache_rows, "the price in memory"),
    }
    return [
        ("Both loops give", same, f"{n_new} of them: a cache changes no answer"),
        *(
            (name, f"{count(a)} : {count(b)}", f"{note}, without : with a cache")
            for name, (a, b, note) in pairs.items()
        ),
    ]


def work_rows(work: Sequence[GroupWork]) -> list[dict[str, str]]:
    """The same counts for the layers of a real model."""
    return [
        {
            "Layers": f"{KINDS[group.kind]} x {group.n_layers}",
            "Rows projected, without": number(group.naive.proj),
            "Rows, with a cache": number(group.cached.proj),
            "Score elements, without": number(group.naive.scores),
            "Scores, with a cache": number(group.cached.scores),
        }
        for group in work
    ]


def batching_line(plan: Plan, static: BatchingSummary, continuous: BatchingSummary) -> str:
    """Both ways to batch as cost of the scenario's replica."""
    costs = [
        usd(output_usd_mtok(plan, run.output_tok_s), "million output tokens")
        for run in (static, continuous)
    ]
    ratio = number(continuous.output_tok_s / static.output_tok_s)
    width = band(plan.calibrated.band_frac)
    error = f" (either {width})" if width else ""
    cards = f"{count(plan.scenario.n_cards)} x {plan.deployment.accelerator.name}"
    return (
        f"On your {cards}, these requests cost {costs[1]} of hardware in continuous batches and "
        f"{costs[0]} in static ones{error}: {ratio} times the speed."
    )


def summary_row(run: BatchingSummary) -> dict[str, str]:
    """One policy as a row of the batching table."""
    return {
        "Batches": run.policy,
        "Output [tok/s]": number(run.output_tok_s),
        "Slots idle": percent(run.idle_frac),
        "First token, half [s]": number(run.ttft.p50_s),
        "First token, 95 % [s]": number(run.ttft.p95_s),
        "Answer, half [s]": number(run.completion.p50_s),
        "Answer, 95 % [s]": number(run.completion.p95_s),
        "Each token, 95 % [ms]": number(run.tpot.p95_s * 1e3),
    }


def paging_row(run: PagingSummary) -> dict[str, str]:
    """One way to allocate as a row of the paging table."""
    return {
        "Allocation": run.policy,
        "At once, while others wait": number(run.n_mean_sequences),
        "Steps for all": count(run.n_steps),
        "Held, but empty": percent(run.waste_frac),
        "Never filled": percent(run.never_used_frac),
        "Too small holes": percent(run.external_frac),
        "Saved by sharing, tokens": count(run.shared_saved_tok),
        "Preempted": count(run.n_preempted),
        "Evicted": count(run.n_evicted),
        "Copied": count(run.n_copied),
    }


def paging_line(plan: Plan, held: HeldSequences, reserved_tok: int) -> str:
    """Both ways to allocate in the scenario's own cache."""
    if plan.fit.kv_capacity_tok < 1:
        return f"In your scenario there is no cache to divide: {plan.fit.limit_text}"
    return (
        f"Your cache holds {count(plan.fit.kv_capacity_tok)} tokens: {count(held.contiguous)} "
        f"sequences that reserve {count(reserved_tok)} tokens each, or about {count(held.paged)} "
        f"in blocks at {count(held.mean_tok)} tokens on average."
    )


def damage_finding(all_frac: float, holding_frac: float, rest_frac: float) -> str:
    """Where the damage of an affine format lands."""
    return (
        f"In groups with an outlier the weights are off by {percent(holding_frac)} of their size, "
        f"in the rest by {percent(rest_frac)}; the average of {percent(all_frac)} hides it"
    )
