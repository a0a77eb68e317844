"""Shared measures of the quantization labs, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from calculators.labs.quantization import (
    LabError,
    checked_bits,
    grouped,
    output_error_frac,
    relative_rms_error_frac,
    stored_bytes,
)


@pytest.mark.parametrize("bits", [1, 17, 4.5, -3])
def test_bits_out_of_range_are_named(bits):
    with pytest.raises(LabError, match="weight_bits"):
        checked_bits(bits)


@pytest.mark.parametrize("size", [0, -1, 3, 16])
def test_a_group_must_divide_the_row(size):
    with pytest.raises(LabError, match="group_size"):
        grouped(np.zeros((2, 8)), size)


def test_row_errors_are_of_each_row_alone():
    weights = np.array([[3.0, 4.0], [6.0, 8.0]])
    restored = weights + np.array([[0.5, 0.0], [0.0, 0.0]])
    rows = relative_rms_error_frac(weights=weights, restored=restored, axis=1)
    assert rows.tolist() == pytest.approx([0.5 / 5, 0.0])


def test_output_error_of_one_wrong_weight():
    x, w = np.array([1.0, 2.0]), np.array([[3.0], [4.0]])
    restored = np.array([[3.0], [4.5]])  # output 11 becomes 12
    assert output_error_frac(inputs=x, weights=w, restored=restored) == pytest.approx(1 / 11)


def test_stored_bytes_of_the_reference():
    n = 512 * 512
    sizes = stored_bytes(n_weights=n, weight_bits=[16, 8, 8, 4, 4], n_scales=[0, 0, 512, 0, 512])
    assert sizes.tolist() == [524288, 262144, 263168, 131072, 132096]
