"""Published measurements turned into tokens a second, with the settings they were taken in."""

from __future__ import annotations

from typing import Literal

import numpy as np
import pandas as pd

from calculators.evidence.row_text import engine_of
from calculators.specs import Catalog

Rate = Literal["each", "replica"]

SCORED = ("A", "B")
SHORTEST_INPUT_TOK = 32.0  # prompts of no length stand for one this short


def comparable(scored: pd.DataFrame, catalog: Catalog, rate: Rate) -> pd.DataFrame:
    """The measurements that tell the speed of one user, or of a replica, with their settings.

    Parameters
    ----------
    scored : DataFrame of `calculators.evidence.accuracy.score_rows`
    catalog : cards, models and engines by their names
    rate : "each" (output tokens a second of one user) or "replica" (of one whole replica)

    Returns
    -------
    DataFrame: the rows of grades A and B with tok_s, predicted_tok_s and a column for each name
    of `calculators.evidence.nearest.WEIGHTS` (nan where not given); the same for every scenario

    Notes
    -----
    A server's time per token says nothing of the whole replica and is left out there.

    Examples
    --------
    See `calculators.evidence.nearest.nearest`.
    """
    rows = _with_settings(_rates(scored[scored["quality"].isin(SCORED)], rate), catalog)
    return rows[np.isfinite(rows["tok_s"]) & np.isfinite(rows["predicted_tok_s"])]


def _rates(rows: pd.DataFrame, rate: Rate) -> pd.DataFrame:
    """Measured and predicted tokens a second of one user or one replica; nan where not told."""
    metric, batch = rows["metric"], rows["batch_or_concurrency"]
    n_cards = rows["n_gpus"].fillna(1)
    cut = rows["scenario"].isin(["offline_throughput", "server"]) & rows["tp"].notna()
    of_replica = np.where(cut, rows["tp"].fillna(1) * rows["pp"].fillna(1), n_cards)
    n_replicas = np.maximum(n_cards / of_replica, 1.0)
    single = rows["scenario"].eq("single_stream_decode")
    columns = {}
    for name, value in (("tok_s", rows["value"]), ("predicted_tok_s", rows["predicted"])):
        total = value.where(metric.eq("output_tok_s_total")) / n_replicas
        per_user = value.where(metric.eq("output_tok_s_per_user"))
        per_user = per_user.fillna(1e3 / value.where(metric.eq("tpot_ms") & value.gt(0)))
        if rate == "each":
            together = single | rows["scenario"].eq("batched_decode")
            columns[name] = per_user.fillna((total / batch).where(together))
        else:
            columns[name] = total.fillna(per_user.where(single | batch.eq(1)))
    return rows.assign(
        **columns, n_cards=of_replica, n_batch=(batch / n_replicas).where(~single, 1.0)
    )


def _with_settings(rows: pd.DataFrame, catalog: Catalog) -> pd.DataFrame:
    """The rows with columns of settings (nan where not given), model, card and engine."""
    found = {n: catalog.find("models", str(n)) for n in set(rows["model"])}
    models = {n: catalog.models[id_] for n, id_ in found.items() if id_}
    cards = {n: catalog.find("accelerators", str(n)) for n in set(rows["gpu"])}
    bandwidth = {n: catalog.accelerators[id_].bandwidth_bytes_s for n, id_ in cards.items() if id_}
    pairs = list(zip(rows["engine"], rows["gpu"], strict=True))
    engines = {
        (name, gpu): engine_of(catalog, str(name), catalog.accelerators[id_].vendor)
        for name, gpu in set(pairs)
        if (id_ := cards[gpu])
    }
    active = rows["model"].map({n: model.active_params for n, model in models.items()})
    total = rows["model"].map({n: model.total_params for n, model in models.items()})
    return rows.assign(
        active_params=active.fillna(rows["params_b"] * 1e9),
        total_params=total.fillna(rows["params_b"] * 1e9),
        bandwidth_bytes_s=rows["gpu"].map(bandwidth) * rows["n_cards"],
        bits=rows["weight_bits"],
        batch=rows["n_batch"],
        input_tok=rows["input_tokens"].clip(lower=SHORTEST_INPUT_TOK),
        output_tok=rows["output_tokens"].where(rows["output_tokens"] > 0),
        model_id=rows["model"].map(found),
        gpu_id=rows["gpu"].map(cards),
        engine_id=[engine.id if (engine := engines.get(pair)) else None for pair in pairs],
    )
