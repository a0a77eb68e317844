"""Usage logs of any kind as requests: time, input, output and cached tokens, bad rows counted."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from calculators.cost.usage_files import is_json, log_text
from calculators.cost.usage_json import read_json
from calculators.cost.usage_raw import Progress, RawTable, UsageLogError
from calculators.cost.usage_rows import Rows, clean_rows
from calculators.cost.usage_tables import read_tables

__all__ = ["UsageLog", "UsageLogError", "read_usage_log"]


@dataclass(frozen=True)
class UsageLog:
    """Requests, or buckets of them, in the order of time.

    `bucket_s` is 0 for single requests. `time_s` is seconds since 1970 where `is_absolute`, else
    seconds of the log's own clock, or NaN throughout where the log has no times.
    """

    kind: str
    time_s: NDArray[np.float64]
    input_tok: NDArray[np.float64]
    output_tok: NDArray[np.float64]
    cached_tok: NDArray[np.float64] | None
    n_requests: NDArray[np.float64]
    bucket_s: NDArray[np.float64]
    is_absolute: bool
    has_requests: bool
    columns: dict[str, str]
    n_rows: int
    n_empty_rows: int
    bad_rows: dict[str, int] = field(default_factory=dict)
    bad_examples: dict[str, tuple[str, ...]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def n_bad_rows(self) -> int:
        """Return how many rows were not used."""
        return sum(self.bad_rows.values())

    @property
    def has_times(self) -> bool:
        """Tell whether the log says when."""
        return bool(np.isfinite(self.time_s).any())

    @property
    def has_lengths(self) -> bool:
        """Tell whether the log's rows are single requests, so that lengths are known."""
        return bool(self.time_s.size) and not bool(self.bucket_s.any())


def read_usage_log(
    data: bytes | BinaryIO,
    filename: str = "",
    *,
    time_unit: str = "auto",
    progress: Progress = None,
) -> UsageLog:
    """Read a usage log: CSV, TSV, JSON lines or JSON, with whatever names its columns have.

    Parameters
    ----------
    data : bytes or binary file object [up to 200 MB]
    filename : str [shown in messages only]
    time_unit : str [`auto`, `s`, `ms`, `us` or `ns`; rules a relative clock only]
    progress : callable or None [called with the share done, 0 to 1]

    Returns
    -------
    log : UsageLog

    Raises
    ------
    UsageLogError
        If the file is no text, too large, a pointer, or has no input and output tokens.

    Notes
    -----
    Rows that cannot be used are counted by reason with examples. Cached tokens are a part of the
    input. Cumulative counters are turned into steps. Basis: measured, by the log.

    References
    ----------
    Formats: OpenAI and Anthropic usage exports, LiteLLM, Langfuse, OpenRouter, OpenTelemetry,
    Prometheus, and the Azure, BurstGPT and Mooncake traces.

    Examples
    --------
    >>> log = read_usage_log(b"timestamp,prompt_tokens,completion_tokens\\n1700000000,10,-1\\n")
    >>> log.n_rows, log.bad_rows
    (1, {'output tokens are negative (-1 means not recorded)': 1})
    """
    text = log_text(data, filename)
    if is_json(text):
        tables, kind = [read_json(text.decode(), progress=progress)], "JSON"
    else:
        tables, kind = read_tables(text, progress=progress), "text table"
    for table in tables:
        _check_tokens(table)
    parts = [clean_rows(table, time_unit=time_unit) for table in tables if table.columns]
    parts = [part for part in parts if part.n_rows]
    if not parts:
        raise UsageLogError(
            "The file has a header with token columns, but no rows below that fit it."
        )
    return _joined(parts, kind)


def _check_tokens(table: RawTable) -> None:
    found = table.columns.keys()
    if not found or ("output" in found and found & {"input", "uncached", "total"}):
        return
    lacking = "input" if "output" in found else "output"
    raise UsageLogError(
        f"Most cells of the column of {lacking} tokens hold no numbers that can be read. "
        "Needed are a time, input tokens and output tokens."
    )


def _joined(parts: list[Rows], kind: str) -> UsageLog:
    alike = [part for part in parts if part.is_absolute == parts[0].is_absolute]
    notes = [note for part in parts for note in part.notes]
    if len(parts) > 1:
        notes.append(f"The file holds {len(parts)} tables; {len(alike)} are read as one log.")
    time_s = np.concatenate([part.time_s for part in alike])
    order = np.argsort(time_s, kind="stable")

    def joined(name: str) -> NDArray[np.float64]:
        return np.concatenate([getattr(part, name) for part in alike])[order]

    has_cached = any(part.has_cached for part in alike)
    return UsageLog(
        kind=kind,
        time_s=time_s[order],
        input_tok=joined("input_tok"),
        output_tok=joined("output_tok"),
        cached_tok=joined("cached_tok") if has_cached else None,
        n_requests=joined("n_requests"),
        bucket_s=joined("bucket_s"),
        is_absolute=alike[0].is_absolute,
        has_requests=all(part.has_requests for part in alike),
        columns=alike[0].columns,
        n_rows=sum(part.n_rows for part in alike),
        n_empty_rows=sum(part.n_empty_rows for part in alike),
        bad_rows=_added([part.bad_rows for part in alike]),
        bad_examples={k: tuple(v) for part in alike for k, v in part.bad_examples.items()},
        notes=tuple(dict.fromkeys(notes)),
    )


def _added(counts: list[dict[str, int]]) -> dict[str, int]:
    total: dict[str, int] = {}
    for count in counts:
        for reason, n in count.items():
            total[reason] = total.get(reason, 0) + n
    return total
