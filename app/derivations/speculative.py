"""What drafts do to a token's time: tokens a pass, the pass, the gain."""

from __future__ import annotations

from app.derivations.derivation import DEPLOYMENT, Derivation, derived, precise
from app.derivations.derivation import amount as a
from app.formatting import number, quantity
from calculators.plan import Plan
from calculators.speculative_answers import SpeculativeAnswers
from calculators.speed.speculative import speculate, speculation, tokens_per_pass


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
