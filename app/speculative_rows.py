"""Words and tables of the Speculative page."""

from __future__ import annotations

import math

from app.formatting import count, duration, number, percent, quantity
from calculators.labs.speculation import SpeculationRun, distribution_pair, run_speculation
from calculators.plan import Plan
from calculators.speculative_answers import SpeculativeAnswers

LOWEST_RUN = 0.2  # acceptance that the small distributions can be given
N_PASSES = 20_000


def rule_runs(acceptance_frac: float, n_draft: int, seed: int) -> list[SpeculationRun]:
    """The rule itself for one, two, four ... drafts, at the acceptance."""
    pair = distribution_pair(acceptance_frac=max(acceptance_frac, LOWEST_RUN), seed=seed)
    tried = sorted({1, 2, 4, 8, n_draft})
    return [run_speculation(pair, n_draft=k, n_passes=N_PASSES, seed=seed) for k in tried]


def rule_rows(runs: list[SpeculationRun]) -> list[dict[str, str]]:
    """Tokens a pass that the rule gave beside the formula."""
    return [
        {
            "Drafted": count(run.n_draft),
            "Tokens a pass, counted": number(run.tokens_per_pass, 4),
            "By the formula": number(run.expected_tokens_per_pass, 4),
            "Difference": f"{abs(run.tokens_per_pass - run.expected_tokens_per_pass):.4f}",
            "Sampling error": f"{run.standard_error:.4f}",
            "All accepted": percent(float(run.accepted[-1]) / run.n_passes),
        }
        for run in runs
    ]


def gain_line(plan: Plan, answers: SpeculativeAnswers, acceptance_frac: float) -> str:
    """What drafts do to the scenario: speed of a user, and sequences lost to memory."""
    at, batch = answers.at, answers.batch
    lost = plan.fit.max_sequences - answers.n_held
    memory = (
        f" The draft's memory leaves room for {count(answers.n_held)} sequences instead of "
        f"{count(plan.fit.max_sequences)}."
        if lost > 0
        else ""
    )
    return (
        f"In your scenario, {answers.draft.name} with {percent(acceptance_frac)} accepted makes "
        f"{quantity(1 / float(at.tpot_s), 'tok/s')} for each of {count(batch)} users out of "
        f"{quantity(1 / float(at.plain_tpot_s), 'tok/s')}: a pass takes "
        f"{duration(float(at.pass_s))} instead of {duration(float(at.plain_step_s))} and gives "
        f"{number(float(at.tokens_per_pass))} tokens.{memory}"
    )


def _pays_up_to(answers: SpeculativeAnswers) -> tuple[str, str]:
    """The largest batch at which drafts pay and what is said of it; the range tried ends."""
    if answers.pays_up_to >= answers.batches[-1]:
        return f"at least {count(answers.pays_up_to)}", "the end of the range tried"
    if answers.pays_up_to == 0:
        return "none", "at this acceptance"
    return count(answers.pays_up_to), "at this acceptance"


def headline(
    plan: Plan, answers: SpeculativeAnswers, acceptance_frac: float, n_draft: int
) -> list[tuple[str, ...]]:
    """The metric row of the page."""
    at = answers.at
    never = math.isnan(answers.break_even_frac)
    pays = "never" if never else f"from {percent(answers.break_even_frac)}"
    return [
        (
            "Speed with drafts",
            f"{number(float(at.speed_up))} times",
            f"at a batch of {count(answers.batch)}, {count(n_draft)} drafted",
            "calibrated",
        ),
        (
            "Tokens a pass",
            number(float(at.tokens_per_pass)),
            f"{percent(acceptance_frac)} accepted",
            "bound",
        ),
        (
            "Pays",
            pays,
            f"accepted, at a batch of {count(answers.batch)} with {count(n_draft)} drafted",
            "calibrated",
        ),
        ("Pays up to batch", *_pays_up_to(answers), "calibrated"),
        (
            "Held at once",
            count(answers.n_held),
            f"{count(plan.fit.max_sequences)} without the draft",
            "calibrated",
        ),
    ]
