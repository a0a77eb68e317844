"""Results whose keys name what they hold: vLLM, SGLang, TensorRT-LLM, LLMPerf and kin."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from calculators.evidence.benchmark_keys import SETTING_RANK, meaning, plain, setting
from calculators.evidence.benchmark_nested import with_statistics
from calculators.evidence.benchmark_runs import Run
from calculators.evidence.benchmark_text import BenchmarkFileError, number
from calculators.evidence.benchmark_units import settle_units

Pair = tuple[str, Any]
_MEASURED = ("number_output_tokens_mean", "avg_output_length", "output_sequence_length")
_UNUSED = -1  # stands for "not measured" in some results
MOST_SHOWN = 40  # characters of a cell in a note
_OFF = {"", "0", "false", "none", "null", "off"}
_LIMITS = {"max_concurrency", "max_request_concurrency"}
_OFFLINE = {"successful_requests", "total_latency", "last_gen_throughput"}  # SGLang's
_SIGNS = {
    "llmperf": ("results_ttft_s_mean", "results_num_requests_started", "num_concurrent_requests"),
    "sglang": (
        *("sharegpt_output_len", "total_output_tokens_retokenized", "random_range_ratio"),
        *("total_generated_tokens_ret", "last_generation_throughput", "last_gen_throughput"),
        *("successful_requests_retokenized", "median_decode_throughput", "accept_length"),
    ),
    "trtllm-bench": ("system_output_throughput_tok_s", "world_size", "avg_num_concurrent_requests"),
    "vllm": (
        *("tokenizer_id", "burstiness", "request_goodput", "best_of", "use_beam_search"),
        *("total_num_tokens", "avg_latency"),
    ),
}


def flat_runs(values: Iterable[Any]) -> tuple[str, list[Run]]:
    """The runs of JSON values or table records, and the tool that wrote them.

    A dictionary whose branches repeat a quantity holds one run in each branch, under what stands
    above them; branches that do not are parts of one run.

    Parameters
    ----------
    values : dictionaries; others are passed over

    Returns
    -------
    (tool, runs); no runs where no quantity is named

    Examples
    --------
    >>> sweep = {"model": "m", "4": {"median_ttft_ms": 20}, "8": {"median_ttft_ms": 30}}
    >>> [(run.label, run.values["ttft_ms"]) for run in flat_runs([sweep])[1]]
    [('4', 20.0), ('8', 30.0)]
    """
    found = [part for value in values for part in _split(with_statistics(value), [], "")]
    if found and all(_pooling(pairs) for _, pairs in found):
        raise BenchmarkFileError(
            "The run asked for embeddings or scores: no token was generated, nothing to compare."
        )
    keys = {plain(key) for _, pairs in found for key, _ in pairs}
    tool = next((name for name, signs in _SIGNS.items() if keys & set(signs)), "other")
    return tool, [_run(label, pairs, tool) for label, pairs in found]


def _pooling(pairs: list[Pair]) -> bool:
    """Whether a run asked for embeddings or scores: there is no token that was generated."""
    return any(plain(key) == "input_sequence_throughput" for key, _ in pairs)


def _split(value: Any, above: list[Pair], label: str) -> Iterator[tuple[str, list[Pair]]]:
    if isinstance(value, list):
        for item in value:
            yield from _split(item, above, label)
        return
    if not isinstance(value, dict):
        return
    own = [(key, item) for key, item in value.items() if not isinstance(item, dict | list)]
    inner = {key: item for key, item in value.items() if isinstance(item, dict | list)}
    measured = {key: names for key, item in inner.items() if (names := _quantities(item))}
    counted = sum(len(names) for names in measured.values())
    repeats = counted > len(set().union(*measured.values())) if measured else False
    lists = any(isinstance(inner[key], list) for key in measured)
    around = [k for k, item in inner.items() if k not in measured and isinstance(item, dict)]
    shared = [*above, *own, *(pair for key in around for pair in _leaves(inner[key]))]
    wrapped = len(measured) == 1 and not any(_measured(*pair) for pair in own)
    if repeats or lists or wrapped:
        for key in measured:
            yield from _split(inner[key], shared, label if wrapped else f"{label} {key}".strip())
        return
    pairs = [*shared, *(pair for key in measured for pair in _leaves(inner[key]))]
    if any(_measured(*pair) for pair in own) or measured:
        yield label, pairs


def _quantities(value: Any) -> set[str]:
    return {found.quantity for key, item in _leaves(value) if (found := _measured(key, item))}


def _measured(key: str, item: Any) -> Any:
    return meaning(key) if number(item) is not None else None


def _leaves(value: Any) -> Iterator[Pair]:
    if isinstance(value, dict):
        for key, item in value.items():
            if isinstance(item, dict | list):
                yield from _leaves(item)
            else:
                yield str(key), item
    elif isinstance(value, list):
        for item in value:
            if isinstance(item, dict):
                yield from _leaves(item)


def _run(label: str, pairs: list[Pair], tool: str) -> Run:
    run = Run(label, facts=_facts(pairs))
    wanted = "mean" if tool == "llmperf" else "median"
    unsettled: dict[str, float] = {}
    for key, item in sorted(pairs, key=lambda pair: _statistic_rank(pair[0], wanted)):
        found, value = meaning(key), number(item)
        if found is None or value is None or value < 0:
            if found and item not in (None, "", _UNUSED):
                run.note(f"{key} is {str(item)[:MOST_SHOWN]}, which is no figure: left out")
            continue
        if found.scale is None:
            unsettled.setdefault(found.quantity, value)
        else:
            run.values.setdefault(found.quantity, value * found.scale)
        run.statistics.setdefault(found.quantity, found.statistic)
        if found.quantity == "e2e_ms" and found.statistic == "mean" and found.scale:
            run.values.setdefault("mean_e2e_ms", value * found.scale)
    if any(plain(key).startswith("diffusion_") for key, _ in pairs):
        run.leave_unscored("a diffusion model fills many tokens in a step: not scored")
    settle_units(run, {k: v for k, v in unsettled.items() if k not in run.values})
    if tool == "llmperf" and "itl_ms" in run.values:
        run.values["whole_ms_tok"] = run.values.pop("itl_ms")
    if "whole_ms_tok" in run.values:
        _without_first_token(run)
    return run


def _statistic_rank(key: str, wanted: str) -> int:
    found = meaning(key)
    if found is None:
        return 3
    return 0 if found.statistic == wanted else (1 if found.statistic else 2)


def _facts(pairs: list[Pair]) -> dict[str, Any]:
    facts: dict[str, Any] = {}
    ranks: dict[str, int] = {}
    keys = {plain(key) for key, _ in pairs}
    for key, item in pairs:
        name = setting(key)
        if plain(key) == "concurrency" and keys & _LIMITS:
            continue  # measured, requests that wait included
        rank = SETTING_RANK.get(plain(key).removeprefix("results_"), 0)
        if name is None or item is None or rank >= ranks.get(name, 99):
            continue
        facts[name], ranks[name] = item, rank
        if name == "output_tok":
            facts["measured_lengths"] = plain(key).endswith(_MEASURED)
    rate = facts.get("request_rate")
    if rate is not None and number(rate) is None:
        facts["request_rate"] = "inf" if "inf" in str(rate).lower() else None
    if keys >= _OFFLINE and "request_rate" not in keys:
        facts |= {"request_rate": "inf", "backend": None}
    switch = str(facts.get("speculative", "")).strip().lower()
    accepted = number(facts.get("accepted"))
    facts["speculative"] = switch not in _OFF or (accepted is not None and accepted > 1.05)
    return facts


def _without_first_token(run: Run) -> None:
    """The whole request time divided by the output tokens, as LLMPerf has it: TTFT is in it."""
    per_token, output = run.values.pop("whole_ms_tok"), run.fact("output_tok")
    if output:
        run.values.setdefault("e2e_ms", per_token * output)
        run.values.setdefault("mean_e2e_ms", run.values["e2e_ms"])
    run.note("the time between tokens holds TTFT in this file: TPOT is taken without it")
