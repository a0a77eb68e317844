"""Published loss of weight formats: scores by task, statements by ability, what is not known."""

from __future__ import annotations

import math
from dataclasses import dataclass

from pydantic import Field, model_validator

from calculators.evidence.eval_metrics import is_higher_better
from calculators.specs import Source, Spec

Score = tuple[float, float | None]


class Evaluation(Spec):
    """One task of one model, measured in 16 bits and in other formats: [value, standard error]."""

    id: str = Field(min_length=1)
    model: str = Field(min_length=1)
    task: str = Field(min_length=1)
    measure: str = Field(min_length=1)
    ability: str = Field(min_length=1)
    baseline: Score
    scores: dict[str, Score] = Field(min_length=1)
    note: str | None = None
    source: Source

    @model_validator(mode="after")
    def _plausible(self) -> Evaluation:
        for name, (value, stderr) in {"baseline": self.baseline, **self.scores}.items():
            if not math.isfinite(value) or value <= 0 or (stderr is not None and stderr < 0):
                raise ValueError(f"{name}: a positive value and an error of at least 0 are needed")
        return self


class Statement(Spec):
    """What a paper says of some formats and one ability; `change_frac` is blank where no figure."""

    ability: str = Field(min_length=1)
    formats: tuple[str, ...] = Field(min_length=1)
    change_frac: float | None = Field(default=None, ge=-1, le=1)
    text: str = Field(min_length=1)
    source: Source


class UnknownLoss(Spec):
    """An ability for which no figure with a source is held."""

    ability: str = Field(min_length=1)
    text: str = Field(min_length=1)


class PublishedLoss(Spec):
    """All published losses of the catalog."""

    evaluations: tuple[Evaluation, ...]
    statements: tuple[Statement, ...]
    unknown: tuple[UnknownLoss, ...]

    @property
    def sources(self) -> tuple[Source, ...]:
        """Return where all of it was published, each source once."""
        found = [e.source for e in self.evaluations] + [s.source for s in self.statements]
        return tuple({source.title: source for source in found}.values())


@dataclass(frozen=True)
class LossRow:
    """One format on one task: how much worse than 16 bits, as a share of the 16-bit score."""

    format_id: str
    model: str
    task: str
    ability: str
    worse_frac: float
    stderr_frac: float | None
    source: Source


def loss_frac(*, baseline: float, quantized: float, measure: str) -> float:
    """Return how much worse a format is than 16 bits, as a share of the 16-bit score.

    worse = 1 - quantized / baseline, or quantized / baseline - 1 where lower is better

    Parameters
    ----------
    baseline : float [score or perplexity], > 0
    quantized : float [score or perplexity]
    measure : str [metric name, for its direction]

    Returns
    -------
    worse_frac : float [share; negative where it got better]

    Notes
    -----
    A share of the score hides how near to guessing it was. Basis: measured.

    References
    ----------
    "Recovery" as model cards use it is 1 - worse.

    Examples
    --------
    >>> round(loss_frac(baseline=0.8, quantized=0.76, measure="acc"), 3)
    0.05
    >>> loss_frac(baseline=10.0, quantized=12.0, measure="word_perplexity")
    0.2
    """
    ratio = quantized / baseline
    lower_is_better = is_higher_better(measure) is False
    return round(ratio - 1 if lower_is_better else 1 - ratio, 12)


def loss_rows(published: PublishedLoss) -> tuple[LossRow, ...]:
    """Return the loss of every format on every task that is published with a score.

    Parameters
    ----------
    published : PublishedLoss

    Returns
    -------
    rows : tuple of LossRow

    Notes
    -----
    Errors are independent, of the ratio: sqrt((s_q / b)^2 + (q s_b / b^2)^2). Basis: measured.

    References
    ----------
    First-order propagation of errors.

    Examples
    --------
    >>> from datetime import date
    >>> source = Source(title="x", checked=date(2026, 1, 1))
    >>> one = Evaluation(id="a", model="m", task="t", measure="acc", ability="knowledge",
    ...     baseline=(0.8, 0.01), scores={"nf4": (0.76, 0.01)}, source=source)
    >>> row = loss_rows(PublishedLoss(evaluations=(one,), statements=(), unknown=()))[0]
    >>> round(row.worse_frac, 3), round(row.stderr_frac, 4)
    (0.05, 0.0172)
    """
    rows = []
    for evaluation in published.evaluations:
        base, base_error = evaluation.baseline
        for format_id, (value, error) in evaluation.scores.items():
            known = None not in (base_error, error)
            spread = math.hypot((error or 0) / base, value * (base_error or 0) / base**2)
            rows.append(
                LossRow(
                    format_id=format_id,
                    model=evaluation.model,
                    task=evaluation.task,
                    ability=evaluation.ability,
                    worse_frac=loss_frac(
                        baseline=base, quantized=value, measure=evaluation.measure
                    ),
                    stderr_frac=spread if known else None,
                    source=evaluation.source,
                )
            )
    return tuple(rows)
