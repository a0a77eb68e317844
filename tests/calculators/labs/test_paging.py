"""Paged allocation: blocks conserved, references counted, sharing never dearer."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calculators.labs import paging
from calculators.labs.block_pool import BlockPool
from calculators.labs.paging import paged_run
from calculators.labs.paging_results import Jobs, random_jobs
from calculators.labs.quantization import LabError


@st.composite
def job_lists(draw):
    n = draw(st.integers(1, 12))
    numbers = st.lists(st.integers(1, 30), min_size=n, max_size=n)
    prefix = draw(st.integers(0, 20))
    prompt = np.array(draw(numbers)) + prefix
    output = np.array(draw(numbers))
    n_samples = draw(st.integers(1, 4))
    first_of_its_prompt = np.arange(n) // n_samples * n_samples
    arrival = np.cumsum(draw(st.lists(st.integers(0, 5), min_size=n, max_size=n)))
    prompt = prompt[first_of_its_prompt]
    return Jobs(arrival - arrival[0], prompt, output, prompt + output, first_of_its_prompt, prefix)


def checked_server(jobs, n_blocks, block_tok, shares):
    """Run to the end and check the pool after every step."""
    pool = BlockPool(n_blocks, block_tok, keeps_cached=shares)
    server = paging._PagedServer(jobs, pool, shares, 256)
    for _ in range(100_000):
        if server.n_done == len(jobs):
            return server
        server.advance()
        check_pool(server)
    raise AssertionError("the jobs do not end")


def check_pool(server):
    pool = server.pool
    held = [block for sequence in server.active for block in sequence.table]
    references = np.bincount(held, minlength=pool.n_blocks)
    assert np.array_equal(references, pool.n_refs)
    states = [*pool.free, *pool.cached, *set(held)]
    assert sorted(states) == list(range(pool.n_blocks))  # each block in exactly one state
    assert all(pool.content_of[block] == content for content, block in pool.by_content.items())
    for sequence in server.active:
        assert len(sequence.table) == -(-sequence.n_tok // pool.block_tok)


@given(
    jobs=job_lists(),
    block_tok=st.sampled_from([1, 4, 16]),
    spare=st.integers(0, 20),
    shares=st.booleans(),
)
def test_blocks_are_conserved_and_every_job_ends(jobs, block_tok, spare, shares):
    longest = int((jobs.prompt_tok + jobs.output_tok).max())
    server = checked_server(jobs, -(-longest // block_tok) + spare, block_tok, shares)
    assert server.pool.n_used == 0
    assert all(not sequence.table for sequence in server.active)


@given(jobs=job_lists(), block_tok=st.sampled_from([1, 4, 16]))
def test_sharing_never_uses_more(jobs, block_tok):
    room = 12 * 20 * 16
    shared, alone = (
        paged_run(jobs, n_blocks=room, block_tok=block_tok, shares_prefixes=shares)
        for shares in (True, False)
    )
    assert shared.steps.n_active.tolist() == alone.steps.n_active.tolist()
    assert (shared.steps.held_tok <= alone.steps.held_tok).all()
    logical = shared.steps.stored_tok + shared.steps.saved_tok
    assert logical.tolist() == alone.steps.stored_tok.tolist()


@given(jobs=job_lists(), block_tok=st.sampled_from([1, 4, 16]))
def test_waste_is_under_one_block_a_sequence(jobs, block_tok):
    run = paged_run(jobs, n_blocks=5000, block_tok=block_tok, shares_prefixes=False)
    waste = run.steps.held_tok - run.steps.stored_tok
    assert (waste <= run.steps.n_active * (block_tok - 1)).all()
    assert run.summary.waste_frac >= run.summary.never_used_frac >= 0


def test_a_full_pool_preempts_the_last_and_serves_everyone():
    ones = np.ones(2, dtype=np.int64)
    jobs = Jobs(0 * ones, 4 * ones, 8 * ones, 12 * ones, np.array([0, 1]))
    run = paged_run(jobs, n_blocks=4, block_tok=4, shares_prefixes=False)
    # 4 blocks hold both up to 8 tokens each; then the second gives way to the first.
    assert run.summary.n_preempted == 1
    assert run.summary.n_recomputed_tok == 8
    assert run.steps.n_active.max() == 2 and run.steps.n_active.iloc[-1] == 1


def test_a_prefix_lives_on_for_the_next_sequence():
    ones = np.ones(2, dtype=np.int64)
    jobs = Jobs(np.array([0, 50]), 9 * ones, 2 * ones, 16 * ones, np.array([0, 1]), prefix_tok=8)
    pool = BlockPool(16, 4)
    server = paging._PagedServer(jobs, pool, True, 8)
    while server.n_done < 1:
        server.advance()
    cached = set(pool.cached)
    while not server.active:
        server.advance()
    assert set(server.active[0].table) & cached  # the two blocks of the prefix come back


def test_a_job_that_never_fits_is_refused():
    jobs = random_jobs(n_sequences=1, prompt_mean_tok=50, output_mean_tok=50, max_tok=200)
    with pytest.raises(LabError, match="n_blocks"):
        paged_run(jobs, n_blocks=1, block_tok=4)


def test_the_picture_shows_every_block_of_every_step():
    jobs = random_jobs(n_sequences=5, prompt_mean_tok=10, output_mean_tok=5, max_tok=40)
    run = paged_run(jobs, n_blocks=30, block_tok=4)
    assert run.picture.shape == (run.summary.n_steps, 30)
    assert run.picture.max() <= 4


@pytest.mark.parametrize("given", [{"n_sequences": 0}, {"prefix_tok": 39}, {"prefix_tok": -1}])
def test_jobs_without_room_are_refused(given):
    setting = {"n_sequences": 1, "prompt_mean_tok": 9, "output_mean_tok": 9, "max_tok": 40}
    with pytest.raises(LabError):
        random_jobs(**(setting | given))
