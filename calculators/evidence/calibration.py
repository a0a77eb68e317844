"""Fit the constants of engine classes to published measurements, and say how far they err."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from calculators.evidence.calibration_problem import Problem
from calculators.evidence.calibration_terms import TERMS
from calculators.evidence.measured import Measured
from calculators.evidence.prediction import LoadConstants, predict
from calculators.speed.constants import FIELDS
from calculators.speed.traits import PEER_LINKS

RIDGE = 0.1  # pull towards first values, against one weighted row
HUBER = 0.06  # of the log error; beyond it a row pulls with constant force
MAX_STEP = 0.5
DIFFERENCE = 1e-3
LATENCY = "reduce_latency_s"


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
        server_frac=value["server_frac"],
        held_output_frac=value["held_output_frac"],
        held_memory_frac=value["held_memory_frac"],
        held_reserve_bytes=value["held_reserve_gib"],
    )
    return np.log(predict(fit.rows, inputs, load, fit.asked))


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
