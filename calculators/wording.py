"""Numbers as people read them: three significant digits, a unit beside each number."""

from __future__ import annotations

import math
from datetime import date

UNKNOWN = "not known"


def number(value: float | None, digits: int = 3) -> str:
    """A number in `digits` significant digits, with thousands separators and no exponent.

    Trailing zeros stay where they are significant (1.40), except on whole numbers.

    >>> number(6884.3), number(0.61234), number(11), number(1234567)
    ('6,880', '0.612', '11', '1,230,000')
    >>> number(None), number(float("inf")), number(0)
    ('not known', 'unlimited', '0')
    """
    if value is None or math.isnan(value):
        return UNKNOWN
    if math.isinf(value):
        return "unlimited" if value > 0 else "minus unlimited"
    if value == 0:
        return "0"
    decimals = digits - 1 - math.floor(math.log10(abs(value)))
    rounded = round(value, decimals)
    if rounded == int(rounded):
        return f"{int(rounded):,}"
    decimals = digits - 1 - math.floor(math.log10(abs(rounded)))
    return f"{rounded:,.{max(decimals, 0)}f}"


def quantity(value: float | None, unit: str, digits: int = 3) -> str:
    """A number with its unit.

    >>> quantity(33.21, "tok/s"), quantity(None, "tok/s")
    ('33.2 tok/s', 'not known')
    """
    text = number(value, digits)
    return text if value is None or text == UNKNOWN else f"{text} {unit}"


def count(value: float | None) -> str:
    """A whole number, exact.

    >>> count(11_206.0)
    '11,206'
    """
    if value is None or math.isnan(value) or math.isinf(value):
        return number(value)
    return f"{round(value):,}"


def usd(value: float | None, per: str = "") -> str:
    """Money, with the currency and what it is for; whole dollars from 100 up.

    >>> usd(6884.3, "month"), usd(-0.5), usd(1.404, "million tokens")
    ('6,884 USD a month', '-0.500 USD', '1.40 USD a million tokens')
    """
    text = money(value)
    return text if text == UNKNOWN else f"{text} USD" + (f" a {per}" if per else "")


def money(value: float | None) -> str:
    """An amount without its currency: whole from 100 up, else three significant digits.

    >>> money(6884.3), money(0.61), money(None)
    ('6,884', '0.610', 'not known')
    """
    if value is None or not math.isfinite(value) or abs(value) < 100:
        return number(value)
    return f"{value:,.0f}"


def percent(frac: float | None, digits: int = 2) -> str:
    """A share as a percentage.

    >>> percent(0.1834), percent(1), percent(0.004)
    ('18 %', '100 %', '0.40 %')
    """
    return quantity(None if frac is None else frac * 100, "%", digits)


def band(frac: float | None) -> str:
    """The error band of a calibrated figure, or nothing.

    >>> band(0.18), band(None)
    ('±18 %', '')
    """
    return "" if frac is None else f"±{percent(frac)}"


def duration(seconds: float | None) -> str:
    """A time in the unit that reads best.

    >>> duration(0.0301), duration(2.5), duration(600), duration(0.0000081), duration(172800)
    ('30.1 ms', '2.50 s', '10 min', '8.10 us', '2 days')
    """
    if seconds is None or not math.isfinite(seconds):
        return number(seconds)
    for limit, scale, unit in (
        (1e-3, 1e-6, "us"),
        (1.0, 1e-3, "ms"),
        (300.0, 1.0, "s"),
        (7200.0, 60.0, "min"),
        (172_800.0, 3600.0, "h"),
    ):
        if abs(seconds) < limit:
            return quantity(seconds / scale, unit)
    return quantity(seconds / 86_400, "days")


def gib(size_bytes: float | None) -> str:
    """Bytes in GiB.

    Parameters
    ----------
    size_bytes : float or None [bytes]

    Returns
    -------
    str

    >>> gib(2**31)
    '2 GiB'
    """
    return quantity(None if size_bytes is None else size_bytes / 2**30, "GiB")


def age(checked: date, today: date) -> str:
    """How old a fact is.

    >>> age(date(2026, 10, 20), date(2026, 11, 30)), age(date(2026, 11, 29), date(2026, 11, 30))
    ('41 days old', '1 day old')
    """
    return days_old((today - checked).days)


def days_old(days: int) -> str:
    """An age in days; a day ahead of today counts as today.

    >>> days_old(41), days_old(1), days_old(-3)
    ('41 days old', '1 day old', '0 days old')
    """
    days = max(days, 0)
    return f"{days:,} day{'' if days == 1 else 's'} old"


def joined(words: list[str]) -> str:
    """A list in words.

    >>> joined(["a", "b", "c"]), joined(["a"])
    ('a, b and c', 'a')
    """
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"


def times(ratio: float) -> str:
    """A ratio: one decimal under ten, else none.

    >>> times(26.07), times(1.84)
    ('26x', '1.8x')
    """
    return f"{ratio:.1f}x" if ratio < 10 else f"{ratio:,.0f}x"


def chance(share: float) -> str:
    """A probability in whole percent, with `under 1 %` and `over 99 %` at the ends.

    >>> chance(0.042), chance(0.001), chance(1.0)
    ('4 %', 'under 1 %', 'over 99 %')
    """
    if share < 0.01:
        return "under 1 %"
    if share > 0.99:
        return "over 99 %"
    return f"{share * 100:.0f} %"


def counted(n: float, singular: str, plural: str | None = None) -> str:
    """A count with its noun.

    >>> counted(1, "card"), counted(12, "reply", "replies")
    ('1 card', '12 replies')
    """
    return f"{n:,.0f} {singular if n == 1 else plural or singular + 's'}"
