"""Activation quantization: per token beats per tensor, migration beats both."""

from __future__ import annotations

import numpy as np
import pytest

from calculators.labs.activations import migration_factors, quantized_output_error_frac
from calculators.labs.gptq_awq import outlier_inputs
from calculators.labs.quantization import LabError
from calculators.labs.symmetric import loud_matrix

WEIGHTS = loud_matrix(n_rows=128).astype(float)


def errors(inputs):
    return [
        quantized_output_error_frac(weights=WEIGHTS, inputs=inputs, scheme=scheme)
        for scheme in ("per-tensor", "per-token", "per-token, migrated")
    ]


def test_loud_channels_make_activations_hard_and_migration_helps():
    calm, loud = (
        outlier_inputs(n_samples=400, n_inputs=128, factor=factor, seed=1) for factor in (1, 50)
    )
    assert errors(loud)[1] > 1.5 * errors(calm)[1]
    tensor, token, migrated = errors(loud)
    assert tensor > token > 2 * migrated


def test_migration_leaves_the_product_alone():
    inputs = outlier_inputs(n_samples=20, n_inputs=128, seed=3)
    factors = migration_factors(weights=WEIGHTS, inputs=inputs)
    assert (inputs / factors) @ (WEIGHTS * factors).T == pytest.approx(inputs @ WEIGHTS.T)


def test_migration_by_hand():
    # max |x| 16, max |w| 4: sqrt(16 / 4)
    factors = migration_factors(weights=np.array([[4.0]]), inputs=np.array([[-16.0]]))
    assert factors.tolist() == [2.0]


def test_a_silent_channel_has_a_factor():
    factors = migration_factors(weights=np.ones((1, 2)), inputs=np.array([[0.0, 1.0]]))
    assert np.all(factors > 0) and np.all(np.isfinite(factors))


def test_an_unknown_scheme_is_named():
    with pytest.raises(LabError, match="per-channel"):
        quantized_output_error_frac(weights=WEIGHTS, inputs=np.ones((1, 128)), scheme="per-channel")
