"""The panel "How this is computed" as HTML: each figure with its equation, basis and sources."""

from __future__ import annotations

from collections.abc import Sequence

from app import markup
from app.derivations.derivation import BASIS_WORDS, Derivation
from app.docstring import explanation
from calculators.provenance import SourceLine

_MOST_SOURCES = 3  # of a kind; the page's footnote has them all


def panel(derivations: Sequence[Derivation], lines: Sequence[SourceLine]) -> str:
    """Every figure of a page, one after the other."""
    return f'<div class="be-explain">{"".join(_figure(one, lines) for one in derivations)}</div>'


def _figure(one: Derivation, lines: Sequence[SourceLine]) -> str:
    equation = f"<pre>{markup.text(one.formula)}</pre>" if one.formula else ""
    return (
        f'<section class="be-derivation"><p class="be-figure">{markup.text(one.figure)}</p>'
        f"<p>{markup.text(one.sentence)}</p>{equation}"
        f'<p class="be-note">Basis: {markup.text(BASIS_WORDS[one.basis])}.'
        f"{_sources(one, lines)}</p>{_general(one)}</section>"
    )


def _sources(one: Derivation, lines: Sequence[SourceLine]) -> str:
    named = [_kind(kind, lines) for kind in one.facts]
    known = [text for text in named if text]
    return f" Rests on {'; '.join(known)}." if known else ""


def _kind(kind: str, lines: Sequence[SourceLine]) -> str:
    """The sources of one kind of fact: the first few with their day."""
    own = [line for line in lines if line.fact.partition(":")[0] == kind]
    unique = list({(line.title, line.checked): line for line in own}.values())
    if not unique:
        return ""
    shown = ", ".join(
        f"{markup.link(line.url, line.title)} ({line.checked.isoformat()})"
        for line in unique[:_MOST_SOURCES]
    )
    rest = len(unique) - _MOST_SOURCES
    return f"{kind.lower() if kind[:3] != 'API' else kind}: {shown}" + (
        f" and {rest} more below" if rest > 0 else ""
    )


def _general(one: Derivation) -> str:
    """The calculator's own account: the general formula, what goes in, what is left out."""
    module = one.function.__module__
    return (
        f"<details><summary>In general: {markup.text(one.function.__name__)} in "
        f"{markup.text(module)}</summary>"
        f"{markup.explanation(explanation(one.function), None, '')}</details>"
    )
