"""Which version or release of the hosted model a price list names: one shape, other weights."""

from __future__ import annotations

import re

from calculators.specs import ApiPrice

_NUMBER = re.compile(r"(?<![\d.])\d+(?:\.\d+)?(?![\d.])")
# Days or months that makers put behind a name: 0324 (March 24), 2507 (July 2025).
_RELEASED = re.compile(r"(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])|2[3-9](?:0[1-9]|1[0-2])")


def other_release(model: str, price: ApiPrice) -> str:
    """The release that a price list names beside the model's own numbers, or nothing.

    A number with a point counts where the model's name has the same one without (3.1 beside
    3), and a day or a month of release where the model's name has none.
    """
    own = set(_NUMBER.findall(model))
    found = [n for text in (price.model, price.name) for n in _NUMBER.findall(text)]
    for number in found:
        if number in own:
            continue
        whole, _, minor = number.partition(".")
        if (minor and whole in own) or _RELEASED.fullmatch(number):
            return number
    return ""


def sameness(model: str, price: ApiPrice) -> str:
    """What to know of a price list of the hosted model: its version or its release, if named."""
    number = other_release(model, price)
    if not number:
        return "yes"
    if "." in number:
        return f"same shape, but version {number}: compare quality first"
    return f"yes, its release {number}"
