"""The fit set up: measurements as arrays, and what each constant of a row is made of."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calculators.evidence.calibration_terms import CLASS_TRAITS, TERMS, Term, era_name
from calculators.evidence.measured import Measured
from calculators.evidence.prediction import LoadConstants, Requests, load_constants, requests
from calculators.speed.inputs import StepInputs

GROUP_EXPONENT = 0.6  # rows of a group of n weigh n^-0.6 each: no source dominates


@dataclass(frozen=True)
class Problem:
    """Measurements as arrays, and which parameters each constant of a row is made of."""

    rows: Measured
    inputs: StepInputs
    load: LoadConstants
    asked: Requests
    log_value: np.ndarray
    weight: np.ndarray
    columns: dict[str, np.ndarray]  # constant -> parameters of each deployment (0 or 1)
    spans: dict[str, slice]  # constant -> its parameters
    names: list[tuple[str, str, str]]  # constant, class ("" = all), trait
    mean: np.ndarray
    spread: np.ndarray


def problem(rows: Measured, group: np.ndarray) -> Problem:
    """Set up the fit for a table of measurements.

    Parameters
    ----------
    rows : kept measurements with positive values
    group : label of the source of each row

    Returns
    -------
    Problem

    Examples
    --------
    See `calculators.evidence.refit.refit`.
    """
    eras = np.array([era_name(one.era) for one in rows.priced])
    columns: dict[str, np.ndarray] = {}
    spans: dict[str, slice] = {}
    names: list[tuple[str, str, str]] = []
    priors: list[tuple[float, float]] = []
    for constant, term in TERMS.items():
        found = _parameters(constant, term, rows, eras)
        spans[constant] = slice(len(names), len(names) + len(found))
        columns[constant] = np.column_stack([column for *_, column in found]).astype(float)
        names.extend(name for name, _, _ in found)
        priors.extend(prior for _, prior, _ in found)
    mean, spread = np.array(priors).T
    return Problem(
        rows=rows,
        inputs=rows.inputs,
        load=load_constants(rows),
        asked=requests(rows),
        log_value=np.log(rows.columns["value"]),
        weight=group_weights(group, rows),
        columns=columns,
        spans=spans,
        names=names,
        mean=mean,
        spread=spread,
    )


def _parameters(constant: str, term: Term, rows: Measured, eras: np.ndarray) -> list[tuple]:
    """Name, prior and column of each parameter of a constant."""
    has = [np.array([trait in t for t in rows.traits]) for trait in term.traits]
    everywhere = np.ones(len(eras), dtype=bool)
    found = [((constant, "", ""), (term.log_first, term.spread), everywhere)]
    if term.class_spread:
        for era in dict.fromkeys(eras):
            found.append(((constant, era, ""), (0.0, term.class_spread), eras == era))
    for (trait, prior), column in zip(term.traits.items(), has, strict=True):
        found.append(((constant, "", trait), prior, column))
    for (engine, name, trait), spread in CLASS_TRAITS.items():
        if name == constant:
            column = _of_engines_each(rows, engine) & np.array([trait in t for t in rows.traits])
            found.append(((constant, engine, trait), (0.0, spread), column))
    return found


def group_weights(group: np.ndarray, rows: Measured) -> np.ndarray:
    """Weight of each row: n^-0.6 for n rows of one source, scenario and metric; mean 1."""
    keys = (
        group
        + "/"
        + rows.columns["scenario"].astype(str)
        + "/"
        + rows.columns["metric"].astype(str)
    )
    _, inverse, counts = np.unique(keys, return_inverse=True, return_counts=True)
    weight = counts[inverse] ** -GROUP_EXPONENT
    return weight / weight.mean()


def eras_of(rows: Measured) -> np.ndarray:
    """Class of constants of each kept row, such as "vllm before 0.8"."""
    return rows.each([era_name(one.era) for one in rows.priced])


def _of_engines_each(rows: Measured, engine: str) -> np.ndarray:
    return np.array([one.deployment.engine.id == engine for one in rows.priced])
