"""From the cells of a usage log to clean numbers; every row that is left out is counted."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from calculators.cost.usage_cells import numbers_of, plain_cells
from calculators.cost.usage_counters import counter_steps, is_counter
from calculators.cost.usage_raw import RawTable
from calculators.cost.usage_rejects import reject_rows, without_repeats
from calculators.cost.usage_times import Times, clock_seconds, parse_times

Floats = NDArray[np.float64]
_DAY_S = 86400.0
_BUCKETS_S = (60.0, 300.0, 3600.0, _DAY_S, 7 * _DAY_S)


@dataclass
class Rows:
    """The usable rows of one table, in the order of time."""

    time_s: Floats
    input_tok: Floats
    output_tok: Floats
    cached_tok: Floats
    n_requests: Floats
    bucket_s: Floats
    is_absolute: bool
    has_requests: bool
    has_cached: bool
    columns: dict[str, str]
    n_rows: int
    n_empty_rows: int
    bad_rows: dict[str, int] = field(default_factory=dict)
    bad_examples: dict[str, list[str]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def clean_rows(table: RawTable, *, time_unit: str = "auto") -> Rows:
    """Return the usable rows of a table as numbers, and count the others by reason.

    Parameters
    ----------
    table : RawTable [cells as they stand in the file]
    time_unit : str [`auto`, `s`, `ms`, `us` or `ns`; rules a relative clock only]

    Returns
    -------
    rows : Rows

    Notes
    -----
    Where input and cached tokens are counted apart (Anthropic's way), they are added up, so that
    cached tokens are always a part of the input. Basis: measured, by the log.

    References
    ----------
    https://docs.anthropic.com/en/docs/build-with-claude/prompt-caching (input is what follows the
    last cache breakpoint), https://platform.openai.com/docs/guides/prompt-caching (input includes
    cached tokens); conventions as known on 2026-11-30.

    Examples
    --------
    >>> clean_rows(RawTable({"time": ["5"], "input": ["7"], "output": ["2"]})).input_tok.tolist()
    [7.0]
    """
    n_rows = len(next(iter(table.columns.values())))
    cells = {
        slot: numbers_of(column, dot_groups=table.delimiter == ";")
        for slot, column in table.columns.items()
        if _is_number(slot)
    }
    times, time_s = _times(table, time_unit, n_rows)
    frame = pd.DataFrame({"time": time_s, "row": np.arange(n_rows)})
    frame["input"], frame["cached"] = _input_and_cached(table, cells, n_rows)
    frame["output"] = cells["output"]
    frame["requests"] = cells.get("requests", np.full(n_rows, np.nan))
    frame["bucket"] = _bucket_seconds(table, frame, times, time_unit)
    if times.note:
        table.notes.append(times.note)
    frame = _with_counter_steps(table, frame)
    empty = reject_rows(table, frame)
    kept = frame[frame["ok"]].sort_values("time", kind="stable")
    kept = without_repeats(table, kept)
    table.notes += _token_notes(kept, cells.get("total"))
    has_requests = "requests" in cells or not bool((kept["bucket"] > 0).any())
    if "requests" not in cells:
        kept = kept.assign(requests=1.0 if has_requests else np.nan)
    return Rows(
        time_s=kept["time"].to_numpy(float),
        input_tok=kept["input"].to_numpy(float),
        output_tok=kept["output"].to_numpy(float),
        cached_tok=kept["cached"].to_numpy(float),
        n_requests=kept["requests"].fillna(0.0 if has_requests else np.nan).to_numpy(float),
        bucket_s=kept["bucket"].to_numpy(float),
        is_absolute=times.is_absolute,
        has_requests=has_requests,
        has_cached="cached" in cells,
        columns=dict(table.names),
        n_rows=n_rows,
        n_empty_rows=empty,
        bad_rows=table.bad_rows,
        bad_examples=table.bad_examples,
        notes=table.notes,
    )


def _token_notes(kept: pd.DataFrame, total: Floats | None) -> list[str]:
    notes = []
    silent = int(((kept["output"] == 0) & (kept["input"] > 0)).sum())
    if silent:
        notes.append(f"{silent:,} rows have input but no output (failed or cut off): counted.")
    if total is not None:
        counted = (kept["input"] + kept["output"]).to_numpy(float)
        beyond = np.nansum(np.maximum(total[kept["row"]] - counted, 0.0))
        if beyond > 0.01 * counted.sum():
            notes.append(
                f"The log's totals hold {beyond:,.0f} tokens more than input and output: reasoning "
                "or other tokens are not counted."
            )
    return notes


def _is_number(slot: str) -> bool:
    return slot.startswith("cache") or slot in ("input", "uncached", "output", "requests", "total")


def _times(table: RawTable, unit: str, n_rows: int) -> tuple[Times, Floats]:
    if "time" not in table.columns:
        return Times(np.full(n_rows, np.nan), False, "none"), np.full(n_rows, np.nan)
    name = table.names.get("time", "time")
    milli = "hash_ids" in table.all_names or table.names.get("input") == "input_length"
    cells = plain_cells(table.columns["time"])
    times = parse_times(cells, name=name, unit=unit, sparse_unit="ms" if milli else "s")
    time_s = times.time_s.copy()
    clock = table.names.get("clock")
    if clock and clock != name and times.is_absolute and _all_whole_days(time_s):
        time_s += np.nan_to_num(clock_seconds(plain_cells(table.columns["clock"])))
    return times, time_s


def _all_whole_days(time_s: Floats) -> bool:
    given = time_s[np.isfinite(time_s)]
    return bool(given.size) and bool(np.all(given % _DAY_S == 0))


def _has_dates_only(table: RawTable, start: Floats) -> bool:
    if np.unique(start[np.isfinite(start)]).size > 1:
        return True
    return ":" not in str(table.columns["time"][0])


def _input_and_cached(
    table: RawTable, cells: dict[str, Floats], n_rows: int
) -> tuple[Floats, Floats]:
    cached = np.nan_to_num(cells.get("cached", np.zeros(n_rows)), nan=0.0).clip(min=0)
    written = [np.nan_to_num(v, nan=0.0).clip(min=0) for k, v in cells.items() if "write" in k]
    parts = cached + sum(written, np.zeros(n_rows))
    base = cells.get("input", cells.get("uncached"))
    if base is None:
        table.notes.append("Input tokens are the total less the output.")
        return cells["total"] - cells["output"], cached
    if not parts.any():
        return base, cached
    if "input" not in cells or _is_apart(table, cells, base, cached, parts):
        table.notes.append("Input and cached tokens are counted apart in this log: added up.")
        return base + parts, cached
    return base, np.minimum(cached, np.nan_to_num(base, nan=0.0).clip(min=0))


def _is_apart(
    table: RawTable, cells: dict[str, Floats], base: Floats, cached: Floats, parts: Floats
) -> bool:
    total = cells.get("total")
    if total is not None and np.isfinite(total).any():
        apart = np.nanmedian(np.abs(total - cells["output"] - base - parts))
        within = np.nanmedian(np.abs(total - cells["output"] - base))
        if apart != within:
            return bool(apart < within)
    if np.mean(cached > base) > 0.01:
        return True
    named = "prompt" not in table.names["input"].lower() and "cache_write" in cells
    return named and "gen_ai" not in table.names["input"]


def _bucket_seconds(table: RawTable, frame: pd.DataFrame, times: Times, unit: str) -> Floats:
    n_rows = len(frame)
    start, requests = frame["time"].to_numpy(float), frame["requests"].to_numpy(float)
    if "end" in table.columns:
        end = parse_times(
            plain_cells(table.columns["end"]), name=table.names["end"], unit=unit
        ).time_s
        width = end - start
        middle = np.nanmedian(width) if np.isfinite(width).any() else 0.0
        even = middle >= 60 and np.nanmean(np.abs(width - middle) < 1) > 0.9
        if even:
            return np.where(np.isfinite(width), width, middle)
    grouped = "requests" in table.columns and bool(np.nanmax(requests, initial=0) > 1)
    daily = times.is_absolute and _all_whole_days(start) and _has_dates_only(table, start)
    if not grouped and not daily:
        return np.zeros(n_rows)
    gaps = np.diff(np.unique(start[np.isfinite(start)]))
    least = float(gaps.min()) if gaps.size else _DAY_S
    return np.full(n_rows, max((b for b in _BUCKETS_S if b <= least * 1.01), default=least))


def _is_counting(table: RawTable, tokens: list[Floats]) -> bool:
    named = all(_is_named_counter(table, slot) for slot in ("input", "output"))
    return all(is_counter(values, named_total=named) for values in tokens)


def _is_named_counter(table: RawTable, slot: str) -> bool:
    name = table.names.get(slot, "").lower()
    return name.endswith("_total") and not name.startswith(("n_", "num_"))


def _with_counter_steps(table: RawTable, frame: pd.DataFrame) -> pd.DataFrame:
    if frame["time"].isna().all():
        return frame
    series = pd.Series("", index=frame.index)
    if "series" in table.columns:
        cells = np.asarray(plain_cells(table.columns["series"]))
        series = pd.Series(cells).astype("string").fillna("")
    frame = frame.assign(series=series)
    ordered = frame.sort_values(["series", "time"], kind="stable")
    largest = ordered[ordered["series"] == ordered["series"].mode().iloc[0]]
    if not _is_counting(table, [largest[slot].to_numpy(float) for slot in ("input", "output")]):
        return frame
    for slot in ("input", "output", "cached", "requests"):
        if is_counter(largest[slot].to_numpy(float), named_total=True):
            steps = ordered.groupby("series", sort=False)[slot].transform(
                lambda values: counter_steps(values.to_numpy(float))
            )
            ordered = ordered.assign(**{slot: steps})
    previous = ordered.groupby("series", sort=False)["time"].shift()
    start = previous.fillna(ordered["time"])
    table.notes.append("The token columns are cumulative counters: read as steps between readings.")
    return ordered.assign(bucket=ordered["time"] - start, time=start)
