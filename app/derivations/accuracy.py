"""The Accuracy page's figures: how far predictions lie from what others published."""

from __future__ import annotations

import numpy as np
import pandas as pd

from app.accuracy_names import FAMILY_NAMES, GROUP_NAMES, error_percent, far_words
from app.derivations.derivation import Derivation, derived
from app.derivations.derivation import amount as a
from app.derivations.middle import median_of_shares
from app.figures.accuracy import MOST_BARS
from app.formatting import counted, number, percent
from calculators.evidence.accuracy import NEAR, WITHIN_TWO, score_rows, scored_only, summarise

MEASUREMENT = "Measurement"
N_WORST = 12


def median_error(rows: pd.DataFrame) -> Derivation:
    """The row in the middle, when all are sorted by their error."""
    counted = scored_only(rows)
    errors = np.abs(counted["ratio"].astype(float) - 1).to_numpy()
    return derived(
        "Median error",
        f"Each of the {len(errors):,} rows: predicted over published, less 1, without its sign. "
        "Sorted, the middle one; half of the rows err less, half more.",
        median_of_shares(errors, percent),
        "calibrated",
        summarise,
        (MEASUREMENT,),
    )


def shares(rows: pd.DataFrame) -> tuple[Derivation, ...]:
    """Rows within 25 %, within a factor of two, and the reference arithmetic's error."""
    counted = scored_only(rows)
    ratio = counted["ratio"].astype(float).to_numpy()
    near = int((np.abs(ratio - 1) <= NEAR).sum())
    two = int(((ratio >= 1 / WITHIN_TWO) & (ratio <= WITHIN_TWO)).sum())
    n = len(ratio)
    line = summarise(rows).iloc[-1]
    return (
        derived(
            "Within 25 %",
            "Rows whose prediction is at most 25 % too high or too low, over all rows.",
            f"{near:,} / {n:,} = {percent(line.within_25_frac)}",
            "calibrated",
            summarise,
            (MEASUREMENT,),
        ),
        derived(
            "Within a factor of two",
            "Rows predicted between half and twice of what was published, over all rows.",
            f"{two:,} / {n:,} = {percent(line.within_2x_frac)}",
            "calibrated",
            summarise,
            (MEASUREMENT,),
        ),
        derived(
            "Reference arithmetic",
            "The same middle error for the usual estimate, which counts weights alone at 0.7 of "
            "the data sheet's peak: predicted by it over published, less 1, without its sign. "
            f"{far_words(line.bound_error_frac)}",
            median_of_shares(_bound_errors(counted), error_percent),
            "bound",
            score_rows,
            (MEASUREMENT,),
            known=line.bound_error_frac,
        ),
    )


def _bound_errors(rows: pd.DataFrame) -> pd.Series:
    return np.abs(rows["bound"].astype(float) / rows["value"].astype(float) - 1)


def tables(rows: pd.DataFrame, by: str) -> tuple[Derivation, ...]:
    """The lines of both tables and the bars of the second chart."""
    far = (
        scored_only(rows)
        .assign(far=lambda t: np.abs(np.log(t["ratio"].astype(float))))
        .nlargest(N_WORST, "far")
    )
    return (
        derived(
            "Table: by figure",
            "The same shares for each kind of figure.",
            "\n".join(_share_lines(rows)),
            "calibrated",
            summarise,
            (MEASUREMENT,),
        ),
        derived(
            f"Chart: errors by {GROUP_NAMES[by].lower()}",
            "The same median for the rows of each group; the first chart shows every row, and a "
            "point on the diagonal is predicted exactly.",
            "\n".join(_group_lines(rows, by)),
            "calibrated",
            summarise,
            (MEASUREMENT,),
        ),
        derived(
            "Table: the rows that are furthest off",
            "What was predicted over what was published.",
            "\n".join(
                f"{r.engine}, {r.model}, {r.gpu}: {a(r.predicted)} / {a(r.value)} = {r.ratio:.2f}"
                for r in far.itertuples()
            ),
            "calibrated",
            score_rows,
            (MEASUREMENT,),
        ),
    )


def _share_lines(rows: pd.DataFrame) -> list[str]:
    lines = []
    for line in summarise(rows).itertuples():
        near = round(line.within_25_frac * line.n_rows)
        lines.append(
            f"{FAMILY_NAMES[line.family]}, within 25 %: {near:,} / {line.n_rows:,} = "
            f"{percent(line.within_25_frac)}"
        )
        two = round(line.within_2x_frac * line.n_rows)
        lines.append(
            f"{FAMILY_NAMES[line.family]}, within 2x: {number(two, 6)} / {line.n_rows:,} = "
            f"{percent(line.within_2x_frac)}"
        )
    return lines


def _group_lines(rows: pd.DataFrame, by: str) -> list[str]:
    """Both marks of each group of the chart, the groups with most rows first."""
    scored = scored_only(rows)
    names = scored[by].fillna("").astype(str)
    lines = []
    for name in names.value_counts().index[:MOST_BARS]:
        group = scored[names == name]
        errors = np.abs(group["ratio"].astype(float) - 1)
        usual = _bound_errors(group)
        lines.append(
            f"{name}, {counted(len(group), 'row')}, calibrated: "
            f"{median_of_shares(errors, error_percent)}"
        )
        if usual.notna().any():
            lines.append(f"{name}, reference arithmetic: {median_of_shares(usual, error_percent)}")
    return lines
