"""The Traffic page's figures and words."""

from __future__ import annotations

import numpy as np
import pytest

from app import traffic_words
from app.figures import traffic as figures
from calculators.cost.traffic_fleet import week_of_demand
from calculators.cost.traffic_measured import measured_traffic
from calculators.cost.traffic_profiles import weekly_profile
from calculators.cost.usage_logs import read_usage_log
from calculators.link import from_query
from calculators.scenario import Scenario

HOUR = 3600


def log_of_two_weeks():
    rows = [
        f"{1_767_571_200 + HOUR * hour},{1000 if hour % 24 == 9 else 10},90\n"
        for hour in range(337)
    ]
    text = "timestamp,prompt_tokens,completion_tokens\n" + "".join(rows) + "x,1,1\n"
    return read_usage_log(text.encode())


def week(peak=2.0, replica_tok_s=50.0):
    return week_of_demand(
        demand_tok_month=730 * HOUR * 100.0,
        profile=weekly_profile("office-hours"),
        peak=peak,
        replica_tok_s=replica_tok_s,
    )


def test_the_heatmap_holds_tokens_per_second_by_day_and_hour():
    heatmap = figures.week_figure(week().week_tok).data[0]
    assert heatmap.z.shape == (7, 24)
    assert heatmap.z.mean() == pytest.approx(100)
    assert list(heatmap.y) == ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    assert figures.week_finding(week().week_tok).startswith("Mon 10:00 is the busiest hour: 3.2")


def test_the_peak_of_averaged_days_is_told_from_the_peak_that_was_seen():
    log = log_of_two_weeks()
    traffic = measured_traffic(log)
    averaged = figures.week_finding(week().week_tok, averaged=True)
    assert averaged.startswith("Averaged over the log, Mon 10:00 is the busiest hour: 3.2")
    note = next(m[2] for m in traffic_words.traffic_metrics(traffic, log) if m[0] == "Peak to mean")
    assert "busiest hour that the log saw" in note


def test_replicas_for_mean_and_peak_are_lines_at_what_they_carry():
    demand, mean, peak = figures.demand_figure(week()).data
    assert demand.y.mean() == pytest.approx(100)
    assert (mean.y[0], peak.y[0]) == (100, 200)
    assert figures.demand_finding(2, 4) == "The mean needs 2 replicas, the peak 4"


def test_nothing_runs_no_loads():
    assert week(replica_tok_s=0.0).loads == ()


def test_a_log_becomes_a_valid_link():
    log = log_of_two_weeks()
    traffic = measured_traffic(log)
    texts = traffic_words.link_texts(traffic, Scenario(context_tok=512, duty_frac=0.3))
    scenario, problems = from_query(texts)
    assert problems == ()
    assert scenario.demand_mtok == pytest.approx(traffic.demand_tok_month / 1e6, rel=1e-4)
    assert (scenario.output_tok, scenario.context_tok) == (90, 1090)
    assert scenario.duty_frac is None
    assert np.argmax(weekly_profile(scenario.profile)) == 9


def test_lengths_and_bad_rows_are_told():
    log = log_of_two_weeks()
    traffic = measured_traffic(log)
    assert "half of the outputs stay below 90 tokens" in figures.length_finding(traffic)
    assert len(figures.length_figure(traffic).data) == 2
    assert traffic_words.bad_row_rows(log)[0]["Rows"] == "1"
    rows_used = traffic_words.traffic_metrics(traffic, log)[-1]
    assert rows_used[1] == "337 of 338"
    assert traffic_words.traffic_verdict(traffic)[1].startswith("covered: 14 days")
