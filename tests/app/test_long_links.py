"""Links that Streamlit would drop without a word lead to a page that names the problem."""

from __future__ import annotations

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient
from streamlit.runtime.state import query_params

from app import long_links


async def _query(request):
    return PlainTextResponse(request.url.query)


@pytest.fixture(scope="module")
def browser() -> TestClient:
    routes = [Route("/b/options", _query)]
    app = Starlette(routes=routes, middleware=[Middleware(long_links.LongLinks)])
    return TestClient(app, follow_redirects=False)


def _parts(n: int) -> str:
    return "&".join(f"k{i}=1" for i in range(n))


def test_the_limit_is_streamlits_own():
    assert query_params.sanitize_query_string(_parts(long_links.MAX_PARTS))
    assert not query_params.sanitize_query_string(_parts(long_links.MAX_PARTS + 1))


def test_a_thousand_parts_are_read(browser):
    answer = browser.get(f"/b/options?{_parts(1000)}")
    assert (answer.status_code, answer.text) == (200, _parts(1000))


@pytest.mark.parametrize(
    ("query", "reason"), [(_parts(1001), "parts"), ("why=" + "x" * 62_000, "length")]
)
def test_a_link_that_is_left_behind_leads_to_its_own_page(browser, query, reason):
    answer = browser.get(f"/b/options?{query}")
    assert (answer.status_code, answer.headers["location"]) == (302, f"?refused={reason}")
    assert answer.next_request.url.path == "/b/options"
    assert browser.send(answer.next_request).status_code == 200


def test_each_reason_is_named_and_others_are_not_taken():
    assert str(long_links.problem("parts")) == "link: has over 1,000 parts; all of it is ignored"
    assert "62,000 characters" in str(long_links.problem("length"))
    assert long_links.problem("<b>") is None
