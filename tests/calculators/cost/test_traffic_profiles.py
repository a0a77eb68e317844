import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calculators.cost.traffic_profiles import (
    PROFILE_NAMES,
    ProfileError,
    parse_profile,
    profile_code,
    weekly_profile,
)


@pytest.mark.parametrize("name", PROFILE_NAMES)
def test_named_profiles_have_168_hours_and_mean_1(name):
    week = weekly_profile(name)
    assert week.shape == (168,)
    assert week.mean() == pytest.approx(1)
    assert week.min() >= 0


def test_office_hours_are_busy_on_weekdays_and_quiet_at_night_and_on_sunday():
    week = weekly_profile("office-hours").reshape(7, 24)
    assert week[2, 10] > 2.5
    assert week[2, 3] < 0.2
    assert week[6].max() < 0.5


def test_nightly_batch_runs_six_of_24_hours():
    assert weekly_profile(" Nightly-Batch ").max() == pytest.approx(24 / 6)


def test_a_day_repeats_over_the_week():
    day = "0" * 8 + "9" * 8 + "0" * 8
    assert np.array_equal(parse_profile(day), np.tile([0] * 8 + [3.0] * 8 + [0] * 8, 7))


def test_numbers_and_characters_say_the_same():
    levels = [hour % 10 for hour in range(168)]
    typed = parse_profile("".join(map(str, levels)))
    pasted = parse_profile(
        "\n".join(",".join(map(str, levels[i : i + 24])) for i in range(0, 168, 24))
    )
    assert np.allclose(typed, pasted)
    assert typed[9] == pytest.approx(9 / np.mean(levels))


@given(
    st.lists(st.floats(0, 1e300), min_size=168, max_size=168).filter(
        lambda week: max(week) > 1e-300
    )
)
def test_a_code_keeps_every_hour_within_half_a_level(week):
    code = profile_code(week)
    assert len(code) == 168
    back = parse_profile(code)
    assert np.allclose(back / back.max(), np.array(week) / max(week), atol=0.5 / 63 + 1e-9)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "0 hours"),
        ("1,2,3", "3 hours"),
        ("0" * 168, "every hour is 0"),
        ("é" * 24, "no level"),
        ("-1 " * 24, "hour 1"),
        ("1 " * 167 + "nan", "hour 168"),
        ("inf " * 24, "'inf'"),
        ("busy", "'busy'"),
    ],
)
def test_a_bad_profile_is_one_clear_sentence(text, words):
    with pytest.raises(ProfileError, match=words) as error:
        weekly_profile(text)
    assert str(error.value).startswith("profile: ")
    assert len(str(error.value)) < 200


@pytest.mark.parametrize("week", [[1.0] * 24, [0.0] * 168, [np.nan] * 168, [-1.0] + [1.0] * 167])
def test_only_a_real_week_gets_a_code(week):
    with pytest.raises(ProfileError):
        profile_code(week)
