"""How the Accuracy page and the command line name families, groups and leanings."""

from __future__ import annotations

import math

from app.formatting import percent

FAMILY_NAMES = {
    "all": "All figures",
    "decode": "Decode, one user",
    "tpot": "Time per token under load",
    "throughput": "Throughput",
    "ttft": "Time to first token, alone",
    "ttft_load": "Time to first token under load",
    "prefill": "Prompt speed",
    "batched": "Batches that start together",
}
GROUP_NAMES = {
    "engine": "Engine",
    "gpu": "Card",
    "model": "Model",
    "source_group": "Source",
    "scenario": "Scenario",
}
EVEN_FRAC = 0.005


def lean(bias_frac: float) -> str:
    """Whether predictions tend to be above or below the values.

    Parameters
    ----------
    bias_frac : median of ratio - 1

    Examples
    --------
    >>> lean(0.25), lean(-0.1), lean(0.001)
    ('25 % high', '10 % low', 'even')
    """
    if not math.isfinite(bias_frac) or abs(bias_frac) < EVEN_FRAC:
        return "even"
    return f"{percent(abs(bias_frac))} {'high' if bias_frac > 0 else 'low'}"
