"""Cached equals naive, with the work that the sums say."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calculators.labs.generation import generate_cached, generate_naive, one_layer_model
from calculators.labs.quantization import LabError

PROMPTS = st.lists(st.integers(0, 63), min_size=1, max_size=12)


@given(seed=st.integers(0, 1000), prompt=PROMPTS, n_new=st.integers(0, 25))
def test_cached_and_naive_give_the_same_tokens(seed, prompt, n_new):
    model = one_layer_model(seed=seed)
    naive = generate_naive(model, prompt=prompt, n_new_tok=n_new)
    cached = generate_cached(model, prompt=prompt, n_new_tok=n_new)
    assert naive.tokens == cached.tokens
    assert len(cached.new_tokens(len(prompt))) == n_new


@given(prompt=PROMPTS, n_new=st.integers(1, 20))
def test_work_is_the_sum_over_the_lengths(prompt, n_new):
    model, p = one_layer_model(), len(prompt)
    lengths = range(p, p + n_new)
    naive = generate_naive(model, prompt=prompt, n_new_tok=n_new).work
    cached = generate_cached(model, prompt=prompt, n_new_tok=n_new).work
    assert (naive.proj, naive.scores) == (3 * sum(lengths), sum(t * t for t in lengths))
    assert cached.proj == 3 * (p + n_new)
    assert cached.scores == p * p + sum(t + 1 for t in lengths)
    assert cached.cache_rows == p + n_new


@pytest.mark.parametrize("prompt", [[], [64], [-1], [3, 99]])
def test_a_prompt_outside_the_vocabulary_is_refused(prompt):
    with pytest.raises(LabError, match="prompt"):
        generate_cached(one_layer_model(), prompt=prompt)
