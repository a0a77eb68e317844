"""What is known of evaluation metrics: better direction, scale, which stands for a task."""

from __future__ import annotations

import re

_LOWER = {"ppl", "perplexity", "word_perplexity", "byte_perplexity", "bits_per_byte", "loss"}
_LOWER |= {"mae", "mse", "rmse", "wer", "cer", "ter", "brier_score", "ece", "nll", "medae"}
_HIGHER = {"acc", "acc_norm", "acc_mutual_info", "acc_bytes", "em", "qem", "pem", "pqem", "mcc"}
_HIGHER |= {"exact_match", "f1", "pass@1", "bleu", "chrf", "rouge1", "rouge2", "rougeL", "mrr"}
_HIGHER |= {"truthfulqa_mc1", "truthfulqa_mc2", "mc1", "mc2", "extractive_match", "contains"}
_HIGHER |= {"bleu_score", "chrf_score", "comet_score", "bleurt_score", "math_verify", "ndcg"}
_LEADING_ACC = re.compile(r"(^|_)(acc|accuracy|exact_match|f1|em|match|pass@?\d*)(_|$|[:@])")
_PERPLEXITIES = ("word_perplexity", "ppl", "perplexity", "byte_perplexity", "bits_per_byte")
_PRIMARY = ("acc_norm", "acc", "exact_match", "extractive_match", "qem", "em", "f1", "pass@1")
_UNBOUNDED = {"mae", "mse", "rmse", "likelihood_difference", "medae", "nll", "loss"}
PLACEHOLDERS = {"alias", "name", "bypass", "sample_len", "sample_count", "samples", "", " "}


def plain_metric(metric: str) -> str:
    """Return a metric's name in lower case without its parameters.

    Parameters
    ----------
    metric : str [as the file writes it]

    Returns
    -------
    plain : str [name]

    Notes
    -----
    Basis: convention.

    References
    ----------
    lm-evaluation-harness and lighteval metric names.

    Examples
    --------
    >>> plain_metric("pass@k:k=1&n=1"), plain_metric("ACC_norm")
    ('pass@k', 'acc_norm')
    """
    return metric.strip().lower().split(":")[0]


def is_higher_better(metric: str) -> bool | None:
    """Tell a metric's better direction, or None where there is none or it is not known.

    Parameters
    ----------
    metric : str [name]

    Returns
    -------
    higher : bool or None [flag]

    Notes
    -----
    `likelihood_difference` and `pct_stereotype` have no better direction. Basis: convention.

    References
    ----------
    lm-evaluation-harness, lm_eval/api/registry.py (DEFAULT directions).

    Examples
    --------
    >>> is_higher_better("acc_norm"), is_higher_better("ppl"), is_higher_better("pct_stereotype")
    (True, False, None)
    """
    plain = plain_metric(metric)
    if plain in _LOWER or "perplexity" in plain:
        return False
    if plain in {name.lower() for name in _HIGHER} or _LEADING_ACC.search(plain):
        return True
    return True if plain.startswith(("bleu", "rouge", "chrf", "comet")) else None


def perplexity_rank(metric: str) -> int | None:
    """Return how well a metric stands for perplexity (0 best), or None if it is none.

    Parameters
    ----------
    metric : str [name]

    Returns
    -------
    rank : int or None [rank]

    Notes
    -----
    Basis: convention.

    References
    ----------
    lm-evaluation-harness, lm_eval/api/metrics.py.

    Examples
    --------
    >>> perplexity_rank("word_perplexity"), perplexity_rank("acc")
    (0, None)
    """
    plain = plain_metric(metric)
    return _PERPLEXITIES.index(plain) if plain in _PERPLEXITIES else None


def primary_rank(metric: str) -> int:
    """Return a metric's rank when one of several must stand for its task (0 first).

    Parameters
    ----------
    metric : str [name]

    Returns
    -------
    rank : int [rank]

    Notes
    -----
    Length-normalised accuracy goes first, as leaderboards have it. Basis: convention.

    References
    ----------
    Open LLM Leaderboard v1.

    Examples
    --------
    >>> primary_rank("acc_norm") < primary_rank("acc") < primary_rank("bleu")
    True
    """
    plain = plain_metric(metric)
    if plain in _PRIMARY:
        return _PRIMARY.index(plain)
    return len(_PRIMARY) + (0 if _LEADING_ACC.search(plain) else 1)


def is_bounded(metric: str) -> bool:
    """Tell whether a metric is a share (0 to 1, or 0 to 100), so that it can enter a mean.

    Parameters
    ----------
    metric : str [name]

    Returns
    -------
    bounded : bool [flag]

    Notes
    -----
    Basis: convention.

    References
    ----------
    lm-evaluation-harness, lm_eval/api/metrics.py.

    Examples
    --------
    >>> is_bounded("acc"), is_bounded("mae")
    (True, False)
    """
    return is_higher_better(metric) is True and plain_metric(metric) not in _UNBOUNDED
