"""Nothing that comes from outside becomes markup."""

from __future__ import annotations

import re
from datetime import date
from html.parser import HTMLParser

import pytest

from app import markup
from app.docstring import Entry, Explanation
from app.ui import Metric
from calculators.specs import Source

HOSTILE = "<img src=x onerror=alert(1)>\"'><script>alert(2)</script>[a](javascript:alert(3))"
TODAY = date(2026, 11, 30)


class Tags(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.hrefs: list[str | None] = []
        self.attributes: set[str] = set()
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}
        self.hrefs += [value for name, value in attrs if name == "href"]


def source(url: str | None = None, title: str = HOSTILE) -> Source:
    return Source(title=title, url=url, checked=date(2026, 8, 1), covers=(HOSTILE,))


def pieces() -> dict[str, str]:
    return {
        "metric": markup.metric_row([Metric(HOSTILE, HOSTILE, HOSTILE, HOSTILE)]),
        "verdict": markup.verdict(HOSTILE, HOSTILE),
        "table": markup.table([{HOSTILE: HOSTILE}], caption=HOSTILE, marked=frozenset({0})),
        "wide table": markup.table(
            [{f"{HOSTILE}{i}": HOSTILE for i in range(5)}], caption=HOSTILE, marked=frozenset()
        ),
        "empty table": markup.table([], caption=HOSTILE, marked=frozenset()),
        "sources": markup.sources([source(HOSTILE)], TODAY, [HOSTILE]),
        "problems": markup.problems([HOSTILE]),
        "notes": markup.notes([HOSTILE], "note"),
        "explanation": markup.explanation(
            Explanation(
                summary=HOSTILE,
                formula=HOSTILE,
                parameters=(Entry((HOSTILE,), HOSTILE, HOSTILE),),
                returns=(Entry((HOSTILE,), HOSTILE, HOSTILE),),
                notes=HOSTILE,
                references=HOSTILE,
            )
        ),
    }


@pytest.mark.parametrize("piece", pieces())
def test_hostile_text_stays_text(piece):
    page = Tags(pieces()[piece])
    assert not {"img", "script", "a"} & set(page.tags)
    assert not {name for name in page.attributes if name.startswith("on")}


def test_only_web_addresses_become_links():
    good = Tags(markup.link("https://example.org/a?b=1&c=2", "paper"))
    assert good.hrefs == ["https://example.org/a?b=1&c=2"]
    for bad in ("javascript:alert(1)", "data:text/html,x", "//host", "", None):
        assert not Tags(markup.link(bad, "paper")).hrefs


def test_old_sources_are_marked_stale():
    assert "stale" in markup.sources([source()], TODAY, [])
    fresh = Source(title="t", checked=date(2026, 9, 1))  # 90 days before
    assert "stale" not in markup.sources([fresh], TODAY, [])


def test_cells_of_a_wide_table_name_their_column_and_keep_their_roles():
    wide = markup.table([dict.fromkeys("abcde", "x")], caption="c", marked=frozenset())
    for column in "abcde":
        assert f'<td role="cell" data-label="{column}">x</td>' in wide
    for role, number in (("rowgroup", 2), ("row", 2), ("columnheader", 5)):
        assert wide.count(f'role="{role}"') == number
    assert "data-label" not in markup.table([{"a": "x"}], caption="c", marked=frozenset())


def test_a_table_of_long_texts_is_wide_with_one_column_less():
    for chars, is_wide in ((40, False), (41, True)):
        page = markup.table([dict.fromkeys("abcd", "x" * chars)], caption="c", marked=frozenset())
        assert ("data-label" in page) is is_wide


def test_numbers_of_a_table_align_right_and_have_three_digits():
    page = markup.table(
        [{"name": "a", "cost": 1.23456}, {"name": "b", "cost": None}],
        caption="c",
        marked=frozenset(),
    )
    assert '<td class="be-num">1.23</td>' in page
    assert '<td class="be-num">–</td>' in page
    assert "<td>a</td>" in page


def column(cells: list[object]) -> list[str]:
    """The cells of a column in HTML, without its heading."""
    page = markup.table([{"a": cell} for cell in cells], caption="c", marked=frozenset())
    return re.findall(r'<td class="be-num">(.*?)</td>', page)


def free(zeros: str) -> str:
    return f'<span class="be-free" aria-hidden="true">{zeros}</span>'


def test_decimal_points_of_a_column_stand_below_each_other():
    # Three digits each: 95 is 95.0 here; 131 has its three digits and is moved by one place.
    assert column(["95", "66.5", 131.2, 47.66]) == ["95.0", "66.5", "131" + free(".0"), "47.7"]
    assert column([1, "0.996", "2.11"]) == ["1.00" + free("0"), "0.996", "2.11" + free("0")]


def test_counts_units_and_missing_figures_stay_as_they_are():
    assert column([13, 8, 1042]) == ["13", "8", "1,040"]
    assert column(["7 %", "0.13 %"]) == ["7 %", "0.13 %"]
    assert column(["0.643", "4,000"]) == ["0.643", "4,000"]  # of two units
    assert column(["0.295", "", None, "0"]) == ["0.295", "", "–", "0" + free(".000")]


def test_long_texts_take_the_whole_width_of_a_card():
    rows = [{"a": "x", "b": "1", "c": "2", "d": "y" * 41}]
    page = markup.table(rows, caption="c", marked=frozenset())
    assert 'class="be-long" data-label="d"' in page
    assert page.count('class="be-long"') == 2  # its heading and its cell


def test_a_problem_is_a_line_however_long_the_name_in_it():
    shown = markup.problems(["upload: " + "<" * 1_000_000])
    assert "&lt;… (1,000,008 characters)" in shown
    assert len(shown) < 5_000
    assert "exactly this" in markup.problems(["exactly this"])


def test_a_thousand_problems_take_ten_lines_and_the_rest_opens():
    shown = markup.problems([f"key{i}: unknown" for i in range(1_000)])
    first, _, rest = shown.partition("<details>")
    assert (first.count("<li>"), rest.count("<li>")) == (10, 990)
    assert "1,000 were not accepted" in first and "990 more" in rest
    assert "<details>" not in markup.problems(["one"] * 10)
