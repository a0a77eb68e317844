"""Scenario and catalog to the things that are priced: a deployment and the week's demand."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calculators.cost.traffic import peak_to_mean
from calculators.cost.traffic_profiles import weekly_profile
from calculators.custom import custom_accelerator, custom_format, custom_model
from calculators.scenario import Scenario
from calculators.specs import Catalog, Deployment, Parallelism


def resolve_deployment(scenario: Scenario, catalog: Catalog) -> Deployment:
    """The replica that a scenario describes, custom numbers put over catalog entries.

    Parameters
    ----------
    scenario : Scenario whose ids the catalog holds
    catalog : Catalog

    Returns
    -------
    Deployment
    """
    base = None if scenario.model == "custom" else catalog.models[scenario.model]
    engine = catalog.engines[scenario.engine]
    return Deployment(
        model=custom_model(base, scenario, catalog.asof),
        weights=custom_format(catalog.weight_formats[scenario.weight_format], scenario),
        cache=catalog.cache_formats[scenario.cache_format],
        accelerator=custom_accelerator(catalog.accelerators[scenario.gpu], scenario),
        engine=engine,
        parallelism=parallelism(scenario.n_cards, scenario.parallel, engine.split),
    )


def parallelism(n_cards: int, choice: str, split: str) -> Parallelism:
    """How a number of cards work on one replica, by the scenario's choice and the engine's kind.

    Parameters
    ----------
    n_cards : int, cards per replica
    choice : tensor, pipeline, expert or layer
    split : the engine's own kind; an engine that splits by layer does so whatever is chosen

    Returns
    -------
    Parallelism
    """
    if n_cards == 1:
        return Parallelism()
    if split == "layer" or choice == "layer":
        return Parallelism(pp=n_cards, layer_split=True)
    if choice == "pipeline":
        return Parallelism(pp=n_cards)
    if choice == "expert":
        return Parallelism(tp=n_cards, attention_dp=True, expert_parallel=True)
    return Parallelism(tp=n_cards)


def hourly_profile(scenario: Scenario) -> tuple[NDArray[np.float64], float]:
    """The week's demand by hour (mean 1) and its peak, stretched to the scenario's `peak`.

    Parameters
    ----------
    scenario : Scenario (`profile`, `peak`)

    Returns
    -------
    array (168,), mean 1, and the peak-to-mean ratio

    Examples
    --------
    >>> hourly, peak = hourly_profile(Scenario(profile="flat"))
    >>> hourly.shape, peak
    ((168,), 1.0)
    """
    hourly = weekly_profile(scenario.profile)
    own = float(peak_to_mean(hourly))
    if scenario.peak is None or abs(scenario.peak - own) < 1e-9:
        return hourly, own
    if own == 1.0:
        return hourly, scenario.peak
    stretched = np.maximum(1 + (hourly - 1) * (scenario.peak - 1) / (own - 1), 0.0)
    return stretched / stretched.mean(), scenario.peak
