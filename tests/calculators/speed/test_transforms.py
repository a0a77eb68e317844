"""Numerical inversion against distributions that are known in closed form."""

from __future__ import annotations

import numpy as np
import pytest

from calculators.speed.transforms import gamma_transform, quantiles_s, residual_transform, tail_frac


@pytest.mark.parametrize("time_s", [0.01, 0.5, 3.0, 9.0])
def test_tail_of_a_mixture_of_exponentials(time_s):
    def mixture(s):
        return 0.3 * 1 / (1 + s) + 0.7 * 1 / (1 + 0.1 * s)

    exact = 0.3 * np.exp(-time_s) + 0.7 * np.exp(-10 * time_s)
    assert tail_frac(mixture, time_s) == pytest.approx(exact, abs=1e-6)


def test_percentiles_of_erlang_and_of_a_residual():
    low, high = np.array([1e-4]), np.array([100.0])
    (erlang,) = quantiles_s(
        lambda s: gamma_transform(s, mean_s=2.0, cv=2**-0.5),
        probabilities=[0.95],
        low_s=low,
        high_s=high,
    )
    assert erlang[0] == pytest.approx(4.7439, rel=2e-3)  # Erlang-2, rate 1: (1 + x) exp(-x) = 0.05
    (uniform,) = quantiles_s(
        lambda s: residual_transform(s, mean_s=10.0, cv=0.0),
        probabilities=[0.5],
        low_s=low,
        high_s=high,
    )
    assert uniform[0] == pytest.approx(5.0, rel=5e-3)


def test_a_share_at_zero_is_a_percentile_of_zero():
    (found,) = quantiles_s(
        lambda s: 0.6 + 0.4 / (1 + s),
        probabilities=[0.5],
        low_s=np.array([1e-4]),
        high_s=np.array([50.0]),
    )
    assert found[0] == 0.0


def test_several_distributions_at_once():
    means = np.array([[1.0], [3.0]])
    (found,) = quantiles_s(
        lambda s: gamma_transform(s, mean_s=means, cv=1.0),
        probabilities=[0.5],
        low_s=np.full(2, 1e-3),
        high_s=np.full(2, 100.0),
    )
    assert found == pytest.approx(np.log(2) * means[:, 0], rel=2e-3)
