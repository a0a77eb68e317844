"""The cached catalog and the cached plan: the only place that caches."""

from __future__ import annotations

import os
from dataclasses import replace
from datetime import date
from functools import lru_cache
from pathlib import Path

import pandas as pd
import streamlit as st

from app.accuracy_page import AccuracyPage, accuracy_page
from app.accuracy_words import LEFT_OUT
from calculators.evidence.accuracy import score_rows, with_left_out
from calculators.evidence.comparable import Rate, comparable
from calculators.evidence.nearest import Neighbour, nearest
from calculators.guided import Answers
from calculators.guided import guided as planned
from calculators.memory_answers import MemoryAnswers, memory_answers
from calculators.options import Options
from calculators.options import options as ranked
from calculators.plan import Plan
from calculators.plan import plan as priced
from calculators.scenario import Scenario
from calculators.serving_answers import ServingAnswers, serving_answers
from calculators.specs import Catalog, ModelSpec
from catalogs.calibration_file import left_out_ratios
from catalogs.loader import CatalogError, load_catalog
from catalogs.measurements_loader import load_measurements

OVERRIDES_VARIABLE = "BREAKEVEN_OVERRIDES"
SESSION_OVERRIDES = "_overrides"


def overrides_path() -> Path | None:
    """The company's override file that the environment names, or None."""
    named = os.environ.get(OVERRIDES_VARIABLE, "").strip()
    return Path(named) if named else None


# Plain caches for what every run asks for: Streamlit's own take 3 ms to hash a scenario.
@lru_cache(maxsize=32)
def _catalog(day: date, uploaded: str | None) -> Catalog:
    return load_catalog(overrides_path(), day, override_text=uploaded, strict=False)


def _day(asof: str | None) -> date:
    return date.fromisoformat(asof) if asof else date.today()


def uploaded_overrides() -> str | None:
    """The override file that was uploaded for this session, or None."""
    return st.session_state.get(SESSION_OVERRIDES)


def check_overrides(text: str, name: str, day: date) -> None:
    """CatalogError where an upload is wrong; a broken company file is told on every page."""
    path = overrides_path()
    try:
        load_catalog(path, day)
    except CatalogError:
        path = None
    load_catalog(path, day, override_text=text, override_name=name)


def catalog(asof: str | None = None) -> Catalog:
    """The catalog of a day (today's without one), overrides of company and session included."""
    return _catalog(_day(asof), uploaded_overrides())


def catalog_problems(asof: str | None = None) -> tuple[str, ...]:
    """What of the catalog's files and of the overrides was left out, and why."""
    return catalog(asof).problems


@lru_cache(maxsize=128)
def _plan(scenario: Scenario, day: date, uploaded: str | None) -> Plan:
    return priced(scenario, _catalog(day, uploaded))


def plan(scenario: Scenario) -> Plan:
    """The plan of a scenario, worked out once for all sessions."""
    return _plan(scenario, _day(scenario.asof), uploaded_overrides())


@lru_cache(maxsize=128)
def _guided(answers: Answers, day: date, uploaded: str | None) -> Plan:
    return planned(answers, _catalog(day, uploaded))


def guided(answers: Answers, asof: str | None) -> Plan:
    """The plan that a newcomer's answers make, worked out once for all sessions."""
    return _guided(answers, _day(asof), uploaded_overrides())


def duty_frac(scenario: Scenario, known: Catalog) -> float | None:
    """The duty cycle that the demand makes of the fleet; None where nothing runs."""
    duty = float(plan(scenario).bills.duty_frac)
    return min(duty, 1.0) if duty > 0 else None


@st.cache_resource(max_entries=64, show_spinner="Ranking every configuration ...")
def _options(scenario: Scenario, day: date, uploaded: str | None) -> Options:
    return ranked(scenario, _catalog(day, uploaded))


def options(scenario: Scenario) -> Options:
    """Every feasible configuration of a scenario, ranked once for all sessions."""
    return _options(scenario, _day(scenario.asof), uploaded_overrides())


@st.cache_resource(max_entries=256, show_spinner=False)
def _memory(scenario: Scenario, day: date, uploaded: str | None) -> MemoryAnswers:
    plan = _plan(scenario, day, uploaded)
    return memory_answers(plan.deployment, scenario, plan.catalog)


def memory(scenario: Scenario, model: ModelSpec | None = None) -> MemoryAnswers:
    """What the scenario's replica holds, and what would change it; with another model if given."""
    if model is None:
        return _memory(scenario, _day(scenario.asof), uploaded_overrides())
    known = plan(scenario)
    return memory_answers(replace(known.deployment, model=model), scenario, known.catalog)


@st.cache_resource(max_entries=8, show_spinner="Pricing every published measurement ...")
def _accuracy(day: date, uploaded: str | None, left_out: str) -> pd.DataFrame:
    scored = score_rows(load_measurements(), _catalog(day, uploaded))
    return with_left_out(scored, left_out_ratios(), left_out)


def accuracy(asof: str | None = None, *, left_out: str = "card") -> pd.DataFrame:
    """Published measurements beside predictions of fits that did not see their card, or model."""
    return _accuracy(_day(asof), uploaded_overrides(), left_out)


@st.cache_resource(max_entries=32, show_spinner=False)
def _accuracy_page(
    day: date, uploaded: str | None, left_out: str, family: str, by: str
) -> AccuracyPage | None:
    scored = _accuracy(day, uploaded, left_out)
    return accuracy_page(scored, family=family, by=by, which=LEFT_OUT[left_out])


def accuracy_pictures(
    asof: str | None, *, left_out: str, family: str, by: str
) -> AccuracyPage | None:
    """What the Accuracy page shows of the published measurements, made once for all sessions."""
    return _accuracy_page(_day(asof), uploaded_overrides(), left_out, family, by)


@st.cache_resource(max_entries=8, show_spinner=False)
def _comparable(day: date, uploaded: str | None, rate: Rate) -> pd.DataFrame:
    return comparable(_accuracy(day, uploaded, "card"), _catalog(day, uploaded), rate)


def neighbours(plan: Plan) -> dict[Rate, list[Neighbour]]:
    """The published measurements nearest to a plan: of one user's speed and of a replica's."""
    day, uploaded = _day(plan.scenario.asof), uploaded_overrides()
    rates: tuple[Rate, Rate] = ("each", "replica")
    return {rate: nearest(_comparable(day, uploaded, rate), plan) for rate in rates}


@lru_cache(maxsize=256)
def _serving(
    scenario: Scenario, day: date, uploaded: str | None, length_cv: float, chunked: bool
) -> ServingAnswers:
    return serving_answers(_plan(scenario, day, uploaded), length_cv=length_cv, chunked=chunked)


def serving(plan: Plan, length_cv: float, chunked: bool) -> ServingAnswers:
    """A plan's replica under load, worked out once for all sessions."""
    scenario = plan.scenario
    return _serving(scenario, _day(scenario.asof), uploaded_overrides(), length_cv, chunked)
