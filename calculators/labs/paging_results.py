"""What the paging lab is asked and what it answers: jobs, steps, a picture, a summary."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from calculators.labs.quantization import LabError

FREE, SHARED, CACHED, RESERVED = -1, -2, -3, -4  # states of a block in the picture
MAX_PICTURE_CELLS = 400_000
STEP_COLUMNS = [
    "step",
    "n_active",
    "n_waiting",
    "held_tok",
    "stored_tok",
    "saved_tok",
    "never_tok",
]


@dataclass(frozen=True, slots=True)
class Jobs:
    """Sequences to serve, first come, first served.

    `prompt_id`: sequences with the same one have the same prompt (samples of one question).
    All prompts begin with the same `prefix_tok` tokens. `reserved_tok` is the longest that a
    sequence might become, what a contiguous reservation holds.
    """

    arrival_step: NDArray[np.int64]
    prompt_tok: NDArray[np.int64]
    output_tok: NDArray[np.int64]
    reserved_tok: NDArray[np.int64]
    prompt_id: NDArray[np.int64]
    prefix_tok: int = 0

    def __len__(self) -> int:
        return len(self.prompt_tok)


@dataclass(frozen=True, slots=True)
class PagingSummary:
    """A run in a few figures. Shares are of the held memory, over all steps with anything held."""

    policy: str
    n_steps: int
    n_mean_sequences: float  # while others wait
    n_max_sequences: int
    waste_frac: float  # held but not (yet) filled
    never_used_frac: float  # held and never filled, whatever comes
    external_frac: float  # share of all memory free, yet in holes too small for the next
    peak_held_tok: int
    shared_saved_tok: int  # most tokens that sharing saved at once
    n_preempted: int
    n_recomputed_tok: int
    n_evicted: int
    n_copied: int


@dataclass(frozen=True)
class PagingRun:
    """Steps as a tidy table; `picture` (steps, blocks) holds each block's sequence or state."""

    steps: pd.DataFrame
    picture: NDArray[np.integer]
    summary: PagingSummary


def random_jobs(
    *,
    n_sequences: int,
    prompt_mean_tok: float,
    output_mean_tok: float,
    max_tok: int,
    prefix_tok: int = 0,
    n_samples: int = 1,
    arrivals_per_step: float = np.inf,
    seed: int = 0,
) -> Jobs:
    """Jobs with exponential lengths that all reserve the same limit.

    Parameters
    ----------
    n_sequences : int [1]
        1 or more.
    prompt_mean_tok, output_mean_tok : float [tokens]
        Means; a prompt is never shorter than the shared prefix plus one token.
    max_tok : int [tokens]
        Longest sequence, prompt and output; what contiguous allocation reserves.
    prefix_tok : int [tokens]
        Shared by all prompts, below `max_tok` - 1.
    n_samples : int [1]
        Sequences in a row that ask the same prompt.
    arrivals_per_step : float [1/step]
        Mean rate; infinity puts all at the start.
    seed : int [1]
        Of the random generator.

    Returns
    -------
    Jobs

    Raises
    ------
    LabError
        A count below 1, or a prefix that leaves no room.

    Notes
    -----
    Lengths of real traffic spread at least as much: contiguous waste is no smaller there.

    References
    ----------
    Kwon et al., vLLM, arXiv 2309.06180, section 3.

    Examples
    --------
    >>> jobs = random_jobs(n_sequences=4, prompt_mean_tok=9, output_mean_tok=5, max_tok=64,
    ...                    n_samples=2)
    >>> jobs.prompt_id.tolist(), int((jobs.prompt_tok + jobs.output_tok).max()) <= 64
    ([0, 0, 1, 1], True)
    """
    if n_sequences < 1 or n_samples < 1:
        raise LabError(f"n_sequences, n_samples: {n_sequences}, {n_samples} given; 1 or more")
    if not 0 <= prefix_tok <= max_tok - 2:
        raise LabError(f"prefix_tok: {prefix_tok} given; 0 to {max_tok - 2} leaves room")
    rng = np.random.default_rng(seed)
    prompt_id = np.arange(n_sequences) // n_samples
    own = rng.exponential(max(prompt_mean_tok - prefix_tok, 1.0), n_sequences)[prompt_id]
    prompt_tok = np.clip(prefix_tok + 1 + own.astype(np.int64), 1, max_tok - 1)
    wanted = 1 + rng.exponential(output_mean_tok, n_sequences).astype(np.int64)
    gaps = rng.exponential(1.0 / arrivals_per_step, n_sequences)
    return Jobs(
        arrival_step=np.floor(np.cumsum(gaps) - gaps[0]).astype(np.int64),
        prompt_tok=prompt_tok,
        output_tok=np.minimum(wanted, max_tok - prompt_tok),
        reserved_tok=np.full(n_sequences, max_tok),
        prompt_id=prompt_id,
        prefix_tok=prefix_tok,
    )


def stacked_picture(rows: list[NDArray[np.int32]]) -> NDArray[np.integer]:
    """Every step's blocks, or every n-th step's where the picture would grow too large.

    Parameters
    ----------
    rows : list of array
        Sequence or state of every block [1], one array per step.

    Returns
    -------
    array (steps, blocks) [1]

    Notes
    -----
    At most about 400,000 cells; what is left out lies between two steps that are shown.

    References
    ----------
    Definition.

    Examples
    --------
    >>> stacked_picture([np.array([0, -1], dtype=np.int32)] * 3).shape
    (3, 2)
    """
    if not rows:
        return np.zeros((0, 0), dtype=np.int32)
    stride = max(1, -(-len(rows) * len(rows[0]) // MAX_PICTURE_CELLS))
    stacked = np.stack(rows[::stride])
    small = np.iinfo(np.int16)
    fits = small.min <= stacked.min() and stacked.max() <= small.max
    return stacked.astype(np.int16) if fits else stacked  # kept for many runs, so half the memory


def mean_while_full(steps: pd.DataFrame) -> float:
    """Sequences at work on average while others wait; over all steps where none ever waits.

    Parameters
    ----------
    steps : DataFrame
        n_active and n_waiting [sequences] per step.

    Returns
    -------
    float [sequences]

    Notes
    -----
    The emptying end of a run says nothing about how many the memory holds, so it is left out.

    References
    ----------
    Definition.

    Examples
    --------
    >>> mean_while_full(pd.DataFrame({"n_active": [4, 2, 1], "n_waiting": [3, 1, 0]}))
    3.0
    """
    full = steps[steps.n_waiting > 0]
    return float((full if len(full) else steps).n_active.mean())


def weighted_frac(part: pd.Series, whole: pd.Series) -> float:
    """Sum of a part over the sum of a whole; 0 where the whole is nothing.

    Parameters
    ----------
    part, whole : Series [tokens]
        One value per step.

    Returns
    -------
    float [share, 0 to 1]

    Notes
    -----
    Steps that hold more weigh more.

    References
    ----------
    Definition.

    Examples
    --------
    >>> weighted_frac(pd.Series([1, 2]), pd.Series([2, 10]))
    0.25
    """
    total = float(whole.sum())
    return float(part.sum()) / total if total else 0.0
