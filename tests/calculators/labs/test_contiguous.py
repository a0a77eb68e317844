"""Contiguous reservation: first fit, waste and holes by hand."""

from __future__ import annotations

import numpy as np
import pytest

from calculators.labs.contiguous import contiguous_run
from calculators.labs.paging_results import Jobs, random_jobs
from calculators.labs.paging_study import paging_runs
from calculators.labs.quantization import LabError


def jobs_of(prompt, output, reserved):
    n = len(prompt)
    arrays = ([0] * n, prompt, output, reserved, range(n))
    return Jobs(*(np.array(list(values), dtype=np.int64) for values in arrays))


def test_held_filled_and_never_used_by_hand():
    run = contiguous_run(jobs_of([2], [3], [10]), capacity_tok=20)
    assert run.steps.held_tok.tolist() == [10, 10, 10]
    assert run.steps.stored_tok.tolist() == [3, 4, 5]
    assert run.steps.never_tok.tolist() == [5, 5, 5]
    assert run.summary.waste_frac == pytest.approx(18 / 30)
    assert run.summary.never_used_frac == pytest.approx(15 / 30)


def test_free_memory_in_holes_is_external_fragmentation():
    # 4 + 6 + 4 of 14; the outer two end first: 8 are free, in two holes of 4, so 6 must wait.
    jobs = jobs_of([1, 1, 1, 1], [1, 5, 1, 1], [4, 6, 4, 6])
    run = contiguous_run(jobs, capacity_tok=14)
    assert run.steps.external_tok.tolist()[1:5] == [8, 8, 8, 8]
    assert run.steps.n_active.tolist() == [3, 1, 1, 1, 1, 1]


def test_a_reservation_must_hold_its_own_job():
    with pytest.raises(LabError, match="reserved_tok"):
        contiguous_run(jobs_of([5], [5], [9]), capacity_tok=20)
    with pytest.raises(LabError, match="up to 20"):
        contiguous_run(jobs_of([5], [5], [21]), capacity_tok=20)


def test_blocks_hold_more_of_the_same_jobs():
    jobs = random_jobs(n_sequences=40, prompt_mean_tok=60, output_mean_tok=40, max_tok=256, seed=2)
    contiguous, powers, paged, shared = paging_runs(jobs, capacity_tok=1024, block_tok=16)
    assert powers.summary.waste_frac < contiguous.summary.waste_frac
    assert powers.summary.external_frac > 0 == contiguous.summary.external_frac
    assert contiguous.summary.n_max_sequences == 4  # 1024 / 256
    assert paged.summary.n_mean_sequences > 2 * contiguous.summary.n_mean_sequences
    assert paged.summary.n_steps < contiguous.summary.n_steps
    assert shared.summary.policy == "paged, prefixes shared"
