"""An opinion of one method on one question, and what follows from it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

Basis = Literal["bound", "calibrated", "measured"]

OURS = "This dashboard: calibrated model"
PEAK = "Bandwidth over weight bytes"
SHARE_OF_PEAK = "0.7 of peak, weights alone"
WITH_CACHE = "0.7 of peak, cache read too"
AS_PRINTED = "Nearest published measurement, as printed"
CARRIED = "Nearest measurement, carried over"


@dataclass(frozen=True, slots=True)
class Opinion:
    """What one method says, and why it differs from the others."""

    method: str
    value: float
    basis: Basis
    why: str


@dataclass(frozen=True, slots=True)
class Question:
    """One question with the opinions on it; ours is among them."""

    name: str
    unit: str
    opinions: tuple[Opinion, ...]

    @property
    def ours(self) -> float:
        return next((o.value for o in self.opinions if o.method == OURS), math.nan)

    @property
    def spread(self) -> float:
        """The largest over the smallest opinion on this very setting; nan with fewer than two."""
        here = [o.value for o in self.opinions if o.method != AS_PRINTED]
        values = [value for value in here if math.isfinite(value) and value > 0]
        return max(values) / min(values) if len(values) > 1 else math.nan


@dataclass(frozen=True, slots=True)
class Outcome:
    """What follows for money from one method's throughput."""

    method: str
    usd_per_mtok_output: float  # at full load
    n_replicas: float
    usd_month: float


@dataclass(frozen=True, slots=True)
class SecondOpinion:
    """All questions, and what each method's throughput means for the bill."""

    batch: int
    memory: Question
    each: Question
    replica: Question
    outcomes: tuple[Outcome, ...]

    @property
    def questions(self) -> tuple[Question, Question, Question]:
        return self.memory, self.each, self.replica
