"""The panel "How each figure is computed" as HTML: equation, basis and sources of each figure."""

from __future__ import annotations

from collections.abc import Sequence

from app import markup
from app.derivations.derivation import BASIS_WORDS, Derivation
from app.docstring import explanation
from app.formatting import joined
from app.glossary_links import words
from calculators.provenance import SourceLine

_MOST_SOURCES = 6  # of a kind; the page's footnote has them all


def panel(derivations: Sequence[Derivation], lines: Sequence[SourceLine]) -> str:
    """Every figure of a page, one after the other."""
    return f'<div class="be-explain">{"".join(_figure(one, lines) for one in derivations)}</div>'


def _figure(one: Derivation, lines: Sequence[SourceLine]) -> str:
    equation = f"<pre>{markup.text(one.formula)}</pre>" if one.formula else ""
    used = [line for line in lines if _kind(line) in one.facts]
    return (
        f'<section class="be-derivation"><p class="be-figure">{markup.text(one.figure)}</p>'
        f"<p>{words(one.sentence)}</p>{equation}"
        f'<p class="be-note">Basis: {markup.text(BASIS_WORDS[one.basis])}.{_rests_on(used)}</p>'
        f"{_more(one, used)}</section>"
    )


def _kind(line: SourceLine) -> str:
    return line.fact.partition(":")[0]


def _rests_on(used: Sequence[SourceLine]) -> str:
    """The kinds of fact behind a figure, in words."""
    kinds = list(dict.fromkeys(_kind(line) for line in used))
    words = joined([kind if kind.startswith("API") else kind.lower() for kind in kinds])
    return markup.text(f" It rests on {words}.") if kinds else ""


def _more(one: Derivation, used: Sequence[SourceLine]) -> str:
    """The calculator's own account, and the sources: opened by those who want to check."""
    module, name = one.function.__module__, one.function.__name__
    where = f"<p class='be-note'>Computed by {markup.text(f'{module}.{name}')}.</p>"
    items = "".join(f"<li>{text}</li>" for text in _sources(used))
    sources = f'<p><strong>Sources.</strong></p><ul class="be-sources">{items}</ul>'
    return (
        "<details><summary>The general formula"
        f"{' and the sources' if items else ''}</summary>{where}"
        f"{markup.explanation(explanation(one.function))}"
        f"{sources if items else ''}</details>"
    )


def _sources(used: Sequence[SourceLine]) -> list[str]:
    """One line for each kind of fact: its first sources, linked, each with its day."""
    by_kind: dict[str, dict[tuple[str, str], SourceLine]] = {}
    for line in used:
        by_kind.setdefault(_kind(line), {})[line.title, line.checked.isoformat()] = line
    return [_line(kind, list(lines.values())) for kind, lines in by_kind.items()]


def _line(kind: str, lines: Sequence[SourceLine]) -> str:
    shown = "; ".join(
        f"{markup.link(line.url, line.title)}, {line.checked.isoformat()}"
        for line in lines[:_MOST_SOURCES]
    )
    rest = len(lines) - _MOST_SOURCES
    return f"{markup.text(kind)}: {shown}" + (f" and {rest} more" if rest > 0 else "")
