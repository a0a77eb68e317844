"""What a million tokens cost on the supply side: card hours over the tokens that they make."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from calculators.speed.reference import unit_cost_steps
from calculators.units import MEGA, SECONDS_PER_HOUR

Array = NDArray[np.float64]
_RATE_USD_H = 2.50
_HOURS_MONTH = 720.0
_DUTIES = (0.10, 0.30, 0.60, 1.00)


def usd_per_mtok(*, usd_h: ArrayLike, tok_s: ArrayLike, duty_frac: ArrayLike = 1.0) -> Array:
    """Cost of a million tokens of a fleet that is paid by the hour.

    USD an hour / (tokens/s x 3600 x duty) x 10^6

    Parameters
    ----------
    usd_h : float or array [USD/h] of all cards that make the tokens
    tok_s : float or array [tok/s] at full load, > 0
    duty_frac : float or array, 0 to 1, share of the paid time at that load

    Returns
    -------
    array [USD per million tokens of the kind that `tok_s` counts], broadcast

    Notes
    -----
    Rent only: people, build and network do not fall with volume and are shown apart.
    Basis: that of `tok_s`.

    Examples
    --------
    A card at 2.50 USD an hour that makes 1,139 output tokens a second, busy 30 % of the time:

    >>> round(float(usd_per_mtok(usd_h=2.5, tok_s=1139.0, duty_frac=0.3)), 2)
    2.03
    """
    per_hour = np.asarray(tok_s, float) * SECONDS_PER_HOUR * np.asarray(duty_frac, float)
    with np.errstate(divide="ignore"):
        return np.asarray(usd_h, float) / per_hour * MEGA


def reference_unit_cost() -> dict[str, Any]:
    """The unit-cost reference table: a card at 2.50 USD an hour, weights-only steps, raw figures.

    Returns
    -------
    dict with `columns` and `rows` (batch, ms, tok/s, tok/s each, USD per million output tokens)
    """
    rows = [
        [*step, float(usd_per_mtok(usd_h=_RATE_USD_H, tok_s=step[2]))] for step in unit_cost_steps()
    ]
    columns = ["batch", "ms_per_step", "tok_s_total", "tok_s_each", "usd_per_1m"]
    return {"columns": columns, "rows": rows}


def reference_duty_cycle_cost() -> dict[str, Any]:
    """The duty-cycle reference table: the same card over a month of 720 hours, raw figures.

    Returns
    -------
    dict with `duties`, `columns`, `rows` (batch, tok/s, USD per million by duty) and the rent
    """
    rows = [
        [
            batch,
            tok_s,
            [float(usd_per_mtok(usd_h=_RATE_USD_H, tok_s=tok_s, duty_frac=d)) for d in _DUTIES],
        ]
        for batch, _, tok_s, _ in unit_cost_steps((1, 17, 74))
    ]
    return {
        "duties": list(_DUTIES),
        "columns": ["batch", "tok_s", "usd_per_1m_by_duty"],
        "rows": rows,
        "rent_usd_month": _RATE_USD_H * _HOURS_MONTH,
    }
