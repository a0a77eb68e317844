"""How is the demand spread over the week, and what does its peak cost?"""

from app import compute, explanations, state, traffic_inputs, traffic_words, ui, uploads
from app.figures import traffic as figures
from app.unfit import say_why
from calculators.cost.traffic_fleet import week_of_demand
from calculators.provenance import sources
from calculators.resolve import hourly_profile

scenario = state.scenario()
plan = compute.plan(scenario)
ui.page_title("Traffic", __doc__)
log = uploads.usage_log()
traffic = traffic_inputs.measured(log, scenario.hours_month) if log else None
profile, peak = hourly_profile(scenario)
demand_tok_month = scenario.demand_mtok * 1e6
if log and traffic:
    profile, peak = traffic.profile, max(traffic.peak_to_mean, float(traffic.profile.max()))
    demand_tok_month = traffic.demand_tok_month
    ui.verdict(*traffic_words.traffic_verdict(traffic))
    ui.metrics(traffic_words.traffic_metrics(traffic, log))
    traffic_inputs.carry(traffic, scenario)
    ui.notes(traffic.notes)
else:
    traffic_inputs.choose_profile(scenario)
if log and log.bad_rows:
    ui.table(traffic_words.bad_row_rows(log), caption="Rows that were not used")

replica_tok_s = float(plan.money.capacity_req_s * plan.money.request_tok) * scenario.load_frac
week = week_of_demand(
    demand_tok_month=demand_tok_month,
    profile=profile,
    peak=peak,
    replica_tok_s=replica_tok_s if plan.fits else 0.0,
    hours_month=scenario.hours_month,
)
if traffic is None or traffic.profile_basis != "none":
    finding = figures.week_finding(week.week_tok, averaged=traffic is not None)
    figure = figures.week_figure(week.week_tok, averaged=traffic is not None)
    ui.show_figure(figure, key="week", alt=finding, height=330)
if traffic and traffic.input_quantiles_tok is not None:
    lengths = figures.length_finding(traffic)
    ui.show_figure(figures.length_figure(traffic), key="lengths", alt=lengths, height=380)
elif not plan.fits:
    say_why("No replica can carry this demand", plan.performance.limit_text)
elif week.loads:
    finding = figures.demand_finding(week.n_mean, week.n_peak)
    ui.show_figure(figures.demand_figure(week), key="demand", alt=finding, height=380)
if week.loads:
    ui.table(
        traffic_words.load_rows(week.loads),
        caption=f"One replica is planned for {week.replica_tok_s:,.0f} tok/s, input and output",
    )
ui.explanations(lambda: explanations.traffic(plan, week, peak, traffic, log), sources(plan))
