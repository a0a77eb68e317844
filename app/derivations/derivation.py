"""One figure of a page: what it says, its formula with the numbers put in, its basis."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from app.formatting import number

BASIS_WORDS = {
    "bound": "bound: plain arithmetic with data-sheet limits, which no real system passes",
    "calibrated": "calibrated: a model of each step whose constants are fitted to measurements",
    "measured": "measured: somebody ran it and published the figure",
    "run here": "measured here: this page has just carried it out, on a made-up example with the "
    "settings above; it shows a mechanism and predicts no model",
    "your file": "measured: counted in the file that was uploaded",
    "catalog": "catalog: facts that somebody published, each with its source and its day",
    "price list": "price list: what a provider asks in public",
    "assumption": "assumption: your own input, or a range that is stated beside it",
}
NOT_KNOWN = (
    "No numbers stand here: this scenario has no such figure, or it is counted in another way."
)
CARD, MODEL, ENGINE = "Card", "Model", "Engine"
WEIGHT_FORMAT, CACHE_FORMAT = "Weight format", "Cache format"
RENT, API_PRICE = "Rent", "API price"
DEPLOYMENT = (MODEL, CARD, WEIGHT_FORMAT, CACHE_FORMAT, ENGINE)


@dataclass(frozen=True, slots=True)
class Derivation:
    """How one figure comes about.

    Each line of `formula` is an equation (or `a <= b`) whose numbers stand beside words; `;`
    separates the arguments of min, max, floor and ceil. It is empty where the figure is not
    known. `facts` are the kinds of source that it rests on.
    """

    figure: str
    sentence: str
    formula: str
    basis: str
    function: Callable[..., Any]
    facts: tuple[str, ...] = ()


def derived(
    figure: str,
    sentence: str,
    formula: str,
    basis: str,
    function: Callable[..., Any],
    facts: tuple[str, ...] = (),
    *,
    known: float = 0.0,
) -> Derivation:
    """A derivation without its formula where the figure itself (`known`) is no finite number."""
    if not math.isfinite(known):
        return Derivation(figure, f"{sentence} {NOT_KNOWN}", "", basis, function, facts)
    return Derivation(figure, sentence, formula, basis, function, facts)


def amount(value: Any, digits: int = 4) -> str:
    """A number for a formula: whole from 1,000 up, else in `digits` significant digits at most.

    >>> amount(6912.7), amount(0.0123456), amount(2.5), amount(100)
    ('6,913', '0.01235', '2.5', '100')
    """
    real = float(value)
    if math.isfinite(real) and abs(real) >= 1000 and digits == 4:
        return f"{real:,.0f}"
    text = number(real, digits)
    return text.rstrip("0").rstrip(".") if "." in text else text


def cards_text(n: Any) -> str:
    """A number of cards, which may be a mean.

    >>> cards_text(1), cards_text(1.5)
    ('1 card', '1.5 cards')
    """
    return f"{amount(n)} card{'' if float(n) == 1 else 's'}"


def replicas_text(n: Any) -> str:
    """A number of replicas, which may be a mean.

    >>> replicas_text(2)
    '2 replicas'
    """
    return f"{amount(n)} replica{'' if float(n) == 1 else 's'}"


def precise(value: Any) -> str:
    """A number in eight digits, where a rounding up or down follows."""
    return amount(value, 8)


def share(value: Any) -> str:
    """A share as a percentage in four digits.

    >>> share(0.3)
    '30 %'
    """
    return f"{amount(float(value) * 100)} %"
