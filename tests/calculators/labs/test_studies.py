"""What the pages show at once."""

from __future__ import annotations

import numpy as np
import pytest

from calculators.labs.affine_study import affine_study
from calculators.labs.format_study import format_study
from calculators.labs.symmetric import loud_matrix
from calculators.labs.symmetric_study import scheme_results


def test_a_group_with_an_outlier_uses_less_of_the_grid():
    study = affine_study(weight_bits=4, n_rows=512)
    assert study.n_steps_holding < 0.7 * study.n_steps_rest
    for share in (study.step_share_holding, study.step_share_rest):
        assert share.sum() == pytest.approx(1.0) and len(share) == 16


@pytest.mark.parametrize(("bits", "group", "real"), [(4, 128, 4.25), (8, 64, 8.5), (2, 32, 3.0)])
def test_bits_count_two_endpoints_a_group(bits, group, real):
    study = affine_study(weight_bits=bits, group_size=group, n_rows=256)
    assert study.effective_bits == real
    assert study.error_map.shape[0] == 64


def test_no_outlier_no_difference():
    study = affine_study(weight_bits=4, outlier_factor=1, n_rows=1024)
    assert study.damage.holding_frac == pytest.approx(study.damage.rest_frac, rel=0.02)


def test_finer_schemes_err_less_and_store_more():
    tensor, channel, group = scheme_results(weights=loud_matrix(), weight_bits=4)
    assert tensor.relative_rms_frac > channel.relative_rms_frac > group.relative_rms_frac
    assert tensor.stored_bytes < channel.stored_bytes < group.stored_bytes
    assert np.argmin(tensor.row_error_frac) in (7, 200)  # the loud rows are served best


def test_methods_run_with_progress_and_by_seed():
    seen: list[float] = []
    study = format_study(n_rows=128, progress=seen.append)
    assert len(study.methods) == 8 and len(study.activations) == 3
    assert seen == sorted(seen) and seen[-1] < 1
    assert format_study(n_rows=128) == study
    assert format_study(n_rows=128, seed=1) != study
