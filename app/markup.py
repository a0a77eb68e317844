"""HTML pieces of the page. Every text is escaped here, so none can become markup."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from html import escape
from numbers import Real
from typing import TYPE_CHECKING

from app import formatting
from app.columns import is_number, on_one_point
from app.docstring import Entry, Explanation
from app.glossary_links import words

if TYPE_CHECKING:
    from app.ui import Metric
    from calculators.provenance import SourceLine
    from calculators.specs import Source

STALE_DAYS = 90
MAX_PROBLEMS = 10  # at once
MAX_LINE = 800  # characters of a sentence about what was not accepted
WIDE_COLUMNS = 5  # on a phone, each row of a table with as many becomes a card,
LONG_TEXT_CHARS = 40  # or with one column less where a cell holds a longer text


def text(value: object) -> str:
    """A value as text in HTML: escaped, never markup.

    >>> text("<b>7</b>")
    '&lt;b&gt;7&lt;/b&gt;'
    """
    return escape(str(value), quote=True)


def link(url: str | None, label: str) -> str:
    """A link where the address is a web address; else the label alone."""
    if url and url.startswith(("https://", "http://")):
        return f'<a href="{text(url)}" target="_blank" rel="noopener noreferrer">{text(label)}</a>'
    return text(label)


def metric_row(row: Sequence[Metric]) -> str:
    cells = "".join(_metric(metric) for metric in row)
    return f'<dl class="be-metrics">{cells}</dl>'


def _metric(metric: Metric) -> str:
    label = words(metric.label)
    basis = f'<span class="be-basis">{words(metric.basis)}</span>' if metric.basis else ""
    note = f'<dd class="be-note">{words(metric.note)}</dd>' if metric.note else ""
    return (
        f'<div class="be-metric"><dt><span>{label}</span>{basis}</dt>'
        f'<dd class="be-value">{text(_unbroken(metric.value))}</dd>{note}</div>'
    )


def _unbroken(value: str) -> str:
    """A percent sign stays on the line of its number."""
    return value.replace(" %", "\u00a0%")


def verdict(sentence: str, detail: str) -> str:
    answer = words(sentence)
    more = f'<p class="be-detail">{words(detail)}</p>' if detail else ""
    return f'<div class="be-verdict"><p class="be-answer">{answer}</p>{more}</div>'


def table(rows: Sequence[Mapping[str, object]], *, caption: str, marked: frozenset[int]) -> str:
    if not rows:
        return f'<p class="be-note">{text(caption)}: none.</p>'
    names = list(rows[0])
    numeric = {name for name in names if all(is_number(row.get(name)) for row in rows)}
    wide = _is_wide(rows, names)
    classes = {name: _class(name, numeric, long=wide and _is_long(rows, name)) for name in names}
    columns = [_cells(rows, name, name in numeric) for name in names]
    head = "".join(
        f'<th scope="col"{_role("columnheader", wide)}{classes[name]}>{words(name)}</th>'
        for name in names
    )
    body = "".join(
        _table_row(dict(zip(names, cells, strict=True)), classes, wide=wide, marked=i in marked)
        for i, cells in enumerate(zip(*columns, strict=True))
    )
    group, line = _role("rowgroup", wide), _role("row", wide)
    return (
        f'<div class="be-scroll" tabindex="0" role="region" aria-label="{text(caption)}">'
        f'<table class="be-table{" be-wide" if wide else ""}">'
        f"<caption>{words(caption)}</caption><thead{group}><tr{line}>{head}</tr></thead>"
        f"<tbody{group}>{body}</tbody></table></div>"
    )


def _is_wide(rows: Sequence[Mapping[str, object]], names: Sequence[str]) -> bool:
    has_long = any(_is_long(rows, name) for name in names)
    return len(names) >= WIDE_COLUMNS - has_long


def _is_long(rows: Sequence[Mapping[str, object]], name: str) -> bool:
    return any(len(str(row.get(name))) > LONG_TEXT_CHARS for row in rows)


def _cells(rows: Sequence[Mapping[str, object]], name: str, numeric: bool) -> list[str]:
    """The cells of a column in HTML; decimal points stand below each other."""
    shown = [str(_shown(row.get(name))) for row in rows]
    if not numeric:
        return [text(cell) for cell in shown]
    return [text(cell) + _free(room) for cell, room in on_one_point(shown)]


def _free(room: str) -> str:
    return f'<span class="be-free" aria-hidden="true">{room}</span>' if room else ""


def _table_row(
    cells: Mapping[str, str], classes: Mapping[str, str], *, wide: bool, marked: bool
) -> str:
    line = "".join(
        f"<td{_role('cell', wide)}{classes[name]}{_label(name, wide)}>{cell}</td>"
        for name, cell in cells.items()
    )
    return f"<tr{_role('row', wide)}{_marked(marked)}>{line}</tr>"


def _role(name: str, wide: bool) -> str:
    """The role of a part of a table, said where a phone's style takes the table apart."""
    return f' role="{name}"' if wide else ""


