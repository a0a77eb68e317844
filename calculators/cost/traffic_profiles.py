"""How demand is spread over a week.

A profile is 168 weights, hour by hour from Monday 00:00 local time, with mean 1. A link or a
text field carries one as a name, as 24 or 168 characters (one level each), or as 24 or 168
numbers; 24 stand for every day of the week.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import ArrayLike, NDArray

HOURS_PER_DAY = 24
HOURS_PER_WEEK = 168
LEVELS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_"

_OFFICE_DAY = (1, 1, 1, 1, 1, 1, 3, 8, 22, 34, 38, 37, 28, 33, 38, 37, 33, 24, 12, 8, 6, 4, 2, 1)
_OFFICE_WEEKEND = (1, 1, 1, 1, 1, 1, 1, 1, 2, 3, 4, 4, 3, 3, 4, 4, 3, 3, 2, 2, 2, 2, 1, 1)
_GLOBAL_DAY = (
    9,
    9,
    8,
    8,
    9,
    10,
    11,
    12,
    13,
    14,
    14,
    14,
    15,
    15,
    15,
    15,
    15,
    15,
    14,
    13,
    12,
    11,
    10,
    10,
)
_GLOBAL_WEEKEND = tuple(0.65 * level for level in _GLOBAL_DAY)
_NIGHT = (36,) * 6 + (0,) * 18
_WEEKS: dict[str, tuple[float, ...]] = {
    "office-hours": _OFFICE_DAY * 5 + _OFFICE_WEEKEND * 2,
    "global": _GLOBAL_DAY * 5 + _GLOBAL_WEEKEND * 2,
    "nightly-batch": _NIGHT * 7,
    "flat": (1,) * HOURS_PER_WEEK,
}
PROFILE_NAMES = tuple(_WEEKS)


class ProfileError(ValueError):
    """A weekly profile that cannot be read; the message says what is allowed."""


def weekly_profile(name_or_code: str) -> NDArray[np.float64]:
    """Return the weights of the hours of a week, from Monday 00:00, with mean 1.

    w[h] = level[h] / mean(level)

    Parameters
    ----------
    name_or_code : str [name or code]
        One of `PROFILE_NAMES`, or any text that `parse_profile` reads.

    Returns
    -------
    weights : array [ratio to the mean hour], shape (168,)

    Raises
    ------
    ProfileError
        If the text is neither a name nor a code.

    Notes
    -----
    The named shapes are assumptions, not measurements: office hours peak at 3.2 times the mean,
    global at 1.4, a nightly batch of six hours at 4. An uploaded log replaces them. Bursts within
    an hour are left out, so the peak errs low. Basis: assumption.

    References
    ----------
    Own shapes, set 2026-11-30.

    Examples
    --------
    >>> float(weekly_profile("nightly-batch")[0]), float(weekly_profile("nightly-batch")[6])
    (4.0, 0.0)
    """
    name = name_or_code.strip().lower()
    if name in _WEEKS:
        return _normalised(np.array(_WEEKS[name], dtype=float))
    return parse_profile(name_or_code)


def parse_profile(text: str) -> NDArray[np.float64]:
    """Read a weekly profile written as characters or as numbers, and scale it to mean 1.

    w[h] = level[h] / mean(level); 24 levels are repeated on each of the seven days.

    Parameters
    ----------
    text : str [24 or 168 levels]
        Characters of `LEVELS` (`0` to `9`, `A` to `Z`, `a` to `z`, `-`, `_` are levels 0 to 63;
        digits alone do), or non-negative numbers apart by commas, semicolons, blanks or lines.

    Returns
    -------
    weights : array [ratio to the mean hour], shape (168,)

    Raises
    ------
    ProfileError
        If the count is not 24 or 168, a level is not a non-negative finite number, or all are 0.

    Notes
    -----
    Only the proportions count: a profile carries no volume. Basis: as given.

    References
    ----------
    The alphabet is that of RFC 4648 section 5 (safe in a URL), in the order of digits first.

    Examples
    --------
    >>> float(parse_profile("0" * 12 + "1" * 12)[23])
    2.0
    """
    parts = [part for part in re.split(r"[\s,;]+", text.strip()) if part]
    sized = (HOURS_PER_DAY, HOURS_PER_WEEK)
    if len(parts) not in sized and len("".join(parts)) in sized:
        levels = _levels_of_characters("".join(parts))
    else:
        levels = _levels_of_numbers(parts)
    if levels.size not in sized:
        raise ProfileError(
            f"profile: {levels.size} hours given; allowed are 168 (Monday 00:00 to Sunday 23:00), "
            f"24 (every day alike), or a name: {', '.join(PROFILE_NAMES)}."
        )
    if not levels.max() > 0:
        raise ProfileError("profile: every hour is 0; at least one hour must have traffic.")
    return _normalised(np.resize(levels, HOURS_PER_WEEK))


def profile_code(weights: ArrayLike) -> str:
    """Write a weekly profile as 168 characters that fit in a link.

    level[h] = round(63 x w[h] / max(w))

    Parameters
    ----------
    weights : array [any unit], shape (168,) or (7, 24), >= 0

    Returns
    -------
    code : str [168 characters of `LEVELS`]

    Raises
    ------
    ProfileError
        If there are not 168 finite, non-negative weights with a positive sum.

    Notes
    -----
    A level is kept to 1/126 of the peak hour, either way. Basis: as given.

    References
    ----------
    RFC 4648 section 5, the characters that need no escape in a URL.

    Examples
    --------
    >>> profile_code([0.0] * 167 + [1.0])[-2:]
    '0_'
    """
    week = np.asarray(weights, dtype=float).ravel()
    if week.size != HOURS_PER_WEEK or not np.all(np.isfinite(week) & (week >= 0)):
        raise ProfileError(f"profile: 168 finite weights of at least 0 needed, {week.size} given.")
    if not week.max() > 0:
        raise ProfileError("profile: every hour is 0; at least one hour must have traffic.")
    levels = np.rint((len(LEVELS) - 1) * week / week.max()).astype(int)
    return "".join(LEVELS[level] for level in levels)


def _normalised(week: NDArray[np.float64]) -> NDArray[np.float64]:
    relative = week / week.max()
    return relative / relative.mean()


def _levels_of_characters(text: str) -> NDArray[np.float64]:
    unknown = sorted(set(text) - set(LEVELS))
    if unknown:
        raise ProfileError(
            f"profile: character {unknown[0]!r} is no level; allowed are 0-9, A-Z, a-z, - and _."
        )
    return np.array([LEVELS.index(character) for character in text], dtype=float)


def _levels_of_numbers(parts: list[str]) -> NDArray[np.float64]:
    levels = np.empty(len(parts))
    for hour, part in enumerate(parts):
        try:
            levels[hour] = float(part)
        except ValueError:
            levels[hour] = np.nan
        if not (np.isfinite(levels[hour]) and levels[hour] >= 0):
            raise ProfileError(
                f"profile: hour {hour + 1} is {part[:20]!r}; allowed are numbers from 0 up."
            )
    return levels
