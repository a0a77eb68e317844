"""Times of every kind, and what is no time."""

import pytest

from tests.calculators.cost.usage import HEADER, read


@pytest.mark.parametrize(
    ("cells", "seconds"),
    [
        (("1700000000", "1700000060"), 1.7e9),
        (("1700000000.5", "1700000060.5"), 1.7e9 + 0.5),
        (("1700000000000", "1700000060000"), 1.7e9),
        (("1700000000000000", "1700000060000000"), 1.7e9),
        (("1700000000000000000", "1700000060000000000"), 1.7e9),
        (("2023-11-14 22:13:20", "2023-11-14 22:14:20"), 1.7e9),
        (("2023-11-14 22:13:20.0000001", "2023-11-14 22:14:20"), 1.7e9),
        (("2023-11-14T22:13:20Z", "2023-11-15T00:14:20+02:00"), 1.7e9),
        (("2023-11-14 22:13:20 UTC", "2023-11-14 22:14:20 UTC"), 1.7e9),
        (("14.11.2023 22:13:20", "14.11.2023 22:14:20"), 1.7e9),
        (("11/14/2023 10:13:20 PM", "11/14/2023 10:14:20 PM"), 1.7e9),
        (("14/Nov/2023:22:13:20 +0000", "14/Nov/2023:22:14:20 +0000"), 1.7e9),
        (("20231114221320", "20231114221420"), 1.7e9),
    ],
)
def test_times_of_every_kind(cells, seconds):
    log = read(HEADER + "".join(f'"{cell}",5,2\n' for cell in cells).encode())
    assert log.is_absolute
    assert log.time_s == pytest.approx([seconds, 1.7e9 + 60 + seconds % 1], abs=1e-3)


def test_a_relative_clock_is_guessed_said_and_can_be_set():
    rows = b"".join(b"%d,5,2\n" % t for t in (0, 3000, 27482))
    mooncake = HEADER.replace(b"prompt_tokens", b"input_length").replace(
        b"completion_tokens", b"output_length"
    )
    assert read(mooncake + rows).time_s.tolist() == [0, 3, 27.482]
    assert "read as ms" in read(mooncake + rows).notes[0]
    assert read(mooncake + rows, time_unit="s").time_s.tolist() == [0, 3000, 27482]
    assert read(HEADER + b"5,1,1\n45,1,1\n118,1,1\n").time_s.tolist() == [5, 45, 118]
    named = HEADER.replace(b"timestamp", b"arrival_ms")
    assert read(named + b"5,1,1\n45,1,1\n").time_s.tolist() == [0.005, 0.045]


def test_words_for_now_are_no_times():
    log = read(HEADER + b"2024-01-01,1,1\nnow,1,1\ntoday,1,1\n")
    assert log.bad_rows == {"time is not a date from 2000 to 2099": 2}


def test_dates_of_other_millennia_are_no_times():
    log = read(HEADER + b"2024-01-01 00:00:00.1,1,1\n0202-11-16 18:20:46,1,1\n9999-01-01,1,1\n")
    assert log.bad_rows == {"time is not a date from 2000 to 2099": 2}
