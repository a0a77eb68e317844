"""What every page shows in the same way; no arithmetic, and no text becomes markup."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any, NamedTuple

import streamlit as st

from app import derivation_markup, formatting, markup, state, upload_limits
from app.component.chart import Figure, chart
from app.derivations.derivation import Derivation
from app.glossary_links import begin_page, words
from calculators.evidence.sensitivity import Spread
from calculators.provenance import SourceLine
from calculators.specs import Source

MAX_UPLOAD_MB = 10
MAX_LOG_MB = 200


class Metric(NamedTuple):
    """One figure of the metric row: label, value with unit, a note below it, its basis."""

    label: str
    value: str
    note: str = ""
    basis: str = ""


def page_title(title: str, question: str) -> None:
    """The heading of a page and the question that it answers."""
    begin_page(state.query())
    st.title(title, anchor=False)
    st.html(f'<p class="be-question">{words(question)}</p>')


def section(title: str) -> None:
    """A heading inside a page, one level below its title."""
    st.header(title, anchor=False)


def show_figure(
    figure: Figure, *, key: str, alt: str, height: int = 420, clickable: bool = False
) -> dict[str, Any] | None:
    """Show a figure (or its JSON); the only way in which figures are shown.

    `alt` is the finding in words for those who do not see the chart. With `clickable`, a click
    reruns the page once with the point: {"x", "y", "customdata", "curve", "name"}; else None.
    """
    return chart(figure, key=key, alt=alt, height=height, clickable=clickable)


def share(address: str, pinned_query: str) -> None:
    """The Share button: a link that holds every field, its version and the day of its facts."""
    with st.popover("Share", key="share", on_change="rerun") as popover:
        if popover.open:
            st.write("This link opens these figures again, whatever changes later.")
            st.code(f"{address}?{pinned_query}", language=None, wrap_lines=True)


def metrics(row: Sequence[Metric | tuple[str, ...]]) -> None:
    """A row of figures that wraps on small screens."""
    st.html(markup.metric_row([Metric(*entry) for entry in row]))


def verdict(sentence: str, detail: str = "") -> None:
    """The answer of a page, large, above everything else."""
    st.html(markup.verdict(sentence, detail))


def caption(line: str) -> None:
    """A sentence in small letters, its terms linked."""
    st.html(f'<p class="be-note">{words(line)}</p>')


def table(
    rows: Sequence[Mapping[str, object]], *, caption: str, marked: Iterable[int] = ()
) -> None:
    """A small table with tabular figures; rows in `marked` stand out. Numbers align right."""
    st.html(markup.table(rows, caption=caption, marked=frozenset(marked)))


def explanations(
    make: Callable[[], Sequence[Derivation]], lines: Sequence[SourceLine] = ()
) -> None:
    """The panel "How each figure is computed"; it is made when it is opened.

    `make` gives the page's derivations, `lines` are the facts whose sources they name.
    """
    label = "How each figure is computed"
    with st.expander(label, key="computed", on_change="rerun") as opened:
        if opened.open:
            st.html(derivation_markup.panel(make(), lines))


def sources(
    facts: Iterable[Source], *, today: date, overridden: Sequence[str] = (), expanded: bool = False
) -> None:
    """The footnote of a page: its sources with ages, and what a company file overrides."""
    unique = markup.in_order(facts)
    if not unique:
        return
    oldest = formatting.age(unique[0].checked, today)
    noun = "source" if len(unique) == 1 else "sources"
    with st.expander(f"Sources: {len(unique)} {noun}, the oldest {oldest}", expanded=expanded):
        st.html(markup.sources(unique, today, overridden))


def facts(lines: Sequence[SourceLine], *, overridden: Sequence[str] = ()) -> None:
    """The footnote of a page that shows a plan: each fact with its source and age."""
    if not lines:
        return
    oldest = max(line.age_days for line in lines)
    stale = sum(line.stale for line in lines)
    label = f"Sources: {len(lines)} facts, the oldest {formatting.days_old(oldest)}"
    with st.expander(label + (f", {stale} stale" if stale else "")):
        st.html(markup.facts(lines, overridden))


def problems(found: Iterable[object]) -> None:
    """What was wrong with a link, a file or an entry, one line each."""
    lines = [str(problem) for problem in found]
    if lines:
        st.html(markup.problems(lines))


def notes(lines: Iterable[str], *, kind: str = "note") -> None:
    """Sentences that qualify the figures: kind "note" or "warning"."""
    texts = list(lines)
    if texts:
        st.html(markup.notes(texts, kind))


def links(pages: Iterable[tuple[str, str]], query: str) -> None:
    """Links to other pages, by label and address; the scenario goes with them."""
    kept = f"?{query}" if query else ""
    st.html(markup.link_list([(label, page + kept) for label, page in pages]))


def upload(
    label: str, types: Sequence[str], *, key: str, max_mb: int = MAX_UPLOAD_MB, help: str = ""
) -> bytes | None:
    """An uploaded file's bytes, or None; a file that is too large is refused with a sentence."""
    upload_limits.allow(max_mb)
    file = st.file_uploader(
        label, type=list(types), key=key, max_upload_size=max_mb, help=help or None
    )
    if file is None:
        return None
    if file.size > max_mb * 1_000_000:
        size = formatting.quantity(file.size / 1e6, "MB")
        problems([f"{file.name}: has {size}; at most {max_mb} MB are read"])
        return None
    return file.getvalue()


def ranges(spreads: Sequence[Spread], *, key: str) -> list[Spread]:
    """Inputs for a reader's own ranges; what is left empty or out of order stays as it was."""
    own = []
    for spread in spreads:
        left, right = st.columns(2)
        low, high = (
            column.number_input(
                f"{spread.label}, {word} ({spread.unit or 'ratio'})",
                min_value=0.0,
                value=None,
                placeholder=formatting.number(now),
                key=f"{key}_{spread.field}_{word}",
                persist_state="session",
            )
            for column, word, now in ((left, "low", spread.low), (right, "high", spread.high))
        )
        mine = replace(spread, low=low or spread.low, high=high or spread.high)
        if mine.low > mine.now or mine.high < mine.now:
            problems(
                [
                    f"{spread.label}: the low value must be below {formatting.number(spread.now)}, "
                    "the high value above it; left as it was"
                ]
            )
            mine = spread
        changed = mine != spread
        own.append(replace(mine, why="your own range") if changed else spread)
    return own
