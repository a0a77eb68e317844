"""Refit every engine class from the measurements, with left-out errors and bands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from calculators.evidence.calibration import fitted, residuals
from calculators.evidence.calibration_entries import engine_entries
from calculators.evidence.calibration_problem import Problem, eras_of, problem
from calculators.evidence.calibration_terms import with_eras
from calculators.evidence.families import PHASES, family_of
from calculators.evidence.measured import measured
from calculators.specs import Catalog

SCORED = ("A", "B")
LEFT_OUT = {"card": "gpu", "model": "model", "unseen": "source_group"}
LEFT_OUT_ITERATIONS = 3
SUPPORT_ROWS = 2  # of class and phase that must remain when a card or model is left out


@dataclass(frozen=True)
class Calibration:
    """Fitted constants by engine id, ready to be written, and the errors behind them."""

    engines: dict[str, dict[str, Any]]
    errors: pd.DataFrame  # family, source: rows, error when fitted and with each of LEFT_OUT
    n_rows: int
    left_out: pd.DataFrame  # id of each row: predicted / published with each of LEFT_OUT


def refit(measurements: pd.DataFrame, catalog: Catalog) -> Calibration:
    """Fit all engine classes, and again with each card, each model and each source left out.

    Parameters
    ----------
    measurements : the columns of `measured`, with `quality` and `source_group`; only grades A and
        B count
    catalog : cards, models and engines

    Returns
    -------
    Calibration

    Notes
    -----
    Bands come from left-out residuals only: the larger of what a new card and what a new model
    cost. A class with fewer than eight such rows takes the band of all classes together; for a
    class without any, what a source that nobody has seen costs counts as well.

    Examples
    --------
    `python -m app refit` writes the result to catalogs/calibration.yaml.
    """
    scored = measurements[measurements.quality.isin(SCORED) & (measurements.value > 0)]
    scored = scored.reset_index(drop=True)
    rows = measured(scored, with_eras(catalog))
    group = scored.source_group.to_numpy(str)[rows.kept]
    fit = problem(rows, group)
    theta = fitted(fit)
    left_out = left_out_residuals(fit, theta, scored.iloc[rows.kept])
    frame = residual_frame(fit, theta, left_out, group)
    return Calibration(
        engines=engine_entries(fit, theta, frame, catalog),
        errors=error_table(frame),
        n_rows=len(frame),
        left_out=left_out_table(scored.iloc[rows.kept], frame),
    )


def left_out_residuals(
    fit: Problem, theta: np.ndarray, table: pd.DataFrame
) -> dict[str, np.ndarray]:
    """Residual of each row when its card, its model or its source was left out of the fit.

    Parameters
    ----------
    fit : Problem
    theta : parameters fitted to all rows, where each fit starts
    table : the kept rows, with columns gpu, model and source_group

    Returns
    -------
    dict of array: "card", "model" and "unseen" (the source); the first two are nan where nothing
    of the row's class and phase remained, which "unseen" measures instead

    Examples
    --------
    See `refit`.
    """
    families = family_of(fit.rows.columns["scenario"], fit.rows.columns["metric"])
    known = zip(eras_of(fit.rows), families, strict=True)
    kinds = np.array([f"{era}/{PHASES[family]}" for era, family in known])
    found = {}
    for label, column in LEFT_OUT.items():
        names = table[column].to_numpy(str)
        result = np.full(len(names), np.nan)
        for name in dict.fromkeys(names):
            out = names == name
            again = fitted(fit, used=~out, start=theta, n_iterations=LEFT_OUT_ITERATIONS)
            result[out] = residuals(fit, again)[out]
        alone = n_remaining(kinds, names) < SUPPORT_ROWS
        found[label] = result if label == "unseen" else np.where(alone, np.nan, result)
    return found


def n_remaining(kinds: np.ndarray, names: np.ndarray) -> np.ndarray:
    """Rows of each row's kind that remain when its name is left out.

    Examples
    --------
    >>> n_remaining(np.array(["a", "a", "b"]), np.array(["x", "y", "x"])).tolist()
    [1, 1, 0]
    """
    of_kind = pd.Series(kinds).map(pd.Series(kinds).value_counts())
    pairs = pd.Series(list(zip(kinds, names, strict=True)))
    return (of_kind - pairs.map(pairs.value_counts())).to_numpy()


def residual_frame(
    fit: Problem, theta: np.ndarray, left_out: dict[str, np.ndarray], group: np.ndarray
) -> pd.DataFrame:
    """Family, source, class and log errors of each row.

    Examples
    --------
    See `refit`.
    """
    return pd.DataFrame(
        {
            "family": family_of(fit.rows.columns["scenario"], fit.rows.columns["metric"]),
            "source": group,
            "era": eras_of(fit.rows),
            "fitted": residuals(fit, theta),
        }
        | left_out
    )


def left_out_table(table: pd.DataFrame, frame: pd.DataFrame) -> pd.DataFrame:
    """Predicted / published of each row when its card, its model and its source was left out.

    Parameters
    ----------
    table : the kept rows, with a column id
    frame : log errors of the same rows

    Returns
    -------
    DataFrame of id, card, model and unseen; nan where nothing of the row's class remained

    Examples
    --------
    >>> table = pd.DataFrame({"id": ["a"]})
    >>> logs = pd.DataFrame({"card": [0.1], "model": [-0.2], "unseen": [0.0]})
    >>> left_out_table(table, logs).round(3).to_dict("records")
    [{'id': 'a', 'card': 1.105, 'model': 0.819, 'unseen': 1.0}]
    """
    ids = table["id"].to_numpy() if "id" in table else np.arange(len(table)).astype(str)
    return pd.DataFrame({"id": ids} | {label: np.exp(frame[label]) for label in LEFT_OUT})


def error_table(frame: pd.DataFrame) -> pd.DataFrame:
    """Median absolute error by family and source: fitted, and with each of LEFT_OUT left out.

    Examples
    --------
    >>> frame = pd.DataFrame({"family": ["tpot"], "source": ["a"], "era": ["vllm"],
    ...                       "fitted": [0.0], "card": [0.1], "model": [-0.1], "unseen": [0.2]})
    >>> error_table(frame).round(3).to_dict("records")[0]["card"]
    0.105
    """
    errors = frame[["fitted", *LEFT_OUT]].apply(lambda column: np.exp(column) - 1).abs()
    keyed = errors.assign(family=frame.family, source=frame.source)
    table = keyed.groupby(["family", "source"]).median()
    return table.assign(n_rows=keyed.groupby(["family", "source"]).size()).reset_index()
