"""What a caller says about a benchmark file, beside or against what the file says itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pandas as pd

from calculators.evidence.benchmark_runs import Run
from calculators.evidence.benchmark_text import number

_COLUMNS = {
    "gpu": "gpu",
    "n_gpus": "n_gpus",
    "tp": "tp",
    "engine": "engine",
    "model": "model",
    "weight_format": "weight_format",
    "input_tok": "input_tokens",
    "output_tok": "output_tokens",
    "concurrency": "batch_or_concurrency",
}
MOST_SHOWN = 80  # characters of a setting in a note


@dataclass(frozen=True, slots=True)
class Given:
    """What the caller says about a file; None where the file decides."""

    filename: str = ""
    tool: str = ""
    gpu: str | None = None
    n_gpus: int | None = None
    tp: int | None = None  # cards of one replica
    engine: str | None = None
    model: str | None = None
    weight_format: str | None = None
    input_tok: float | None = None  # tokens of a prompt
    output_tok: float | None = None  # tokens of an answer
    concurrency: float | None = None  # requests at once


def taken(run: Run, what: str, stated: Any, said: Any) -> Any:
    """What the caller said, or else what the file states; a contradiction is noted.

    Parameters
    ----------
    run : its notes may grow
    what : the setting in words
    stated : by the file, or None
    said : by the caller, or None

    Returns
    -------
    the value that counts

    Examples
    --------
    >>> run = Run("one")
    >>> taken(run, "card", "b200", "H100"), taken(run, "model", "m", None), run.notes
    ('H100', 'm', ['card: the file says b200, you said H100: taken H100'])
    """
    if said is None:
        return stated or None
    if stated and _plain(stated) != _plain(said):
        run.note(
            f"{what}: the file says {_shown(stated)}, you said {_shown(said)}: taken {_shown(said)}"
        )
    return said


def _plain(value: Any) -> str:
    return "".join(c for c in _shown(value).lower() if c.isalnum() or c == ".")


def _shown(value: Any) -> str:
    if isinstance(value, int | float) and (found := number(value)) is not None:
        return f"{found:,.4g}" if found < 1000 else f"{found:,.0f}"
    return str(value)[:MOST_SHOWN]


def fill_table(frame: pd.DataFrame, given: Given) -> list[str]:
    """Put what the caller said into the blanks of a table of measurements.

    Parameters
    ----------
    frame : changed in place; what its rows say themselves is kept
    given : by the caller

    Returns
    -------
    list of sentences: where rows say something themselves

    Examples
    --------
    >>> frame = pd.DataFrame({"gpu": ["L4", None]})
    >>> fill_table(frame, Given(gpu="H100"))
    ['gpu: 1 of 2 rows name their own, which is kept; H100 is put into the others']
    >>> frame["gpu"].tolist()
    ['L4', 'H100']
    """
    notes = []
    for field, column in _COLUMNS.items():
        said = getattr(given, field)
        if said is None:
            continue
        own = frame[column].notna() if column in frame else pd.Series(False, index=frame.index)
        frame[column] = frame[column].astype(object).where(own, said) if own.any() else said
        if own.any():
            rest = "" if own.all() else f"; {_shown(said)} is put into the others"
            notes.append(
                f"{column}: {own.sum()} of {len(frame)} rows name their own, which is kept{rest}"
            )
    return notes
