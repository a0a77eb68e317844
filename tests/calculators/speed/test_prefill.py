"""Prefill against sums done by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calculators.speed.inputs import StepInputs
from calculators.speed.parallel import step_inputs
from calculators.speed.parts import StepTime
from calculators.speed.prefill import first_token_s, mean_capped_tok, prefill, split_speedup
from tests.calculators.speed.shapes import deployment


def test_compute_of_a_prompt():
    time = prefill(step_inputs(deployment()), prompt_tok=2000)
    # each token: 2 x 380e6, and attention over half the prompt: 32,000 FLOP x 1000 tokens
    assert time.compute_s == pytest.approx(2000 * (760e6 + 32_000 * 1000) / 1e14)


def test_a_cached_prefix_is_read_but_not_computed():
    inputs = step_inputs(deployment())
    time = prefill(inputs, prompt_tok=2000, cached_tok=1500)
    assert time.compute_s == pytest.approx(500 * (760e6 + 32_000 * 1750) / 1e14)
    assert time.memory_s == pytest.approx((760e6 + 2000 * 16_000) / 1e12)


def test_prompts_together_read_the_weights_once():
    inputs = step_inputs(deployment())
    one, four = (prefill(inputs, prompt_tok=512, batch=n) for n in (1, 4))
    assert four.compute_s == pytest.approx(4 * one.compute_s)
    assert four.memory_s < 4 * one.memory_s


def test_scores_that_an_engine_writes_cost_memory():
    inputs = StepInputs(0.0, n_scores=100, score_bytes=8, bandwidth_bytes_s=1e9)
    # 1000 tokens x 500 tokens of context on average x 100 heads x 8 bytes
    assert prefill(inputs, prompt_tok=1000).memory_s == pytest.approx(0.4)


@pytest.mark.parametrize(
    ("n_split", "prompt", "gain", "expected"),
    [(1, 8192, 1.0, 1.0), (4, 512, 1.0, 1.0), (4, 2048, 1.0, 16 / 7), (2, 1024, 0.0, 1.0)],
)
def test_layer_split_speed_up(n_split, prompt, gain, expected):
    found = split_speedup(prompt_tok=prompt, n_split=n_split, split_gain=gain)
    assert found == pytest.approx(expected)


@given(st.integers(0, 5000), st.integers(1, 5000), st.integers(1, 5000))
def test_mean_under_a_limit_equals_the_sum_over_positions(start, new, limit):
    positions = np.arange(start, start + new) + 0.5
    expected = np.minimum(positions, limit).mean()
    found = mean_capped_tok(start_tok=start, new_tok=new, limit_tok=limit)
    assert found == pytest.approx(expected, rel=1e-6, abs=0.25)


def test_first_token_of_a_server_waits_for_launches_steps_and_other_prompts():
    inputs = StepInputs(
        0.0,
        n_layers=10,
        first_token_s=0.02,
        first_token_layer_s=1e-3,
        first_token_steps=2,
        queue_frac=0.25,
    )
    prompt = StepTime(memory_s=0.1, compute_s=0.3, communication_s=0.1, overhead_s=0.05)
    # 20 ms + 10 x 1 ms + 550 ms + 2 x 30 ms + 0.25 x 4 x 400 ms
    found = first_token_s(inputs, prompt=prompt, step_s=0.03, n_sequences=5)
    assert found == pytest.approx(0.02 + 0.01 + 0.55 + 0.06 + 0.4)
