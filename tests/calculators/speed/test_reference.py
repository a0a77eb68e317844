"""Reference tables in their own keys, to the digit that is printed."""

from calculators.speed.reference import (
    prefill_and_decode_intensity,
    roofline_break_even,
    single_stream_floor,
    unit_cost_steps,
)


def test_break_even_rows():
    rows = roofline_break_even()["rows"]
    assert [[row[0], *map(round, row[3:])] for row in rows] == [
        ["H100 SXM", 295, 295, 74],
        ["A100 80GB", 153, 153, 38],
        ["L40S", 419, 419, 105],
    ]


def test_single_stream_rows():
    table = single_stream_floor()
    assert [row[3:] for row in table["rows"]] == [[8.0, 125.0], [2.0, 500.0]]
    assert [row[2] for row in table["weight_read_bytes"]] == [140.0e9, 35.0e9]


def test_round_card_ratio():
    assert round(prefill_and_decode_intensity()["card_ratio"]["flop_per_byte"]) == 333


def test_unit_cost_steps():
    rows = [
        [b, round(ms, 2), round(total), round(each, 1)] for b, ms, total, each in unit_cost_steps()
    ]
    assert rows == [
        [1, 14.93, 67, 67.0],
        [4, 14.93, 268, 67.0],
        [16, 14.93, 1072, 67.0],
        [17, 14.93, 1139, 67.0],
        [64, 14.93, 4288, 67.0],
        [74, 14.96, 4945, 66.8],
        [256, 51.77, 4945, 19.3],
    ]
