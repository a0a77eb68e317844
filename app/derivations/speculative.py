"""What drafts do to a token's time: tokens a pass, the pass, the gain."""

from __future__ import annotations

import math

from app.derivations.derivation import DEPLOYMENT, Derivation, derived, precise
from app.derivations.derivation import amount as a
from app.derivations.memory import held_formula
from app.formatting import count, number, percent, quantity
from calculators.performance import context_reserved
from calculators.plan import Plan
from calculators.speculative_answers import SpeculativeAnswers
from calculators.speed.speculative import speculate, speculation, tokens_per_pass
from calculators.speed.speculative_limits import break_even_acceptance_frac, sequences_beside_draft
from calculators.units import GIB


def tokens(answers: SpeculativeAnswers, acceptance_frac: float, n_draft: int) -> Derivation:
    """Tokens that a verify pass yields."""
    value = float(answers.at.tokens_per_pass)
    if acceptance_frac < 1:
        all_kept = acceptance_frac ** (n_draft + 1)
        formula = (
            f"(1 - {precise(all_kept)}) / (1 - {precise(acceptance_frac)}) = {number(value)} tokens"
        )
    else:
        formula = f"{n_draft} + 1 = {number(value)} tokens"
    return derived(
        "Tokens a pass",
        "Each draft is kept as long as all before it were; the large model's own token comes on "
        f"top. The first number is the acceptance multiplied {n_draft + 1} times with itself.",
        formula,
        "bound",
        tokens_per_pass,
    )


def one_pass(plan: Plan, answers: SpeculativeAnswers, n_draft: int) -> Derivation:
    """Time of a pass: the drafts and the check."""
    at = answers.at
    return derived(
        "A pass",
        "The draft's own steps, and one step of the large model that reads its weights and cache "
        "once but computes every drafted position.",
        f"{n_draft} x {a(float(at.draft_s) / n_draft * 1e3)} ms a draft + "
        f"{a(float(at.verify_s) * 1e3)} ms to check = {quantity(float(at.pass_s) * 1e3, 'ms')}",
        "calibrated",
        speculate,
        DEPLOYMENT,
    )


def gain(plan: Plan, answers: SpeculativeAnswers) -> Derivation:
    """Speed with drafts over speed without."""
    at = answers.at
    stall_ms = (float(at.plain_tpot_s) - float(at.plain_step_s)) * 1e3
    return derived(
        "Speed with drafts",
        "The time of a token without drafts over the time with them; others' prompts take as long "
        "in both.",
        f"({a(float(at.plain_step_s) * 1e3)} ms + {a(stall_ms)} ms others' prompts) / "
        f"({a(float(at.pass_s) * 1e3)} ms / {a(float(at.tokens_per_pass))} tokens + "
        f"{a(stall_ms)} ms others' prompts) = {number(float(at.speed_up))} times",
        "calibrated",
        speculation,
        DEPLOYMENT,
    )


def pays(answers: SpeculativeAnswers, n_draft: int) -> Derivation:
    """The acceptance from which drafts pay, and the batch up to which they do."""
    at, least = answers.at, answers.break_even_frac
    wanted = number(float(at.pass_s) / float(at.plain_step_s))
    up_to = f"{count(answers.pays_up_to)} is the largest batch with a gain at your acceptance."
    if math.isnan(least):
        words = "Even if every draft were kept, a pass would cost more than it yields."
        return derived(
            "Pays, and up to which batch", f"{words} {up_to}", "", "calibrated", speculation
        )
    return derived(
        "Pays, and up to which batch",
        f"A pass must give more tokens than the steps that it takes the time of; drafts of which "
        f"{percent(least)} are kept give just so many. {up_to}",
        f"{a(float(at.pass_s) * 1e3)} ms a pass / {a(float(at.plain_step_s) * 1e3)} ms a step = "
        f"{wanted} tokens\n"
        f"(1 - {precise(least ** (n_draft + 1))}) / (1 - {precise(least)}) = {wanted} tokens",
        "calibrated",
        break_even_acceptance_frac,
        DEPLOYMENT,
        known=least if least < 1 else math.nan,
    )


def held(plan: Plan, answers: SpeculativeAnswers) -> Derivation:
    """Sequences that fit once the draft's weights and cache are in memory too."""
    fit, draft = plan.fit, answers.draft
    if draft.weight_bytes:
        why = (
            "The draft's weights and its own cache take room too: "
            f"{count(answers.n_held)} instead of {count(fit.max_sequences)} conversations."
        )
        beside = (
            f"floor(({precise(fit.cache_budget_bytes / GIB)} GiB - "
            f"{precise(draft.weight_bytes / GIB)} GiB draft) / ({precise(fit.sequence_bytes / GIB)}"
            f" GiB + {precise(draft.sequence_bytes / GIB)} GiB))"
        )
        formula = f"min({beside} ; {count(fit.max_sequences)} without it)"
    else:
        why = "Heads belong to the model and keep no cache of their own: as many as without them."
        formula = held_formula(fit, plan.deployment, plan.scenario, context_reserved(plan.scenario))
    return derived(
        "Held at once",
        why,
        f"{formula} = {count(answers.n_held)}",
        "calibrated",
        sequences_beside_draft,
        DEPLOYMENT,
        known=0.0 if fit.fits else math.nan,
    )
