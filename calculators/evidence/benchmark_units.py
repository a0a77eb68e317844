"""Latencies whose keys name no unit: seconds or milliseconds, by what is possible."""

from __future__ import annotations

from math import log

from calculators.evidence.benchmark_runs import Run

_SECONDS, _MILLISECONDS = 1e3, 1.0
_LONGEST_TOKEN_S = 1.5  # no published server takes longer for a token


def settle_units(run: Run, unsettled: dict[str, float]) -> None:
    """Give latencies without a unit their unit and put them into the run.

    requests at once = completed / duration x request time: it cannot exceed the completed ones,
    and lies near the concurrency that was set

    Parameters
    ----------
    run : with its facts; changed in place
    unsettled : quantity to the value as given

    Examples
    --------
    >>> run = Run("one", {"completed": 320, "duration_s": 415.0, "concurrency": 32})
    >>> settle_units(run, {"e2e_ms": 41.5, "ttft_ms": 15.2})
    >>> run.values["ttft_ms"], run.notes
    (15200.0, ['latencies carry no unit: taken as seconds'])
    """
    if not unsettled:
        return
    scale = _scale(run, unsettled)
    unit = "seconds" if scale == _SECONDS else "milliseconds"
    run.note(f"latencies carry no unit: taken as {unit}")
    for quantity, value in unsettled.items():
        run.values.setdefault(quantity, value * scale)


def _scale(run: Run, given: dict[str, float]) -> float:
    names = ("completed", "duration_s", "concurrency")
    completed, duration, wanted = (run.fact(name) or 0.0 for name in names)
    output = run.fact("output_tok") or _mean_output(run)
    request = given.get("e2e_ms")
    if request is None and {"ttft_ms", "tpot_ms"} <= given.keys() and output:
        request = given["ttft_ms"] + given["tpot_ms"] * max(output - 1, 0)
    if request and min(request, completed, duration) > 0:
        at_once = {s: completed / duration * request * s / 1e3 for s in (_SECONDS, _MILLISECONDS)}
        if wanted > 0:
            return min(at_once, key=lambda s: abs(log(at_once[s] / wanted)))
        return _SECONDS if at_once[_SECONDS] <= completed else _MILLISECONDS
    token = given.get("tpot_ms") or given.get("itl_ms")
    if token is not None:
        return _SECONDS if token < _LONGEST_TOKEN_S else _MILLISECONDS
    return _SECONDS if max(given.values()) < (duration or 60.0) / 10 else _MILLISECONDS


def _mean_output(run: Run) -> float | None:
    total, completed = run.fact("total_output_tokens"), run.fact("completed")
    return total / completed if total and completed else None
