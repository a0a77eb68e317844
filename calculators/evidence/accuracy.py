"""Predicted against published speed: every row of a table priced, and the errors summed up."""

from __future__ import annotations

import numpy as np
import pandas as pd

from calculators.evidence.causes import causes
from calculators.evidence.families import family_of
from calculators.evidence.measured import Measured, measured, numbers
from calculators.evidence.prediction import load_constants, predict, requests
from calculators.specs import Catalog
from calculators.speed.inputs import StepInputs
from calculators.speed.roofline import bound_step_s

SCORED = ("A", "B")
REFERENCE_EFF_FRAC = 0.7
NO_VALUE = "the value is blank or not above zero"
NEAR, WITHIN_TWO = 0.25, 2.0
GROUPS = ("scenario", "metric", "engine", "gpu", "source_group")


def score_rows(frame: pd.DataFrame, catalog: Catalog) -> pd.DataFrame:
    """Price every measurement of a table and compare.

    ratio = predicted / value

    Parameters
    ----------
    frame : see `calculators.evidence.measured.measured` for the columns
    catalog : cards, models, formats and engines with their constants

    Returns
    -------
    DataFrame: the table's columns, then predicted (the row's own unit, whole deployment), ratio
    (empty where value is 0 or blank), basis, bound (the reference arithmetic on the same row),
    family, assumed (defaults that stand in for blanks), skipped (why a row has no prediction),
    causes (what makes a row hard to predict)

    Raises
    ------
    ValueError
        If a required column is missing.

    Notes
    -----
    Basis `calibrated`. Grades C and D are priced, but `summarise` leaves them out.

    Examples
    --------
    `python -m app score FILE.csv --out OUT.csv`
    """
    rows = measured(frame, catalog)
    asked = requests(rows)
    predicted = np.full(len(frame), np.nan)
    bound = np.full(len(frame), np.nan)
    if len(rows.kept):
        inputs = rows.inputs
        predicted[rows.kept] = predict(rows, inputs, load_constants(rows), asked)
        bound[rows.kept] = bound_prediction(rows, inputs)
    value = numbers(frame["value"])
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(value > 0, predicted / value, np.nan)
    return frame.assign(
        predicted=predicted,
        ratio=ratio,
        basis=np.where(np.isfinite(predicted), "calibrated", ""),
        bound=bound,
        family=family_of(frame["scenario"].tolist(), frame["metric"].tolist()),
        assumed=["; ".join(row.assumed) for row in rows.rows],
        skipped=[row.skipped for row in rows.rows],
        causes=causes(rows, len(frame)) if len(rows.kept) else "",
    )


def with_left_out(scored: pd.DataFrame, ratios: pd.DataFrame, left_out: str) -> pd.DataFrame:
    """Predictions of fits that never saw a row's card, model or source, in place of the fit's own.

    predicted = ratio x value

    Parameters
    ----------
    scored : what `score_rows` returns for the measurements, with a column id
    ratios : id, and the ratio of each row with its card, its model and its source left out
    left_out : "card", "model" or "unseen" (the source)

    Returns
    -------
    DataFrame: only the rows that could be left out

    Examples
    --------
    >>> rows = pd.DataFrame({"id": ["a", "b"], "value": [2.0, 3.0], "predicted": [2.1, 3.0]})
    >>> ratios = pd.DataFrame({"id": ["a"], "card": [1.5], "model": [1.0]})
    >>> with_left_out(rows, ratios, "card").predicted.tolist()
    [3.0]
    """
    known = ratios[["id", left_out]].dropna().rename(columns={left_out: "ratio"})
    kept = scored.drop(columns=["ratio", "predicted"], errors="ignore").merge(known, on="id")
    return kept.assign(predicted=kept["ratio"] * numbers(kept["value"]))


