import datetime

import numpy as np
import pytest

from calculators.cost.traffic import weekly_profile
from calculators.cost.traffic_measured import measured_traffic
from calculators.cost.usage_logs import UsageLogError, read_usage_log

MONDAY = datetime.datetime(2026, 1, 5, tzinfo=datetime.UTC).timestamp()


def log_of(times, inputs, outputs, header="timestamp,input_tokens,output_tokens"):
    rows = zip(times, inputs, outputs, strict=True)
    return read_usage_log((header + "\n" + "".join(f"{t},{i},{o}\n" for t, i, o in rows)).encode())


def hourly_log(n_hours, tokens_of_hour, start=MONDAY):
    """Four requests an hour, so that every hour is fully seen; the last row closes the span."""
    times = [start + 900 * i for i in range(4 * n_hours)] + [start + 3600 * n_hours]
    tokens = [tokens_of_hour(i // 4) / 4 for i in range(4 * n_hours)] + [0]
    return log_of(times, tokens, [0] * len(times))


def test_two_weeks_give_back_their_profile():
    week = weekly_profile("office-hours") * 1000
    traffic = measured_traffic(hourly_log(336, lambda hour: week[hour % 168]))
    assert traffic.profile_basis == "week"
    assert traffic.profile == pytest.approx(week / 1000)
    assert traffic.demand_tok_month == pytest.approx(730 * 1000)
    assert traffic.peak_to_mean == pytest.approx(week.max() / 1000)
    assert traffic.covered_h == 336


def test_a_week_and_five_days_counts_each_weekday_once():
    week = np.repeat([1000.0] * 5 + [0.0] * 2, 24)
    traffic = measured_traffic(hourly_log(12 * 24, lambda hour: week[hour % 168]))
    assert traffic.demand_tok_month == pytest.approx(730 * 1000 * 5 / 7, rel=1e-6)


def test_local_hours_follow_the_offset():
    at_noon_utc = hourly_log(168, lambda hour: 5.0 if hour == 12 else 0.0)
    assert np.argmax(measured_traffic(at_noon_utc).profile) == 12
    assert np.argmax(measured_traffic(at_noon_utc, utc_offset_h=-5).profile) == 7
    assert np.argmax(measured_traffic(at_noon_utc, utc_offset_h=-13).profile) == 167


def test_an_hour_is_extrapolated_plainly_and_has_no_profile():
    traffic = measured_traffic(
        log_of([MONDAY, MONDAY + 1800, MONDAY + 3600], [80, 90, 70], [20, 10, 30])
    )
    assert traffic.demand_tok_month == 300 * 730
    assert traffic.extrapolation_ratio == 730
    assert traffic.profile_basis == "none"
    assert (traffic.mean_input_tok, traffic.mean_output_tok) == (80, 20)
    assert traffic.input_quantiles_tok[[0, 5, 10]].tolist() == [70, 80, 90]
    assert any("60 minutes" in note and "730 times" in note for note in traffic.notes)
    assert traffic.link_fields() == {"tokens": pytest.approx(0.219), "in": 80, "out": 20}


def test_three_days_share_one_day():
    traffic = measured_traffic(hourly_log(72, lambda hour: 300.0 if hour % 24 == 9 else 0.0))
    assert traffic.profile_basis == "day"
    assert traffic.profile.reshape(7, 24)[:, 9] == pytest.approx(24)
    assert traffic.link_fields()["peak"] == 24


def test_daily_totals_give_the_weekdays_but_no_hours():
    days = [f"2026-01-{5 + day:02d}" for day in range(14)]
    tokens = [700 if day % 7 < 5 else 0 for day in range(14)]
    traffic = measured_traffic(log_of(days, tokens, [0] * 14, "date,input_tokens,output_tokens"))
    assert traffic.profile_basis == "weekdays"
    assert traffic.covered_h == 336
    assert traffic.profile.reshape(7, 24)[:5] == pytest.approx(7 / 5)
    assert traffic.profile.reshape(7, 24)[5:].max() == 0
    assert traffic.demand_tok_month == pytest.approx(7000 / 336 * 730)
    assert traffic.n_requests is None and traffic.mean_input_tok is None
    assert traffic.peak_window_s == 86400


def test_cached_share_of_input():
    text = b"timestamp,prompt_tokens,completion_tokens,cached_tokens\n0,100,1,60\n60,300,1,0\n"
    assert measured_traffic(read_usage_log(text)).cached_frac == 0.15


@pytest.mark.parametrize(
    ("times", "tokens", "words"),
    [
        (["5", "5"], [1, 1], "one time"),
        (["0", "60"], [0, 0], "no traffic"),
        (["0", "60"], [-1, -1], "No row"),
        (["0", "1", "2e9"], [1, 1, 1], "years"),
    ],
)
def test_logs_without_a_rate_are_refused(times, tokens, words):
    header = "elapsed_time_s,input_tokens,output_tokens"
    with pytest.raises(UsageLogError, match=words):
        measured_traffic(log_of(times, tokens, [0] * len(times), header))


def test_lengths_alone_give_no_rate():
    log = read_usage_log(b"num_prefill_tokens,num_decode_tokens\n10,20\n30,40\n")
    assert log.has_lengths
    with pytest.raises(UsageLogError, match="no times"):
        measured_traffic(log)
