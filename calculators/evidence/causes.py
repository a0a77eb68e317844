"""Why a prediction may be far off: what was assumed, and what a row hinges on."""

from __future__ import annotations

from calculators.evidence.families import family_of
from calculators.evidence.measured import Measured

FULL_FRAC = 0.85  # weights of a card's memory
FEW_ROWS = 20


def causes(rows: Measured, n_rows: int) -> list[str]:
    """What makes each row of a table hard to predict, in words; empty where nothing does.

    Parameters
    ----------
    rows : measurements, read
    n_rows : rows of the table, skipped ones included

    Returns
    -------
    list of str, one for each row of the table

    Examples
    --------
    `score_rows` puts them into the column `causes`.
    """
    found = [""] * n_rows
    families = family_of(rows.columns["scenario"], rows.columns["metric"])
    full = rows.card_weight_bytes > FULL_FRAC * rows.card_memory_bytes
    for position, i in enumerate(rows.kept):
        row = rows.rows[i]
        assert row.priced is not None
        engine = row.priced.deployment.engine
        lines = [f"assumed: {', '.join(row.assumed)}"] if row.assumed else []
        if full[position]:
            lines.append("weights fill the card: a few sequences more or less decide")
        if families[position] == "ttft_load":
            lines.append("under load it depends on when the requests start")
        if (engine.n_rows or 0) < FEW_ROWS:
            lines.append(f"few measurements of {engine.name}")
        if row.priced.era != engine.id:
            lines.append(f"an older release ({row.priced.era})")
        found[i] = "; ".join(lines)
    return found
