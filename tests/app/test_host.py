"""The server towards strangers: frames of text, forged origins, failures without a trace."""

from __future__ import annotations

import logging

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect
from streamlit.proto.BackMsg_pb2 import BackMsg

from app.failures import Failures
from app.frames import OwnFrames
from app.headers import SecurityHeaders
from app.origins import SameOrigin

SECRET = "/srv/secret/path"


async def _echo(socket):
    await socket.accept()
    try:
        while True:
            data = await socket.receive_bytes()
            await socket.send_bytes(data)
    except WebSocketDisconnect:
        await socket.send_bytes(b"after the end")  # as Streamlit's own sender may


async def _broken(_request):
    raise RuntimeError(SECRET)


async def _gone(_request):
    raise ClientDisconnect


@pytest.fixture(scope="module")
def client() -> TestClient:
    routes = [
        WebSocketRoute("/stream", _echo),
        Route("/broken", _broken),
        Route("/gone", _gone),
    ]
    middleware = [
        Middleware(SecurityHeaders),
        Middleware(Failures),
        Middleware(SameOrigin),
        Middleware(OwnFrames),
    ]
    app = Starlette(routes=routes, middleware=middleware)
    return TestClient(app, raise_server_exceptions=False)


def test_streamlits_own_messages_pass(client):
    message = BackMsg(stop_script=True).SerializeToString()
    with client.websocket_connect("/stream") as socket:
        for _ in range(2):
            socket.send_bytes(message)
            assert socket.receive_bytes() == message


@pytest.mark.parametrize(
    ("send", "code"),
    [
        (lambda socket: socket.send_text("hello"), 1003),
        (lambda socket: socket.send_bytes(b"\xff\xff\xff"), 1002),
        (lambda socket: socket.send_bytes(b""), 1002),
    ],
)
def test_other_frames_close_the_socket_without_a_trace(client, caplog, send, code):
    with client.websocket_connect("/stream") as socket:
        send(socket)
        with pytest.raises(WebSocketDisconnect) as closed:
            socket.receive_bytes()
    assert closed.value.code == code
    assert "Traceback" not in caplog.text


def test_a_failure_has_the_headers_and_no_details(client, caplog):
    with caplog.at_level(logging.ERROR):
        answer = client.get("/broken?tokens=77777")
    assert answer.status_code == 500
    assert "default-src 'self'" in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert SECRET not in answer.text
    assert SECRET in caplog.text  # for who runs the server
    assert "77777" not in caplog.text  # but not the scenario of who met it


def test_who_goes_away_midway_leaves_no_trace(client, caplog):
    client.get("/gone")
    assert caplog.text == ""


@pytest.mark.parametrize("origin", ["http://[", "http://[::1", "//", "\\", "http://a:b:c@["])
def test_an_origin_that_is_no_address_is_foreign(client, origin):
    assert client.get("/broken", headers={"origin": origin}).status_code == 403


def test_one_foreign_origin_among_several_is_enough(client):
    for order in (("http://evil.example", "http://testserver"), ("http://testserver", "null")):
        headers = [("origin", origin) for origin in order]
        assert client.get("/gone", headers=headers).status_code == 403
