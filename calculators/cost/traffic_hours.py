"""A usage log hour by hour: tokens, the rates of a week's hours, the busiest window."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calculators.cost.traffic_profiles import HOURS_PER_DAY, HOURS_PER_WEEK
from calculators.cost.usage_logs import UsageLog
from calculators.units import SECONDS_PER_HOUR

Floats = NDArray[np.float64]
_THURSDAY_H = 72  # 1970-01-01 was a Thursday: 72 hours after a Monday 00:00


def tokens_by_hour(log: UsageLog, *, utc_offset_h: float = 0.0) -> tuple[Floats, Floats, int]:
    """Return the tokens of each clock hour that a log covers, and how much of it is covered.

    Parameters
    ----------
    log : UsageLog
    utc_offset_h : float [h; added to absolute times]

    Returns
    -------
    hour_tok : array [tok], shape (hours,)
    exposure_h : array [h, 0 to 1], shape (hours,); below 1 only at both ends
    start_hour : int [hours since the zero of the clock]

    Notes
    -----
    A bucket longer than an hour is spread evenly over its hours. Basis: measured.

    References
    ----------
    Arithmetic.

    Examples
    --------
    >>> from calculators.cost.usage_logs import read_usage_log
    >>> log = read_usage_log(b"time_s,in_tokens,out_tokens\\n0,8,2\\n5400,9,1\\n")
    >>> [part.tolist() for part in tokens_by_hour(log)[:2]]
    [[10.0, 10.0], [1.0, 0.5]]
    """
    tokens = log.input_tok + log.output_tok
    shift_s = utc_offset_h * SECONDS_PER_HOUR if log.is_absolute else 0.0
    start_s = log.time_s + shift_s
    pieces = np.maximum(np.ceil(log.bucket_s / SECONDS_PER_HOUR), 1).astype(int)
    repeated = np.repeat(np.arange(tokens.size), pieces)
    nth = np.arange(repeated.size) - np.repeat(np.cumsum(pieces) - pieces, pieces)
    hour = np.floor(start_s[repeated] / SECONDS_PER_HOUR + nth).astype(np.int64)
    begin, end = float(start_s.min()), float((start_s + log.bucket_s).max())
    start_hour = int(np.floor(begin / SECONDS_PER_HOUR))
    n_hours = max(
        int(np.ceil(end / SECONDS_PER_HOUR)) - start_hour, int(hour.max()) - start_hour + 1
    )
    weights = (tokens / pieces)[repeated]
    hour_tok = np.bincount(hour - start_hour, weights, minlength=n_hours).astype(float)
    edges = (start_hour + np.arange(n_hours + 1)) * SECONDS_PER_HOUR
    seen = np.minimum(edges[1:], end) - np.maximum(edges[:-1], begin)
    return hour_tok, np.maximum(seen, 0) / SECONDS_PER_HOUR, start_hour


def week_rates(
    log: UsageLog, hour_tok: Floats, exposure_h: Floats, start_hour: int, covered_h: float
) -> tuple[Floats, str]:
    """Return the token rate of each hour of the week, and what it is based on.

    Parameters
    ----------
    log : UsageLog
    hour_tok, exposure_h : array [tok] and [h], shape (hours,), as `tokens_by_hour` returns them
    start_hour : int [hours since the zero of the clock]
    covered_h : float [h]

    Returns
    -------
    week_tok_h : array [tok per hour], shape (168,), from Monday 00:00
    basis : str [`week`, `day`, `weekdays` or `none`]

    Notes
    -----
    Basis: measured.

    References
    ----------
    Ratio estimator; 1970-01-01 was a Thursday.

    Examples
    --------
    >>> from calculators.cost.usage_logs import read_usage_log
    >>> log = read_usage_log(b"time_s,in_tokens,out_tokens\\n0,8,2\\n3600,9,1\\n")
    >>> week, basis = week_rates(log, *tokens_by_hour(log), 1.0)
    >>> float(week[5]), basis
    (20.0, 'none')
    """
    hour_of_week = (start_hour + np.arange(hour_tok.size)) % HOURS_PER_WEEK
    if log.is_absolute:
        hour_of_week = (hour_of_week + _THURSDAY_H) % HOURS_PER_WEEK
    daily = float(np.median(log.bucket_s)) > 6 * SECONDS_PER_HOUR
    if covered_h >= HOURS_PER_WEEK:
        week = _rate(hour_tok, exposure_h, hour_of_week, HOURS_PER_WEEK)
        return week, "weekdays" if daily else "week"
    if covered_h >= HOURS_PER_DAY and not daily:
        day = _rate(hour_tok, exposure_h, hour_of_week % HOURS_PER_DAY, HOURS_PER_DAY)
        return np.tile(day, 7), "day"
    return np.full(HOURS_PER_WEEK, hour_tok.sum() / covered_h), "none"


def _rate(hour_tok: Floats, exposure_h: Floats, slot: NDArray[np.int64], n_slots: int) -> Floats:
    tokens = np.bincount(slot, hour_tok, minlength=n_slots)
    return tokens / np.bincount(slot, exposure_h, minlength=n_slots)


def busiest_window(log: UsageLog, hour_tok: Floats, covered_h: float) -> tuple[float, float]:
    """Return the busiest window's rate over the mean rate, and the window.

    The window is an hour, a minute where less than a day is covered, or the log's own bucket if
    that is longer.

    Parameters
    ----------
    log : UsageLog
    hour_tok : array [tok], shape (hours,)
    covered_h : float [h]

    Returns
    -------
    peak_to_mean : float [ratio, >= 1]
    window_s : float [s]

    Notes
    -----
    Bursts shorter than the window are left out, so it errs low. Basis: measured.

    References
    ----------
    Load factor of electrical supply, inverted.

    Examples
    --------
    >>> from calculators.cost.usage_logs import read_usage_log
    >>> log = read_usage_log(b"time_s,in_tokens,out_tokens\\n0,8,2\\n90,9,1\\n120,9,1\\n")
    >>> busiest_window(log, np.array([30.0]), 120 / 3600)
    (1.0, 60.0)
    """
    tokens = log.input_tok + log.output_tok
    mean_tok_s = tokens.sum() / covered_h / SECONDS_PER_HOUR
    window_s = SECONDS_PER_HOUR if covered_h >= HOURS_PER_DAY else 60.0
    window_s = max(window_s, float(np.median(log.bucket_s)))
    if window_s == SECONDS_PER_HOUR:
        return float(hour_tok.max()) / SECONDS_PER_HOUR / mean_tok_s, window_s
    window = np.floor((log.time_s - log.time_s.min()) / window_s).astype(np.int64)
    _, place = np.unique(window, return_inverse=True)
    peak_tok_s = float(np.bincount(place, tokens).max()) / window_s
    return max(peak_tok_s / mean_tok_s, 1.0), window_s
