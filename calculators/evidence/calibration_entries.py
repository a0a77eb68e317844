"""Fitted parameters as entries of the catalog: constants, factors, older releases, bands."""

from __future__ import annotations

from math import exp
from typing import Any

import numpy as np
import pandas as pd

from calculators.evidence.calibration_problem import Problem
from calculators.evidence.calibration_terms import CLASS_TRAITS, ERAS, STRUCTURE, TERMS
from calculators.specs import Catalog

CENTRAL_FRAC = 0.68
FEWEST_ROWS = 8  # for a band of a class of its own
DIGITS = 4


def engine_entries(
    fit: Problem, theta: np.ndarray, frame: pd.DataFrame, catalog: Catalog
) -> dict[str, dict[str, Any]]:
    """Entry of each engine of the catalog: constants, older releases, bands, provenance.

    Examples
    --------
    See `refit`.
    """
    value = dict(zip(fit.names, theta, strict=True))
    measured, unseen = bands(frame), bands(frame, ("card", "model", "unseen"))
    eras = set(frame.era)
    return {
        engine: _entry(engine, value, frame, measured if engine in eras else unseen)
        for engine in catalog.engines
    }


def _entry(
    engine: str, value: dict[tuple, float], frame: pd.DataFrame, overall: list[dict[str, Any]]
) -> dict[str, Any]:
    own = frame[frame.era == engine]
    known = {band["metric"]: band for band in bands(own) if band["n_rows"] >= FEWEST_ROWS}
    entry: dict[str, Any] = {
        "speed": constants_of(engine, engine, value),
        "bands": [known.get(band["metric"], band) for band in overall],
        "n_rows": len(own),
        "provenance": (
            f"Fitted to {len(own)} of {len(frame)} published measurements "
            "(catalogs/measurements); what a class does not show itself it shares with all. "
            "Bands: rows of cards and models that were left out; of sources too, where the class "
            "has none."
        ),
    }
    older = [
        {"before": bound, "speed": constants_of(engine, f"{engine} before {era[0]}", value)}
        for era in ERAS.get(engine, ())
        for bound in era
    ]
    return entry | ({"older_speed": older} if older else {})


def constants_of(engine: str, era: str, value: dict[tuple, float]) -> dict[str, Any]:
    """SpeedConstants of a class as a plain dict, in the units of their names.

    Parameters
    ----------
    engine : id
    era : class of the fit, such as "vllm before 0.8"
    value : log parameters by (constant, class, trait)

    Returns
    -------
    dict

    Examples
    --------
    >>> value = {(name, "", ""): term.log_first for name, term in TERMS.items()}
    >>> value |= {(n, "", t): p for n, term in TERMS.items() for t, (p, _) in term.traits.items()}
    >>> constants_of("vllm", "vllm", value)["bandwidth_eff_frac"]
    0.75
    """
    speed: dict[str, Any] = dict(STRUCTURE.get(engine, {}))
    factors: dict[str, dict[str, float]] = {}
    for name, term in TERMS.items():
        if term.only and engine not in term.only:
            continue
        base = exp(value[name, "", ""] + value.get((name, era, ""), 0.0)) / term.unit
        speed[name] = _digits(_base(name, base))
        own = [trait for e, n, trait in CLASS_TRAITS if (e, n) == (engine, name)]
        effects = {
            trait: _digits(
                exp(value.get((name, "", trait), 0.0) + value.get((name, engine, trait), 0.0))
            )
            for trait in (*term.traits, *(t for t in own if t not in term.traits))
        }
        effects = {trait: factor for trait, factor in effects.items() if factor != 1.0}
        if effects:
            factors[name] = effects
    return speed | {"factors": factors}


def _base(name: str, value: float) -> float:
    if name == "overlap_exponent":
        return 1.0 + value
    return min(value, 1.0) if name == "split_gain" else value


def _digits(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")


def bands(
    frame: pd.DataFrame, left_out: tuple[str, ...] = ("card", "model")
) -> list[dict[str, Any]]:
    """Spread of left-out residuals by family: median error and half of the central 68 %.

    Parameters
    ----------
    frame : columns family, card, model, unseen (log errors; nan where nothing remained)
    left_out : of these columns, those whose largest spread counts

    Returns
    -------
    list of dict with metric, n_rows, median_abs_error_frac, band_frac

    Examples
    --------
    >>> frame = pd.DataFrame({"family": ["tpot"] * 3, "card": [-0.2, 0.0, 0.2], "model": [0.0] * 3})
    >>> bands(frame)[0]["metric"], bands(frame)[0]["n_rows"]
    ('tpot', 3)
    """
    found = []
    for family, part in frame.groupby("family"):
        spreads = [_spread(part[column].dropna().to_numpy()) for column in left_out]
        known = [spread for spread in spreads if spread[0]]
        if known:
            found.append(
                {
                    "metric": str(family),
                    "n_rows": max(n for n, *_ in known),
                    "median_abs_error_frac": _digits(max(median for _, median, _ in known)),
                    "band_frac": _digits(max(half for *_, half in known)),
                }
            )
    return found


def _spread(log_errors: np.ndarray) -> tuple[int, float, float]:
    if not len(log_errors):
        return 0, 0.0, 0.0
    sizes = np.abs(np.exp(log_errors) - 1)
    return len(sizes), float(np.median(sizes)), float(np.quantile(sizes, CENTRAL_FRAC))
