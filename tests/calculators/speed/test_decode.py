"""The decode step against sums done by hand, and how it must behave."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calculators.speed.decode import decode_step
from calculators.speed.inputs import StepInputs, expand, stack
from calculators.speed.parallel import step_inputs
from calculators.speed.parts import exposed_s
from tests.calculators.speed.shapes import EXPERTS, deployment


def test_memory_and_compute_of_a_dense_model():
    step = decode_step(step_inputs(deployment()), batch=10, context_tok=1000)
    # all but the embedding is read: 380e6 x 2 bytes; cache: 10 layers x 4 heads x 200 x 2 bytes
    assert step.memory_s == pytest.approx((760e6 + 10 * 1000 * 16_000) / 1e12)
    # 2 x 380e6 FLOP a token, attention 10 layers x 2 x 8 heads x 200 x 1000 tokens
    assert step.compute_s == pytest.approx(10 * (760e6 + 32_000 * 1000) / 1e14)
    assert step.communication_s == 0
    assert step.total_s == pytest.approx(step.memory_s + step.compute_s)


def test_experts_touched_grow_with_the_batch():
    inputs = step_inputs(deployment(EXPERTS))
    one = decode_step(inputs, batch=1, context_tok=0).memory_s
    # 44e6 x 2 bytes without experts, 3.2e9 x 2 bytes x 2/16
    assert one == pytest.approx((88e6 + 6.4e9 * 2 / 16) / 1e12)
    two = decode_step(inputs, batch=2, context_tok=0).memory_s
    assert two == pytest.approx((88e6 + 6.4e9 * (1 - (14 / 16) ** 2)) / 1e12)
    many = decode_step(inputs, batch=1000, context_tok=0).memory_s
    assert many == pytest.approx((88e6 + 6.4e9) / 1e12, rel=1e-6)


def test_pipeline_stages_share_the_sequences():
    alone = step_inputs(deployment(tp=2))
    stages = step_inputs(deployment(tp=2, pp=2))
    half = decode_step(alone, batch=8, context_tok=500)
    whole = decode_step(stages, batch=16, context_tok=500)
    assert whole.memory_s == pytest.approx(half.memory_s)
    assert whole.compute_s == pytest.approx(half.compute_s)


def test_a_layer_split_is_one_card_after_the_other():
    one = decode_step(step_inputs(deployment()), batch=4, context_tok=500)
    split = decode_step(step_inputs(deployment(pp=4, layer_split=True)), batch=4, context_tok=500)
    assert split.memory_s == pytest.approx(one.memory_s)
    assert split.compute_s == pytest.approx(one.compute_s)


def test_exposed_compute_adds_or_hides():
    assert exposed_s(3.0, 4.0, 1.0) == 4.0
    assert exposed_s(3.0, 4.0, 2.0) == pytest.approx(2.0)
    assert exposed_s(5.0, 1.0, 8.0) == pytest.approx(0.0, abs=1e-5)


@given(
    batch=st.integers(1, 4096),
    context=st.integers(0, 200_000),
    tp=st.sampled_from([1, 2, 4]),
)
def test_more_work_never_takes_less_time(batch, context, tp):
    inputs = step_inputs(deployment(tp=tp))
    now = decode_step(inputs, batch=batch, context_tok=context).total_s
    assert decode_step(inputs, batch=batch + 1, context_tok=context).total_s > now
    assert decode_step(inputs, batch=batch, context_tok=context + 1).total_s > now


@given(st.integers(1, 512), st.integers(0, 100_000))
def test_never_faster_than_the_bytes_it_reads(batch, context):
    inputs = step_inputs(deployment())
    floor_s = (760e6 + batch * context * 16_000) / 1e12
    assert decode_step(inputs, batch=batch, context_tok=context).total_s >= floor_s * (1 - 1e-12)


def test_stacked_deployments_equal_single_ones():
    kinds = [step_inputs(deployment(tp=n)) for n in (1, 2, 4)]
    batch, context = np.array([1.0, 7.0, 64.0]), 3000.0
    grid = decode_step(expand(stack(kinds)), batch=batch, context_tok=context).total_s
    assert grid.shape == (3, 3)
    for row, inputs in zip(grid, kinds, strict=True):
        singly = [decode_step(inputs, batch=b, context_tok=context).total_s for b in batch]
        assert row == pytest.approx(singly)


def test_a_million_cells_are_one_call():
    inputs: StepInputs = step_inputs(deployment())
    batch, context = np.arange(1.0, 1001.0)[:, None], np.linspace(1, 1e5, 1000)[None]
    grid = decode_step(inputs, batch=batch, context_tok=context).total_s
    assert grid.shape == (1000, 1000)
    for row, column in ((0, 0), (16, 500), (999, 999)):
        one = decode_step(inputs, batch=batch[row, 0], context_tok=context[0, column])
        assert grid[row, column] == pytest.approx(float(one.total_s))


def test_activations_move_with_every_token_and_unpacking_happens_once_a_step():
    bare = StepInputs(
        0.0, bandwidth_bytes_s=1e12, bandwidth_frac=0.5, flop_s=1e14, vector_flop_s=1e13
    )
    moved = replace(bare, activation_bytes_tok=1e6, activation_passes=10)
    packed = replace(bare, packed_params=8e9, unpack_flop=10)
    for batch in (1, 100):
        of_bare = float(decode_step(bare, batch=batch, context_tok=0).total_s)
        of_moved = float(decode_step(moved, batch=batch, context_tok=0).total_s)
        of_packed = float(decode_step(packed, batch=batch, context_tok=0).total_s)
        assert of_moved - of_bare == pytest.approx(batch * 1e6 * 10 / 0.5e12)
        assert of_packed - of_bare == pytest.approx(8e9 * 10 / 1e13)


def test_attention_without_matrix_units_adds_to_the_step():
    one = StepInputs(1e9, attention_flop_tok=4 * 32 * 128 * 32, bandwidth_bytes_s=1e12)
    one = replace(one, vector_flop_s=1e14, attention_flop_s=1e14)
    slow = replace(one, attention_slowdown=50)
    added = [
        float(decode_step(inputs, batch=2, context_tok=1000).total_s) for inputs in (one, slow)
    ]
    # two sequences x 1000 positions x 0.52 MFLOP, 50 times as slow as 100 TFLOP/s
    assert added[1] - added[0] == pytest.approx(2 * 1000 * 524288 * 50 / 1e14)
