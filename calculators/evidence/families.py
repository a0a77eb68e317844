"""Families of measurements that are scored together."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

PHASES = {  # families whose measurements tell the same constants
    "decode": "stream",
    "batched": "batch",
    "throughput": "batch",
    "tpot": "batch",
    "prefill": "prompt",
    "ttft": "prompt",
    "ttft_load": "first token",
}

_BY_SCENARIO = {
    "prefill": "prefill",
    "single_stream_decode": "decode",
    "batched_decode": "batched",
    "server": "throughput",
}


def family_of(scenario: Iterable[str], metric: Iterable[str]) -> np.ndarray:
    """Family of each row: decode, batched, prefill, ttft, throughput, tpot or ttft_load.

    Examples
    --------
    >>> family_of(["server", "prefill"], ["ttft_ms", "ttft_ms"]).tolist()
    ['ttft_load', 'ttft']
    """
    return np.array([_family(*pair) for pair in zip(scenario, metric, strict=True)], dtype=object)


def _family(scenario: str, metric: str) -> str:
    server = scenario == "server"
    if metric == "ttft_ms":
        return "ttft_load" if server else "ttft"
    if server and metric in ("tpot_ms", "output_tok_s_per_user"):
        return "tpot"
    return _BY_SCENARIO.get(scenario, "throughput")
