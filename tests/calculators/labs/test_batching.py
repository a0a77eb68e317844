"""Batching: hand-counted timelines, conservation, and continuous never later than static."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calculators.labs.batching import continuous_batching, static_batching
from calculators.labs.quantization import LabError
from calculators.labs.requests import Requests, random_requests
from calculators.labs.step_times import step_times

POLICIES = {
    "static": static_batching,
    "continuous": continuous_batching,
    "chunked": lambda requests, times: continuous_batching(requests, times, chunk_tok=7),
}


def constant_times(requests, *, n_slots, step_s=1.0, prefill_s_tok=0.0):
    return step_times(
        decode_s=lambda *, batch, context_tok: step_s,
        prefill_s=lambda *, prompt_tok: prefill_s_tok * prompt_tok,
        n_slots=n_slots,
        requests=requests,
    )


def growing_times(requests, *, n_slots):
    """Steps that grow with batch and context, prompts with a fixed and a running cost."""
    return step_times(
        decode_s=lambda *, batch, context_tok: 0.01 + 0.001 * batch + 1e-5 * batch * context_tok,
        prefill_s=lambda *, prompt_tok: 0.02 + 0.001 * prompt_tok,
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
    return of(np.cumsum(gaps) - gaps[0], inputs, outputs)


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


@given(requests=workloads(), n_slots=st.integers(1, 6), policy=st.sampled_from(sorted(POLICIES)))
def test_every_request_is_served_once_in_order_and_no_slot_twice(requests, n_slots, policy):
    run = POLICIES[policy](requests, growing_times(requests, n_slots=n_slots))
    table = run.requests
    assert (table.arrival_s <= table.admitted_s).all()
    assert (table.admitted_s < table.first_token_s).all()
    assert (table.first_token_s <= table.last_token_s).all()
    assert (table.last_token_s <= table.returned_s).all()
    assert table.admitted_s.is_monotonic_increasing
    assert table.slot.between(0, n_slots - 1).all()
    for _, held in table.groupby("slot"):
        assert (held.admitted_s.to_numpy()[1:] >= held.returned_s.to_numpy()[:-1] - 1e-9).all()


@given(requests=workloads(), n_slots=st.integers(1, 6), chunk=st.sampled_from([None, 5, 100]))
def test_steps_make_every_token_after_the_first(requests, n_slots, chunk):
    times = growing_times(requests, n_slots=n_slots)
    run = continuous_batching(requests, times, chunk_tok=chunk)
    decoding = run.steps[run.steps.kind != "prefill"]
    made = (decoding.n_active * decoding.n_steps).sum()
    assert made == (requests.output_tok - 1).sum()
    assert (run.steps.start_s.to_numpy()[1:] >= run.steps.end_s.to_numpy()[:-1] - 1e-9).all()


@given(requests=workloads(), n_slots=st.integers(1, 4))
def test_jumps_equal_a_simulation_step_by_step(requests, n_slots):
    times = growing_times(requests, n_slots=n_slots)
    run = continuous_batching(requests, times)
    assert run.requests.returned_s.to_numpy() == pytest.approx(step_by_step(requests, n_slots))


def step_by_step(requests, n_slots):
    """Continuous batching the slow way: one token at a time, from its definition."""
    now, waiting, active, ended = 0.0, list(range(len(requests))), {}, np.zeros(len(requests))
    while waiting or active:
        came = [r for r in waiting if requests.arrival_s[r] <= now][: n_slots - len(active)]
        if came:
            now += 0.02 + 0.001 * sum(int(requests.input_tok[r]) for r in came)
            for r in came:
                waiting.remove(r)
                active[r] = 1
        elif active:
            contexts = [int(requests.input_tok[r]) + made for r, made in active.items()]
            mean = sum(contexts) / len(contexts)
            now += 0.01 + 0.001 * len(active) + 1e-5 * len(active) * mean
            for r in active:
                active[r] += 1
        else:
            now = float(requests.arrival_s[waiting[0]])
        for r in [r for r, made in active.items() if made == requests.output_tok[r]]:
            ended[r] = now
            del active[r]
    return ended


def test_static_returns_all_when_the_longest_has_finished():
    run = static_batching(
        work := of([0, 0, 0], [1, 1, 1], [2, 4, 2]), constant_times(work, n_slots=2)
    )
    assert run.requests.last_token_s.tolist() == [1, 3, 4]
    assert run.requests.returned_s.tolist() == [3, 3, 4]
    # slots hold a live sequence for 1 + 3 + 1 of 2 x 4 seconds
    assert run.summary.idle_frac == pytest.approx(3 / 8)


def test_chunks_let_others_decode_while_a_long_prompt_comes():
    work = of([0, 1.0], [1, 100], [60, 2])
    times = constant_times(work, n_slots=2, step_s=0.1, prefill_s_tok=0.05)
    whole = continuous_batching(work, times)
    chunked = continuous_batching(work, times, chunk_tok=10)
    # whole: 5 s of prefill stop the first stream; chunked: 10 steps of 0.1 + 0.5 s
    assert _longest_step(whole) == pytest.approx(5.0)
    assert _longest_step(chunked) == pytest.approx(0.6)


def _longest_step(run):
    steps = run.steps[run.steps.start_s > 0.5]
    return float(((steps.end_s - steps.start_s) / steps.n_steps).max())


def test_a_request_of_one_token_ends_with_its_prompt():
    work = of([0, 0], [10, 10], [1, 1])
    run = continuous_batching(work, constant_times(work, n_slots=1, prefill_s_tok=0.1))
    assert run.requests.returned_s.tolist() == pytest.approx([1.0, 2.0])
    assert run.summary.tpot.p50_s == 0.0


def test_an_idle_server_waits_for_the_next_arrival():
    work = of([0, 100], [1, 1], [3, 3])
    run = continuous_batching(work, constant_times(work, n_slots=4))
    assert run.requests.returned_s.tolist() == [2, 102]


def test_ten_thousand_requests_are_a_matter_of_seconds():
    work = random_requests(
        n_requests=10_000, requests_s=5, input_mean_tok=1000, output_mean_tok=300, seed=1
    )
    seen: list[float] = []
    run = continuous_batching(work, growing_times(work, n_slots=64), progress=seen.append)
    assert len(run.steps) < 60_000  # events, not the 3 million tokens
    assert seen[-1] == 1.0 and seen == sorted(seen)


def test_a_chunk_of_nothing_is_refused():
    work = of([0], [1], [1])
    with pytest.raises(LabError, match="chunk_tok"):
        continuous_batching(work, constant_times(work, n_slots=1), chunk_tok=0)
