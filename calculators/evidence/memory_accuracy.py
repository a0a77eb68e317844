"""Memory figures that engines printed, against what the rules predict."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from calculators.evidence.memory_prediction import attention_kind, predict
from calculators.evidence.memory_settings import UnknownSetting, read_row
from calculators.specs import Catalog


def score_memory_rows(rows: pd.DataFrame, catalog: Catalog) -> pd.DataFrame:
    """Predict each printed memory figure and compare.

    ratio = predicted / value, empty where value is 0

    Parameters
    ----------
    rows : DataFrame
        Columns engine, version, model, weight_format, kv_dtype, gpu, gpu_mem_gib_total, n_gpus,
        tp, gpu_mem_util, max_model_len, printed_quantity, value, ctx_or_notes.
    catalog : Catalog
        Models, formats, cards and engines.

    Returns
    -------
    DataFrame
        The rows with `predicted` (in the row's own unit), `ratio`, `basis` ("bound" for pure
        arithmetic, "calibrated" where an engine's rule enters, with what was assumed), `skipped`
        (why there is no prediction) and `attention` (kinds of the model's layers).

    Raises
    ------
    ValueError
        If a column that names the figure is missing.

    Notes
    -----
    Basis: calibrated. No row is known by its name: settings come from the columns and notes.

    References
    ----------
    As `calculators.fit.engine_memory`.

    Examples
    --------
    `python -m app fit FILE.csv` prints the summary.
    """
    missing = [name for name in ("model", "printed_quantity", "value") if name not in rows]
    if missing:
        raise ValueError(f"column {missing[0]} is missing; the file has {', '.join(rows.columns)}")
    scored = [score_row(row, catalog) for row in rows.to_dict("records")]
    names = ["predicted", "ratio", "basis", "skipped", "attention"]
    return rows.assign(**pd.DataFrame(scored, columns=names, index=rows.index))


def score_row(row: Mapping[Any, Any], catalog: Catalog) -> dict[str, Any]:
    """Predicted, ratio, basis, skipped and attention of one row; see `score_memory_rows`."""
    result: dict[str, Any] = dict.fromkeys(("predicted", "ratio"))
    result |= {"basis": "", "skipped": "", "attention": ""}
    try:
        printed = read_row(row, catalog)
        result["attention"] = attention_kind(printed)
        predicted, basis = predict(str(row["printed_quantity"]).strip(), printed, row, catalog)
    except UnknownSetting as reason:
        return result | {"skipped": str(reason)}
    value = pd.to_numeric(row["value"], errors="coerce")
    ratio = predicted / value if value else None
    return result | {"predicted": predicted, "ratio": ratio, "basis": basis}


def summarise_memory(scored: pd.DataFrame) -> pd.DataFrame:
    """Errors by figure and kind of attention.

    error = |ratio - 1|; for yes-or-no figures, the share that is right

    Parameters
    ----------
    scored : DataFrame
        What `score_memory_rows` returned.

    Returns
    -------
    DataFrame
        Columns quantity, attention ("all" first), n, median_ratio, median_error, p90_error,
        right, skipped; rows whose settings were assumed are not counted in n.

    Notes
    -----
    Basis: measured.

    References
    ----------
    Definition.

    Examples
    --------
    `python -m app fit FILE.csv` prints it.
    """
    stated = ~scored["basis"].str.contains("assumed")
    used = scored.assign(
        counted=scored["predicted"].notna() & stated,
    )
    table = []
    for quantity, part in used.groupby("printed_quantity", sort=True):
        table.append(_summary_row(str(quantity), "all", part))
        kinds = part[part["counted"]].groupby("attention", sort=True)
        if len(kinds) > 1:
            table += [_summary_row(str(quantity), str(kind), rows) for kind, rows in kinds]
    return pd.DataFrame(table)


def _summary_row(quantity: str, attention: str, part: pd.DataFrame) -> dict[str, Any]:
    counted = part[part["counted"]]
    error = (pd.to_numeric(counted["ratio"]) - 1).abs()
    is_yes_no = quantity.startswith("fits")
    right = (counted["predicted"] == pd.to_numeric(counted["value"])).mean() if is_yes_no else None
    return {
        "quantity": quantity,
        "attention": attention,
        "n": len(counted),
        "median_ratio": None if is_yes_no else pd.to_numeric(counted["ratio"]).median(),
        "median_error": None if is_yes_no else error.median(),
        "p90_error": None if is_yes_no else error.quantile(0.9),
        "right": right,
        "skipped": len(part) - len(counted),
    }
