"""The published measurement that is nearest to a scenario, and how near it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from calculators.evidence.row_text import engine_of
from calculators.plan import Plan
from calculators.wording import number

Array = NDArray[np.float64]
Rate = Literal["each", "replica"]

SCORED = ("A", "B")
SHORTEST_INPUT_TOK = 32.0  # prompts of no length stand for one this short
UNKNOWN_FACTOR = 2.0  # how far a figure that is not given may lie
OTHER_MODEL_FACTOR, OTHER_CARD_FACTOR, OTHER_ENGINE_FACTOR = 1.05, 1.1, 1.15
# How much a ratio in each setting counts, by its effect on the speed.
WEIGHTS = {
    "active_params": 1.0,
    "total_params": 0.3,
    "bandwidth_bytes_s": 1.0,
    "bits": 0.7,
    "batch": 0.8,
    "input_tok": 0.4,
    "output_tok": 0.2,
}
SAID_FACTOR = 1.05  # smaller differences are not named
_SAID = {
    "active_params": ("billion active parameters", 1e9),
    "bits": ("bits", 1.0),
    "batch": ("batch", 1.0),
    "input_tok": ("input tokens", 1.0),
    "output_tok": ("output tokens", 1.0),
}


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A published measurement: its setting, what it says, and what the model says of it."""

    id: str
    source_group: str
    setting: str
    tok_s: float  # of one user, or of a replica
    predicted_tok_s: float  # by the step model, for the measurement's own setting
    distance_factor: float  # 1 is the same setting
    differences: tuple[str, ...]

    @property
    def error_factor(self) -> float:
        """Measured over predicted: what the model is off by in this setting."""
        return self.tok_s / self.predicted_tok_s


def nearest(scored: pd.DataFrame, plan: Plan, rate: Rate, *, most: int = 3) -> list[Neighbour]:
    """Measurements of the speed of one user, or of a replica, nearest first.

    distance = exp(sum of weight x |ln(measured setting / the scenario's)|)

    Parameters
    ----------
    scored : DataFrame of `calculators.evidence.accuracy.score_rows`
    plan : Plan that holds at least one sequence
    rate : "each" (output tokens a second of one user) or "replica" (of one whole replica)
    most : int

    Returns
    -------
    list of Neighbour, one for each model, card and source at most

    Notes
    -----
    Settings compared: active and all parameters, bandwidth of the replica's cards, bits, batch
    and lengths; another model, card or engine counts a little more, what is not given as twofold.
    Grades A and B alone. Basis: measured.

    Examples
    --------
    The page Second opinion shows the result.
    """
    own = own_setting(plan)
    rows = _with_settings(_rates(scored[scored["quality"].isin(SCORED)], rate), plan)
    rows = rows[np.isfinite(rows["tok_s"]) & np.isfinite(rows["predicted_tok_s"])]
    if rows.empty or not plan.calibrated.batch:
        return []
    far = distance_factors(rows, own)
    far *= np.where(rows["model_id"] == plan.deployment.model.id, 1.0, OTHER_MODEL_FACTOR)
    far *= np.where(rows["gpu_id"] == plan.deployment.accelerator.id, 1.0, OTHER_CARD_FACTOR)
    far *= np.where(rows["engine_id"] == plan.deployment.engine.id, 1.0, OTHER_ENGINE_FACTOR)
    ranked = rows.assign(distance=far).sort_values("distance", kind="stable")
    ranked = ranked.drop_duplicates(["model", "gpu", "source_group"]).head(most)
    return [_neighbour(row, own, plan) for row in ranked.to_dict("records")]


