"""What the Accuracy page says of predictions: metrics, families, worst rows."""

from __future__ import annotations

import numpy as np
import pandas as pd

from app.accuracy_names import FAMILY_NAMES, error_percent, far_words, lean
from app.formatting import counted, number, percent
from app.ui import Metric
from calculators.evidence.accuracy import scored_only, summarise

LEFT_OUT = {
    "card": "the card of the row",
    "model": "the model of the row",
    "unseen": "the source of the row",
}
LEFT_OUT_NOTE = (
    "Each row is predicted by a fit that never saw its card, its model or its source: the error to "
    "expect of hardware and models that nobody has published yet. Rows of a card or model without "
    "which nothing of their engine would remain count under their source only. Other pages use a "
    "fit to all rows, and show the band of these errors."
)
N_WORST = 12


def accuracy_metrics(rows: pd.DataFrame, what: str) -> list[Metric]:
    """Error, shares and the reference arithmetic's error of the rows that count."""
    line = summarise(rows).iloc[-1]
    return [
        Metric(
            "Median error",
            percent(line.median_abs_error_frac),
            f"{what} left out of the fit" if what in LEFT_OUT.values() else what,
            "calibrated",
        ),
        Metric("Within 25 %", percent(line.within_25_frac), f"of {counted(line.n_rows, 'row')}"),
        Metric("Within a factor of two", percent(line.within_2x_frac), ""),
        Metric(
            "Reference arithmetic",
            error_percent(line.bound_error_frac),
            "median error of the usual estimate on the same rows. "
            + far_words(line.bound_error_frac),
            "bound",
        ),
    ]


def family_rows(rows: pd.DataFrame) -> list[dict[str, object]]:
    """One line for each family of measurements."""
    return [
        {
            "Figure": FAMILY_NAMES[line.family],
            "Rows": f"{line.n_rows:,}",
            "Median error": percent(line.median_abs_error_frac),
            "Tends to be": lean(line.bias_frac),
            "Within 25 %": percent(line.within_25_frac),
            "Within 2x": percent(line.within_2x_frac),
            "Reference arithmetic": error_percent(line.bound_error_frac),
        }
        for line in summarise(rows).itertuples()
    ]


def worst_rows(rows: pd.DataFrame) -> list[dict[str, object]]:
    """The rows that are furthest off, with what is known of why."""
    counted = scored_only(rows)
    far = counted.assign(far=np.abs(np.log(counted["ratio"].astype(float))))
    return [
        {
            "Engine": r.engine,
            "Model": r.model,
            "Card": r.gpu,
            "Figure": FAMILY_NAMES[r.family],
            "Published": number(r.value),
            "Predicted": number(r.predicted),
            "Ratio": f"{r.ratio:.2f}",
            "Why": r.causes or "not explained: kernels, release or settings of that run",
        }
        for r in far.nlargest(N_WORST, "far").itertuples()
    ]
