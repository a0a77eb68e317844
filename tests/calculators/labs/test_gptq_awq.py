"""GPTQ and AWQ reduce the output error on data with loud channels."""

from __future__ import annotations

import numpy as np
import pytest

from calculators.labs.gptq_awq import awq_restored, gptq_restored, outlier_inputs
from calculators.labs.quantization import output_error_frac
from calculators.labs.symmetric import loud_matrix, quantize_symmetric

N = 256
WEIGHTS = loud_matrix(n_rows=N).astype(float)


def error(restored, inputs):
    return output_error_frac(inputs=inputs, weights=WEIGHTS.T, restored=restored.T)


@pytest.mark.parametrize("factor", [1.0, 10.0, 30.0])
@pytest.mark.parametrize("bits", [3, 4])
def test_both_beat_rounding_on_fresh_inputs(bits, factor):
    known, fresh = (
        outlier_inputs(n_samples=1024, n_inputs=N, factor=factor, seed=seed) for seed in (1, 2)
    )
    plain = quantize_symmetric(weights=WEIGHTS, weight_bits=bits, scheme="per-group")
    gptq = gptq_restored(weights=WEIGHTS, inputs=known, weight_bits=bits)
    awq = awq_restored(weights=WEIGHTS, inputs=known, weight_bits=bits).restored
    assert error(gptq, fresh) < 0.9 * error(plain, fresh)
    assert error(awq, fresh) < 1.01 * error(plain, fresh)
    if factor > 1:
        assert error(awq, fresh) < 0.9 * error(plain, fresh)


def test_awq_is_never_worse_on_what_it_was_shown():
    known = outlier_inputs(n_samples=300, n_inputs=N, n_loud=0, seed=5)
    plain = quantize_symmetric(weights=WEIGHTS, weight_bits=4, scheme="per-group")
    found = awq_restored(weights=WEIGHTS, inputs=known)
    assert error(found.restored, known) <= error(plain, known)
    assert 0 <= found.alpha <= 1


def test_gptq_without_correlation_is_plain_rounding():
    diagonal = np.eye(N)
    plain = quantize_symmetric(weights=WEIGHTS, weight_bits=4, scheme="per-group")
    found = gptq_restored(weights=WEIGHTS, inputs=diagonal, weight_bits=4)
    assert found == pytest.approx(plain)


def test_gptq_keeps_to_the_grid():
    known = outlier_inputs(n_samples=300, n_inputs=N, seed=5)
    found = gptq_restored(weights=WEIGHTS, inputs=known, weight_bits=3, group_size=64)
    groups = found.reshape(-1, 64)
    scales = np.abs(WEIGHTS.reshape(-1, 64)).max(axis=1, keepdims=True) / 3
    steps = groups / scales
    assert steps == pytest.approx(np.rint(steps), abs=1e-9)
    assert steps.min() >= -4 - 1e-9 and steps.max() <= 3 + 1e-9


def test_loud_channels_are_the_same_for_every_seed():
    loud = [np.argsort(np.abs(outlier_inputs(n_samples=400, n_inputs=64, n_loud=3, seed=s))
            .mean(axis=0))[-3:] for s in (0, 9)]  # fmt: skip
    assert set(loud[0]) == set(loud[1])
