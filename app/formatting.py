"""The wording of numbers for pages; it lives with the calculators, whose sentences use it."""

from calculators.wording import (
    UNKNOWN,
    age,
    band,
    chance,
    count,
    counted,
    days_old,
    duration,
    gib,
    joined,
    money,
    number,
    percent,
    quantity,
    times,
    usd,
)

__all__ = [
    "UNKNOWN",
    "age",
    "band",
    "chance",
    "count",
    "counted",
    "days_old",
    "duration",
    "gib",
    "joined",
    "money",
    "number",
    "percent",
    "quantity",
    "times",
    "usd",
]