def distance_factors(
    settings: Mapping[str, ArrayLike] | pd.DataFrame, own: Mapping[str, float]
) -> Array:
    """How far settings lie from one's own: 1 where all are the same.

    exp(sum of weight x |ln(setting / own)|); what is nan counts as a factor of two

    Parameters
    ----------
    settings : arrays (n,) by the names of WEIGHTS, or a table with these columns
    own : numbers by the same names, > 0

    Returns
    -------
    array (n,), >= 1

    Examples
    --------
    >>> own = dict.fromkeys(WEIGHTS, 1.0)
    >>> settings = {name: np.array([1.0, 1.0]) for name in WEIGHTS}
    >>> settings["active_params"] = np.array([1.0, 0.5])
    >>> distance_factors(settings, own).round(6).tolist()
    [1.0, 2.0]
    """
    logs = [
        weight * np.abs(np.log(np.asarray(settings[name], float) / own[name]))
        for name, weight in WEIGHTS.items()
    ]
    unknown = [weight * np.log(UNKNOWN_FACTOR) for weight in WEIGHTS.values()]
    given = [np.where(np.isfinite(log), log, most) for log, most in zip(logs, unknown, strict=True)]
    return np.exp(np.sum(given, axis=0))


def own_setting(plan: Plan) -> dict[str, float]:
    """The scenario's own setting, by the names of WEIGHTS."""
    d, scenario = plan.deployment, plan.scenario
    return {
        "active_params": float(d.model.active_params),
        "total_params": float(d.model.total_params),
        "bandwidth_bytes_s": d.accelerator.bandwidth_bytes_s * d.parallelism.n_cards,
        "bits": d.weights.bits,
        "batch": float(max(plan.calibrated.batch, 1)),
        "input_tok": max(float(scenario.input_tok), SHORTEST_INPUT_TOK),
        "output_tok": float(scenario.output_tok),
    }


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


def _with_settings(rows: pd.DataFrame, plan: Plan) -> pd.DataFrame:
    """The rows with a column for each name of WEIGHTS (nan where not given), card and engine."""
    catalog = plan.catalog
    found = {n: catalog.find("models", str(n)) for n in set(rows["model"])}
    models = {n: catalog.models[id_] for n, id_ in found.items() if id_}
    cards = {n: catalog.find("accelerators", str(n)) for n in set(rows["gpu"])}
    bandwidth = {n: catalog.accelerators[id_].bandwidth_bytes_s for n, id_ in cards.items() if id_}
    vendor = plan.deployment.accelerator.vendor
    engines = {n: engine_of(catalog, str(n), vendor) for n in set(rows["engine"])}
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
        engine_id=rows["engine"].map({n: e.id for n, e in engines.items() if e is not None}),
    )


def _neighbour(row: dict[str, Any], own: dict[str, float], plan: Plan) -> Neighbour:
    return Neighbour(
        id=str(row["id"]),
        source_group=str(row["source_group"]),
        setting=_setting(row),
        tok_s=float(row["tok_s"]),
        predicted_tok_s=float(row["predicted_tok_s"]),
        distance_factor=float(row["distance"]),
        differences=tuple(_differences(row, own, plan)),
    )


def _setting(row: dict[str, Any]) -> str:
    """The measurement's setting in words."""
    batch = "as many at once as fit" if np.isnan(row["batch"]) else f"batch {row['batch']:g}"
    lengths = f"{_tokens(row['input_tokens'])} in, {_tokens(row['output_tokens'])} out"
    return (
        f"{row['model']} at {row['weight_bits']:g} bits on {row['n_cards']:g} x {row['gpu']}, "
        f"{row['engine']}, {batch}, {lengths}"
    )


def _tokens(value: float) -> str:
    return "unknown" if np.isnan(value) else f"{value:,.0f}"


def _differences(row: dict[str, Any], own: dict[str, float], plan: Plan) -> Iterator[str]:
    """What is not as in the scenario, in words."""
    card, engine = plan.deployment.accelerator, plan.deployment.engine
    n_cards = plan.deployment.parallelism.n_cards
    if row["gpu_id"] != card.id or row["n_cards"] != n_cards:
        yield f"{row['n_cards']:g} x {row['gpu']} instead of {n_cards} x {card.name}"
    if row["engine_id"] != engine.id:
        yield f"{row['engine']} instead of {engine.name}"
    for name, (words, unit) in _SAID.items():
        there, here = row[name], own[name]
        if np.isnan(there):
            yield f"{words} not given"
        elif max(there / here, here / there) > SAID_FACTOR:
            yield f"{words}: {number(there / unit)} instead of {number(here / unit)}"
