"""Fit the constants of engine classes to published measurements, and say how far they err."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from calculators.evidence.calibration_terms import CLASS_TRAITS, TERMS, Term, era_name
from calculators.evidence.measured import Measured
from calculators.evidence.prediction import (
    LoadConstants,
    Requests,
    load_constants,
    predict,
    requests,
)
from calculators.speed.constants import FIELDS
from calculators.speed.inputs import StepInputs
from calculators.speed.traits import PEER_LINKS

RIDGE = 0.2  # pull towards first values, against one weighted row
HUBER = 0.12  # of the log error; beyond it a row pulls with constant force
GROUP_EXPONENT = 0.65  # rows of a group of n weigh n^-0.65 each: no source dominates
MAX_STEP = 0.5
DIFFERENCE = 1e-3
LATENCY = "reduce_latency_s"


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
    """Weight of each row: n^-0.65 for n rows of one source, scenario and metric; mean 1."""
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


def log_constants(fit: Problem, theta: np.ndarray) -> dict[str, np.ndarray]:
    """Logarithm of each constant (in SI) for each row."""
    return {
        constant: (fit.columns[constant] @ theta[fit.spans[constant]])[fit.rows.which]
        for constant in TERMS
    }


def log_predictions(fit: Problem, logs: dict[str, np.ndarray]) -> np.ndarray:
    """Logarithm of the predicted value of each row under given constants."""
    value = {name: np.exp(log) for name, log in logs.items()}
    value["overlap_exponent"] = 1.0 + value["overlap_exponent"]
    value["split_gain"] = np.minimum(value["split_gain"], 1.0)
    for name, term in TERMS.items():
        if term.only:
            value[name] = np.where(_of_engines(fit.rows, term.only), value[name], 0.0)
    peer = _peers(fit.rows)
    latency = np.where(peer, value["nvlink_latency_us"], value["pcie_latency_us"])
    constants = {field: value[name] for field, (name, _) in FIELDS.items()}
    inputs = replace(fit.inputs, **constants, **{LATENCY: latency})
    load = LoadConstants(
        first_token_s=value["first_token_ms"] + fit.inputs.n_layers * value["first_token_layer_us"],
        first_token_steps=value["first_token_steps"],
        queue_frac=value["queue_frac"],
        server_frac=value["server_frac"],
        held_output_frac=value["held_output_frac"],
        held_memory_frac=value["held_memory_frac"],
        held_reserve_bytes=value["held_reserve_gib"],
    )
    return np.log(predict(fit.rows, inputs, load, fit.asked))


def _of_engines_each(rows: Measured, engine: str) -> np.ndarray:
    return np.array([one.deployment.engine.id == engine for one in rows.priced])


def _of_engines(rows: Measured, engines: tuple[str, ...]) -> np.ndarray:
    return np.array([p.deployment.engine.id in engines for p in rows.priced])[rows.which]


def _peers(rows: Measured) -> np.ndarray:
    return np.array([p.deployment.accelerator.link in PEER_LINKS for p in rows.priced])[rows.which]


def residuals(fit: Problem, theta: np.ndarray) -> np.ndarray:
    """Logarithm of predicted / published for each row.

    Examples
    --------
    0.1 means that the prediction is 10.5 % above the published value.
    """
    return log_predictions(fit, log_constants(fit, theta)) - fit.log_value


def _slopes(fit: Problem, theta: np.ndarray, at: np.ndarray) -> np.ndarray:
    """Change of each row's residual with each parameter, one constant at a time."""
    logs = log_constants(fit, theta)
    jacobian = np.empty((len(at), len(theta)))
    for constant in TERMS:
        moved = logs | {constant: logs[constant] + DIFFERENCE}
        change = (log_predictions(fit, moved) - fit.log_value - at) / DIFFERENCE
        jacobian[:, fit.spans[constant]] = change[:, None] * fit.columns[constant][fit.rows.which]
    return jacobian


def _cost(fit: Problem, theta: np.ndarray, r: np.ndarray, used: np.ndarray) -> float:
    size = np.abs(r)
    loss = np.where(size < HUBER, size * size / 2, HUBER * (size - HUBER / 2))
    pull = ((theta - fit.mean) / fit.spread) ** 2
    return float((fit.weight * loss)[used].sum() + RIDGE / 2 * pull.sum())


def fitted(
    fit: Problem,
    used: np.ndarray | None = None,
    start: np.ndarray | None = None,
    n_iterations: int = 20,
) -> np.ndarray:
    """Parameters that make the weighted, robust log error smallest.

    Gauss-Newton on Huber's loss of log(predicted / published), plus a pull of every parameter
    towards its first value, with step halving.

    Parameters
    ----------
    fit : Problem
    used : rows that count (the others are left out); all by default
    start : parameters to start from; the first values by default
    n_iterations : at most

    Returns
    -------
    array, in the order of `fit.names`

    References
    ----------
    Huber, Robust Estimation of a Location Parameter, Ann. Math. Statist. 35(1), 1964.

    Examples
    --------
    See `calculators.evidence.refit.refit`.
    """
    theta = (fit.mean if start is None else start).copy()
    used = np.ones(len(fit.log_value), dtype=bool) if used is None else used
    r = residuals(fit, theta)
    cost = _cost(fit, theta, r, used)
    for _ in range(n_iterations):
        jacobian = _slopes(fit, theta, r)[used]
        size = np.maximum(np.abs(r[used]), 1e-12)
        weight = fit.weight[used] * np.minimum(1.0, HUBER / size)
        pull = RIDGE / fit.spread**2
        matrix = jacobian.T @ (jacobian * weight[:, None]) + np.diag(pull)
        gradient = jacobian.T @ (weight * r[used]) + pull * (theta - fit.mean)
        step = np.clip(-np.linalg.solve(matrix, gradient), -MAX_STEP, MAX_STEP)
        before = cost
        for _ in range(5):
            moved = residuals(fit, theta + step)
            cost = _cost(fit, theta + step, moved, used)
            if cost < before:
                theta, r = theta + step, moved
                break
            step = step / 2
        else:
            return theta
        if before - cost < 1e-4 * before:
            break
    return theta
