"""The Traffic page's figures: the week, the replicas for mean and peak, and a log's own."""

from __future__ import annotations

from app.derivations.derivation import DEPLOYMENT, Derivation, derived, precise, share
from app.derivations.derivation import amount as a
from app.derivations.middle import percentile_equation
from app.formatting import count, number, percent
from calculators.cost.traffic import hourly_demand
from calculators.cost.traffic_fleet import WeekOfDemand, fleet_loads, week_of_demand
from calculators.cost.traffic_hours import busiest_window
from calculators.cost.traffic_measured import PERCENTILES, Traffic, measured_traffic
from calculators.cost.usage_logs import UsageLog
from calculators.plan import Plan
from calculators.speed.serving import closed_loop
from calculators.units import SECONDS_PER_HOUR

UNKNOWN = float("nan")
_MTOK = 1e6
FLEETS = ("for the mean", "for the peak")


def planned(plan: Plan, week: WeekOfDemand) -> Derivation:
    """What one replica is planned to carry."""
    money = plan.money
    return derived(
        "One replica is planned for",
        "Requests that a full replica finishes, times the tokens of a request (input and output), "
        "times the share of its speed that it is planned to be used to.",
        f"{precise(money.capacity_req_s)} requests a second x {a(money.request_tok)} tokens x "
        f"{share(plan.scenario.load_frac)} = {week.replica_tok_s:,.0f} tok/s",
        plan.performance.basis,
        closed_loop,
        DEPLOYMENT,
        known=0.0 if week.replica_tok_s else UNKNOWN,
    )


def busiest_hour(week: WeekOfDemand, hours_month: float) -> Derivation:
    """The heatmap's darkest field."""
    mean, most = float(week.week_tok.mean()), float(week.week_tok.max())
    month = mean * hours_month / _MTOK
    return derived(
        "Chart: the week",
        "Each hour of the week asks for the mean hour times its own factor; the busiest hour is "
        "shown here.",
        f"{a(month)} million tokens a month / {a(hours_month)} hours x {a(most / mean)} times the "
        f"mean x 1,000,000 / 3,600 = {number(most / SECONDS_PER_HOUR)} tok/s",
        "assumption",
        hourly_demand,
        known=0.0 if mean else UNKNOWN,
    )


def replicas(week: WeekOfDemand, peak: float) -> Derivation:
    """The two horizontal lines of the chart of demand, and the table's replicas."""
    mean = float(week.week_tok.mean()) / SECONDS_PER_HOUR
    lines = [
        f"{name}: ceil({precise(mean)} tok/s{more} / {precise(week.replica_tok_s)} tok/s) = "
        f"{n} replica{'' if n == 1 else 's'}"
        for name, more, n in zip(
            FLEETS,
            ("", f" x {precise(peak)} peak to mean"),
            (week.n_mean, week.n_peak),
            strict=True,
        )
    ]
    return derived(
        "Chart and table: replicas",
        "Whole replicas that carry the mean hour, and the busiest one. Spares come on top.",
        "\n".join(lines) if week.loads else "",
        "calibrated",
        week_of_demand,
        DEPLOYMENT,
    )


def loads(week: WeekOfDemand) -> Derivation:
    """How busy both fleets are and what share of the demand they serve."""
    asked = float(week.week_tok.sum()) / _MTOK
    hours = week.week_tok.size
    lines = []
    for name, load in zip(FLEETS, week.loads, strict=False):
        room = load.n_replicas * week.replica_tok_s * SECONDS_PER_HOUR
        done = float(week.week_tok.clip(max=room).sum()) / _MTOK
        lines += [
            f"{name}, share of the planned load: {a(done)} million tokens done in a week / "
            f"({load.n_replicas} x {a(week.replica_tok_s)} tok/s x 3,600 x {hours} hours / "
            f"1,000,000) = {percent(load.duty_frac)}",
            f"{name}, demand served when asked: {a(done)} million / {a(asked)} million asked = "
            f"{percent(load.served_frac)}",
        ]
    return derived(
        "Table: load and demand served",
        "Each hour, a fleet does what is asked, but no more than it can; what an hour cannot carry "
        "counts as not served.",
        "\n".join(lines),
        "calibrated",
        fleet_loads,
        DEPLOYMENT,
    )


