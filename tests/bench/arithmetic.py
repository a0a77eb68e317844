"""How long plans and grids take, without a server."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import numpy as np

from calculators.cost.bills import bills
from calculators.cost.unit_curves import unit_curves
from calculators.evidence.sensitivity import monte_carlo
from calculators.link import from_query, to_query
from calculators.options import options
from calculators.plan import plan
from calculators.scenario import Scenario
from catalogs.loader import load_catalog

Row = tuple[str, float, str, float | None]  # what, value, unit, target


def best_s(run: Callable[[], object], *, repeats: int = 7, number: int = 1) -> float:
    """The shortest of some repeats [s]: what the machine can do when it is left alone."""
    durations = []
    for _ in range(repeats):
        begun = time.perf_counter()
        for _ in range(number):
            run()
        durations.append((time.perf_counter() - begun) / number)
    return min(durations)


def rows() -> Iterator[Row]:
    """One row a measurement."""
    catalog = load_catalog()
    scenario = Scenario()
    known = plan(scenario, catalog)
    link = to_query(scenario, pinned=True)
    yield "plan of a scenario", best_s(lambda: plan(scenario, catalog), number=50) * 1e3, "ms", 1.0
    yield (
        "reading a pinned link",
        best_s(lambda: from_query(link, catalog), number=50) * 1e3,
        "ms",
        1.0,
    )
    demand = np.geomspace(1, 1e5, 1000)[:, None]
    rent = np.geomspace(100, 1e5, 1000)[None, :]
    grid = known.money.with_(demand_mtok_month=demand, card_usd_month=rent)
    yield "both bills, a million cells", best_s(lambda: bills(grid), repeats=3), "s", 0.3
    batch = np.arange(1, 1_000_001)
    yield (
        "unit cost with the step model, a million batches",
        best_s(lambda: unit_curves(known, batch), repeats=3),
        "s",
        0.3,
    )
    draw = best_s(lambda: monte_carlo(known.money, known.spreads, seed=0))
    yield "chance that the answer flips, 10,000 draws", draw * 1e3, "ms", None
    yield (
        "all configurations, ranked",
        best_s(lambda: options(scenario, catalog), repeats=2),
        "s",
        None,
    )
