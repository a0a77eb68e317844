"""NF4 levels from their definition; block formats by hand and against bounds."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm

from calculators.labs.formats import (
    NF4_LEVELS,
    fp8_restored,
    mxfp4_restored,
    nf4_restored,
    nvfp4_restored,
)
from calculators.labs.quantization import LabError

NORMAL = np.random.default_rng(0).standard_normal((16, 128)) * 0.02


def test_nf4_levels_are_quantiles_of_a_normal():
    # QLoRA: 8 quantiles for positive numbers, 7 for negative ones, and zero, scaled to 1.
    edge = 0.9677083
    positive = norm.ppf(np.linspace(edge, 0.5, 9)[:-1])
    negative = -norm.ppf(np.linspace(edge, 0.5, 8)[:-1])
    levels = np.sort(np.concatenate([positive, [0.0], negative]))
    assert levels / levels.max() == pytest.approx(NF4_LEVELS, abs=1e-6)


def test_nf4_takes_the_nearest_level_of_each_block():
    block = np.linspace(-2, 2, 64)[None, :]
    found = nf4_restored(block)
    nearest = 2 * NF4_LEVELS[np.abs(block.T / 2 - NF4_LEVELS).argmin(axis=1)]
    assert found[0] == pytest.approx(nearest)


def test_mxfp4_scales_are_powers_of_two():
    block = np.zeros((1, 32))
    block[0, :4] = [0.07, 0.03, -0.05, 0.001]  # scale 2^(-4 - 2): 4.48, 1.92, -3.2, 0.064 steps
    assert mxfp4_restored(block)[0, :4] == pytest.approx(np.array([4, 2, -3, 0]) / 64)


def test_nvfp4_block_scales_follow_their_block():
    weights = np.zeros((1, 32))
    weights[0, 0], weights[0, 16] = 6.0, 0.006
    found = nvfp4_restored(weights)
    assert found[0, 0] == pytest.approx(6.0)
    assert found[0, 16] == pytest.approx(0.006, rel=0.07)  # an E4M3 scale errs by 1/16 at most


@pytest.mark.parametrize("restore", [fp8_restored, nf4_restored, mxfp4_restored, nvfp4_restored])
def test_zeros_and_signs_are_kept(restore):
    weights = NORMAL.copy()
    weights[3] = 0.0
    found = restore(weights)
    assert not found[3].any()
    assert np.all(found * weights >= 0)


def test_fp8_is_finer_than_any_format_of_four_bits():
    errors = {f.__name__: np.abs(f(NORMAL) - NORMAL).mean() for f in
              (fp8_restored, nf4_restored, mxfp4_restored, nvfp4_restored)}  # fmt: skip
    assert min(errors, key=errors.get) == "fp8_restored"
    assert errors["nvfp4_restored"] < errors["mxfp4_restored"]


def test_rows_must_hold_whole_blocks():
    with pytest.raises(LabError):
        nf4_restored(np.zeros((2, 48)))