def month_of(traffic: Traffic) -> Derivation:
    """The demand of a month that follows from a log."""
    mean = traffic.demand_tok_month / traffic.hours_month
    return derived(
        "This log asks for",
        "The mean hour of the log times the hours of a month. From a week on, each hour of the "
        "week counts once, however often the log has seen it.",
        f"{a(mean)} tokens an hour x {a(traffic.hours_month)} hours / 1,000,000 = "
        f"{number(traffic.demand_tok_month / _MTOK)} million tokens a month",
        "your file",
        measured_traffic,
    )


def lengths(traffic: Traffic, log: UsageLog) -> tuple[Derivation, ...]:
    """Mean lengths of a request, and the chart of their spread."""
    n = traffic.n_requests or 0.0
    return (
        *(
            derived(
                f"Mean {name}",
                f"All {name} tokens of the log over its requests.",
                f"{count(tokens)} tokens / {count(n)} requests = {number(mean)} tok",
                "your file",
                measured_traffic,
                known=UNKNOWN if mean is None else mean,
            )
            for name, tokens, mean in (
                ("input", traffic.input_tok, traffic.mean_input_tok),
                ("output", traffic.output_tok, traffic.mean_output_tok),
            )
        ),
        derived(
            "Chart: lengths of requests",
            f"The log's requests sorted by length, read at {len(PERCENTILES)} places: as many per "
            "cent of the requests are shorter. Three of the places are shown here.",
            "\n".join(_length_lines(traffic, log)),
            "your file",
            measured_traffic,
            known=UNKNOWN if traffic.input_quantiles_tok is None else 0.0,
        ),
    )


def _length_lines(traffic: Traffic, log: UsageLog) -> list[str]:
    return [
        f"{name}, {place} % are shorter: "
        f"{percentile_equation(tokens, place / 100, lambda tok: f'{number(tok, 4)} tokens')}"
        for name, tokens, known in (
            ("input", log.input_tok, traffic.input_quantiles_tok),
            ("output", log.output_tok, traffic.output_quantiles_tok),
        )
        if known is not None
        for place in (50, 95, 99)
    ]


def shares(traffic: Traffic, log: UsageLog) -> tuple[Derivation, ...]:
    """Input from the cache, peak to mean, rows used."""
    cached = 0.0 if log.cached_tok is None else float(log.cached_tok.sum())
    known = UNKNOWN if traffic.cached_frac is None else 0.0
    hours = traffic.peak_window_s / SECONDS_PER_HOUR
    covered = (traffic.input_tok + traffic.output_tok) / traffic.covered_h
    return (
        derived(
            "Input from cache",
            "Input tokens that the provider took from its cache, over all input tokens.",
            f"{count(cached)} / {count(traffic.input_tok)} = {percent(traffic.cached_frac or 0.0)}",
            "your file",
            measured_traffic,
            known=known,
        ),
        derived(
            "Peak to mean",
            f"The busiest stretch of {number(hours)} hours over the mean rate of the time that the "
            "log covers.",
            f"{a(traffic.peak_to_mean * covered)} tokens an hour / {a(covered)} tokens an hour = "
            f"{number(traffic.peak_to_mean)}",
            "your file",
            busiest_window,
        ),
        Derivation(
            "Rows used",
            "Rows whose time and tokens could be read; the others are listed with the reason.",
            f"{log.time_s.size:,} used + {log.n_bad_rows:,} not used = "
            f"{log.time_s.size + log.n_bad_rows:,} rows",
            "your file",
            measured_traffic,
        ),
    )
