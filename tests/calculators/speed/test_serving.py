"""Closed loop against sums worked out by hand and against the event simulation."""

from __future__ import annotations

import numpy as np
import pytest

from calculators.speed.serving import ServingError, closed_loop, n_prefill_chunks
from tests.calculators.speed.event_simulation import simulate_closed


def step_s(n):
    return 0.015 + 0.0003 * np.asarray(n)


def varied(n: int, mean: int, seed: int = 0) -> np.ndarray:
    return 1 + np.random.default_rng(seed).geometric(1 / (mean - 1), n)


def test_one_client_waits_for_nobody():
    loop = closed_loop(step_s=step_s, prefill_s=0.1, output_tok=101, concurrency=1)
    assert loop.ttft_s == pytest.approx(0.1)
    assert loop.tpot_s == pytest.approx(0.0153)
    assert loop.request_s == pytest.approx(0.1 + 100 * 0.0153)


def test_tpot_is_the_step_plus_the_others_prefills():
    loop = closed_loop(step_s=step_s, prefill_s=0.1, output_tok=1000, concurrency=50)
    assert loop.tpot_s == pytest.approx(0.030 + 49 * 0.1 / 1000, rel=0.01)
    assert loop.output_tok_s * loop.request_s == pytest.approx(50 * 1000)


def test_without_prefill_work_chunks_change_nothing_but_the_first_step():
    plain = closed_loop(step_s=step_s, prefill_s=0.0, output_tok=200, concurrency=32)
    mixed = closed_loop(step_s=step_s, prefill_s=0.0, output_tok=200, concurrency=32, n_chunks=1)
    assert mixed.tpot_s == pytest.approx(plain.tpot_s, rel=0.01)
    assert mixed.output_tok_s == pytest.approx(plain.output_tok_s, rel=0.01)


def test_arrays_equal_numbers():
    batches, chunks = np.array([1, 8, 64]), np.array([[0.0], [0.5], [2.0]])
    table = closed_loop(
        step_s=step_s, prefill_s=0.05, output_tok=128, concurrency=batches, n_chunks=chunks
    )
    assert table.tpot_s.shape == (3, 3)
    for i, chunk in enumerate(chunks[:, 0]):
        for j, batch in enumerate(batches):
            one = closed_loop(
                step_s=step_s, prefill_s=0.05, output_tok=128, concurrency=batch, n_chunks=chunk
            )
            assert table.ttft_s[i, j] == pytest.approx(float(one.ttft_s))
            assert table.output_tok_s[i, j] == pytest.approx(float(one.output_tok_s))


def test_chunks_that_fill_every_step_are_the_limit():
    """Each prompt takes 4 steps of its own, so at most 50 / 4 decode at once."""
    loop = closed_loop(
        step_s=lambda n: 0.02, prefill_s=0.08, output_tok=51, concurrency=200, n_chunks=4
    )
    assert loop.requests_per_s == pytest.approx(1 / (4 * 0.02 + 0.08), rel=1e-6)
    assert loop.ttft_s > 10


@pytest.mark.parametrize("n_chunks", [0, 0.25, 1, 3])
@pytest.mark.parametrize("clients", [4, 32])
def test_agrees_with_the_event_simulation(clients, n_chunks):
    seen = simulate_closed(
        concurrency=clients,
        step_s=step_s,
        prefill_s=0.1,
        lengths=varied(4000, 200),
        batch_limit=clients,
        n_chunks=n_chunks,
    )
    loop = closed_loop(
        step_s=step_s, prefill_s=0.1, output_tok=200, concurrency=clients, n_chunks=n_chunks
    )
    assert loop.requests_per_s == pytest.approx(clients / seen.request_s.mean(), rel=0.05)
    assert loop.ttft_s == pytest.approx(seen.ttft_s.mean(), rel=0.10)
    assert loop.tpot_s == pytest.approx(seen.tpot_s.mean(), rel=0.05)


def test_clients_that_start_together_and_stay_together_see_the_burst():
    seen = simulate_closed(
        concurrency=16, step_s=step_s, prefill_s=0.1, lengths=np.full(1600, 200), batch_limit=16
    )
    loop = closed_loop(step_s=step_s, prefill_s=0.1, output_tok=200, concurrency=16)
    assert loop.ttft_burst_s == pytest.approx(seen.ttft_s.mean(), rel=0.02)


def test_chunks_of_a_prompt():
    assert n_prefill_chunks(prompt_tok=np.array([512, 16384]), batched_tok=8192).tolist() == [
        0.0625,
        2.0,
    ]


@pytest.mark.parametrize(
    ("changes", "named"),
    [({"concurrency": 0}, "concurrency"), ({"output_tok": 1}, "output_tok")],
)
def test_what_cannot_be_is_refused(changes, named):
    given = {"step_s": step_s, "prefill_s": 0.1, "output_tok": 100, "concurrency": 4} | changes
    with pytest.raises(ServingError, match=named):
        closed_loop(**given)
