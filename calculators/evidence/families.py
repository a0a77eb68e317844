"""Families of measurements that are scored together."""

from __future__ import annotations

import numpy as np
import pandas as pd

FAMILIES = ("decode", "batched", "prefill", "ttft", "throughput", "tpot", "ttft_load")


def family_of(scenario: pd.Series, metric: pd.Series) -> np.ndarray:
    """Family of each row: decode, batched, prefill, ttft, throughput, tpot or ttft_load.

    Examples
    --------
    >>> family_of(pd.Series(["server", "prefill"]), pd.Series(["ttft_ms", "ttft_ms"])).tolist()
    ['ttft_load', 'ttft']
    """
    ttft, tpot = metric == "ttft_ms", metric.isin(["tpot_ms", "output_tok_s_per_user"])
    server = scenario == "server"
    choices = [
        (server & ttft, "ttft_load"),
        (server & tpot, "tpot"),
        (ttft, "ttft"),
        (scenario == "prefill", "prefill"),
        (scenario == "single_stream_decode", "decode"),
        (scenario == "batched_decode", "batched"),
    ]
    return np.select([c.to_numpy() for c, _ in choices], [n for _, n in choices], "throughput")
