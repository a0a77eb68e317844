"""FP8 and FP4 against lists of all their numbers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calculators.labs.small_floats import e2m1, e4m3

E2M1 = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6])
# sign, 4 bits of exponent (bias 7), 3 bits of mantissa; the largest code is not a number
E4M3 = np.array(
    [m * 2.0**-9 for m in range(8)]
    + [(1 + m / 8) * 2.0 ** (e - 7) for e in range(1, 16) for m in range(8)][:-1]
)


def nearest_distance(value, numbers):
    return np.abs(np.abs(value) - numbers).min()


@given(st.floats(-600, 600))
def test_e4m3_gives_the_nearest_of_its_numbers(value):
    found = float(e4m3(np.array([value]))[0])
    assert abs(found) in E4M3
    assert abs(found - np.clip(value, -448, 448)) == pytest.approx(
        nearest_distance(np.clip(value, -448, 448), E4M3), abs=1e-12
    )


@given(st.floats(-9, 9))
def test_e2m1_gives_the_nearest_of_its_numbers(value):
    found = float(e2m1(np.array([value]))[0])
    assert abs(found) in E2M1
    clipped = np.clip(value, -6, 6)
    assert abs(found - clipped) == pytest.approx(nearest_distance(clipped, E2M1), abs=1e-12)


def test_ties_go_to_the_even_mantissa():
    assert e2m1(np.array([0.25, 0.75, 1.25, 2.5, 3.5, 5.0])).tolist() == [0, 1, 1, 2, 4, 4]


def test_numbers_of_the_format_stay():
    assert np.array_equal(e4m3(E4M3), E4M3)
    assert np.array_equal(e2m1(-E2M1), -E2M1)
