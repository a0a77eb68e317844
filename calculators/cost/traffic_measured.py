"""What a usage log says about traffic: tokens a month, lengths, the week's profile and its peak."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calculators.cost.traffic_hours import busiest_window, tokens_by_hour, week_rates
from calculators.cost.traffic_profiles import HOURS_PER_WEEK, profile_code
from calculators.cost.usage_logs import UsageLog, UsageLogError
from calculators.units import HOURS_PER_MONTH, SECONDS_PER_HOUR

Floats = NDArray[np.float64]
PERCENTILES = (0, 1, 5, 10, 25, 50, 75, 90, 95, 99, 100)
_MAX_HOURS = 50 * 8766


@dataclass(frozen=True)
class Traffic:
    """Demand as a log shows it. Tokens are input and output together where not said otherwise.

    `profile_basis` is `week` (each hour of the week seen), `day` (hours of a day, every day alike),
    `weekdays` (only daily totals are known) or `none` (too short: flat). `peak_to_mean` is the
    busiest window of `peak_window_s` over the mean.
    """

    n_requests: float | None
    input_tok: float
    output_tok: float
    cached_frac: float | None
    mean_input_tok: float | None
    mean_output_tok: float | None
    first_s: float
    last_s: float
    covered_h: float
    hours_month: float
    input_tok_month: float
    output_tok_month: float
    requests_month: float | None
    hour_tok: Floats
    profile: Floats
    profile_basis: str
    peak_to_mean: float
    peak_window_s: float
    is_absolute: bool
    input_quantiles_tok: Floats | None
    output_quantiles_tok: Floats | None
    notes: tuple[str, ...]

    @property
    def demand_tok_month(self) -> float:
        """Return input and output tokens a month."""
        return self.input_tok_month + self.output_tok_month

    @property
    def extrapolation_ratio(self) -> float:
        """Return how many times the covered time fits into a month."""
        return self.hours_month / self.covered_h

    @property
    def long_request_tok(self) -> int | None:
        """Return the tokens of a request with both lengths at their 99th percentile."""
        if self.input_quantiles_tok is None or self.output_quantiles_tok is None:
            return None
        place = PERCENTILES.index(99)
        return int(self.input_quantiles_tok[place] + self.output_quantiles_tok[place])

    def link_fields(self) -> dict[str, float | str]:
        """Return the link's fields that follow from the log, those that are known."""
        fields: dict[str, float | str] = {"tokens": self.demand_tok_month / 1e6}
        if self.mean_input_tok is not None and self.mean_output_tok is not None:
            fields["in"] = max(round(self.mean_input_tok), 1)
            fields["out"] = max(round(self.mean_output_tok), 1)
        if self.cached_frac is not None:
            fields["cached"] = round(self.cached_frac, 4)
        if self.profile_basis in ("week", "day", "weekdays"):
            fields["profile"] = profile_code(self.profile)
            fields["peak"] = round(self.peak_to_mean, 3)
        return fields


