"""Which column of a usage log holds what, told from its name and a few of its values."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from calculators.cost.usage_cells import is_empty, looks_numeric, plain_name

_TOKENS = {"token", "tokens", "toks", "tok"}
_LENGTHS = {"length", "len", "lens", "lengths"}
_INPUT = {"input", "prompt", "context", "request", "prefill", "inputs", "prompts", "in"}
_OUTPUT = {"output", "completion", "completions", "generated", "generation", "response", "decode"}
_OUTPUT |= {"candidates", "outputs", "answer", "decoded", "gen", "out"}
_WRITE = {"write", "writes", "creation", "create", "written", "ephemeral"}
_OFF = {"cost", "costs", "price", "usd", "spend", "amount", "rate", "per", "max", "min", "limit"}
_OFF |= {"avg", "mean", "average", "median", "std", "chars", "characters", "bytes", "budget"}
_OFF |= {"reasoning", "thinking", "thoughts", "audio", "image", "video", "time", "latency", "tool"}
_OFF |= {"duration", "ms", "hash", "session", "accepted", "rejected", "estimated", "expected"}
_OFF |= {"queries", "percent", "pct", "external", "cpu", "speed", "tps", "throughput", "ids"}
_OFF |= {"breakdown", "breakdowns", "compute", "computed", "local", "kv", "bucket", "percentage"}
_OFF |= {"stddev", "percentile", "percentiles", *(f"p{n}" for n in range(1, 100))}
_BARE = {
    "input": {"input", "prompt", "isl", "in", "prompt_size", "context_tokens_total"}
    | {"prompt_eval_count", "prompt_n", "tokens_evaluated"},
    "output": {"output", "completion", "osl", "out", "token_size", "candidates"}
    | {"eval_count", "predicted_n", "tokens_predicted"},
    "cached": {"prefix_cache_hits", "prefix_cache_hits_total", "cache_read", "cached"},
    "total": {"total", "tokens", "total_tokens", "tokens_total", "total_token_count"},
    "requests": {"num_model_requests", "n_requests", "num_requests", "requests", "request_count"}
    | {"api_requests", "requests_total", "request_success_total", "total_requests", "calls"}
    | {"n_calls", "num_calls", "call_count", "model_requests", "successful_requests", "count"}
    | {"request_success", "invocations", "requests_count", "number_of_requests", "n_req"},
    "series": {
        "instance",
        "pod",
        "replica",
        "hostname",
        "server",
        "worker",
        "engine",
        "model_name",
    },
    "id": {"request_id", "message_id", "response_id", "generation_id"},
    "clock": {"time", "hour", "hour_utc", "time_utc"},
}
_STARTS = (
    *("arrival_time", "arrived_at", "arrival_timestamp", "arrival", "start_time", "starting_at"),
    *("start", "started_at", "start_timestamp", "start_times", "launch_time", "request_start_time"),
    *("request_time", "request_timestamp", "request_created_at", "timestamp", "created_at"),
    *("create_time", "created", "datetime", "date_time", "time", "ts", "bucket_start", "at"),
    *("period_start", "interval_start", "aggregation_timestamp", "event_time", "received_at"),
    *("submitted_at", "sent_at", "logged_at", "time_generated", "timestamps", "date", "usage_date"),
    *("day", "bucket", "period", "hour", "epoch", "unix_time", "datum", "zeit", "zeitstempel"),
    *("fecha", "hora", "horodatage", "timestamp_utc", "bucket_start_time", "window_start", "month"),
)
_ENDS = {"end_time", "ending_at", "end", "ended_at", "bucket_end", "period_end", "interval_end"}
_LATE = {"finish", "finished", "completed", "completion", "end", "ended", "ending", "updated"}
_LATE |= {"first", "last", "queued", "scheduled", "token", "duration", "latency", "elapsed", "ttft"}
_LATE |= {"collected", "expires", "relative", "timeout", "generation", "decode", "prefill", "ms2"}
_TIME_WORDS = {"time", "timestamp", "date", "datetime", "created", "start", "arrival", "day", "ts"}
_TIME_TAIL = re.compile(r"_(iso|utc|unix|nano|ns|us|ms|s|sec|secs|seconds|millis|epoch|local)$")
_DATE = re.compile(r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}|\d{8}|[A-Za-z]{3}.{0,12}\d{4}|\d{4}-W?\d\d")
_CLOCK = re.compile(r"^\d{1,2}:\d{2}")


def choose_columns(samples: Mapping[str, Sequence[Any]]) -> dict[str, list[str]]:
    """Return for each role the columns that may hold it, the best first.

    Roles: time, end, clock, input, uncached, output, cached, cache_write, requests, total, series,
    id. A column must also hold what its name promises: numbers in half of its cells, times in a
    tenth.

    Parameters
    ----------
    samples : mapping of str to sequence [column name or dotted path to some of its cells]

    Returns
    -------
    roles : dict of str to list of str [role to column names]

    Notes
    -----
    A column counts for one role. Shallow and short names go before deep and long ones.
    Basis: convention.

    References
    ----------
    Names as usage exports and public request traces write them.

    Examples
    --------
    >>> choose_columns({"TIMESTAMP": ["5"], "ContextTokens": ["9"], "GeneratedTokens": ["2"]})
    {'time': ['TIMESTAMP'], 'input': ['ContextTokens'], 'output': ['GeneratedTokens']}
    """
    ranked: dict[str, list[tuple[float, int, str]]] = {}
    for position, (name, cells) in enumerate(samples.items()):
        for role, rank in _roles_of_name(name):
            if _holds(role, cells):
                ranked.setdefault(role, []).append((rank, position, name))
    chosen = {role: [name for _, _, name in sorted(found)] for role, found in ranked.items()}
    if writes := [n for n in chosen.get("cache_write", ()) if "ephemeral" not in n]:
        chosen["cache_write"] = writes  # the ephemeral counts are parts of it
    return chosen


def _roles_of_name(name: str) -> list[tuple[str, float]]:
    depth = name.count(".")
    last = plain_name(name.rsplit(".", 1)[-1])
    whole = plain_name(name)
    role = _count_role(last) or _count_role(whole)
    if role:
        penalty = 3 * ("text" in whole.split("_")) + len(whole.split("_")) / 10
        return [(role, depth + penalty)]
    roles = []
    rank = _time_rank(last if depth else whole)
    if rank is not None:
        roles.append(("time", rank + 5 * depth))
    if _without_tail(whole) in _ENDS:
        roles.append(("end", float(depth)))
    for bare in ("series", "id", "clock"):
        if last in _BARE[bare] or whole in _BARE[bare]:
            roles.append((bare, float(depth)))
    return roles


def _count_role(plain: str) -> str | None:
    for bare in ("input", "output", "cached", "total", "requests"):
        if plain in _BARE[bare]:
            return bare
    words = set(plain.split("_"))
    if words & _OFF:
        return None
    return _token_role(words) if words & _TOKENS else _length_role(words)


def _token_role(words: set[str]) -> str | None:
    cache = words & {"cache", "cached", "hit", "hits"}
    if "uncached" in words or (cache and words & {"no", "non", "miss", "not"}):
        return "uncached"
    if cache:
        return "cache_write" if words & _WRITE else "cached" if not words & _OUTPUT else None
    if words & _WRITE and "ephemeral" in words:
        return "cache_write"
    incoming, outgoing = bool(words & _INPUT), bool(words & _OUTPUT)
    if incoming != outgoing:
        return "input" if incoming else "output"
    return "total" if "total" in words and not incoming else None


def _length_role(words: set[str]) -> str | None:
    if not words & _LENGTHS:
        return None
    incoming = bool(words & {"input", "inputs", "prompt", "prompts", "prefill", "in"})
    outgoing = bool(words & _OUTPUT)
    return None if incoming == outgoing else "input" if incoming else "output"


def _without_tail(plain: str) -> str:
    while _TIME_TAIL.search(plain):
        plain = _TIME_TAIL.sub("", plain)
    return plain


def _time_rank(plain: str) -> float | None:
    name = _without_tail(plain)
    if name in _STARTS:
        return _STARTS.index(name) / 100
    words = set(plain.split("_"))
    if not words & _TIME_WORDS and "at" not in words:
        return None
    return 3.0 if words & _LATE or words & _OFF - {"time", "ms"} else 1.0


def _holds(role: str, cells: Sequence[Any]) -> bool:
    given = [cell for cell in cells if not is_empty(cell)]
    if role in ("series", "id") or not given:
        return role not in ("time", "clock") or not cells
    fits = {"time": _is_time, "end": _is_time, "clock": _is_clock}.get(role, looks_numeric)
    least = 0.1 if role == "time" else 0.5
    return sum(fits(cell) for cell in given) >= least * len(given)


def _is_time(cell: Any) -> bool:
    if isinstance(cell, datetime) or looks_numeric(cell):
        return True
    return isinstance(cell, str) and len(cell) < 60 and bool(_DATE.search(cell))


def _is_clock(cell: Any) -> bool:
    return looks_numeric(cell) or (isinstance(cell, str) and bool(_CLOCK.match(cell.strip())))
