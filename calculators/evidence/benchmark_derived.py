"""What follows from a run's own figures: lengths, rates, time per token, requests at once."""

from __future__ import annotations

from calculators.evidence.benchmark_runs import Run
from calculators.evidence.benchmark_text import number
from calculators.evidence.workloads import AT_A_RATE

MOST_CACHED_FRAC = 0.1  # of the prompts, for a run to be scored
SPECULATIVE_RATIO = 1.35  # time between chunks over time per token: several tokens a chunk
SPECULATIVE_NOTE = (
    "speculative decoding is on: the time of a token is not that of a step, so it is not scored"
)
WRONG_UNIT_RATIO = 100.0  # from which requests at once tell that seconds are labelled ms


def complete(run: Run) -> None:
    """Derive what follows from the run's own figures: lengths, rates, time per token, concurrency.

    mean length = tokens / completed requests; TPOT = (request time - TTFT) / (output - 1);
    concurrency = requests per second x request time (Little's law) where none was set

    Parameters
    ----------
    run : changed in place

    Examples
    --------
    >>> run = Run("one", {"completed": 10, "total_output_tokens": 1010, "duration_s": 20.0},
    ...           {"e2e_ms": 2100.0, "ttft_ms": 100.0})
    >>> complete(run)
    >>> run.facts["output_tok"], run.values["tpot_ms"], run.values["requests_per_s"]
    (101.0, 20.0, 0.5)
    """
    _lengths(run)
    _rates(run)
    _wrong_unit(run)
    _whole_batch(run)
    values, output = run.values, run.fact("output_tok") or 0.0
    whole_ms = values.get("mean_e2e_ms") or values.get("e2e_ms")
    if "tpot_ms" in values:
        pass
    elif "itl_ms" in values and (run.facts.get("itl_is_tpot") or not whole_ms):
        values["tpot_ms"] = values["itl_ms"]
        run.statistics["tpot_ms"] = run.statistics.get("itl_ms", "")
        run.note("TPOT is the time between tokens that the tool reports")
    elif whole_ms and "ttft_ms" in values and output > 1:
        values["tpot_ms"] = (whole_ms - values["ttft_ms"]) / (output - 1)
        run.note("TPOT is (request time - TTFT) / (output - 1)")
    _speculation(run)
    _cached(run)
    if run.facts.get("concurrency") is None:
        _concurrency(run)
    elif rate := run.fact("request_rate"):
        _below_limit(run, rate)


def _lengths(run: Run) -> None:
    completed = run.fact("completed")
    for side in ("input", "output"):
        total = run.fact(f"total_{side}_tokens")
        if total is None or not completed or side in run.fixed:
            continue
        if total and total < completed:
            run.note(f"{total:.4g} {side} tokens in {completed:.4g} requests is too few: left out")
        else:
            run.facts[f"{side}_tok"] = total / completed
    rate, values = run.values.get("requests_per_s"), run.values
    counted = run.fact("total_output_tokens") or run.facts.get("measured_lengths")
    if rate and "output_tok_s" in values and not counted:
        _mean_length(run, "output", values["output_tok_s"] / rate)
        if "total_tok_s" in values:
            _mean_length(run, "input", (values["total_tok_s"] - values["output_tok_s"]) / rate)


def _whole_batch(run: Run) -> None:
    """Output rate of a batch that starts and ends together: batch x output / its time."""
    batch_ms, n = run.values.get("batch_ms"), run.fact("concurrency")
    output = run.fact("output_tok")
    if batch_ms and n and output:
        run.values["output_tok_s"] = n * output / batch_ms * 1e3
        run.note("the rate is batch x output tokens / time of the whole batch, prompts included")


def _mean_length(run: Run, side: str, mean_tok: float) -> None:
    nominal = run.fact(f"{side}_tok")
    if mean_tok > 0 and side not in run.fixed:
        run.facts[f"{side}_tok"] = mean_tok
        if nominal and not 0.8 < mean_tok / nominal < 1.25:
            run.note(f"{side} is {mean_tok:.0f} tokens by the rates, not {nominal:.0f} as labelled")