def measured_traffic(
    log: UsageLog, *, utc_offset_h: float = 0.0, hours_month: float = HOURS_PER_MONTH
) -> Traffic:
    """Return the traffic of a log: rates, lengths, weekly profile, peak, and a month of it.

    From a week on, month = hours_month x mean over the 168 hours of the week of (tokens / time
    seen in that hour); below a week, month = tokens / covered time x hours_month.

    Parameters
    ----------
    log : UsageLog
    utc_offset_h : float [h, -14 to 14; added to absolute times, so that hours are local]
    hours_month : float [h per month], > 0

    Returns
    -------
    traffic : Traffic

    Raises
    ------
    UsageLogError
        If the log has no usable rows, no times, no tokens, or does not span any time.

    Notes
    -----
    Covered time runs from the first row to the last (to the end of the last bucket). Days off at
    either end of the log are not seen. Seasons and growth are left out. Basis: measured.

    References
    ----------
    Ratio estimator; 1970-01-01 was a Thursday.

    Examples
    --------
    >>> from calculators.cost.usage_logs import read_usage_log
    >>> log = read_usage_log(b"time_s,in_tokens,out_tokens\\n0,8,2\\n3600,9,1\\n")
    >>> measured_traffic(log).demand_tok_month
    14600.0
    """
    _check(log)
    tokens = log.input_tok + log.output_tok
    first, last = float(log.time_s.min()), float((log.time_s + log.bucket_s).max())
    covered_h = (last - first) / SECONDS_PER_HOUR
    _check_span(covered_h)
    hour_tok, exposure_h, start_hour = tokens_by_hour(log, utc_offset_h=utc_offset_h)
    week, basis = week_rates(log, hour_tok, exposure_h, start_hour, covered_h)
    seen_tok = float(tokens.sum())
    mean_tok_h = float(week.mean()) if basis in ("week", "weekdays") else seen_tok / covered_h
    scale = mean_tok_h * hours_month / seen_tok
    peak, window_s = busiest_window(log, hour_tok, covered_h)
    n_requests = float(log.n_requests.sum()) if log.has_requests else None
    known = n_requests is not None and n_requests > 0
    input_tok, output_tok = float(log.input_tok.sum()), float(log.output_tok.sum())
    return Traffic(
        n_requests=n_requests,
        input_tok=input_tok,
        output_tok=output_tok,
        cached_frac=_cached_frac(log),
        mean_input_tok=input_tok / n_requests if known and n_requests else None,
        mean_output_tok=output_tok / n_requests if known and n_requests else None,
        first_s=first,
        last_s=last,
        covered_h=covered_h,
        hours_month=hours_month,
        input_tok_month=input_tok * scale,
        output_tok_month=output_tok * scale,
        requests_month=n_requests * scale if n_requests is not None else None,
        hour_tok=hour_tok,
        profile=week / week.mean(),
        profile_basis=basis,
        peak_to_mean=peak,
        peak_window_s=window_s,
        is_absolute=log.is_absolute,
        input_quantiles_tok=_quantiles(log, log.input_tok),
        output_quantiles_tok=_quantiles(log, log.output_tok),
        notes=_notes(log, covered_h, hours_month, basis),
    )


def _check(log: UsageLog) -> None:
    if not log.time_s.size:
        reasons = "; ".join(f"{n} rows: {reason}" for reason, n in log.bad_rows.items())
        raise UsageLogError(f"No row of the log can be used ({reasons}).")
    if not log.has_times:
        raise UsageLogError("The log has no times: lengths can be read from it, but no rates.")
    if not float((log.input_tok + log.output_tok).sum()) > 0:
        raise UsageLogError("All token counts of the log are 0: there is no traffic in it.")


def _check_span(covered_h: float) -> None:
    if not covered_h > 0:
        raise UsageLogError("All rows of the log have one time: no rate follows from that.")
    if covered_h > _MAX_HOURS:
        raise UsageLogError(
            f"The log spans {covered_h / 8766:,.0f} years: its times are in another unit."
        )


def _cached_frac(log: UsageLog) -> float | None:
    if log.cached_tok is None or not log.input_tok.sum() > 0:
        return None
    return float(log.cached_tok.sum() / log.input_tok.sum())


def _quantiles(log: UsageLog, tokens: Floats) -> Floats | None:
    return np.percentile(tokens, PERCENTILES) if log.has_lengths else None


def _notes(log: UsageLog, covered_h: float, hours_month: float, basis: str) -> tuple[str, ...]:
    notes = list(log.notes)
    if covered_h < HOURS_PER_WEEK:
        span = f"{covered_h * 60:.3g} minutes" if covered_h < 2 else f"{covered_h:.3g} hours"
        notes.append(
            f"The log covers {span}; a month is {hours_month / covered_h:,.3g} times that, as if "
            "every hour of the month were like these. A week or more is needed to know."
        )
    if basis == "none":
        notes.append("The log is too short for a weekly profile: choose one.")
    if basis == "day":
        notes.append("Less than a week is covered: every day of the week is taken to be alike.")
    if basis == "weekdays":
        notes.append(
            "The log has daily totals: the hours within a day, and their peak, are unknown."
        )
    if basis in ("week", "day") and not log.is_absolute:
        notes.append("The log's clock is relative: its zero is taken as Monday 00:00.")
    if not log.has_lengths:
        notes.append("Rows are buckets of requests: mean lengths are known, their spread is not.")
    return tuple(dict.fromkeys(notes))
