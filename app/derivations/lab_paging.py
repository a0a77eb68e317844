"""The paging lab's figures: how full memory is in each way to hand it out, and what was counted."""

from __future__ import annotations

from collections.abc import Sequence

from app.derivations.derivation import DEPLOYMENT, Derivation, derived, precise
from app.formatting import count, number, percent
from calculators.labs.effect import HeldSequences, held_sequences
from calculators.labs.paging import paged_run
from calculators.labs.paging_results import PagingRun, mean_while_full, weighted_frac
from calculators.plan import Plan

RUN = "run here"
UNKNOWN = float("nan")


def paging(runs: Sequence[PagingRun], capacity_tok: int) -> tuple[Derivation, ...]:
    """The table of allocations: at once, held but empty, never filled, and what was counted."""
    mean, empty, never = [], [], []
    for run in runs:
        steps, done = run.steps, run.summary
        full = steps[steps.n_waiting > 0] if (steps.n_waiting > 0).any() else steps
        held = int(steps.held_tok.sum())
        mean.append(
            f"{done.policy}: {int(full.n_active.sum()):,} / {len(full):,} steps = "
            f"{number(done.n_mean_sequences)}"
        )
        waste = int((steps.held_tok - steps.stored_tok).sum())
        empty.append(f"{done.policy}: {waste:,} / {held:,} = {percent(done.waste_frac)}")
        lost = int(steps.never_tok.sum())
        never.append(f"{done.policy}: {lost:,} / {held:,} = {percent(done.never_used_frac)}")
    return (
        derived(
            "Table: at once, while others wait",
            "Conversations at work in the steps when others wait, over the count of these steps.",
            "\n".join(mean),
            RUN,
            mean_while_full,
        ),
        derived(
            "Table: held, but empty",
            "Places that are held and hold nothing yet, over all places held, step by step.",
            "\n".join(empty),
            RUN,
            weighted_frac,
        ),
        derived(
            "Table: never filled",
            "Places that are held and will never be used, over all places held.",
            "\n".join(never),
            RUN,
            weighted_frac,
        ),
        _steps(runs),
        _holes(runs, capacity_tok),
        _sharing(runs),
        _events(runs),
    )


def _steps(runs: Sequence[PagingRun]) -> Derivation:
    """Steps until all are served."""
    lines = [
        f"{run.summary.policy}: {int(run.steps.n_active.sum()):,} tokens / "
        f"{precise(run.steps.n_active.mean())} at once on average = {run.summary.n_steps:,} steps"
        for run in runs
    ]
    return derived(
        "Table: steps for all",
        "All answers together have the same number of tokens in each way, and a conversation at "
        "work writes one at each step: the more are at work, the fewer steps.",
        "\n".join(lines),
        RUN,
        mean_while_full,
    )


def _holes(runs: Sequence[PagingRun], capacity_tok: int) -> Derivation:
    """Memory that is free in pieces too small for the next conversation."""
    lines = [
        f"{run.summary.policy}: {int(run.steps.external_tok.sum()):,} / ({capacity_tok:,} places x "
        f"{run.summary.n_steps:,} steps) = {percent(run.summary.external_frac)}"
        for run in runs
        if "external_tok" in run.steps
    ]
    return derived(
        "Table: too small holes",
        "Free places while the next conversation waits because no single hole is long enough for "
        "it, over all places at all steps. Blocks are all alike: there it is 0 %.",
        "\n".join(lines),
        RUN,
        weighted_frac,
    )


def _sharing(runs: Sequence[PagingRun]) -> Derivation:
    """Tokens that sharing saved, at the step where it saved most."""
    lines = []
    for run in runs:
        most = run.steps.loc[run.steps.saved_tok.idxmax()]
        if most.saved_tok > 0:
            lines.append(
                f"{run.summary.policy}, step {int(most.step):,}: "
                f"{int(most.saved_tok + most.stored_tok):,} tokens of all conversations - "
                f"{int(most.stored_tok):,} stored = {run.summary.shared_saved_tok:,} tokens"
            )
    return derived(
        "Table: saved by sharing",
        "What the conversations at work are long together, less what memory stores of it, at the "
        "step where the difference is largest. It is 0 where nothing is shared.",
        "\n".join(lines),
        RUN,
        paged_run,
    )


def _events(runs: Sequence[PagingRun]) -> Derivation:
    """Conversations sent back, with the tokens that had to be read again; other events."""
    lines = [
        f"{done.policy}, preempted: {done.n_recomputed_tok:,} tokens read again / "
        f"{precise(done.n_recomputed_tok / done.n_preempted)} tokens of one on average = "
        f"{done.n_preempted:,}"
        for done in (run.summary for run in runs)
        if done.n_preempted
    ]
    other = "; ".join(
        f"{done.policy}: {done.n_evicted:,} evicted, {done.n_copied:,} copied"
        for done in (run.summary for run in runs)
        if done.n_evicted or done.n_copied
    )
    return derived(
        "Table and picture: preempted, evicted, copied",
        "Counted one by one as the run goes on: a conversation sent back to wait because memory "
        "was full, a kept block given to somebody else, a shared block copied because one of its "
        f"users went on to write into it. {other or 'No block was evicted or copied'}. The picture "
        "shows who holds which block at each step.",
        "\n".join(lines),
        RUN,
        paged_run,
    )


def your_cache(plan: Plan, held: HeldSequences, reserved_tok: int) -> Derivation:
    """The last line of the paging lab: the scenario's own cache, divided in both ways."""
    capacity, block = plan.fit.kv_capacity_tok, plan.deployment.engine.memory.block_tok
    blocks = -(-int(held.mean_tok) // block)
    return derived(
        "Last line: sequences in your cache",
        "The cache over what each reserves, or over the whole blocks that an average conversation "
        "fills.",
        f"reserved: floor({capacity:,} tokens / {reserved_tok:,} tokens) = "
        f"{count(held.contiguous)}\n"
        f"in blocks: floor({capacity:,} tokens / ({blocks} blocks x {block} tokens)) = "
        f"{count(held.paged)}",
        "bound",
        held_sequences,
        DEPLOYMENT,
        known=0.0 if capacity else UNKNOWN,
    )
