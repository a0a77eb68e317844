import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from calculators.fit.held_sequences import held_sequences, shared_prefix_bytes
from calculators.specs import LayerGroup
from tests.calculators.fit.shapes import deployment, gqa, model

sizes = st.integers(1, 10**12)


@given(sizes, sizes)
def test_held_sequences_fill_the_budget(budget, one):
    held = float(held_sequences(budget_bytes=budget, sequence_bytes=one))
    assert held * one <= budget < (held + 1) * one


@given(sizes, st.integers(100, 10**12), st.floats(0, 0.99))
def test_sharing_a_prefix_never_holds_fewer(budget, one, share):
    alone = held_sequences(budget_bytes=budget, sequence_bytes=one)
    shared = held_sequences(budget_bytes=budget, sequence_bytes=one, shared_bytes=int(one * share))
    assert shared >= alone


def test_arrays_hold_what_single_calls_hold():
    grid = held_sequences(budget_bytes=[[100], [7]], sequence_bytes=[10, 30], n_idle=1)
    assert_allclose(grid, [[9, 2], [0, 0]])


def test_only_whole_blocks_of_growing_layers_are_shared():
    recurrent = LayerGroup(kind="recurrent", n_layers=2, state_elements=100)
    local = gqa(2, 1, 64, kind="sliding", window_tok=64)
    hybrid = deployment(model((gqa(3, 1, 64), recurrent, local)))
    assert [shared_prefix_bytes(hybrid, n) for n in (0, 15, 40)] == [0, 0, 32 * 3 * 256]


def test_nothing_is_shared_where_no_layer_grows():
    recurrent = LayerGroup(kind="recurrent", n_layers=2, state_elements=100)
    assert shared_prefix_bytes(deployment(model((recurrent,))), 4096) == 0


def test_no_budget_holds_nothing():
    assert np.all(held_sequences(budget_bytes=[-1, 0], sequence_bytes=10) == 0)
