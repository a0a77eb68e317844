"""Numbers in sentences: three significant digits, thousands separated, units beside them."""

from __future__ import annotations

import math


def significant(value: float, digits: int = 3) -> str:
    """A number in a few significant digits, without exponent, thousands separated.

    Parameters
    ----------
    value : float
    digits : int, at least 1

    Returns
    -------
    str

    Examples
    --------
    >>> significant(6619.5), significant(0.012345), significant(26.07), significant(1e7)
    ('6,620', '0.0123', '26.1', '10,000,000')
    """
    if math.isnan(value):
        return "not known"
    if math.isinf(value):
        return "without limit"
    if value == 0:
        return "0"
    places = digits - 1 - math.floor(math.log10(abs(value)))
    rounded = round(value, places)
    return f"{rounded:,.{max(0, digits - 1 - math.floor(math.log10(abs(rounded))))}f}"


def usd(value: float) -> str:
    """An amount of money: whole dollars from 100 up, else three significant digits.

    Examples
    --------
    >>> usd(6883.6), usd(0.6098), usd(-12.5)
    ('6,884 USD', '0.610 USD', '-12.5 USD')
    """
    if not math.isfinite(value):
        return significant(value)
    return f"{value:,.0f} USD" if abs(value) >= 100 else f"{significant(value)} USD"


def times(ratio: float) -> str:
    """A ratio: one decimal under ten, else none.

    Examples
    --------
    >>> times(26.07), times(1.84)
    ('26x', '1.8x')
    """
    return f"{ratio:.1f}x" if ratio < 10 else f"{ratio:,.0f}x"


def percent(share: float) -> str:
    """A share in percent, with `under 1 %` and `over 99 %` at the ends.

    Examples
    --------
    >>> percent(0.042), percent(0.001), percent(1.0)
    ('4 %', 'under 1 %', 'over 99 %')
    """
    if share < 0.01:
        return "under 1 %"
    if share > 0.99:
        return "over 99 %"
    return f"{share * 100:.0f} %"


def counted(n: float, singular: str, plural: str | None = None) -> str:
    """A count with its noun.

    Examples
    --------
    >>> counted(1, "card"), counted(12, "reply", "replies")
    ('1 card', '12 replies')
    """
    return f"{n:,.0f} {singular if n == 1 else plural or singular + 's'}"
