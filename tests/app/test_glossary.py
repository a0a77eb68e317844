"""Terms: each is explained and links to its own line, once a page, in escaped text."""

from __future__ import annotations

import re

import pytest

from app import markup
from app.glossary import SPELLINGS, TERMS
from app.glossary_links import anchor, begin_page, entry, linked, words
from app.glossary_uses import USES
from app.ui import Metric
from tests.browser.pages import addresses

LINK = re.compile(r'<a class="be-term" href="([^"]+)" title="([^"]+)"[^>]*>([^<]+)</a>')


def targets(html: str) -> list[tuple[str, str]]:
    """Anchors and shown words of the links of a piece of HTML."""
    return [(href.partition("#")[2], shown) for href, _, shown in LINK.findall(html)]


@pytest.mark.parametrize("term", TERMS)
def test_each_term_is_found_under_its_own_name(term):
    assert targets(linked(f"It has {term}, here", set())) == [(anchor(term), term)]


def test_spellings_belong_to_terms():
    assert SPELLINGS.keys() <= TERMS.keys()
    assert len({anchor(term) for term in TERMS}) == len(TERMS)
    for term, spellings in SPELLINGS.items():
        for spelling in spellings:
            for shown in (spelling, spelling[:1].upper() + spelling[1:]):
                assert targets(linked(f"a {shown} b", set())) == [(anchor(term), shown)]


@pytest.mark.parametrize("term, meaning", TERMS.items())
def test_meanings_are_sentences_that_do_not_lean_on_themselves(term, meaning):
    assert meaning[-1] in ".?)" and len(meaning) > 20
    assert meaning[0].isupper() or meaning[0].isdigit()


def test_only_the_first_appearance_is_linked():
    seen: set[str] = set()
    html = linked("Tokens in the cache, tokens out, Token", seen)
    assert targets(html) == [("token", "Tokens"), ("kv-cache", "cache")]
    assert targets(linked("Another token", seen)) == []
    assert seen == {"Token", "KV cache"}


def test_the_longest_term_wins_and_parts_of_words_do_not():
    assert targets(linked("the KV cache", set())) == [("kv-cache", "KV cache")]
    assert targets(linked("speculative decoding", set()))[0][0] == "speculative-decoding"
    for text in ("discard cards-like", "memory-bound", "bandwidths8", "postcard", "/token/"):
        assert targets(linked(text, set())) == [], text


def test_abbreviations_need_their_capitals():
    assert targets(linked("an API", set())) == [("api", "API")]
    assert targets(linked("an api", set())) == []


def test_text_stays_escaped():
    html = linked('<img src=x onerror="alert(1)"> a token & "batch"', set(), 'a=1&b="x"')
    assert "<img" not in html and 'onerror="' not in html
    assert 'href="glossary?a=1&amp;b=&quot;x&quot;#token"' in html
    plain = re.sub(r"<a [^>]*>|</a>", "", html)
    assert plain == "&lt;img src=x onerror=&quot;alert(1)&quot;&gt; a token &amp; &quot;batch&quot;"


def test_pages_link_once_and_start_anew():
    try:
        begin_page("v=1")
        row = markup.metric_row([Metric("Batch", "12", "tokens at once", "calibrated")])
        assert [target for target, _ in targets(row)] == ["batch", "calibrated", "token"]
        assert targets(markup.notes(["A fuller batch"], "note")) == []
        begin_page("")
        assert targets(words("A fuller batch")) == [("batch", "batch")]
        begin_page(None)
        assert words("a <batch>") == "a &lt;batch&gt;"
    finally:
        begin_page(None)


def test_each_term_says_why_it_matters_and_where_it_is_seen():
    assert USES.keys() == TERMS.keys()
    pages = {"" if page == "home" else page for page in addresses()}
    for term, (page, why) in USES.items():
        assert page in pages - {"glossary"}, term
        assert why[0].isupper() and why[-1] == "." and len(why) > 20, term
        assert f"({page or '.'})" in entry(term, "")


def test_an_entry_keeps_the_scenario_and_no_query_breaks_its_link():
    assert "(unit-cost?duty=0.4&in=3000)" in entry("Duty cycle", "duty=0.4&in=3000")
    hostile = entry("Duty cycle", "why=a) [x](javascript:y) <b>")
    assert hostile.endswith("(unit-cost?why=a%29%20%5Bx%5D%28javascript:y%29%20%3Cb%3E)")


def test_heads_of_tables_are_linked_and_stay_text():
    try:
        begin_page("")
        html = markup.table([{"TTFT <i>": "1 s"}], caption="x", marked=frozenset())
        assert "<i>" not in html and targets(html) == [("ttft", "TTFT")]
    finally:
        begin_page(None)


MANAGERS_MEET = """roofline; arithmetic intensity; prefill; decode; TTFT; TPOT; KV cache; GQA; MLA;
tensor parallel; replica; duty cycle; utilisation; P10; P50; P90; perplexity; KL divergence;
few-shot; standard error; occupancy; block; scale; outlier; duty; PUE; WACC; amortisation;
egress; FP8; NVFP4; MXFP4; AWQ; GPTQ; GGUF; INT4; NF4; quantized; preempted; evicted;
slots; continuous batches; spot; reserved; present value; residual value; tornado; seed;
spare; burst; horizon; acceptance; draft; nominal; activations; engine; weights;
sequences; bandwidth; FLOP/byte; ridge; saturated"""


@pytest.mark.parametrize("term", MANAGERS_MEET.replace("\n", " ").split("; "))
def test_words_that_a_manager_meets_are_explained(term):
    assert targets(linked(f"the {term.strip()} of it", set()))
