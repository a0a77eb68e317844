"""Terms linked to the glossary where they first appear on a page."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from html import escape
from urllib.parse import quote

from app.glossary import SPELLINGS, TERMS
from app.glossary_uses import USES


@dataclass(slots=True)
class PageTerms:
    """What a page has linked so far, and the query that the glossary's address keeps."""

    query: str = ""
    seen: set[str] = field(default_factory=set)


_TITLES = {
    "": "Home",
    "break-even": "Break-even",
    "kv-cache": "KV cache",
    "speculative": "Speculative decoding",
}
_page: ContextVar[PageTerms | None] = ContextVar("page_terms", default=None)


def begin_page(query: str | None) -> None:
    """A page starts with nothing linked; None for a page that links nothing."""
    _page.set(None if query is None else PageTerms(query))


def words(text: object) -> str:
    """A text as HTML, terms linked at their first appearance on the page that has begun."""
    page = _page.get()
    return escape(str(text)) if page is None else linked(str(text), page.seen, page.query)


def linked(text: str, seen: set[str], query: str = "") -> str:
    """A text as escaped HTML in which terms not in `seen` are linked; they are added to it.

    >>> seen = set()
    >>> linked("1 < 2 tokens", seen).startswith('1 &lt; 2 <a class="be-term" href="glossary#token"')
    True
    >>> linked("a token", seen), seen
    ('a token', {'Token'})
    """
    pieces, last = [], 0
    for match in _PATTERN.finditer(text):
        term = _term_of(match[0])
        if term in seen:
            continue
        seen.add(term)
        pieces += [escape(text[last : match.start()]), _link(term, match[0], query)]
        last = match.end()
    return "".join([*pieces, escape(text[last:])])


def more_about(label: str) -> str:
    """A link, as Markdown, to the term that a label names; nothing where it names none.

    >>> more_about("Duty cycle")
    '[More in the glossary](glossary#duty-cycle)'
    >>> more_about("Random seed")
    ''
    """
    term = _TERM_OF.get(_folded(label))
    return f"[More in the glossary](glossary#{anchor(term)})" if term else ""


def matching(wanted: str) -> list[str]:
    """Terms whose name, spelling or meaning holds a text, by name.

    >>> matching("mixture of exp")
    ['Mixture of experts']
    """
    return [
        term
        for term in sorted(TERMS, key=str.lower)
        if wanted.lower() in " ".join((term, TERMS[term], *SPELLINGS.get(term, ()))).lower()
    ]


def entry(term: str, query: str) -> str:
    """A term's entry as Markdown: meaning, why it matters, and the page that shows it.

    >>> entry("Duty cycle", "").splitlines()[-1]
    'Half as busy means twice the cost of a token. [See the page Unit cost](unit-cost)'
    """
    page, why = USES[term]
    kept = "?" + quote(query, safe="=&%+.,:/~") if query else ""
    address = f"{page}{kept}" or "."
    title = _TITLES.get(page, page.replace("-", " ").capitalize())
    return f"## {term}\n\n{TERMS[term]}\n{why} [See the page {title}]({address})"


def anchor(term: str) -> str:
    """The anchor of a term on the glossary page, as headings get theirs.

    >>> anchor("KV cache")
    'kv-cache'
    """
    return term.lower().replace(" ", "-")


def _link(term: str, shown: str, query: str) -> str:
    address = f"glossary{'?' + query if query else ''}#{anchor(term)}"
    return (
        f'<a class="be-term" href="{escape(address)}" title="{escape(TERMS[term])}" '
        f'target="_blank" rel="noopener">{escape(shown)}</a>'
    )


def _spellings(terms: Mapping[str, str]) -> dict[str, str]:
    """Every spelling, in small letters, to its term; abbreviations keep their capitals."""
    found = {}
    for term in terms:
        for spelling in (term, *SPELLINGS.get(term, ())):
            found[_folded(spelling)] = term
            if not spelling.endswith("s"):
                found[_folded(spelling + "s")] = term
    return found


def _folded(spelling: str) -> str:
    """Small letters, unless capitals after the first letter make it an abbreviation."""
    first, rest = spelling[:1], spelling[1:]
    return (first.lower() + rest) if rest == rest.lower() else spelling


def _term_of(shown: str) -> str:
    return _TERM_OF[shown] if shown in _TERM_OF else _TERM_OF[shown[:1].lower() + shown[1:]]


def _pattern(spellings: Mapping[str, str]) -> re.Pattern[str]:
    """Any spelling as whole words; the longest one wins."""
    forms = []
    for spelling in sorted(spellings, key=len, reverse=True):
        first, rest = re.escape(spelling[0]), re.escape(spelling[1:])
        forms.append(f"[{first}{spelling[0].upper()}]{rest}" if first.islower() else first + rest)
    return re.compile(rf"(?<![\w/-])(?:{'|'.join(forms)})(?![\w/-])")


_TERM_OF = _spellings(TERMS)
_PATTERN = _pattern(_TERM_OF)