def bound_prediction(rows: Measured, inputs: StepInputs) -> np.ndarray:
    """The reference arithmetic on the same rows: weights only, 0.7 of peak, no cache, no prefill.

    step = max(weight bytes / (byte/s x 0.7), 2 P B / (FLOP/s x 0.7)); a prompt of S tokens is a
    step of S sequences; where no batch is given, 256 sequences.

    Parameters
    ----------
    rows : measurements
    inputs : coefficients of each kept row

    Returns
    -------
    array in each row's own unit

    Examples
    --------
    See `score_rows`.
    """
    asked = requests(rows)
    single = rows.columns["scenario"] == "single_stream_decode"
    batch = np.where(asked.open_ended, np.where(single, 1.0, 256.0), np.fmax(asked.batch, 1.0))
    output_tok = np.maximum(asked.output_tok, 1.0)

    touched = 1.0 - inputs.expert_miss_frac
    weight_bytes = inputs.dense_bytes + inputs.expert_bytes * touched

    def step_s(n_tok: np.ndarray) -> np.ndarray:
        return np.asarray(
            bound_step_s(
                batch=n_tok,
                weight_bytes=weight_bytes,
                active_params=inputs.matmul_flop_tok / 2,
                peak_flop_s=inputs.flop_s,
                bandwidth_bytes_s=inputs.bandwidth_bytes_s,
                efficiency_frac=REFERENCE_EFF_FRAC,
            )
        )

    decode_s = step_s(batch)
    first_s = step_s(np.maximum(asked.input_tok, 1.0))
    output_tok_s = asked.n_replicas * batch / decode_s
    by_metric = (
        output_tok_s,
        output_tok_s * (asked.input_tok + output_tok) / output_tok,
        1.0 / decode_s,
        decode_s * 1e3,
        first_s * 1e3,
        asked.input_tok / first_s,
    )
    return np.choose(asked.metric, by_metric)


def uncounted(scored: pd.DataFrame) -> pd.Series:
    """Why each row does not count; empty where it does.

    No prediction, a run that its reader leaves out (column unscored), a grade other than A or B
    (no grade counts), or a value that is blank or not above zero.

    Parameters
    ----------
    scored : what `score_rows` returns

    Returns
    -------
    Series of texts

    Examples
    --------
    >>> rows = pd.DataFrame({"skipped": ["", "no card", ""], "ratio": [1.1, np.nan, np.nan]})
    >>> uncounted(rows).tolist()
    ['', 'no card', 'the value is blank or not above zero']
    """
    blank = pd.Series("", index=scored.index)
    own = scored["unscored"].fillna("") if "unscored" in scored else blank
    grade = (
        scored["quality"].fillna("").astype(str).str.strip().str.upper()
        if ("quality" in scored)
        else blank
    )
    of_grade = "grade " + grade + ": predicted, but never counted"
    reason = scored["skipped"].fillna("") if "skipped" in scored else blank
    reason = reason.where(reason != "", own)
    graded = (grade == "") | grade.isin(SCORED)
    reason = reason.where((reason != "") | graded, of_grade)
    return reason.where((reason != "") | np.isfinite(scored["ratio"]), NO_VALUE)


def scored_only(scored: pd.DataFrame) -> pd.DataFrame:
    """Rows that count: graded A or B, where there is a grade, with a prediction and a value."""
    return scored[uncounted(scored) == ""]


def summarise(scored: pd.DataFrame, by: str | None = None) -> pd.DataFrame:
    """Median absolute error and shares within 25 % and within a factor of two.

    error = |predicted / value - 1|

    Parameters
    ----------
    scored : what `score_rows` returns
    by : a column to group by; None for one line per family and one for all

    Returns
    -------
    DataFrame: the group, n_rows, median_abs_error_frac, bias_frac (median of ratio - 1),
    within_25_frac, within_2x_frac, bound_error_frac (the reference arithmetic on the same rows)

    Notes
    -----
    Rows of grades C and D are never counted. "Within 2x" is a ratio of 0.5 to 2.

    Examples
    --------
    >>> rows = pd.DataFrame({"ratio": [1.1, 0.9, 3.0], "value": [1, 1, 1], "bound": [2, 2, 2],
    ...                      "family": ["tpot"] * 3})
    >>> summarise(rows).round(2).to_dict("records")[0]["within_25_frac"]
    0.67
    """
    rows = scored_only(scored)
    ratio = rows["ratio"].to_numpy(dtype=float)
    value = numbers(rows["value"])
    error = np.abs(ratio - 1)
    figures = pd.DataFrame(
        {
            "error": error,
            "bias": ratio - 1,
            "near": error <= NEAR,
            "two": (ratio >= 1 / WITHIN_TWO) & (ratio <= WITHIN_TWO),
            "bound": np.abs(rows["bound"].to_numpy(dtype=float) / value - 1),
        }
    )
    if by is not None:
        return _grouped(figures, rows[by].fillna("").astype(str).to_numpy(), by)
    families = _grouped(figures, rows["family"].to_numpy(), "family")
    return pd.concat([families, _grouped(figures, np.full(len(rows), "all"), "family")])


def _grouped(figures: pd.DataFrame, key: np.ndarray, name: str) -> pd.DataFrame:
    groups = figures.groupby(pd.Series(key, name=name, dtype=object))
    return groups.agg(
        n_rows=("error", "size"),
        median_abs_error_frac=("error", "median"),
        bias_frac=("bias", "median"),
        within_25_frac=("near", "mean"),
        within_2x_frac=("two", "mean"),
        bound_error_frac=("bound", "median"),
    ).reset_index()
