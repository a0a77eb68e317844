"""Symmetric quantization: half a step at most, finer schemes never coarser scales."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from calculators.labs.quantization import LabError
from calculators.labs.symmetric import SCHEMES, loud_matrix, quantize_symmetric, scheme_stored_bytes

VALUES = st.floats(-100, 100, allow_nan=False, width=32)


@given(
    weights=arrays(np.float64, (4, 8), elements=VALUES),
    bits=st.integers(2, 8),
    scheme=st.sampled_from(SCHEMES),
)
def test_error_is_at_most_half_a_step(weights, bits, scheme):
    restored = quantize_symmetric(weights=weights, weight_bits=bits, scheme=scheme, group_size=4)
    step = np.abs(weights).max() / (2 ** (bits - 1) - 1)  # no scheme has a larger one
    assert np.all(np.abs(restored - weights) <= step / 2 + 1e-9)


@given(weights=arrays(np.float64, (4, 8), elements=VALUES), bits=st.integers(2, 8))
def test_a_scaled_matrix_is_restored_scaled(weights, bits):
    once = quantize_symmetric(weights=weights, weight_bits=bits)
    assert quantize_symmetric(weights=4 * weights, weight_bits=bits) == pytest.approx(4 * once)


def test_hand_example_per_tensor_and_per_channel():
    weights = np.array([[7.0, 3.4], [0.7, 0.35]])  # steps of 1; of 1 and 0.1
    tensor = quantize_symmetric(weights=weights, weight_bits=4, scheme="per-tensor")
    channel = quantize_symmetric(weights=weights, weight_bits=4, scheme="per-channel")
    assert tensor == pytest.approx(np.array([[7.0, 3.0], [1.0, 0.0]]))
    assert channel == pytest.approx(np.array([[7.0, 3.0], [0.7, 0.3]]), abs=0.1001)
    assert channel[1, 0] == pytest.approx(0.7)


def test_groups_have_a_scale_each():
    weights = np.array([[70.0, 0.0, 0.7, 0.3]])
    restored = quantize_symmetric(weights=weights, weight_bits=4, scheme="per-group", group_size=2)
    assert restored == pytest.approx(np.array([[70.0, 0.0, 0.7, 0.3]]))


def test_a_silent_row_stays_silent():
    assert not quantize_symmetric(weights=np.zeros((2, 4)), weight_bits=4).any()


def test_an_unknown_scheme_is_named():
    with pytest.raises(LabError, match="per-row"):
        quantize_symmetric(weights=np.zeros((2, 4)), weight_bits=4, scheme="per-row")


def test_stored_bytes_count_a_scale_per_group():
    size = scheme_stored_bytes(
        weights=np.zeros((512, 512)), weight_bits=4, scheme="per-group", group_size=128
    )
    assert size == 512 * 512 / 2 + 512 * 4 * 2


def test_loudness_zero_has_no_loud_row():
    plain = loud_matrix(loudness_frac=0.0)
    assert np.abs(plain).max() < 0.02 * 6
    assert loud_matrix()[7] == pytest.approx(plain[7] * 25, rel=1e-6)
