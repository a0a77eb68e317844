"""Both bills: what a fleet of whole replicas costs a month, and what the API costs.

Every function takes keyword-only numbers or arrays and broadcasts, so that one call prices
one plan, a curve over volume, or ten thousand Monte Carlo plans.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calculators.cost.replicas import (
    paid_replicas,
    replica_capacity_mtok_month,
    replicas_needed,
    requests_per_month,
)

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class MoneyInputs:
    """Everything that both bills depend on; each field a number or an array (broadcast).

    Rates are USD; `capacity_req_s` is what one replica finishes at its batch and objectives;
    `hourly` is the week's demand by hour with mean 1, used where replicas autoscale.
    """

    demand_mtok_month: Any  # input and output together
    request_tok: Any  # input + output of one request
    capacity_req_s: Any
    peak: Any = 1.0  # peak hour over mean hour
    load_frac: Any = 1.0  # highest load that a replica is planned for
    lost_frac: Any = 0.0  # share of time that spot cards are away
    hours_month: Any = 730.0
    n_replicas: Any = 0  # 0: as many as the demand needs
    n_spare: Any = 0
    n_cards: Any = 1  # per replica
    card_usd_month: Any = 0.0  # rent, or depreciation with energy and floor
    upkeep_usd_month: Any = 0.0
    build_usd_month: Any = 0.0  # build cost over the horizon
    network_usd_month: Any = 0.0
    api_usd_request: Any = 0.0  # at the scenario's own mix of tokens
    api_usd_month: Any = 0.0  # what is paid whatever the volume: dedicated endpoints
    split_frac: Any = 1.0  # share of the demand that the fleet serves; the rest goes to the API
    idle_minutes: float | None = None  # autoscaling: a replica stops after this; None is off
    start_minutes: float = 0.0
    hourly: Array | None = None

    @property
    def replica_mtok_month(self) -> Any:
        """The demand that one replica carries [million tokens a month]."""
        return replica_capacity_mtok_month(
            capacity_req_s=self.capacity_req_s,
            request_tok=self.request_tok,
            hours_month=self.hours_month,
            peak=self.peak,
            load_frac=self.load_frac,
            lost_frac=self.lost_frac,
        )

    def with_(self, **changes: Any) -> MoneyInputs:
        """The same inputs with some replaced."""
        return replace(self, **changes)


@dataclass(frozen=True, slots=True)
class Bills:
    """What `bills` returns: numbers or arrays of the inputs' broadcast shape."""

    self_host_usd_month: Any
    api_usd_month: Any  # the whole demand at the API
    hardware_usd_month: Any
    burst_usd_month: Any  # the share that self-hosting leaves to the API
    n_replicas: Any  # that run, spares included
    n_paid_replicas: Any  # average that is paid for (fewer where replicas autoscale)
    capacity_mtok_month: Any  # what the fleet carries of this demand's shape
    duty_frac: Any  # mean load of the fleet that serves, spares left out
    carried: Any  # the fleet carries its share of the demand

    @property
    def difference_usd_month(self) -> Any:
        """Self-hosting less API: negative where self-hosting is cheaper."""
        return self.self_host_usd_month - self.api_usd_month


def bills(inputs: MoneyInputs) -> Bills:
    """Both monthly bills of a demand: the fleet's and the API's.

    self-hosting = paid replicas x cards x card cost + upkeep + build + network + burst;
    API = requests x price of one request + dedicated endpoints.

    Parameters
    ----------
    inputs : MoneyInputs, numbers or arrays that broadcast

    Returns
    -------
    Bills of the broadcast shape

    Notes
    -----
    Whole replicas, at least one; a fixed number of replicas that cannot carry the demand is
    not credited with it: `carried` is False. Basis: that of the capacity; money is exact.

    Examples
    --------
    One card at 2,000 USD carries 10 million tokens; 5 USD a request of a million tokens:

    >>> b = bills(MoneyInputs(demand_mtok_month=15, request_tok=1e6, capacity_req_s=10 / 2628000,
    ...     card_usd_month=2000, upkeep_usd_month=500, api_usd_request=5))
    >>> float(b.n_replicas), float(b.self_host_usd_month), float(b.api_usd_month)
    (2.0, 4500.0, 75.0)
    """
    own = np.asarray(inputs.demand_mtok_month, float) * inputs.split_frac
    at_peak = inputs.replica_mtok_month
    serving = _serving(inputs, own, at_peak)
    running = serving + np.where(serving > 0, inputs.n_spare, 0)
    paid = running if inputs.idle_minutes is None else _autoscaled(inputs, own, at_peak, running)
    with np.errstate(invalid="ignore"):  # an endless fleet of free cards
        hardware = paid * inputs.n_cards * inputs.card_usd_month
    api, burst = _api_usd_month(inputs)
    people = inputs.upkeep_usd_month + inputs.build_usd_month + inputs.network_usd_month
    carries = np.where(at_peak > 0, serving, 0.0) * at_peak
    return Bills(
        self_host_usd_month=hardware + people + burst,
        api_usd_month=api,
        hardware_usd_month=hardware,
        burst_usd_month=burst,
        n_replicas=running,
        n_paid_replicas=paid,
        capacity_mtok_month=carries,
        duty_frac=_duty_frac(inputs, own, carries),
        carried=carries * (1 + 1e-12) >= own,
    )


def _serving(inputs: MoneyInputs, own: Array, at_peak: Array) -> Array:
    """Replicas that serve: the fixed number, or what the fleet's share of the demand needs."""
    needed = replicas_needed(demand_mtok_month=own, capacity_mtok_month=at_peak)
    needed = np.where(np.asarray(inputs.split_frac) > 0, needed, 0.0)
    fixed = np.asarray(inputs.n_replicas, float)
    return np.where(fixed > 0, fixed, needed)


def _api_usd_month(inputs: MoneyInputs) -> tuple[Array, Array]:
    """The API's bill of the whole demand, and of the share that bursts to it."""
    requests = requests_per_month(
        demand_mtok_month=inputs.demand_mtok_month, request_tok=inputs.request_tok
    )
    by_tokens = np.asarray(inputs.api_usd_request, float) * requests
    fixed = np.asarray(inputs.api_usd_month, float)
    share = 1 - np.asarray(inputs.split_frac, float)
    return by_tokens + fixed, by_tokens * share + np.where(share > 0, fixed, 0.0)


def _duty_frac(inputs: MoneyInputs, own: Array, carries: Array) -> Array:
    """Mean load of the serving replicas: demand over what they make at full load, at most 1.

    Where nothing can serve there is no load.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        full = carries * np.asarray(inputs.peak, float) / inputs.load_frac
        return np.where((own > 0) & (full > 0), np.minimum(own / full, 1.0), 0.0)


def _autoscaled(inputs: MoneyInputs, own: Array, at_peak: Array, running: Array) -> Array:
    paid = paid_replicas(
        demand_mtok_month=own,
        replica_mean_mtok_month=at_peak * np.asarray(inputs.peak, float),
        hourly=np.ones(168) if inputs.hourly is None else inputs.hourly,
        idle_minutes=inputs.idle_minutes or 0.0,
        start_minutes=inputs.start_minutes,
    )
    spare = np.asarray(inputs.n_spare, float)
    return np.minimum(np.where(np.asarray(inputs.n_replicas) > 0, running, paid + spare), running)
