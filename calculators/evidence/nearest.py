"""The published measurement that is nearest to a scenario, and how near it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from calculators.evidence.comparable import SHORTEST_INPUT_TOK
from calculators.plan import Plan
from calculators.wording import number

Array = NDArray[np.float64]
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
_LOOKED_AT = 300  # nearest rows, of which one a source is kept
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


def nearest(rows: pd.DataFrame, plan: Plan, *, most: int = 3) -> list[Neighbour]:
    """Measurements near a scenario, nearest first.

    distance = exp(sum of weight x |ln(measured setting / the scenario's)|)

    Parameters
    ----------
    rows : DataFrame of `calculators.evidence.comparable.comparable`
    plan : Plan
    most : int

    Returns
    -------
    list of Neighbour, one for each model, card and source; empty where nothing fits

    Notes
    -----
    Settings compared: active and all parameters, bandwidth of the replica's cards, bits, batch
    and lengths; another model, card or engine counts a little more, what is not given as twofold.
    Basis: measured.

    Examples
    --------
    The page Second opinion shows the result.
    """
    if rows.empty or not plan.calibrated.batch:
        return []
    d, own = plan.deployment, own_setting(plan)
    far = distance_factors(rows, own)
    far *= np.where(rows["model_id"] == d.model.id, 1.0, OTHER_MODEL_FACTOR)
    far *= np.where(rows["gpu_id"] == d.accelerator.id, 1.0, OTHER_CARD_FACTOR)
    far *= np.where(rows["engine_id"] == d.engine.id, 1.0, OTHER_ENGINE_FACTOR)
    first = np.argsort(far, kind="stable")[:_LOOKED_AT]
    ranked = rows.iloc[first].assign(distance=far[first])
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
