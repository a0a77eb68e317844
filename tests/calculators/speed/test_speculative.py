"""Speculative decoding: the sum of powers, priced passes, limits."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calculators.speed.decode import decode_step
from calculators.speed.inputs import StepInputs
from calculators.speed.speculative import (
    SpeculationError,
    speculate,
    speculation,
    tokens_from_drafts,
    tokens_per_pass,
)
from calculators.speed.speculative_limits import (
    best_n_draft,
    break_even_acceptance_frac,
    sequences_beside_draft,
)

TARGET = StepInputs(
    70e9, cache_bytes_tok=3e5, matmul_flop_tok=140e9, bandwidth_bytes_s=3e12, flop_s=8e14
)
DRAFT = StepInputs(
    1e9, cache_bytes_tok=2e4, matmul_flop_tok=2e9, bandwidth_bytes_s=3e12, flop_s=8e14
)
MOE = StepInputs(10e9, expert_bytes=90e9, expert_miss_frac=0.9, bandwidth_bytes_s=3e12, flop_s=8e14)


@given(st.floats(0, 1), st.integers(0, 32))
def test_tokens_per_pass_is_the_sum_of_powers(a, k):
    expected = sum(a**i for i in range(k + 1))
    assert tokens_per_pass(acceptance_frac=a, n_draft=k) == pytest.approx(expected, rel=1e-9)


def test_five_of_six_accepted_are_six_tokens():
    assert tokens_from_drafts(n_accepted=5) == 6
    assert tokens_per_pass(acceptance_frac=1.0, n_draft=6) == pytest.approx(7)


@pytest.mark.parametrize(
    "bad", [{"acceptance_frac": 1.2}, {"acceptance_frac": np.nan}, {"n_draft": -1}]
)
def test_what_cannot_be_is_refused(bad):
    with pytest.raises(SpeculationError):
        tokens_per_pass(**{"acceptance_frac": 0.5, "n_draft": 3} | bad)


def test_verify_reads_the_cache_once_and_computes_all_positions():
    batch, context, k = 8, 4000, 4
    found = speculate(
        TARGET, batch=batch, context_tok=context, acceptance_frac=0.7, n_draft=k, draft=DRAFT
    )
    memory_s = (70e9 + batch * context * 3e5) / 3e12
    compute_s = batch * (k + 1) * 140e9 / 8e14
    assert found.verify_s == pytest.approx(memory_s + compute_s)
    draft_s = k * ((1e9 + batch * context * 2e4) / 3e12 + batch * 2e9 / 8e14)
    assert found.draft_s == pytest.approx(draft_s)
    tokens = (1 - 0.7**5) / 0.3
    assert found.tpot_s == pytest.approx((draft_s + memory_s + compute_s) / tokens)


def test_verify_touches_the_experts_of_all_positions():
    found = speculate(MOE, batch=2, context_tok=0, acceptance_frac=0.5, n_draft=3, draft_frac=0.0)
    assert found.verify_s == pytest.approx((10e9 + 90e9 * (1 - 0.9**8)) / 3e12)
    assert found.plain_step_s == pytest.approx((10e9 + 90e9 * (1 - 0.9**2)) / 3e12)


def test_no_draft_is_no_change_and_nothing_accepted_is_a_loss():
    same = speculate(TARGET, batch=4, context_tok=0, acceptance_frac=0.8, n_draft=0, draft=DRAFT)
    assert same.speed_up == pytest.approx(1.0)
    none = speculate(TARGET, batch=4, context_tok=0, acceptance_frac=0.0, n_draft=4, draft=DRAFT)
    assert none.speed_up < 1.0


def test_the_gain_shrinks_and_turns_into_a_loss_as_the_batch_grows():
    batch = np.array([1, 8, 64, 512, 4096])
    found = speculate(
        TARGET, batch=batch, context_tok=0, acceptance_frac=0.7, n_draft=4, draft=DRAFT
    )
    assert (np.diff(found.speed_up) < 0).all()
    assert found.speed_up[0] > 2
    assert found.speed_up[-1] < 1


def test_others_prefills_dilute_the_gain():
    times = {"acceptance_frac": 0.7, "n_draft": 4, "plain_step_s": 0.02}
    times |= {"draft_step_s": 0.001, "verify_s": 0.022}
    alone, busy = speculation(**times), speculation(**times, stall_s=0.02)
    assert 1 < busy.speed_up < alone.speed_up


def test_shape_follows_acceptance_drafts_and_batch():
    found = speculate(
        TARGET,
        batch=np.array([1, 64])[:, None, None],
        context_tok=1000,
        acceptance_frac=np.linspace(0, 1, 5)[:, None],
        n_draft=np.arange(1, 7),
        draft=DRAFT,
    )
    assert found.speed_up.shape == (2, 5, 6)
    assert (np.diff(found.speed_up, axis=1) > 0).all()
    one = speculate(TARGET, batch=64, context_tok=1000, acceptance_frac=0.5, n_draft=3, draft=DRAFT)
    assert found.speed_up[1, 2, 2] == pytest.approx(float(one.speed_up))


def test_a_draft_or_its_share_but_not_both():
    for both in ({}, {"draft": DRAFT, "draft_frac": 0.1}):
        with pytest.raises(SpeculationError, match="draft"):
            speculate(TARGET, batch=1, context_tok=0, acceptance_frac=0.5, n_draft=2, **both)


@pytest.mark.parametrize("k", [1, 3, 8])
def test_at_break_even_the_speed_up_is_one(k):
    times = {"plain_step_s": 0.02, "draft_step_s": 0.002, "verify_s": 0.021}
    a = float(break_even_acceptance_frac(n_draft=k, **times))
    assert 0 < a < 1
    assert speculation(acceptance_frac=a, n_draft=k, **times).speed_up == pytest.approx(1.0)


def test_never_is_an_answer():
    a = break_even_acceptance_frac(
        n_draft=np.array([1, 4]),
        plain_step_s=0.02,
        draft_step_s=0.002,
        verify_s=np.array([0.05, 0.05]),
    )
    assert np.isnan(a[0])
    assert not np.isnan(a[1])


def test_best_number_of_drafts():
    k = np.arange(1, 9)
    found = speculate(
        TARGET,
        batch=np.array([1, 4096])[:, None],
        context_tok=0,
        acceptance_frac=0.7,
        n_draft=k,
        draft=DRAFT,
    )
    best, gain = best_n_draft(found.speed_up, n_draft=k)
    assert best[0] == k[np.argmax(found.speed_up[0])]
    assert gain[0] == pytest.approx(found.speed_up[0].max())
    assert (best[1], gain[1]) == (0, 1.0)


def test_a_draft_takes_memory_from_sequences():
    given = {"cache_bytes": 30e9, "sequence_bytes": 3e9}
    assert sequences_beside_draft(**given, draft_weight_bytes=0, draft_sequence_bytes=0) == 10
    assert sequences_beside_draft(**given, draft_weight_bytes=4e9, draft_sequence_bytes=0.5e9) == 7
    assert sequences_beside_draft(**given, draft_weight_bytes=40e9, draft_sequence_bytes=0) == 0


def test_several_positions_cost_a_step_nothing_in_cache():
    one = decode_step(TARGET, batch=4, context_tok=1000)
    five = decode_step(TARGET, batch=4, context_tok=1000, positions=5)
    assert five.memory_s == pytest.approx(one.memory_s)
    assert five.compute_s == pytest.approx(5 * one.compute_s)
