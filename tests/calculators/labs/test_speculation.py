"""The accept-reject rule: as many tokens as the formula says, in the target's distribution."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calculators.labs.quantization import LabError
from calculators.labs.speculation import (
    DistributionPair,
    distribution_pair,
    run_speculation,
    verified_tokens,
)


@settings(max_examples=40, deadline=None)
@given(st.floats(0.1, 1.0), st.integers(0, 8), st.integers(0, 10_000))
def test_tokens_per_pass_within_sampling_error(acceptance, k, seed):
    pair = distribution_pair(acceptance_frac=acceptance, n_tokens=16, seed=seed)
    run = run_speculation(pair, n_draft=k, n_passes=4000, seed=seed)
    counts = [acceptance**j * (1 - acceptance if j < k else 1) for j in range(k + 1)]
    mean = sum(chance * (j + 1) for j, chance in enumerate(counts))
    spread = sum(chance * (j + 1 - mean) ** 2 for j, chance in enumerate(counts)) ** 0.5
    assert run.standard_error == pytest.approx(spread / 4000**0.5, abs=1e-6)
    tolerance = 5 * spread / 4000**0.5 + 10 / 4000  # the last for refusals too rare to be normal
    assert run.tokens_per_pass == pytest.approx(run.expected_tokens_per_pass, abs=tolerance)


@settings(max_examples=20, deadline=None)
@given(st.floats(0.2, 0.95), st.integers(1, 6), st.integers(0, 10_000))
def test_what_comes_out_is_the_targets_distribution(acceptance, k, seed):
    pair = distribution_pair(acceptance_frac=acceptance, n_tokens=8, seed=seed)
    run = run_speculation(pair, n_draft=k, n_passes=20_000, seed=seed)
    n = run.emitted.sum()
    spread = np.sqrt(pair.target * (1 - pair.target) * n)
    # tokens of one pass are not independent: their number depends on what was accepted
    assert (np.abs(run.emitted - n * pair.target) < 6 * spread + 5).all()


def test_first_tokens_alone_have_the_targets_distribution():
    """With one draft a pass gives its first token by accepting or by correcting: exact by hand."""
    target, draft = np.array([0.5, 0.3, 0.2]), np.array([0.2, 0.2, 0.6])
    accepted = np.minimum(target, draft)
    corrected = np.maximum(target - draft, 0)
    corrected *= (1 - accepted.sum()) / corrected.sum()
    assert accepted + corrected == pytest.approx(target)
    assert DistributionPair(target, draft).acceptance_frac == pytest.approx(0.6)


def test_same_seed_same_run():
    pair = distribution_pair(acceptance_frac=0.6)
    one, other = (run_speculation(pair, n_draft=4, n_passes=500, seed=7) for _ in range(2))
    assert (one.emitted == other.emitted).all()
    assert one.accepted.sum() == 500


@pytest.mark.parametrize("acceptance", [0.05, 0.3, 0.999, 1.0])
def test_pairs_overlap_as_asked(acceptance):
    pair = distribution_pair(acceptance_frac=acceptance, n_tokens=40, seed=3)
    assert pair.acceptance_frac == pytest.approx(acceptance)
    assert pair.draft.sum() == pytest.approx(1.0)
    assert (pair.draft >= 0).all()


def test_a_draft_that_says_the_same_is_always_accepted():
    run = run_speculation(distribution_pair(acceptance_frac=1.0), n_draft=5, n_passes=1000)
    assert run.tokens_per_pass == 6.0


def test_greedy_verification():
    assert verified_tokens(list("abcdef"), list("abcdeXy")) == list("abcdeX")
    assert verified_tokens(list("abc"), list("abcd")) == list("abcd")
    assert verified_tokens(list("abc"), list("Xbcd")) == ["X"]


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"n_draft": 65}, "n_draft"),
        ({"n_passes": 0}, "n_passes"),
        ({"n_passes": 10**9}, "n_passes"),
    ],
)
def test_limits_of_a_run(changes, named):
    pair = distribution_pair(acceptance_frac=0.5)
    with pytest.raises(LabError, match=named):
        run_speculation(pair, **{"n_draft": 4} | changes)


@pytest.mark.parametrize(
    "changes", [{"acceptance_frac": 1.5}, {"acceptance_frac": 0.0}, {"n_tokens": 1}]
)
def test_limits_of_a_pair(changes):
    with pytest.raises(LabError):
        distribution_pair(**{"acceptance_frac": 0.5} | changes)
