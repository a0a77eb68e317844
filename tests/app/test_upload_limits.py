"""The server takes no larger file than the session's page asks for."""

from collections.abc import Iterator

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from app import upload_limits

ADDRESS = "/b/_stcore/upload_file/session/file"
TEN_MB = 10_000_000


async def _stored(request):
    return PlainTextResponse(str(len(await request.body())))


@pytest.fixture
def browser(monkeypatch):
    monkeypatch.setattr(upload_limits, "_session", lambda: "session")
    upload_limits._pages.clear()
    routes = [Route("/b/_stcore/upload_file/{session}/{file}", _stored, methods=["PUT"])]
    app = Starlette(routes=routes, middleware=[Middleware(upload_limits.UploadLimits)])
    yield TestClient(app)
    upload_limits._pages.clear()


def _in_parts(size: int) -> Iterator[bytes]:
    for _ in range(size // 1_000_000):
        yield bytes(1_000_000)


def test_eleven_megabytes_are_refused_where_ten_are_asked_for(browser):
    upload_limits.enter("memory")
    upload_limits.allow(10)
    answer = browser.put(ADDRESS, content=bytes(11_000_000))
    assert (answer.status_code, answer.text) == (413, "This page reads at most 10 MB.")
    assert browser.put(ADDRESS, content=bytes(TEN_MB)).text == str(TEN_MB)


def test_a_file_without_a_declared_length_is_counted_while_it_comes(browser):
    upload_limits.enter("memory")
    upload_limits.allow(10)
    assert browser.put(ADDRESS, content=_in_parts(11_000_000)).status_code == 413
    assert browser.put(ADDRESS, content=_in_parts(9_000_000)).text == "9000000"


def test_the_largest_upload_of_a_page_rules_and_ends_with_the_page(browser):
    upload_limits.enter("traffic")
    upload_limits.allow(200)
    upload_limits.allow(10)
    upload_limits.enter("traffic")
    assert browser.put(ADDRESS, content=bytes(11_000_000)).status_code == 200
    upload_limits.enter("home")
    assert browser.put(ADDRESS, content=bytes(11_000_000)).status_code == 413


def test_a_session_that_was_asked_for_nothing_may_send_nothing(browser):
    answer = browser.put(ADDRESS, content=bytes(20_000))
    assert (answer.status_code, answer.text) == (413, "No upload here.")


def test_old_sessions_are_forgotten(browser, monkeypatch):
    monkeypatch.setattr(upload_limits, "MAX_SESSIONS", 2)
    for name in ("one", "two", "three"):
        monkeypatch.setattr(upload_limits, "_session", lambda name=name: name)
        upload_limits.enter("memory")
        upload_limits.allow(10)
    assert [upload_limits.largest_bytes(name) for name in ("one", "three")] == [0, TEN_MB]
