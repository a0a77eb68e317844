"""Equations of medians and other percentiles, from the values themselves."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from app.derivations.derivation import amount

_UNITS_S = {"us": 1e-6, "ms": 1e-3, "s": 1.0, "min": 60.0, "h": 3600.0, "days": 86_400.0}
DIGITS = 6


def percentile_equation(
    values: Any, place_frac: float, shown: Callable[[float], str], *, scale: float = 1.0
) -> str:
    """How a percentile follows from its neighbours in the sorted values, as numpy reads it.

    >>> percentile_equation([10, 20, 40], 0.75, lambda value: f"{value:g} tokens")
    '20 + 0.5 x (40 - 20) = 30 tokens'
    >>> percentile_equation([10, 20, 40], 0.5, lambda value: f"{value:g} tokens")
    '20 = 20 tokens'
    """
    ordered = np.sort(np.asarray(values, dtype=float))
    place = (len(ordered) - 1) * place_frac
    below, part = math.floor(place + 1e-9), place - math.floor(place + 1e-9)
    low, high = ordered[below], ordered[min(below + 1, len(ordered) - 1)]
    text = amount(low / scale, DIGITS)
    if part > 1e-9 and high > low:
        above = amount(high / scale, DIGITS)
        text = f"{text} + {amount(part)} x ({above} - {text})"
    return f"{text} = {shown(float(low + max(part, 0.0) * (high - low)))}"


def time_equation(values_s: Any, place_frac: float, shown: Callable[[float], str]) -> str:
    """The same for times, in the unit in which the figure is shown.

    >>> from calculators.wording import duration
    >>> time_equation([0.1, 0.3], 0.5, duration)
    '100 + 0.5 x (300 - 100) = 200 ms'
    """
    text = shown(float(np.percentile(values_s, 100 * place_frac)))
    scale = _UNITS_S[text.rpartition(" ")[2]]
    return percentile_equation(values_s, place_frac, lambda _: text, scale=scale)


def median_of_shares(errors: Any, shown: Callable[[float], str]) -> str:
    """The middle one of the sorted shares, or the mean of the two in the middle.

    >>> median_of_shares([0.1, 0.3, 0.2, 0.9], lambda value: f"{100 * value:g} %")
    '(20 % + 30 %) / 2 = 25 %'
    """
    ordered = np.sort(np.asarray(errors, dtype=float))
    ordered = ordered[np.isfinite(ordered)]
    middle = ordered[(len(ordered) - 1) // 2 : len(ordered) // 2 + 1]
    parts = " + ".join(f"{amount(100 * value, DIGITS)} %" for value in middle)
    text = f"({parts}) / 2" if len(middle) > 1 else parts
    return f"{text} = {shown(float(np.median(ordered)))}"
