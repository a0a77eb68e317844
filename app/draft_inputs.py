"""The inputs of speculative decoding that a scenario leaves open: draft, its cost, acceptance."""

from __future__ import annotations

import streamlit as st

from app import ui
from calculators.plan import Plan
from calculators.speculative_answers import Draft, draft_models, model_draft

HEADS = "Own heads (MTP, EAGLE, Medusa)"
TRIED = "Acceptance is not measured: try values, then measure it on your own traffic. Code and "
TRIED += "structured output accept well, open prose worse."


def draft_and_acceptance(plan: Plan) -> tuple[Draft, float]:
    """The scenario's draft and acceptance, or what is tried on the page."""
    scenario = plan.scenario
    draft_at, share_at, accept_at = st.columns(3)
    named = plan.catalog.find("models", scenario.draft) if scenario.draft else None
    if named is None:
        with draft_at:
            named = _chosen(plan)
    if named is None:
        share = share_at.slider(
            "A draft costs, % of a step", 1, 40, 6, key="spec_share", persist_state="session"
        )
        draft = Draft(HEADS, step_frac=share / 100)
    else:
        draft = model_draft(plan, plan.catalog.models[named])
    if scenario.acceptance_frac is not None:
        return draft, scenario.acceptance_frac
    tried = accept_at.slider(
        "Try an acceptance, %", 5, 95, 70, key="spec_accept", persist_state="session"
    )
    ui.notes([TRIED], kind="warning")
    return draft, tried / 100


def _chosen(plan: Plan) -> str | None:
    models = draft_models(plan.catalog, plan.deployment.model)
    chosen = st.selectbox(
        "Draft",
        [*models, HEADS],
        format_func=lambda id_: models.get(id_, id_),
        key="spec_draft",
        persist_state="session",
    )
    return None if chosen == HEADS else chosen
