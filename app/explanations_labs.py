"""What the panels of the labs, of Accuracy and of Catalog list; no Streamlit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from app.catalog_rows import TABLES
from app.derivations import accuracy as errors
from app.derivations import catalog as facts
from app.derivations import lab_formats, lab_paging, lab_quantization, lab_serving
from app.derivations.derivation import Derivation
from calculators.labs.affine_study import AffineStudy
from calculators.labs.batching_results import BatchingRun
from calculators.labs.classifier import Classifier
from calculators.labs.digits import CliffRow
from calculators.labs.effect import HeldSequences
from calculators.labs.format_study import FormatStudy
from calculators.labs.generation import Generation
from calculators.labs.generation_counts import GroupWork
from calculators.labs.paging_results import PagingRun
from calculators.labs.quantization import Array
from calculators.labs.symmetric_study import SchemeResult
from calculators.plan import Plan
from calculators.specs import Catalog, Fact

Derivations = tuple[Derivation, ...]


def affine(setting: Mapping[str, Any], study: AffineStudy, then: Plan) -> Derivations:
    """Bits, errors and damage of the affine lab, and what its bits do to the scenario."""
    return (*lab_quantization.affine(setting, study), *lab_formats.in_your_scenario(then))


def symmetric(
    weights: Array,
    by_bits: Mapping[int, Sequence[SchemeResult]],
    bits: int,
    group_size: int,
    then: Plan,
) -> Derivations:
    """Errors and bytes of the schemes, and what these bits do to the scenario."""
    own = lab_quantization.symmetric(weights, by_bits, bits, group_size)
    return (*own, *lab_formats.in_your_scenario(then))


def digits(
    trained: tuple[Classifier, Sequence[CliffRow], float, int] | None, then: Plan
) -> Derivations:
    """Accuracy and spread once trained, and what these bits do to the scenario."""
    own = lab_quantization.digits(*trained) if trained else ()
    return (*own, *lab_formats.in_your_scenario(then))


def formats(study: FormatStudy, setting: Mapping[str, Any], then: Plan) -> Derivations:
    """Errors of the methods, and what the chosen format does to the scenario."""
    return (*lab_formats.methods(study, **setting), *lab_formats.in_your_scenario(then))


def kv_cache(
    plan: Plan,
    lengths: tuple[int, int],
    loops: tuple[Generation, Generation],
    work: Sequence[GroupWork],
) -> Derivations:
    """Counts of both loops, the same for the scenario's model, and its cost."""
    speed = plan.performance.output_tok_s
    return (
        *lab_serving.loops(*lengths, *loops),
        *lab_serving.model_loops(plan, work),
        lab_formats.full_load_cost(plan, speed, "Last line: cost at full load"),
    )


def batching(plan: Plan, runs: Sequence[BatchingRun]) -> Derivations:
    """The policies' output, idle slots and waits, and what both cost."""
    costs = (
        lab_formats.full_load_cost(
            plan, run.summary.output_tok_s, f"Last line: cost, {run.summary.policy}"
        )
        for run in runs[:2]
    )
    return (*lab_serving.batching(runs, plan.calibrated.batch), *costs)


def paging(
    plan: Plan,
    runs: Sequence[PagingRun],
    capacity_tok: int,
    held: HeldSequences,
    reserved_tok: int,
) -> Derivations:
    """The allocations' figures, and the scenario's own cache."""
    return (
        *lab_paging.paging(runs, capacity_tok),
        lab_paging.your_cache(plan, held, reserved_tok),
    )


def accuracy(rows: pd.DataFrame, by: str) -> Derivations:
    """Errors and shares of all rows, and of the tables' lines."""
    return (errors.median_error(rows), *errors.shares(rows), *errors.tables(rows, by))


def catalog(known: Catalog, title: str, fact: Fact | None) -> Derivations:
    """Counts, ages, and the entry that is shown in full."""
    own = (facts.entry(fact),) if fact else ()
    rents = (facts.rents(known),) if TABLES[title] == "rental_prices" else ()
    return (*facts.counts(known), facts.ages(known, title), *rents, *own)