def _wrong_unit(run: Run) -> None:
    """Seconds under keys of milliseconds, where the load that was set shows it.

    requests at once = requests per second x request time: near the concurrency in seconds, and a
    hundredth of it or less in milliseconds
    """
    wanted, rate, request_ms = run.fact("concurrency"), run.values.get("requests_per_s"), None
    if run.facts.get("request_rate") == "inf" and (run.fact("completed") or 0) >= 2 * (wanted or 0):
        request_ms = _request_ms(run)
    if not (wanted and rate and request_ms) or "concurrency" in run.fixed:
        return
    if rate * request_ms / 1e3 * WRONG_UNIT_RATIO < wanted and rate * request_ms > wanted / 2:
        run.note(
            f"{wanted:g} requests at once mean that latencies labelled ms are seconds: taken so"
        )
        for name in run.values:
            if name.endswith("_ms"):
                run.values[name] *= 1e3


def _rates(run: Run) -> None:
    duration, completed = run.fact("duration_s"), run.fact("completed")
    if not duration or duration <= 0:
        return
    derived = {"requests_per_s": completed, "output_tok_s": run.fact("total_output_tokens")}
    for name, amount in derived.items():
        if amount:
            stated = run.values.setdefault(name, amount / duration)
            if not 0.95 < stated * duration / amount < 1.05:
                run.note(f"{name} is {stated:.4g}, but count / duration is {amount / duration:.4g}")


def _speculation(run: Run) -> None:
    chunk, token = run.values.get("itl_ms"), run.values.get("tpot_ms")
    same = run.statistics.get("itl_ms") == run.statistics.get("tpot_ms")
    several = bool(chunk and token and same and chunk / token > SPECULATIVE_RATIO)
    grouped = run.values.get("chunk_ms")
    several = several or bool(grouped and chunk and grouped / chunk > SPECULATIVE_RATIO)
    if several or run.facts.get("speculative"):
        run.leave_unscored(SPECULATIVE_NOTE)


def _cached(run: Run) -> None:
    hit = run.fact("cache_hit") or 0.0
    share = hit / 100 if hit > 1 else hit
    if share > MOST_CACHED_FRAC:
        run.leave_unscored(f"{share:.0%} of the prompts is in the cache already: not scored")


def _below_limit(run: Run, rate: float) -> None:
    """A request rate below what the limit of concurrency would serve: fewer run at once."""
    served, request_ms = run.values.get("requests_per_s") or rate, _request_ms(run)
    at_once = served * request_ms / 1e3 if request_ms else 0.0
    limit = run.fact("concurrency") or 0.0
    if "concurrency" not in run.fixed and 0 < at_once < limit * 0.8:
        run.facts["concurrency"] = max(at_once, 1.0)
        run.note(f"{AT_A_RATE} {rate:g} a second, one by one: below the concurrency set")


def _request_ms(run: Run) -> float | None:
    values, output = run.values, run.fact("output_tok")
    request_ms = values.get("mean_e2e_ms") or values.get("e2e_ms")
    if request_ms is None and {"ttft_ms", "tpot_ms"} <= values.keys() and output:
        request_ms = values["ttft_ms"] + values["tpot_ms"] * (output - 1)
    return request_ms


def _concurrency(run: Run) -> None:
    values, facts = run.values, run.facts
    at_once = facts.get("request_rate") == "inf" or facts.get("request_rate") is None
    rate, request_ms = values.get("requests_per_s"), _request_ms(run)
    if at_once and facts.get("request_rate") == "inf":
        facts["scenario"] = "offline_throughput"
        run.note("all requests were sent at once: TTFT is mostly queueing and is left out")
    elif rate and request_ms:
        facts["concurrency"] = max(rate * request_ms / 1e3, 1.0)
        run.note("concurrency is requests per second x request time (Little's law)")
        if asked := number(facts.get("request_rate")):
            run.note(f"{AT_A_RATE} {asked:g} a second, one by one")
    elif facts.get("scenario") is None:
        run.leave_unscored("how many requests ran at once is not in the file: not scored")
