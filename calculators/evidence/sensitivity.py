"""How sure is the answer: a tornado, a seeded Monte Carlo, and maps of where it turns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calculators.cost.bills import Bills, MoneyInputs, bills

Array = NDArray[np.float64]
_Z90 = 1.2815515655446004  # standard normal quantile of 0.9
N_DRAWS = 10_000
_LARGEST = 300.0  # exponents beyond it would overflow


@dataclass(frozen=True, slots=True)
class Spread:
    """An uncertain input: its present value, and the values that it passes one time in ten."""

    field: str  # of MoneyInputs
    key: str  # of the link
    label: str
    unit: str
    now: float
    low: float  # 10th percentile
    high: float  # 90th percentile
    why: str  # where the range comes from
    scale: float = 1.0  # MoneyInputs value per unit shown

    def factors(self, z: Array) -> Array:
        """Factors on the present value for standard normal draws; each side has its own width."""
        if self.now <= 0:
            return np.ones_like(z)
        below = np.log(max(self.now, 1e-300) / max(min(self.low, self.now), 1e-300)) / _Z90
        above = np.log(max(self.high, self.now) / self.now) / _Z90
        return np.exp(np.clip(np.where(z < 0, z * below, z * above), -_LARGEST, _LARGEST))


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar of the tornado: the difference at the low and the high value of one input."""

    spread: Spread
    at_low_usd_month: float
    at_high_usd_month: float

    @property
    def width_usd_month(self) -> float:
        return abs(self.at_high_usd_month - self.at_low_usd_month)


@dataclass(frozen=True, slots=True)
class MonteCarlo:
    """Draws of the monthly difference, self-hosting less API [USD a month]."""

    difference_usd_month: Array
    p10_usd_month: float
    p50_usd_month: float
    p90_usd_month: float
    self_host_wins_frac: float
    standard_error_frac: float  # of that chance
    n_draws: int
    seed: int


def with_value(inputs: MoneyInputs, spread: Spread, value: Any) -> MoneyInputs:
    """The inputs with one uncertain input at another value (number or array)."""
    if spread.field == "card_usd_month" and spread.now > 0:
        return inputs.with_(card_usd_month=inputs.card_usd_month * np.asarray(value) / spread.now)
    return inputs.with_(**{spread.field: np.asarray(value, float) * spread.scale})


def difference_usd_month(inputs: MoneyInputs) -> Array:
    """Self-hosting less API [USD a month]; infinite where the fleet cannot carry the demand.

    Parameters
    ----------
    inputs : MoneyInputs, numbers or arrays

    Returns
    -------
    array [USD a month]
    """
    both: Bills = bills(inputs)
    return np.where(both.carried, both.difference_usd_month, np.inf)


def tornado(inputs: MoneyInputs, spreads: Sequence[Spread]) -> tuple[Bar, ...]:
    """The difference at each input's low and high value, widest first.

    Parameters
    ----------
    inputs : MoneyInputs of numbers
    spreads : uncertain inputs

    Returns
    -------
    tuple of Bar

    Notes
    -----
    One input at a time; what moves together (rent and API prices) is not linked.
    """
    bars = []
    for spread in spreads:
        both = bills(with_value(inputs, spread, np.array([spread.low, spread.high])))
        low, high = np.broadcast_to(np.asarray(both.difference_usd_month, float), (2,))
        bars.append(Bar(spread, float(low), float(high)))
    return tuple(sorted(bars, key=lambda bar: -bar.width_usd_month))


def monte_carlo(
    inputs: MoneyInputs, spreads: Sequence[Spread], *, seed: int, n_draws: int = N_DRAWS
) -> MonteCarlo:
    """Price many plans with every uncertain input drawn from its range, in one call.

    Parameters
    ----------
    inputs : MoneyInputs of numbers
    spreads : uncertain inputs; each is log-normal with its 10th and 90th percentile given,
        the halves below and above the present value separately
    seed : int, of NumPy's default generator
    n_draws : int

    Returns
    -------
    MonteCarlo

    Notes
    -----
    Inputs are independent. Basis: that of the ranges; errors of the price lists' coverage
    are not in it.
    """
    z = np.random.default_rng(seed).standard_normal((len(spreads), n_draws))
    drawn = inputs
    for spread, draw in zip(spreads, z, strict=True):
        drawn = with_value(drawn, spread, spread.now * spread.factors(draw))
    both = bills(drawn)
    difference = np.broadcast_to(np.asarray(both.difference_usd_month, float), (n_draws,))
    wins = float(np.mean((difference < 0) & both.carried))
    p10, p50, p90 = np.quantile(difference, [0.1, 0.5, 0.9])
    return MonteCarlo(
        difference_usd_month=difference,
        p10_usd_month=float(p10),
        p50_usd_month=float(p50),
        p90_usd_month=float(p90),
        self_host_wins_frac=wins,
        standard_error_frac=float(np.sqrt(wins * (1 - wins) / n_draws)),
        n_draws=n_draws,
        seed=seed,
    )


def flip_map(
    inputs: MoneyInputs, across: Spread, down: Spread, x: Array, y: Array
) -> NDArray[np.float64]:
    """The difference over two inputs, for a map whose zero line is where the answer turns.

    Parameters
    ----------
    inputs : MoneyInputs of numbers
    across, down : the two inputs
    x, y : arrays (n,), (m,) of their values

    Returns
    -------
    array (m, n) [USD a month]
    """
    grid = with_value(with_value(inputs, across, x[None, :]), down, y[:, None])
    return np.broadcast_to(difference_usd_month(grid), (y.size, x.size))
