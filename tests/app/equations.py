"""A second reader of the equations that pages print: words are dropped, numbers are worked out."""

from __future__ import annotations

import math
import re

_TOKEN = re.compile(
    r"(?P<word>[A-Za-z][\w/-]*)|"
    r"(?P<number>\d[\d,]*(?:\.\d+)?)(?P<percent> ?%)?|"
    r"(?P<sign><=|[-+/();=])"
)
_FUNCTIONS = {
    "max": max,
    "min": min,
    "sqrt": math.sqrt,
    "floor": lambda value: math.floor(value + 1e-9),
    "ceil": lambda value: math.ceil(value - 1e-9),
}


def sides(line: str) -> tuple[list[float], float, str]:
    """Values of the sides of an equation, the rounding of its last one, and its sign.

    What stands before a colon names the line.
    """
    line = line.rpartition(": ")[2]
    sign = "<=" if "<=" in line else "="
    texts = line.split(f" {sign} ")
    return [_value(text) for text in texts], _rounding(texts[-1]), sign


def comes_out(derivations) -> None:
    """Every equation of these derivations holds within the rounding of its last side."""
    for one in derivations:
        for line in one.formula.splitlines():
            values, rounding, sign = sides(line)
            if sign == "<=":
                assert values[0] <= values[1], f"{one.figure}: {line}"
                continue
            for value in values[:-1]:
                error = abs(value - values[-1])
                assert error <= 1.02 * rounding + 0.003 * abs(value), f"{one.figure}: {line}"


def _value(text: str) -> float:
    code = []
    for match in _TOKEN.finditer(text):
        word, number, sign = match["word"], match["number"], match["sign"]
        if word == "x":
            code.append("*")
        elif word in _FUNCTIONS and text[match.end() :].startswith("("):  # "9 min" is a time
            code.append(word)
        elif number:
            value = number.replace(",", "")
            code.append(f"({value} / 100)" if match["percent"] else value)
        elif sign:
            code.append("," if sign == ";" else sign)
    return float(eval(" ".join(code), {"__builtins__": {}}, _FUNCTIONS))


def _rounding(text: str) -> float:
    """Half a unit of the last digit of the number that a side prints."""
    match = re.search(r"(\d[\d,]*)(\.\d+)?( ?%)?", text)
    assert match, text
    scale = 0.01 if match[3] else 1.0
    if match[2]:
        return 0.5 * 10.0 ** -(len(match[2]) - 1) * scale
    digits = match[1].replace(",", "")
    zeros = len(digits) - len(digits.rstrip("0")) if len(digits) > 3 else 0
    return 0.5 * 10.0**zeros * scale
