"""The cards of a run, and how the model is split over them, by file or caller."""

from __future__ import annotations

import re

from calculators.evidence.benchmark_given import Given, taken
from calculators.evidence.benchmark_runs import Run

_COUNTED = re.compile(r"^\s*(\d{1,4})\s*(?:x|\*|×)\s*([A-Za-z].*)$")
_NO_CARD = {"cuda", "gpu", "gpus", "rocm", "hip", "auto", "unknown", "none", "na", "n/a", "-", ""}


def settle_cards(run: Run, given: Given) -> None:
    """Complete a run's card, number of cards and split, and note what was assumed.

    cards = tp x pp x dp where the file states a split, else as many as it counts

    Parameters
    ----------
    run : changed in place
    given : by the caller

    Examples
    --------
    >>> run = Run("one", {"gpu": "8x H100", "tp": 4})
    >>> settle_cards(run, Given(n_gpus=8))
    >>> run.facts["gpu"], run.facts["n_gpus"], run.facts["tp"], run.notes
    ('H100', 8, 4, ['cards: the file says 4, you said 8: taken 8', '2 replicas of 4 cards'])
    """
    named, counted = _named(run)
    run.facts["gpu"] = taken(run, "card", named, given.gpu)
    if given.tp is not None:
        run.facts["tp"] = taken(run, "cards of a replica", run.fact("tp"), given.tp)
        run.facts |= {"pp": None, "dp": None}
    split = _split(run) if given.tp is None else None
    if given.n_gpus is not None:
        _said(run, given.n_gpus, split or run.fact("n_gpus") or counted)
    elif split is not None:
        stated = run.fact("n_gpus")
        run.facts["n_gpus"] = split
        if stated and int(stated) != split:
            run.note(f"the file counts {stated:.0f} cards, the server is split over {split}")
    else:
        stated = run.fact("n_gpus") or counted
        run.facts["n_gpus"] = int(stated) if stated and stated >= 1 else None
    _one_replica(run)
    if (run.fact("ep") or 0) > 1:
        run.note(f"moe_ep={run.fact('ep'):.0f}")


def _named(run: Run) -> tuple[str | None, float | None]:
    """The card that the file names and the number before it ("8x H100"), or None for either."""
    text = str(run.facts.get("gpu") or "").strip()
    if text.lower() in _NO_CARD or text.isdigit():
        return None, None
    found = _COUNTED.match(text)
    return (found[2].strip(), float(found[1])) if found else (text, None)


def _split(run: Run) -> int | None:
    sizes = [run.fact(name) for name in ("tp", "pp", "dp")]
    if not sizes[0] or sizes[0] < 1:
        return None
    return int(max(sizes[0] * (sizes[1] or 1) * (sizes[2] or 1), 1))


def _said(run: Run, n_gpus: int, stated: float | None) -> None:
    """The caller's number of cards: copies of the file's split, or one replica over all."""
    taken(run, "cards", stated, n_gpus)
    run.facts["n_gpus"] = n_gpus
    one = int((run.fact("tp") or 0) * (run.fact("pp") or 1))
    if not one or one == n_gpus:
        return
    if n_gpus % one:
        run.facts |= {"tp": None, "pp": None}
        run.note(f"a server split over {one} cards does not divide {n_gpus}: its split is left out")
    else:
        run.note(f"{n_gpus // one} replicas of {one} cards")


def _one_replica(run: Run) -> None:
    facts, width = run.facts, run.fact("tp")
    if facts.get("n_gpus") and not width:
        width = facts["n_gpus"]
        if width > 1:
            run.note(f"one replica over all {width} cards is assumed")
    facts["tp"] = int(width) if width else None
    facts["pp"] = int(run.fact("pp") or 1)
