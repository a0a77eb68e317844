"""Batching: hand-counted timelines, conservation, and continuous never later than static."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from calculators.labs.batching import continuous_batching, static_batching
from calculators.labs.requests import Requests
from calculators.labs.step_times import step_times


def constant_times(requests, *, n_slots, step_s=1.0, prefill_s_tok=0.0):
    return step_times(
        decode_s=lambda *, batch, context_tok: step_s,
        prefill_s=lambda *, prompt_tok: prefill_s_tok * prompt_tok,
        n_slots=n_slots,
        requests=requests,
    )


def of(arrival_s, input_tok, output_tok):
    return Requests(np.array(arrival_s, float), np.array(input_tok), np.array(output_tok))


@st.composite
def workloads(draw):
    n = draw(st.integers(1, 25))
    gaps = draw(st.lists(st.floats(0, 8), min_size=n, max_size=n))
    inputs = draw(st.lists(st.integers(1, 40), min_size=n, max_size=n))
    outputs = draw(st.lists(st.integers(1, 30), min_size=n, max_size=n))
    arrivals = np.cumsum(gaps) - gaps[0]
    return of(arrivals, inputs, outputs)


@given(
    requests=workloads(),
    n_slots=st.integers(1, 6),
    prefill_s_tok=st.sampled_from([0.0, 0.01, 0.3]),
)
def test_continuous_never_ends_later_than_static_at_constant_step_time(
    requests, n_slots, prefill_s_tok
):
    times = constant_times(requests, n_slots=n_slots, prefill_s_tok=prefill_s_tok)
    static = static_batching(requests, times).summary
    continuous = continuous_batching(requests, times).summary
    assert continuous.end_s <= static.end_s + 1e-9 * max(static.end_s, 1)
