"""The reference arithmetic against the figures of the reference tables."""

import numpy as np
import pytest

from calculators.speed.roofline import (
    attainable_flop_s,
    bound_step_s,
    break_even_batch,
    decode_intensity_flop_byte,
    ridge_flop_byte,
    single_stream_floor_s,
    weight_read_bytes,
)


@pytest.mark.parametrize(
    ("flop_s", "bytes_s", "ridge", "at_16", "at_4"),
    [
        (989.0e12, 3.35e12, 295, 295, 74),
        (312.0e12, 2.04e12, 153, 153, 38),
        (362.0e12, 0.864e12, 419, 419, 105),
    ],
)
def test_ridge_and_break_even(flop_s, bytes_s, ridge, at_16, at_4):
    peaks = {"peak_flop_s": flop_s, "bandwidth_bytes_s": bytes_s}
    assert round(ridge_flop_byte(**peaks)) == ridge
    assert round(break_even_batch(**peaks, weight_bits=16)) == at_16
    assert round(break_even_batch(**peaks, weight_bits=4)) == at_4


@pytest.mark.parametrize(("bits", "ms", "tok_s"), [(16, 8.0, 125), (4, 2.0, 500)])
def test_single_stream_floor(bits, ms, tok_s):
    time_s = single_stream_floor_s(n_params=8.0e9, weight_bits=bits, bandwidth_bytes_s=2.0e12)
    assert time_s * 1e3 == pytest.approx(ms)
    assert 1 / time_s == pytest.approx(tok_s)


def test_weight_read_bytes():
    assert weight_read_bytes(n_params=70.0e9, weight_bits=np.array([16, 4])).tolist() == [
        140.0e9,
        35.0e9,
    ]


def test_intensity_is_twice_the_batch_over_bytes_per_weight():
    assert decode_intensity_flop_byte(batch=np.array([1, 8]), weight_bits=8).tolist() == [2, 16]


@pytest.mark.parametrize(
    ("batch", "ms", "tok_s"),
    [
        (1, 14.93, 67),
        (16, 14.93, 1072),
        (17, 14.93, 1139),
        (64, 14.93, 4288),
        (74, 14.96, 4945),
        (256, 51.77, 4945),
    ],
)
def test_bound_step(batch, ms, tok_s):
    step_s = bound_step_s(
        batch=batch,
        weight_bytes=35.0e9,
        active_params=70.0e9,
        peak_flop_s=989.0e12,
        bandwidth_bytes_s=3.35e12,
    )
    assert round(float(step_s) * 1e3, 2) == ms
    assert round(batch / float(step_s)) == tok_s


def test_roof_is_the_lower_of_both():
    rates = attainable_flop_s(
        intensity_flop_byte=np.array([1.0, 1000.0]), peak_flop_s=1e15, bandwidth_bytes_s=3e12
    )
    assert rates.tolist() == [3e12, 1e15]
