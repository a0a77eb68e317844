"""How the Accuracy page and the command line name families, groups and leanings."""

from __future__ import annotations

import math

from app.formatting import percent, times

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


def error_percent(error_frac: float) -> str:
    """A median error, with a digit more beyond 100 %.

    Examples
    --------
    >>> error_percent(0.1834), error_percent(8.234)
    ('18 %', '823 %')
    """
    return percent(error_frac, 3 if error_frac > 1 else 2)


def far_words(error_frac: float) -> str:
    """A median error in words; beyond 100 % as a factor, since no figure can be more too low.

    Examples
    --------
    >>> far_words(8.2), far_words(0.4)
    ('Half of its figures are at least 9.2x the published value.', 'Half of its figures err more.')
    """
    if not error_frac > 1:
        return "Half of its figures err more."
    return f"Half of its figures are at least {times(1 + error_frac)} the published value."
