"""The lab on the step model: saturation, shared prefixes, all policies."""

from __future__ import annotations

import numpy as np
import pytest

from calculators.labs.batching_study import (
    batching_runs,
    modelled_step_times,
    saturation_requests_s,
)
from calculators.labs.requests import random_requests
from calculators.resolve import resolve_deployment
from calculators.scenario import Scenario
from calculators.speed.decode import decode_step
from calculators.speed.inputs import StepInputs
from calculators.speed.parallel import step_inputs
from tests.worlds import small_catalog

WORK = random_requests(
    n_requests=200, requests_s=1, input_mean_tok=1000, output_mean_tok=200, seed=4
)


@pytest.fixture(scope="module")
def inputs() -> StepInputs:
    return step_inputs(resolve_deployment(Scenario(), small_catalog()))


def test_times_are_those_of_the_step_model(inputs):
    times = modelled_step_times(inputs, n_slots=16, requests=WORK)
    found = times.elapsed_s(n_active=8, context_tok=1500.0, n_steps=1)
    assert found == pytest.approx(decode_step(inputs, batch=8, context_tok=1500).total_s, rel=1e-6)


def test_a_shared_prefix_shortens_prefill_alone(inputs):
    plain = modelled_step_times(inputs, n_slots=4, requests=WORK)
    shared = modelled_step_times(inputs, n_slots=4, requests=WORK, cached_tok=500)
    long = WORK.input_tok > 600
    assert (shared.prefill_extra_s[long] < plain.prefill_extra_s[long]).all()
    assert np.array_equal(shared.decode_s, plain.decode_s)


def test_a_load_below_saturation_is_carried_and_one_above_is_not(inputs):
    times = modelled_step_times(inputs, n_slots=8, requests=WORK)
    most = saturation_requests_s(WORK, times)
    calm, flooded = (
        batching_runs(WORK.at_rate(most * load), times)[1].summary for load in (0.5, 3.0)
    )
    assert calm.requests_s == pytest.approx(most * 0.5, rel=0.1)
    assert flooded.requests_s == pytest.approx(most, rel=0.1)
    assert flooded.ttft.p50_s > 10 * calm.ttft.p50_s


def test_three_ways_and_rising_progress(inputs):
    times = modelled_step_times(inputs, n_slots=8, requests=WORK)
    seen: list[float] = []
    runs = batching_runs(WORK, times, chunk_tok=256, progress=seen.append)
    assert [run.summary.policy for run in runs] == [
        "static",
        "continuous",
        "continuous, chunked prefill",
    ]
    assert seen == sorted(seen) and seen[-1] == 1.0
    assert runs[0].summary.idle_frac > runs[1].summary.idle_frac
