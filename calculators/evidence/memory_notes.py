"""Engine settings that the notes of a printed row state, by the engines' own option names."""

from __future__ import annotations

import re

from calculators.units import GIB, MIB

_COUNT = r"[ =:]*([\d][\d,]*)"
NOTES = {
    "max_sequences": re.compile(rf"max[-_ ]num[-_ ]seqs{_COUNT}", re.I),
    "batched_tok": re.compile(rf"max[-_ ]num[-_ ]batched[-_ ]tokens{_COUNT}", re.I),
    "block_tok": re.compile(rf"block[-_ ]size{_COUNT}", re.I),
    "n_draft": re.compile(rf"(?:mtp n|num[-_ ]speculative[-_ ]tokens){_COUNT}", re.I),
    "dp": re.compile(r"\bDP[ =-]?(\d+)|\bdata[-_ ]parallel[-_ ]size[ =:]*(\d+)", re.I),
    "pp": re.compile(r"\bPP[ =-]?(\d+)|\bpipeline[-_ ]parallel[-_ ]size[ =:]*(\d+)", re.I),
    "ep": re.compile(r"\bEP[ =-]?(?:on\b|\d)|enable[-_]expert[-_]parallel", re.I),
    "eager": re.compile(r"enforce[-_ ]eager(?![ =:]*(?:false|0))", re.I),
    "chunked": re.compile(r"enable[-_ ]chunked[-_ ]prefill(?![ =:]*(?:false|0))", re.I),
    "prefix_caching": re.compile(r"enable[-_ ]prefix[-_ ]caching(?![ =:]*(?:false|0))", re.I),
    "pinned": re.compile(r"kv[-_ ]cache[-_ ]memory[-_ ]bytes[ =:]*([\d.]+) *([gm]i?b?)?", re.I),
    "drafts": re.compile(r"(?<!no )(?:\bMTP\b|\bEAGLE|draft(?:er)? (?:model )?loaded)", re.I),
    "tp": re.compile(r"\bTP[ =-]?(\d+)|\btensor[-_ ]parallel[-_ ]size[ =:]*(\d+)", re.I),
    "unsure_format": re.compile(r"precision not stated|quanti[sz]ation not stated", re.I),
    "attention_dp": re.compile(r"dp[- ]attention|attention[- ]dp|data[- ]parallel attention", re.I),
}
_SHARE = re.compile(
    r"(?:gpu[-_ ]memory[-_ ]utili[sz]ation|mem[-_ ]fraction(?:[-_ ]static)?)[ =:]*(0?\.\d+|1\.0*)",
    re.I,
)
_UNIT_BYTES = {"g": GIB, "m": MIB}


def note_counts(notes: str) -> dict[str, int]:
    """Counts that a note states, by the name of the setting.

    Parameters
    ----------
    notes : str
        Free text, such as "max_num_seqs 4; --block-size=128; MTP n=3".

    Returns
    -------
    dict of str to int
        max_sequences, batched_tok, block_tok, n_draft, dp, pp, tp: those that are stated.

    References
    ----------
    vLLM 0.33.0, engine/arg_utils.py (read 2026-11-30).

    Examples
    --------
    >>> note_counts("max_num_seqs 4; --block-size=128; MTP n=3")
    {'max_sequences': 4, 'block_tok': 128, 'n_draft': 3}
    """
    found = {}
    for name in ("max_sequences", "batched_tok", "block_tok", "n_draft", "dp", "pp", "tp"):
        match = NOTES[name].search(notes)
        if match:
            found[name] = int(next(part for part in match.groups() if part).replace(",", ""))
    return found


def noted_share(notes: str) -> float | None:
    """The share of memory that a note states, such as mem-fraction-static 0.85."""
    match = _SHARE.search(notes)
    return float(match[1]) if match else None


def pinned_bytes(notes: str) -> float | None:
    """A cache size that was set by hand.

    Parameters
    ----------
    notes : str
        Free text, such as "--kv-cache-memory-bytes=8G".

    Returns
    -------
    float or None [bytes]
        G and M are binary; None where no size is stated.

    Examples
    --------
    >>> pinned_bytes("--kv-cache-memory-bytes=8G") == 8 * 2**30, pinned_bytes("none")
    (True, None)
    """
    match = NOTES["pinned"].search(notes)
    if match is None:
        return None
    return float(match[1]) * _UNIT_BYTES.get((match[2] or " ").lower()[0], 1)
