"""Closed forms of the counted work against the loops themselves, and kinds of layers by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calculators.labs.generation import generate_cached, generate_naive, one_layer_model
from calculators.labs.generation_counts import cached_work, group_work, naive_work
from calculators.specs import LayerGroup

FULL = LayerGroup(kind="full", n_layers=1, n_q_heads=1, n_kv_heads=1, k_head_dim=8, v_head_dim=8)


@given(p=st.integers(1, 12), n=st.integers(1, 20))
def test_closed_forms_equal_what_the_loops_count(p, n):
    prompt, model = [1] * p, one_layer_model()
    naive = generate_naive(model, prompt=prompt, n_new_tok=n).work
    cached = generate_cached(model, prompt=prompt, n_new_tok=n).work
    for found in (naive_work(prompt_tok=p, n_new_tok=n), group_work_of(p, n).naive):
        assert (found.proj, found.scores) == (naive.proj, naive.scores)
    for found in (cached_work(prompt_tok=p, n_new_tok=n), group_work_of(p, n).cached):
        assert (found.proj, found.scores) == (cached.proj, cached.scores)


def group_work_of(p, n):
    return group_work(FULL, prompt_tok=p, n_new_tok=n)


@given(p=st.integers(1, 30), n=st.integers(1, 40), window=st.integers(1, 50))
def test_a_window_caps_every_row(p, n, window):
    expected = p * min(p, window) + sum(min(t, window) for t in range(p + 1, p + n + 1))
    assert cached_work(prompt_tok=p, n_new_tok=n, window_tok=window).scores == expected
    group = FULL.model_copy(update={"kind": "sliding", "window_tok": window})
    assert group_work(group, prompt_tok=p, n_new_tok=n).cached.scores == expected


def test_arrays_equal_single_numbers():
    lengths = np.array([1, 10, 100])
    found = naive_work(prompt_tok=7, n_new_tok=lengths).scores
    assert found.tolist() == [naive_work(prompt_tok=7, n_new_tok=n).scores for n in lengths]


def test_orders_show_in_doubled_lengths():
    small, large = (naive_work(prompt_tok=1, n_new_tok=n) for n in (10_000, 20_000))
    assert large.proj / small.proj == pytest.approx(4, rel=1e-3)
    assert large.scores / small.scores == pytest.approx(8, rel=1e-3)
    small, large = (cached_work(prompt_tok=1, n_new_tok=n) for n in (10_000, 20_000))
    assert large.proj / small.proj == pytest.approx(2, rel=1e-3)
    assert large.scores / small.scores == pytest.approx(4, rel=1e-3)


def test_heads_and_layers_multiply():
    group = FULL.model_copy(update={"n_layers": 80, "n_q_heads": 64, "n_kv_heads": 8})
    one, many = group_work_of(4, 60), group_work(group, prompt_tok=4, n_new_tok=60)
    assert many.cached.scores == one.cached.scores * 80 * 64
    assert many.cached.proj == one.cached.proj * 80


def test_a_compressed_layer_scores_entries_and_window():
    group = LayerGroup(
        kind="compressed", n_layers=1, n_q_heads=1, window_tok=4, compress_ratio=2, n_kv_heads=1
    )
    # prompt 8: 8 rows x (4 entries + 4); then length 9: 4 + 4
    assert group_work(group, prompt_tok=8, n_new_tok=1).cached.scores == 8 * 8 + 8
