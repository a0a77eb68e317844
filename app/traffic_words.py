"""The Traffic page's sentences, metrics and rows; no arithmetic beyond rounding for the eye."""

from __future__ import annotations

from collections.abc import Sequence

from app.formatting import count, number, percent, quantity
from calculators.cost.traffic_fleet import FleetLoad
from calculators.cost.traffic_measured import Traffic
from calculators.cost.usage_logs import UsageLog
from calculators.scenario import Scenario

_BASES = {
    "week": "each hour of the week as seen",
    "day": "hours of the day as seen, every day alike",
    "weekdays": "daily totals, hours unknown",
    "none": "too short for a profile",
}


def traffic_verdict(traffic: Traffic) -> tuple[str, str]:
    """What the log asks for in a month, and how far that is extrapolated."""
    millions = traffic.demand_tok_month / 1e6
    month = quantity(millions, "million tokens a month")
    if millions >= 10_000:
        month = quantity(millions / 1e3, "billion tokens a month")
    covered = traffic.covered_h
    span = f"{number(covered / 24)} days" if covered >= 48 else f"{number(covered)} hours"
    ratio = traffic.extrapolation_ratio
    how = f"covered: {span}"
    how += f", extrapolated {number(ratio)} times" if ratio > 1.05 else ""
    return f"This log asks for {month}.", f"{how}; profile: {_BASES[traffic.profile_basis]}."


def traffic_metrics(traffic: Traffic, log: UsageLog) -> list[tuple[str, str, str, str]]:
    """The figures of a log: lengths, cache, peak, rows."""
    window = {3600.0: "busiest hour", 60.0: "busiest minute"}.get(
        traffic.peak_window_s, f"busiest {number(traffic.peak_window_s / 3600)} hours"
    )
    lengths = [
        f"{number(mean)} tok" if mean is not None else "not known"
        for mean in (traffic.mean_input_tok, traffic.mean_output_tok)
    ]
    requests = "not known" if traffic.n_requests is None else count(round(traffic.n_requests))
    cached = "not in the log" if traffic.cached_frac is None else percent(traffic.cached_frac)
    return [
        ("Mean input", lengths[0], f"{requests} requests", "measured"),
        ("Mean output", lengths[1], "of one request", "measured"),
        ("Input from cache", cached, "share of the input tokens", "measured"),
        (
            "Peak to mean",
            number(traffic.peak_to_mean),
            f"{window} that the log saw, over the mean of the time that it covers",
            "measured",
        ),
        (
            "Rows used",
            f"{count(log.time_s.size)} of {count(log.time_s.size + log.n_bad_rows)}",
            f"{count(log.n_bad_rows)} not used, {count(log.n_empty_rows)} empty periods",
            "",
        ),
    ]


def bad_row_rows(log: UsageLog) -> list[dict[str, object]]:
    """Why rows were not used, how many, and an example of each."""
    return [
        {
            "Not used because": reason,
            "Rows": count(n),
            "Example": (log.bad_examples.get(reason) or ("",))[0],
        }
        for reason, n in log.bad_rows.items()
    ]


def load_rows(loads: Sequence[FleetLoad]) -> list[dict[str, object]]:
    """How busy the fleets for the mean and for the peak would be."""
    return [
        {
            "Fleet": label,
            "Replicas": count(load.n_replicas),
            "Share of the planned load": percent(load.duty_frac),
            "Demand served when asked": percent(load.served_frac),
        }
        for label, load in zip(("for the mean", "for the peak"), loads, strict=False)
    ]


def link_texts(traffic: Traffic, scenario: Scenario) -> dict[str, str]:
    """What follows from a log, as texts of link keys; context grows where requests need it."""
    texts = {
        key: f"{value:.6g}" if isinstance(value, float) else str(value)
        for key, value in traffic.link_fields().items()
    }
    longest = traffic.long_request_tok
    if longest is not None and longest > scenario.context_tok:
        texts["ctx"] = str(longest)
    if scenario.duty_frac is not None:
        texts["duty"] = ""
    return texts
