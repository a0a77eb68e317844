"""The accept-reject rule of speculative decoding, run on two small distributions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calculators.labs.quantization import LabError
from calculators.speed.speculative import tokens_from_drafts, tokens_per_pass

Array = NDArray[np.float64]
MAX_DRAWS = 20_000_000


@dataclass(frozen=True, slots=True)
class DistributionPair:
    """What the large model would say next, and what the draft proposes; both sum to 1."""

    target: Array
    draft: Array

    @property
    def acceptance_frac(self) -> float:
        """Chance that a drafted token is accepted: the overlap, sum of min(target, draft)."""
        return float(np.minimum(self.target, self.draft).sum())


@dataclass(frozen=True, slots=True)
class SpeculationRun:
    """Many verify passes: what the rule did beside what the formula says."""

    pair: DistributionPair
    n_draft: int
    n_passes: int
    accepted: NDArray[np.int64]  # number of passes that accepted 0, 1, ... k drafts
    emitted: NDArray[np.int64]  # number of times that each token was put out

    @property
    def tokens_per_pass(self) -> float:
        return float(self.emitted.sum()) / self.n_passes

    @property
    def expected_tokens_per_pass(self) -> float:
        acceptance = min(self.pair.acceptance_frac, 1.0)
        return float(tokens_per_pass(acceptance_frac=acceptance, n_draft=self.n_draft))

    @property
    def standard_error(self) -> float:
        """Of the tokens per pass over so many passes, by the formula's own spread."""
        k = np.arange(self.n_draft + 1)
        acceptance = self.pair.acceptance_frac
        chance = acceptance**k * np.where(k < self.n_draft, 1.0 - acceptance, 1.0)
        variance = chance @ (k + 1 - self.expected_tokens_per_pass) ** 2
        return float(np.sqrt(max(float(variance), 0.0) / self.n_passes))


def distribution_pair(
    *, acceptance_frac: float, n_tokens: int = 12, seed: int = 0
) -> DistributionPair:
    """A target distribution and a draft that overlaps it by exactly the share asked for.

    draft = (1 - t) x target + t x other, t = (1 - acceptance) / distance(target, other)

    Parameters
    ----------
    acceptance_frac : 0 to 1, not below the smallest probability of the target
    n_tokens : size of the vocabulary, 2 to 1000
    seed : of the target's probabilities

    Returns
    -------
    DistributionPair

    Raises
    ------
    LabError
        a vocabulary outside 2 to 1000, or an acceptance that this target does not allow

    Examples
    --------
    >>> round(distribution_pair(acceptance_frac=0.7).acceptance_frac, 9)
    0.7
    """
    if not 2 <= n_tokens <= 1000:
        raise LabError(f"n_tokens is {n_tokens}; allowed is 2 to 1000")
    rng = np.random.default_rng(seed)
    weights = np.sort(np.exp(1.2 * rng.standard_normal(n_tokens)))[::-1]
    target = weights / weights.sum()
    if not target[-1] <= acceptance_frac <= 1:
        raise LabError(
            f"acceptance_frac is {acceptance_frac:g}; allowed is {target[-1]:.3g} to 1 here"
        )
    other = target[::-1].copy()
    wanted = 1.0 - acceptance_frac
    if _distance(target, other) < wanted:
        other = np.eye(n_tokens)[-1]
    share = wanted / max(_distance(target, other), 1e-12)
    return DistributionPair(target, (1 - share) * target + share * other)


def _distance(one: Array, other: Array) -> float:
    """Total variation: half the sum of the absolute differences."""
    return float(np.abs(one - other).sum() / 2)


def run_speculation(
    pair: DistributionPair, *, n_draft: int, n_passes: int = 20_000, seed: int = 0
) -> SpeculationRun:
    """Run the accept-reject rule: what comes out is the target's distribution, only faster.

    accept a drafted x with chance min(1, target(x) / draft(x)); at the first refusal draw from
    max(target - draft, 0), normalised; with all accepted draw one more from the target

    Parameters
    ----------
    pair : both distributions, over the same tokens
    n_draft : k, drafted tokens a pass, 0 to 64
    n_passes : passes, 1 or more; at most 20 million draws in all
    seed : of the draws

    Returns
    -------
    SpeculationRun

    Raises
    ------
    LabError
        numbers outside these ranges

    Notes
    -----
    Every position has the same two distributions, so acceptances are independent, as in the
    formula. In text they come in runs.

    References
    ----------
    Leviathan, Kalman, Matias, Fast Inference from Transformers via Speculative Decoding, ICML
    2023, algorithm 1 (read 2026-11-30).

    Examples
    --------
    >>> half = np.array([0.5, 0.5])
    >>> run_speculation(DistributionPair(half, half), n_draft=3, n_passes=10).tokens_per_pass
    4.0
    """
    if not 0 <= n_draft <= 64:
        raise LabError(f"n_draft is {n_draft}; allowed is 0 to 64")
    if n_passes < 1 or n_passes * (n_draft + 1) > MAX_DRAWS:
        raise LabError(f"n_passes is {n_passes:,}; allowed is 1 to {MAX_DRAWS // (n_draft + 1):,}")
    rng = np.random.default_rng(seed)
    n_tokens = len(pair.target)
    drafted = _draw(pair.draft, rng.random((n_passes, n_draft)))
    ratio = np.divide(pair.target, pair.draft, out=np.ones(n_tokens), where=pair.draft > 0)
    refused = np.ones((n_passes, n_draft + 1), dtype=bool)  # the draft ends after k
    refused[:, :n_draft] = rng.random((n_passes, n_draft)) >= ratio[drafted]
    accepted = refused.argmax(axis=1)
    kept = drafted[np.arange(n_draft) < accepted[:, None]]
    draws = rng.random(n_passes)
    rest = np.maximum(pair.target - pair.draft, 0.0)
    rest = rest / rest.sum() if rest.sum() > 0 else pair.target
    last = np.where(accepted < n_draft, _draw(rest, draws), _draw(pair.target, draws))
    return SpeculationRun(
        pair=pair,
        n_draft=n_draft,
        n_passes=n_passes,
        accepted=np.bincount(accepted, minlength=n_draft + 1),
        emitted=np.bincount(np.concatenate([kept, last]), minlength=n_tokens),
    )


def _draw(probabilities: Array, uniform: Array) -> NDArray[np.int64]:
    places = np.searchsorted(np.cumsum(probabilities), uniform, side="right")
    return np.minimum(places, np.flatnonzero(probabilities)[-1])


def verified_tokens(drafted: Sequence[str], wanted: Sequence[str]) -> list[str]:
    """Greedy verification: drafts up to the first that the large model would not have said.

    Parameters
    ----------
    drafted : what the draft proposes
    wanted : what the large model says at each of these positions, and at the one after

    Returns
    -------
    list of str, the tokens of one pass: accepted ones and the large model's next

    Examples
    --------
    >>> drafted = "the cat sat on the mat".split()
    >>> verified_tokens(drafted, "the cat sat on the rug .".split())
    ['the', 'cat', 'sat', 'on', 'the', 'rug']
    """
    same = [one == other for one, other in zip(drafted, wanted, strict=False)]
    n_accepted = same.index(False) if False in same else len(same)
    return list(wanted[: tokens_from_drafts(n_accepted=n_accepted)])
