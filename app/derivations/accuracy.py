"""The Accuracy page's figures: how far predictions lie from what others published."""

from __future__ import annotations

import numpy as np
import pandas as pd

from app.accuracy_names import FAMILY_NAMES, GROUP_NAMES
from app.derivations.derivation import Derivation, derived
from app.derivations.derivation import amount as a
from app.formatting import number, percent
from calculators.evidence.accuracy import NEAR, WITHIN_TWO, score_rows, scored_only, summarise
from calculators.evidence.refit import refit

MEASUREMENT = "Measurement"
N_WORST = 12


def median_error(rows: pd.DataFrame) -> Derivation:
    """The row in the middle, when all are sorted by their error."""
    counted = scored_only(rows)
    errors = np.sort(np.abs(counted["ratio"].astype(float) - 1).to_numpy())
    n, middle = len(errors), errors[(len(errors) - 1) // 2 : len(errors) // 2 + 1]
    parts = " + ".join(a(100 * e, 6) + " %" for e in middle)
    text = f"({parts}) / {len(middle)}" if len(middle) > 1 else parts
    return derived(
        "Median error",
        f"Each of the {n:,} rows: predicted over published, less 1, without its sign. Sorted, the "
        "middle one; half of the rows err less, half more.",
        f"{text} = {percent(float(np.median(errors)))}",
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
        Derivation(
            "Reference arithmetic",
            "The median error of the usual estimate on the same rows, which counts weights alone "
            f"at 0.7 of the data sheet's peak: {percent(line.bound_error_frac)}.",
            "",
            "bound",
            score_rows,
            (MEASUREMENT,),
        ),
    )


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
        Derivation(
            f"Chart: errors by {GROUP_NAMES[by].lower()}",
            "The same median for the rows of each group; the first chart shows every row, and a "
            "point on the diagonal is predicted exactly.",
            "",
            "calibrated",
            refit,
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
