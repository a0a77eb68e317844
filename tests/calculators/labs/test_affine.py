"""Affine quantization per group: half a step at most, exact at the ends, damage by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from calculators.labs.affine import group_damage, lab_matrix, quantize_affine
from calculators.labs.quantization import LabError

VALUES = st.floats(-100, 100, allow_nan=False, width=32)


@given(weights=arrays(np.float64, (3, 16), elements=VALUES), bits=st.integers(2, 8))
def test_error_is_at_most_half_a_step(weights, bits):
    quantized = quantize_affine(weights=weights, weight_bits=bits, group_size=8)
    error = np.abs(quantized.restored - weights).reshape(-1, 8)
    assert np.all(error <= quantized.scale / 2 + 1e-9)


@given(weights=arrays(np.float64, (2, 16), elements=VALUES), bits=st.integers(2, 8))
def test_steps_are_whole_and_within_the_bits(weights, bits):
    steps = quantize_affine(weights=weights, weight_bits=bits, group_size=4).steps
    assert np.array_equal(steps, np.rint(steps))
    assert steps.min() >= 0 and steps.max() <= 2**bits - 1


def test_hand_example_with_two_bits():
    row = np.array([[-1.0, 0.0, 0.4, 2.0]])  # steps of 1 from -1: 0, 1, 1.4, 3
    quantized = quantize_affine(weights=row, weight_bits=2, group_size=4)
    assert quantized.restored.tolist() == [[-1.0, 0.0, 0.0, 2.0]]


def test_halves_round_to_even():
    row = np.array([[0.0, 0.5, 1.5, 3.0]])
    quantized = quantize_affine(weights=row, weight_bits=2, group_size=4)
    assert quantized.steps.tolist() == [[0.0, 0.0, 2.0, 3.0]]


def test_a_flat_group_is_kept_exactly():
    flat = np.full((2, 8), 0.3)
    assert np.array_equal(quantize_affine(weights=flat, weight_bits=2, group_size=8).restored, flat)


def test_damage_lands_in_the_group_with_the_outlier():
    matrix = lab_matrix(n_rows=256, outlier_factor=20)
    restored = quantize_affine(weights=matrix.weights, weight_bits=4).restored
    damage = group_damage(weights=matrix.weights, restored=restored, outliers=matrix.outliers)
    assert damage.holding_frac > 2 * damage.rest_frac
    groups = matrix.outliers // 128
    assert set(np.flatnonzero(damage.holds_outlier)) == set(groups)


def test_outliers_off_leaves_the_same_other_weights():
    loud, plain = lab_matrix(n_rows=128), lab_matrix(n_rows=128, outliers=False)
    differs = np.flatnonzero(loud.weights.ravel() != plain.weights.ravel())
    assert set(differs) == set(loud.outliers)
    assert np.array_equal(loud.inputs, plain.inputs)


def test_bits_below_two_are_refused():
    with pytest.raises(LabError):
        quantize_affine(weights=np.zeros((1, 4)), weight_bits=1, group_size=4)
