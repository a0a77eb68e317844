"""Where the two bills cross: volumes, and the values of other inputs that turn the answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from calculators.cost.bills import MoneyInputs, bills

Array = NDArray[np.float64]
_MAX_STEPS = 4000


@dataclass(frozen=True, slots=True)
class Crossing:
    """A volume at which the cheaper side changes.

    `equal`: both bills are equal there; `jump`: a further replica lifts the fleet's bill over
    the API's, so that they change order without meeting. `cheaper_above` wins just above it.
    """

    demand_mtok_month: float
    usd_month: float
    kind: Literal["equal", "jump"]
    cheaper_above: Literal["self-host", "api"]


def step_volumes(inputs: MoneyInputs, *, up_to_mtok_month: float) -> Array:
    """Volumes at which the fleet's bill jumps, because a further replica is needed (or it is full).

    Parameters
    ----------
    inputs : MoneyInputs of numbers
    up_to_mtok_month : float [million tokens a month]

    Returns
    -------
    array [million tokens a month], ascending, at most 4,000 of them

    Examples
    --------
    >>> m = MoneyInputs(demand_mtok_month=0, request_tok=1e6, capacity_req_s=10 / 2628000)
    >>> [round(float(v), 6) for v in step_volumes(m, up_to_mtok_month=35)]
    [10.0, 20.0, 30.0]
    """
    if not inputs.split_frac or not inputs.capacity_req_s:
        return np.array([])
    at_peak = float(inputs.replica_mtok_month) / float(inputs.split_frac)
    if inputs.n_replicas:  # a fixed fleet does not jump: it is full
        return np.array([inputs.n_replicas * at_peak])
    units = np.array([at_peak])
    if inputs.idle_minutes is not None and inputs.hourly is not None:
        levels = np.unique(inputs.hourly[inputs.hourly > 0])
        units = np.append(units, at_peak * float(inputs.peak) / levels)
    counts = np.maximum(np.floor(up_to_mtok_month / units), 0).astype(int)
    if counts.sum() > _MAX_STEPS:
        counts = np.minimum(counts, max(1, _MAX_STEPS // len(units)))
    volumes = [unit * np.arange(1, n + 1) for unit, n in zip(units, counts, strict=True)]
    return np.unique(np.concatenate(volumes))


def crossings(inputs: MoneyInputs, *, up_to_mtok_month: float) -> tuple[Crossing, ...]:
    """Every volume at which self-hosting and the API change order, lowest first.

    Between two jumps of the fleet both bills are straight lines, so that a crossing is exact.

    Parameters
    ----------
    inputs : MoneyInputs of numbers; its demand is ignored
    up_to_mtok_month : float [million tokens a month]

    Returns
    -------
    tuple of Crossing

    Examples
    --------
    A card at 100 USD carries 10 million tokens, the API asks 20 USD a million:

    >>> m = MoneyInputs(demand_mtok_month=0, request_tok=1e6, capacity_req_s=10 / 2628000,
    ...     card_usd_month=100, api_usd_request=20)
    >>> [one] = crossings(m, up_to_mtok_month=12)
    >>> round(one.demand_mtok_month, 6), one.cheaper_above
    (5.0, 'self-host')
    """
    edges = np.concatenate(
        [[0.0], step_volumes(inputs, up_to_mtok_month=up_to_mtok_month), [up_to_mtok_month]]
    )
    edges = np.unique(edges[edges <= up_to_mtok_month])
    low, high = edges[:-1], edges[1:]
    inside = low + (high - low) * 1e-6  # just above a jump; exact at the piece's other end
    start = _difference(inputs, inside)
    end = _difference(inputs, high)
    found: list[Crossing] = []
    for i in range(low.size):
        if i and (end[i - 1] < 0) != (start[i] < 0):
            found.append(_crossing(inputs, float(low[i]), "jump", start[i] < 0))
        if (start[i] < 0) != (end[i] < 0):
            share = start[i] / (start[i] - end[i])
            volume = float(inside[i] + (high[i] - inside[i]) * share)
            found.append(_crossing(inputs, volume, "equal", end[i] < 0))
    return tuple(found)


def _difference(inputs: MoneyInputs, volume: Array) -> Array:
    both = bills(inputs.with_(demand_mtok_month=volume))
    return np.where(both.carried, both.difference_usd_month, np.inf)


def _crossing(inputs: MoneyInputs, volume: float, kind: Any, wins: Any) -> Crossing:
    usd = float(bills(inputs.with_(demand_mtok_month=volume)).api_usd_month)
    return Crossing(volume, usd, kind, "self-host" if wins else "api")


def flip_value(
    difference: Callable[[Array], Array], *, now: float, low: float, high: float, n_grid: int = 241
) -> float | None:
    """The value nearest to `now` (in ratio) at which a difference changes its sign, or None.

    A grid from low to high, then bisection in every bracket next to the present value.

    Parameters
    ----------
    difference : function of an array of values, vectorised; its sign is the answer
    now : float, present value
    low, high : float, range that is searched
    n_grid : int, points of the grid (even in ratio where low > 0, else even in value)

    Returns
    -------
    float on the far side of the change, so that putting it back in turns the answer; or None

    Examples
    --------
    >>> round(flip_value(lambda x: x - 3.0, now=1.0, low=0.1, high=10.0), 6)
    3.0
    """
    even = low <= 0
    grid = np.linspace(low, high, n_grid) if even else np.geomspace(low, high, n_grid)
    grid = np.unique(np.append(grid, now))
    sign = np.sign(difference(grid)) < 0
    here = sign[np.searchsorted(grid, now)]
    candidates = []
    above = np.flatnonzero((grid > now) & (sign != here))
    below = np.flatnonzero((grid < now) & (sign != here))
    if above.size:
        candidates.append(_bisect(difference, grid[above[0] - 1], grid[above[0]], bool(here)))
    if below.size:
        candidates.append(_bisect(difference, grid[below[-1] + 1], grid[below[-1]], bool(here)))
    if not candidates:
        return None
    return min(candidates, key=lambda value: abs(np.log((value + 1e-12) / (now + 1e-12))))


def _bisect(difference: Callable[[Array], Array], near: float, far: float, here: bool) -> float:
    for _ in range(4):  # to some 10^-8: what a link writes in 12 digits stays on the far side
        points = np.linspace(near, far, 33)
        same = (np.sign(difference(points)) < 0) == here
        first = int(np.argmin(same)) if not same.all() else 32
        near, far = float(points[max(first - 1, 0)]), float(points[first])
    return far
