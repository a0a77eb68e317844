"""Speculative decoding: tokens per pass, what a pass costs, when it pays and when it does not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from calculators.speed.decode import decode_step
from calculators.speed.inputs import StepInputs


class SpeculationError(ValueError):
    """An input of the speculative model that cannot be; the message says what is allowed."""


def tokens_per_pass(*, acceptance_frac: Any, n_draft: Any) -> Any:
    """Tokens that one verify pass yields on average, the corrected or extra one included.

    tokens = (1 - a^(k+1)) / (1 - a), and k + 1 where a = 1

    Parameters
    ----------
    acceptance_frac : a, chance that a drafted token is accepted, 0 to 1; broadcasts
    n_draft : k, drafted tokens, >= 0; broadcasts

    Returns
    -------
    tokens, 1 to k + 1, broadcast shape of the inputs

    Raises
    ------
    SpeculationError
        acceptance outside 0 to 1, or a negative number of drafted tokens

    Notes
    -----
    Acceptances are taken as independent. Real ones come in runs (easy and hard passages), which
    leaves the mean close and spreads single passes more.

    References
    ----------
    Leviathan, Kalman, Matias, Fast Inference from Transformers via Speculative Decoding, ICML
    2023, equation 1 (from knowledge, not re-read).

    Examples
    --------
    >>> float(tokens_per_pass(acceptance_frac=0.5, n_draft=2))  # 1 + 0.5 + 0.25
    1.75
    """
    a, k = np.asarray(acceptance_frac, dtype=float), np.asarray(n_draft, dtype=float)
    if np.any(~((a >= 0) & (a <= 1))):
        raise SpeculationError("acceptance_frac holds a value outside 0 to 1")
    if np.any(~(k >= 0)):
        raise SpeculationError("n_draft holds a value below 0")
    missed = np.clip(1.0 - a, 1e-12, 1.0 - 1e-12)
    return -np.expm1((k + 1) * np.log1p(-missed)) / missed


def tokens_from_drafts(*, n_accepted: Any) -> Any:
    """Tokens of one pass of which so many drafts were accepted: the next one comes with it.

    tokens = accepted + 1

    Parameters
    ----------
    n_accepted : drafted tokens accepted, >= 0; broadcasts

    Returns
    -------
    tokens, broadcast shape of the input

    Examples
    --------
    Six drafted, five accepted, the sixth corrected:

    >>> tokens_from_drafts(n_accepted=5)
    6
    """
    return n_accepted + 1


@dataclass(frozen=True, slots=True)
class Speculation:
    """What speculation does to one decode step; arrays of one broadcast shape."""

    tokens_per_pass: Any
    draft_s: Any  # all drafted tokens of a pass
    verify_s: Any
    plain_step_s: Any  # one token without speculation
    tpot_s: Any
    plain_tpot_s: Any
    speed_up: Any  # plain TPOT / TPOT; below 1 it is a loss

    @property
    def pass_s(self) -> Any:
        return self.draft_s + self.verify_s


def speculation(
    *,
    acceptance_frac: Any,
    n_draft: Any,
    plain_step_s: Any,
    draft_step_s: Any,
    verify_s: Any,
    stall_s: Any = 0.0,
) -> Speculation:
    """Time per token with drafts, from the times of the steps.

    TPOT = (k x draft step + verify) / tokens per pass + stall;  speed-up = plain TPOT / TPOT

    Parameters
    ----------
    acceptance_frac : a, 0 to 1, measured on one's own traffic; broadcasts
    n_draft : k, drafted tokens, >= 0; broadcasts
    plain_step_s : [s] decode step without drafts; broadcasts
    draft_step_s : [s] step of the draft model, or share of a step for self-drafting; broadcasts
    verify_s : [s] pass over k + 1 positions of every sequence; broadcasts
    stall_s : [s] time per output token that others' prefills take, drafts or not; broadcasts

    Returns
    -------
    Speculation, each field of the broadcast shape

    Notes
    -----
    Basis that of the step times. Sampling, the draft's own prefill and tree drafts are left out;
    the first two err towards too much gain.

    Examples
    --------
    >>> gain = speculation(acceptance_frac=0.5, n_draft=2, plain_step_s=0.02, draft_step_s=0.001,
    ...                    verify_s=0.02)
    >>> round(float(gain.speed_up), 4)  # 1.75 x 20 / 22
    1.5909
    """
    tokens = tokens_per_pass(acceptance_frac=acceptance_frac, n_draft=n_draft)
    draft_s = np.multiply(n_draft, draft_step_s)
    tpot_s = (draft_s + verify_s) / tokens + stall_s
    plain_tpot_s = np.add(plain_step_s, stall_s)
    return Speculation(
        tokens_per_pass=tokens,
        draft_s=draft_s,
        verify_s=verify_s,
        plain_step_s=plain_step_s,
        tpot_s=tpot_s,
        plain_tpot_s=plain_tpot_s,
        speed_up=plain_tpot_s / tpot_s,
    )


def speculate(
    target: StepInputs,
    *,
    batch: Any,
    context_tok: Any,
    acceptance_frac: Any,
    n_draft: Any,
    draft: StepInputs | None = None,
    draft_frac: Any = None,
    stall_s: Any = 0.0,
) -> Speculation:
    """Speculation priced by the step model, so that it turns into a loss at a large batch.

    verify = one step that reads the weights and the cache of B sequences once, with the compute,
    expert coverage and communication of B x (k + 1) positions

    Parameters
    ----------
    target : coefficients of the model that is served
    batch : sequences at once, >= 1; broadcasts
    context_tok : [tok] mean context, >= 0; broadcasts
    acceptance_frac : a, 0 to 1; broadcasts
    n_draft : k, drafted tokens, >= 0; broadcasts
    draft : coefficients of a draft model on the same cards
    draft_frac : instead of it, a drafted token's cost as a share of the target's step
        (self-drafting heads: MTP, EAGLE, Medusa); broadcasts
    stall_s : [s] time per output token that others' prefills take; broadcasts

    Returns
    -------
    Speculation, each field of the broadcast shape

    Raises
    ------
    SpeculationError
        neither a draft nor its share is given, or both

    Notes
    -----
    Basis `calibrated`. A draft model runs one step at a time beside an idle target, as engines do.

    Examples
    --------
    >>> target = StepInputs(8e9, matmul_flop_tok=16e9, bandwidth_bytes_s=1e12, flop_s=1e14)
    >>> gain = speculate(target, batch=np.array([1, 500]), context_tok=0, acceptance_frac=0.8,
    ...                  n_draft=4, draft_frac=0.05)
    >>> [bool(x) for x in gain.speed_up > 1]
    [True, False]
    """
    if (draft is None) == (draft_frac is None):
        raise SpeculationError("give either a draft model or draft_frac, its share of a step")
    plain_step_s = decode_step(target, batch=batch, context_tok=context_tok).total_s
    positions = np.add(n_draft, 1)
    verify = decode_step(target, batch=batch, context_tok=context_tok, positions=positions)
    if draft is None:
        draft_step_s = np.multiply(draft_frac, plain_step_s)
    else:
        draft_step_s = decode_step(draft, batch=batch, context_tok=context_tok).total_s
    return speculation(
        acceptance_frac=acceptance_frac,
        n_draft=n_draft,
        plain_step_s=plain_step_s,
        draft_step_s=draft_step_s,
        verify_s=verify.total_s,
        stall_s=stall_s,
    )
