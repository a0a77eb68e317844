"""Constants that made a table of measurements are found again from the table alone."""

import numpy as np
import pandas as pd
import pytest

from calculators.evidence.calibration import fitted, residuals
from calculators.evidence.calibration_entries import bands, constants_of
from calculators.evidence.calibration_problem import problem
from calculators.evidence.calibration_terms import with_eras
from calculators.evidence.measured import measured
from calculators.evidence.refit import error_table, refit

CARDS = ("H100-SXM-80GB", "A100-SXM-80GB", "L40S-48GB")
MODELS = (("Llama-3.1-8B", 8.03), ("Qwen2.5-14B", 14.8), ("Qwen3-4B", 4.0), ("Llama-2-13B", 13.0))


def table(step_ms):
    """Single streams whose time per token is what `step_ms(bytes, bandwidth, layers)` says."""
    rows = [
        {
            "engine": "vLLM",
            "model": model,
            "params_b": size,
            "weight_bits": bits,
            "weight_format": "bf16" if bits == 16 else "int4-awq",
            "gpu": gpu,
            "tp": 1,
            "n_gpus": 1,
            "scenario": "single_stream_decode",
            "batch_or_concurrency": 1,
            "input_tokens": 16,
            "output_tokens": 16,
            "metric": "tpot_ms",
            "value": 1.0,
            "quality": "A",
            "source_group": "made up",
        }
        for gpu in CARDS
        for model, size in MODELS
        for bits in (16.0, 4.25)
    ]
    return pd.DataFrame(rows)


@pytest.fixture(scope="module")
def made(catalog):
    """A table whose values are 0.62 of the bandwidth and 30 us a layer."""
    frame = table(None)
    found = measured(frame, with_eras(catalog))
    inputs = found.inputs
    seconds = inputs.dense_bytes / (inputs.bandwidth_bytes_s * 0.62) + inputs.n_layers * 30e-6
    return frame.assign(value=seconds * 1e3)


def test_a_fit_explains_what_a_bandwidth_and_a_layer_time_made(catalog, made):
    fit = problem(measured(made, with_eras(catalog)), made.source_group.to_numpy(str))
    before = np.abs(residuals(fit, fit.mean))
    theta = fitted(fit)
    after = np.abs(residuals(fit, theta))
    assert np.median(before) > 0.1
    assert np.median(after) < 0.02
    value = dict(zip(fit.names, theta, strict=True))
    speed = constants_of("vllm", "vllm", value)
    assert speed["bandwidth_eff_frac"] == pytest.approx(0.62, rel=0.1)


def test_a_gross_outlier_hardly_moves_the_fit(catalog, made):
    spoilt = made.assign(value=made.value.where(made.index != 0, made.value * 50))
    thetas = []
    for frame in (made, spoilt):
        fit = problem(measured(frame, with_eras(catalog)), frame.source_group.to_numpy(str))
        thetas.append((fit, fitted(fit)))
    clean, theta = thetas[0][0], thetas[1][1]
    assert np.median(np.abs(residuals(clean, theta))) < 0.04


def test_rows_left_out_do_not_count(catalog, made):
    fit = problem(measured(made, with_eras(catalog)), made.source_group.to_numpy(str))
    used = made.gpu.to_numpy() != "L40S-48GB"
    theta = fitted(fit, used=used)
    nonsense = made.assign(value=np.where(used, made.value, made.value * 7))
    other = problem(measured(nonsense, with_eras(catalog)), made.source_group.to_numpy(str))
    assert fitted(other, used=used) == pytest.approx(theta)


def test_a_refit_says_what_each_left_out_card_and_model_costs(catalog, made):
    calibration = refit(made, catalog)
    assert calibration.n_rows == len(made)
    line = calibration.errors.iloc[0]
    assert line.fitted < 0.02 and line.card < 0.1 and line.model < 0.1
    entry = calibration.engines["vllm"]
    assert entry["n_rows"] == len(made) and entry["bands"]
    assert calibration.engines["llama-cpp"]["n_rows"] == 0


def test_a_band_covers_two_thirds_of_the_larger_spread():
    frame = pd.DataFrame(
        {
            "family": ["decode"] * 100,
            "card": np.log(1 + np.linspace(-0.2, 0.2, 100)),
            "model": np.zeros(100),
        }
    )
    assert bands(frame)[0]["band_frac"] == pytest.approx(0.2 * 0.68, abs=0.01)


def test_errors_by_source_are_medians():
    frame = pd.DataFrame(
        {
            "family": ["decode"] * 3,
            "source": ["a"] * 3,
            "era": ["vllm"] * 3,
            "fitted": np.log([1.1, 1.2, 0.7]),
            "card": [np.nan] * 3,
            "model": [0.0] * 3,
            "unseen": [0.0] * 3,
        }
    )
    line = error_table(frame).iloc[0]
    assert line.fitted == pytest.approx(0.2)
    assert np.isnan(line.card) and line.n_rows == 3
