"""PyTorch's CPU generator: values printed by torch 2.13.0 (manual_seed, rand, randn)."""

from __future__ import annotations

import numpy as np
import pytest

from calculators.labs.torch_rng import normal_float32, uniform_float32


def test_uniform_matches_torch_rand_of_seed_3():
    u = uniform_float32(rng=np.random.RandomState(3), n_values=5)
    assert u == pytest.approx([0.0043, 0.1056, 0.2858, 0.0270, 0.4716], abs=5e-5)


def test_normal_matches_torch_randn_of_seed_0():
    torch_printed = [-1.1258, -1.1524, -0.2506, -0.4339, 0.8487, 0.6920, -0.3160, -2.1152]
    first = normal_float32(rng=np.random.RandomState(0), shape=(512, 512))[0, :8]
    assert first == pytest.approx(torch_printed, abs=5e-5)


def test_calls_continue_one_stream():
    rng = np.random.RandomState(1)
    parts = [uniform_float32(rng=rng, n_values=n) for n in (3, 4)]
    whole = uniform_float32(rng=np.random.RandomState(1), n_values=7)
    assert np.array_equal(np.concatenate(parts), whole)


def test_a_tail_is_refused():
    with pytest.raises(ValueError, match="multiple of 16"):
        normal_float32(rng=np.random.RandomState(0), shape=(3, 5))
