"""The golden figures of kv_cache_capacity and fits, at the digits given."""

from calculators.fit.reference import reference_fits, reference_kv_capacity


def test_kv_cache_capacity_comes_out_to_the_digit():
    table = reference_kv_capacity()
    assert table["per_token_kib"] == 320
    assert table["one_8k_conversation_gib"] == 2.5
    assert table["batch_74_at_8k_gib"] == 185
    assert table["eight_b_example"]["bytes_per_token"] == 131072
    rounded = [[row[0], round(row[1], 1), round(row[2], 1), *row[3:]] for row in table["rows"]]
    assert rounded == [
        [16, 130.4, -54.4, 0, 0, 0],
        [8, 65.2, 10.8, 17, 4, 1],
        [4, 32.6, 43.4, 69, 17, 4],
    ]


def test_fits_comes_out_to_the_digit():
    rounded = [
        [*row[:3], *(round(value, 1) for value in row[3:6]), row[6]]
        for row in reference_fits()["rows"]
    ]
    assert rounded == [
        [16, 16, 16, 14.9, 16.0, 30.9, False],
        [8, 16, 16, 7.5, 16.0, 23.5, True],
        [4, 16, 16, 3.7, 16.0, 19.7, True],
        [4, 8, 16, 3.7, 8.0, 11.7, True],
        [4, 8, 32, 3.7, 16.0, 19.7, True],
    ]
