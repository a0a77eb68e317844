"""The server takes no larger file than the session's page asks for."""

from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

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


def test_a_session_sends_no_more_than_its_sum_however_many_the_files(browser, monkeypatch):
    upload_limits.enter("memory")
    upload_limits.allow(10)
    held = {"session": [10_000_000] * 29}  # 290 of 300 MB
    monkeypatch.setattr(upload_limits, "_held", lambda: held)
    assert browser.put(ADDRESS, content=bytes(9_000_000)).status_code == 200
    held["session"].append(9_000_000)
    for body in (bytes(2_000_000), _in_parts(2_000_000)):
        answer = browser.put(ADDRESS, content=body)
        assert answer.status_code == 413
        assert "300 MB together" in answer.text
    held["session"].clear()
    assert browser.put(ADDRESS, content=bytes(9_000_000)).status_code == 200


def test_all_sessions_share_what_the_server_gives_to_uploads(browser, monkeypatch):
    upload_limits.enter("memory")
    upload_limits.allow(10)
    held = {"one": [200_000_000], "two": [200_000_000], "three": [195_000_000]}  # of 600 MB
    monkeypatch.setattr(upload_limits, "_held", lambda: held)
    assert browser.put(ADDRESS, content=bytes(6_000_000)).status_code == 413
    assert browser.put(ADDRESS, content=bytes(4_000_000)).status_code == 200
    assert upload_limits.room_bytes("session") == 5_000_000


def test_uploads_under_way_count_and_are_forgotten_when_they_end(browser):
    upload_limits.enter("memory")
    upload_limits.allow(10)
    before = upload_limits.room_bytes("session")
    first, second = upload_limits._Coming("session"), upload_limits._Coming("session")
    for upload in (first, second):
        upload.arrived(4_000_000)
    assert upload_limits.room_bytes("session") == before - 8_000_000
    first.end()
    assert upload_limits.room_bytes("session") == before - 4_000_000
    second.end()
    assert browser.put(ADDRESS, content=bytes(11_000_000)).status_code == 413
    assert upload_limits.room_bytes("session") == before == 300_000_000


def test_what_streamlit_holds_is_counted(monkeypatch):
    manager = MemoryUploadedFileManager("/upload")
    manager.add_file("one", UploadedFileRec("a", "a.json", "application/json", bytes(70)))
    manager.add_file("one", UploadedFileRec("b", "b.json", "application/json", bytes(30)))
    runtime = SimpleNamespace(uploaded_file_mgr=manager)
    monkeypatch.setattr(upload_limits, "exists", lambda: True)
    monkeypatch.setattr(upload_limits, "get_instance", lambda: runtime)
    assert upload_limits.room_bytes("one") == 300_000_000 - 100
    assert upload_limits.room_bytes("two") == 300_000_000
