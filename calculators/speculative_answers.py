"""A scenario's replica with a draft: gain over batch, acceptance and number of drafts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from calculators.fit.capacity import capacity
from calculators.fit.weights import card_weight_bytes
from calculators.performance import context_reserved, replica_of
from calculators.plan import Plan
from calculators.specs import Catalog, Deployment, ModelSpec
from calculators.speed.inputs import StepInputs
from calculators.speed.parallel import step_inputs
from calculators.speed.speculative import Speculation, speculate
from calculators.speed.speculative_limits import break_even_acceptance_frac, sequences_beside_draft

ACCEPTANCES = np.linspace(0.05, 0.95, 19)
SHOWN_ACCEPTANCES = (0.5, 0.6, 0.7, 0.8, 0.9)
DRAFTS = np.arange(1, 13)
LARGEST_BATCH = 1024  # drawn although memory ends before it, to show where drafts stop paying
LARGEST_DRAFT_FRAC = 0.3  # of the target's active parameters


@dataclass(frozen=True, slots=True)
class Draft:
    """What drafts: a model on the same cards, or heads that cost a share of a step."""

    name: str
    inputs: StepInputs | None = None
    step_frac: float | None = None
    weight_bytes: float = 0.0  # per card
    sequence_bytes: float = 0.0  # per card


@dataclass(frozen=True, slots=True)
class SpeculativeAnswers:
    """What the page shows; `over_batch` has acceptances by batches, `over_drafts` by k."""

    draft: Draft
    batches: np.ndarray
    over_batch: Speculation
    over_drafts: Speculation
    batch: int  # the scenario's, or what memory holds beside the draft
    at: Speculation  # at this batch, the acceptance and k
    break_even_frac: float  # acceptance at the scenario's batch and k; nan: never
    n_held: int  # sequences beside the draft
    pays_up_to: int  # largest batch with a gain at the acceptance, 0: none


def draft_models(catalog: Catalog, target: ModelSpec) -> dict[str, str]:
    """Models of the catalog that are small enough to draft for a target, by id.

    Parameters
    ----------
    catalog : of models
    target : the model that is served

    Returns
    -------
    dict of id to name, smallest first; models of the same vocabulary only, as drafts need

    Examples
    --------
    See the page Speculative decoding.
    """
    small = (
        model
        for model in catalog.models.values()
        if model.vocab == target.vocab
        and model.active_params <= LARGEST_DRAFT_FRAC * target.active_params
    )
    return {m.id: m.name for m in sorted(small, key=lambda m: m.active_params)}


def model_draft(plan: Plan, model: ModelSpec) -> Draft:
    """A draft model on the target's own cards, in the same formats.

    Parameters
    ----------
    plan : of the target
    model : the draft

    Returns
    -------
    Draft

    Examples
    --------
    See `speculative_answers`.
    """
    deployment: Deployment = replace(plan.deployment, model=model)
    alone = capacity(deployment, context_tok=context_reserved(plan.scenario))
    return Draft(
        name=model.name,
        inputs=step_inputs(deployment),
        weight_bytes=float(card_weight_bytes(deployment)),
        sequence_bytes=float(alone.sequence_bytes),
    )


def speculative_answers(
    plan: Plan, draft: Draft, *, acceptance_frac: float, n_draft: int
) -> SpeculativeAnswers:
    """The gain of a draft for the scenario's replica.

    Parameters
    ----------
    plan : a plan whose replica holds at least one sequence
    draft : what drafts
    acceptance_frac : 0 to 1, measured on one's own traffic, or tried
    n_draft : k, drafted tokens, >= 1

    Returns
    -------
    SpeculativeAnswers

    Notes
    -----
    Others' prefills take as long with a draft as without: they are in both times per token.

    Examples
    --------
    The page Speculative decoding shows them.
    """
    replica = replica_of(plan.deployment, plan.scenario)
    n_held = _held_beside(plan, draft)
    batch = max(min(plan.calibrated.batch, n_held), 1)
    batches = np.unique(np.round(np.geomspace(1, max(4 * n_held, LARGEST_BATCH), 60)))

    def gain(**at: Any) -> Speculation:
        loop = replica.at(at["batch"])
        return speculate(
            replica.inputs,
            context_tok=replica.mean_context_tok,
            draft=draft.inputs,
            draft_frac=draft.step_frac,
            stall_s=loop.tpot_s - loop.step_s,
            **at,
        )

    tried = np.array(sorted({*SHOWN_ACCEPTANCES, acceptance_frac}))[:, None]
    over_batch = gain(batch=batches, acceptance_frac=tried, n_draft=n_draft)
    here = gain(batch=batch, acceptance_frac=acceptance_frac, n_draft=n_draft)
    own = over_batch.speed_up[int(np.argmin(np.abs(tried[:, 0] - acceptance_frac)))]
    paying = batches[own > 1.0]
    return SpeculativeAnswers(
        draft=draft,
        batches=batches,
        over_batch=over_batch,
        batch=batch,
        over_drafts=gain(batch=batch, acceptance_frac=ACCEPTANCES[:, None], n_draft=DRAFTS),
        at=here,
        break_even_frac=float(
            break_even_acceptance_frac(
                n_draft=n_draft,
                plain_step_s=here.plain_step_s,
                draft_step_s=here.draft_s / n_draft,
                verify_s=here.verify_s,
            )
        ),
        n_held=n_held,
        pays_up_to=int(paying.max()) if len(paying) else 0,
    )


def _held_beside(plan: Plan, draft: Draft) -> int:
    fit = plan.fit
    if not draft.weight_bytes:
        return fit.max_sequences
    left = float(
        sequences_beside_draft(
            cache_bytes=fit.cache_budget_bytes,
            sequence_bytes=fit.sequence_bytes,
            draft_weight_bytes=draft.weight_bytes,
            draft_sequence_bytes=draft.sequence_bytes,
        )
    )
    return int(min(left, fit.max_sequences))