def _label(name: str, wide: bool) -> str:
    return f' data-label="{text(name)}"' if wide else ""


def _marked(marked: bool) -> str:
    return ' class="be-marked"' if marked else ""


def _class(name: str, numeric: set[str], *, long: bool) -> str:
    if name in numeric:
        return ' class="be-num"'
    return ' class="be-long"' if long else ""


def _shown(value: object) -> object:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "–"
    return formatting.number(float(value)) if isinstance(value, Real) else value


def explanation(parts: Explanation) -> str:
    """A calculator's docstring: summary, formula, what goes in, result, notes, references."""
    pieces = [f"<p>{text(parts.summary)}</p>"]
    if parts.formula:
        pieces.append(f"<pre>{text(parts.formula)}</pre>")
    rows = [
        {"Input": name, "What it is": _described(entry)}
        for entry in parts.parameters
        for name in entry.names
    ]
    if rows:
        pieces.append(table(rows, caption="What goes in", marked=frozenset()))
    returned = "; ".join(_described(entry) or ", ".join(entry.names) for entry in parts.returns)
    if returned:
        pieces.append(f"<p><strong>Result:</strong> {text(returned)}</p>")
    for title, body in (("Notes", parts.notes), ("References", parts.references)):
        if body:
            pieces.append(f"<p><strong>{title}.</strong></p><p class='be-pre'>{text(body)}</p>")
    return f'<div class="be-explain">{"".join(pieces)}</div>'


def _described(entry: Entry) -> str:
    return f"{entry.kind} {entry.text}".strip() if entry.kind else entry.text


def in_order(facts: Iterable[Source]) -> list[Source]:
    """Each source once, the one that was read first on top: the order of their numbers."""
    unique = {fact.model_dump_json(): fact for fact in facts}.values()
    return sorted(unique, key=lambda fact: (fact.checked, fact.title))


def sources(facts: Sequence[Source], today: date, overridden: Sequence[str]) -> str:
    items = "".join(f"<li>{_source(fact, today)}</li>" for fact in facts)
    own = "".join(f"<li><strong>Own figure:</strong> {text(name)}</li>" for name in overridden)
    return f'<ol class="be-sources">{own}{items}</ol>'


def _source(fact: Source, today: date) -> str:
    days = (today - fact.checked).days
    stale = ' <strong class="be-stale">stale</strong>' if days > STALE_DAYS else ""
    covers = f" ({text(', '.join(fact.covers))})" if fact.covers else ""
    return (
        f"{link(fact.url, fact.title)}{covers}, grade {text(fact.grade)}, checked "
        f"{fact.checked.isoformat()}, {formatting.age(fact.checked, today)}{stale}"
    )


def facts(lines: Sequence[SourceLine], overridden: Sequence[str]) -> str:
    own = "".join(f"<li><strong>Own figure:</strong> {text(name)}</li>" for name in overridden)
    items = "".join(f"<li>{_fact(line)}</li>" for line in lines)
    return f'<ul class="be-sources">{own}{items}</ul>'


def _fact(line: SourceLine) -> str:
    marks = "" if line.origin == "catalog" else f" <strong>{text(line.origin)}</strong>"
    marks += ' <strong class="be-stale">stale</strong>' if line.stale else ""
    note = f" ({text(line.note)})" if line.note else ""
    return (
        f"{text(line.fact)}: {link(line.url, line.title)}{note}, grade {text(line.grade)}, "
        f"{line.checked.isoformat()}, {formatting.days_old(line.age_days)}{marks}"
    )


def _shortened(line: str) -> str:
    """What a file names may be as long as the file: no line is."""
    whole = len(line) <= MAX_LINE
    return line if whole else f"{line[:MAX_LINE]}… ({len(line):,} characters)"


def problems(lines: Sequence[str]) -> str:
    """What was not accepted, a line each; more than fit a screen open on demand."""
    items = [f"<li>{text(_shortened(line))}</li>" for line in lines]
    head = "One entry was not accepted" if len(lines) == 1 else f"{len(lines):,} were not accepted"
    body = f"<ul>{''.join(items[:MAX_PROBLEMS])}</ul>"
    if rest := items[MAX_PROBLEMS:]:
        body += f"<details><summary>{len(rest):,} more</summary><ul>{''.join(rest)}</ul></details>"
    return f'<div class="be-problems" role="status"><p>{head}:</p>{body}</div>'


def notes(lines: Sequence[str], kind: str) -> str:
    items = "".join(f"<p>{words(line)}</p>" for line in lines)
    return f'<div class="be-notes be-{text(kind)}">{items}</div>'


def link_list(links: Sequence[tuple[str, str]]) -> str:
    """Links to scenarios of this very page map; a click loads the page anew."""
    items = "".join(
        f'<li><a href="{text(address)}" target="_self">{text(label)}</a></li>'
        for label, address in links
    )
    return f'<ul class="be-links">{items}</ul>'
