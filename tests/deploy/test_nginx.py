"""deploy/nginx.conf towards strangers, before a server that tells what arrives."""

from __future__ import annotations

import http.client
import json
import socket
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from tests.nginx import NGINX, start_nginx

pytestmark = pytest.mark.skipif(NGINX is None, reason="nginx is not installed")

SPOOFED = (
    "X-Forwarded-User", "X-Forwarded-Email", "X-Forwarded-Groups", "X-Forwarded-Access-Token",
    "X-Forwarded-Host", "X-Forwarded-For", "X-Real-IP", "X-Auth-Request-User", "Remote-User",
    "X-Remote-User", "Remote-Email", "X-WEBAUTH-USER", "X-MS-CLIENT-PRINCIPAL-NAME", "Forwarded",
    "X-Goog-Authenticated-User-Email", "Cf-Access-Authenticated-User-Email", "Tailscale-User-Login",
    "X-Authentik-Username", "X-Amzn-Oidc-Identity", "Authorization", "x_forwarded_user",
)  # fmt: skip


class _Told(BaseHTTPRequestHandler):
    """Answers with what arrived."""

    def do_GET(self) -> None:
        body = json.dumps({"path": self.path, "headers": self.headers.items()}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Security-Policy", "default-src 'self'")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None: ...


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    folder = tmp_path_factory.mktemp("nginx")
    folder.chmod(0o755)
    replica = ThreadingHTTPServer(("127.0.0.1", 0), _Told)
    threading.Thread(target=replica.serve_forever, daemon=True).start()
    port = _free_port()
    proxy = start_nginx(folder, port, [replica.server_port] * 2)
    try:
        for _ in range(100):
            with socket.socket() as knock:
                if knock.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        yield port
    finally:
        proxy.terminate()
        proxy.wait(timeout=10)
        replica.shutdown()
        replica.server_close()


def get(port: int, path: str, headers: dict[str, str] | None = None) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.putrequest("GET", path, skip_accept_encoding=True)
    for name, value in (headers or {}).items():
        connection.putheader(name, value)
    connection.endheaders()
    return connection.getresponse()


def test_no_header_of_a_browser_names_a_user(port):
    sent = dict.fromkeys(SPOOFED, "eve") | {"Cookie": "kept=1", "X-Xsrftoken": "kept"}
    told = dict(json.loads(get(port, "/breakeven/x", sent).read())["headers"])
    assert [name for name, value in told.items() if "eve" in value] == []
    assert (told["Cookie"], told["X-Xsrftoken"]) == ("kept=1", "kept")
    assert told["Host"] == f"127.0.0.1:{port}"


def test_what_a_socket_and_an_upload_need_passes(port):
    needed = {
        "Sec-WebSocket-Key": "a2V5", "Sec-WebSocket-Version": "13", "Origin": "http://x",
        "Sec-WebSocket-Protocol": "streamlit, token", "Content-Type": "multipart/form-data",
        "If-None-Match": "etag", "Range": "bytes=0-1", "Upgrade": "websocket",
    }  # fmt: skip
    told = dict(json.loads(get(port, "/breakeven/x", needed).read())["headers"])
    assert needed.items() <= told.items()
    assert told["Connection"] == "upgrade"


def test_a_link_of_sixty_thousand_characters_arrives(port):
    path = "/breakeven/options?why=" + "x" * 60_000
    assert json.loads(get(port, path).read())["path"] == path


def test_a_link_beyond_the_limit_leads_to_a_page_that_says_so(port):
    answer = get(port, "/breakeven/options?why=" + "x" * 70_000)
    assert answer.status == 302
    assert answer.headers["Location"] == "/breakeven/?refused=length"


@pytest.mark.parametrize(
    "path",
    [
        "/breakeven/_stcore/metrics",
        "/breakeven//_stcore/./metrics",
        "/breakeven/x/../_stcore/metrics",
        "/breakeven/%5fstcore/metrics",
        "/breakeven/_stcore/metrics/",
        "/long-link",
        "/other",
        "/breakeven/../etc",
    ],
)
def test_what_is_closed_stays_closed_however_it_is_written(port, path):
    assert get(port, path).status == 404


@pytest.mark.parametrize("path", ["/breakeven/%00", "/../breakeven/", "/breakeven/../../etc"])
def test_paths_that_no_browser_sends_are_refused(port, path):
    assert get(port, path).status == 400


def test_a_new_line_in_an_address_makes_no_header(port):
    answer = get(port, "/breakeven?x=%0d%0aSet-Cookie:eve=1")
    assert "%0d%0a" in answer.headers["Location"]
    assert "eve" not in (answer.headers["Set-Cookie"] or "")


@pytest.mark.parametrize(
    ("path", "headers", "status", "policy"),
    [
        ("/breakeven/", {}, 200, "default-src 'self'"),
        ("/breakeven/", {"Content-Length": "300000000"}, 413, "default-src 'none'"),
        ("/other", {}, 404, "default-src 'none'"),
        ("/breakeven", {}, 302, "default-src 'none'"),
    ],
)
def test_every_answer_has_one_policy(port, path, headers, status, policy):
    answer = get(port, path, headers)
    assert answer.status == status
    policies = answer.headers.get_all("Content-Security-Policy")
    assert len(policies) == 1
    assert policies[0].startswith(policy)
    assert answer.headers.get_all("X-Content-Type-Options") == ["nosniff"]


def test_a_huge_cookie_is_refused_by_the_proxy(port):
    assert get(port, "/breakeven/", {"Cookie": "a=" + "x" * 70_000}).status == 400


def test_half_open_connections_keep_nobody_out(port):
    slow = [socket.create_connection(("127.0.0.1", port)) for _ in range(600)]
    try:
        for knock in slow:
            knock.sendall(b"GET /breakeven/ HTTP/1.1\r\nHost: x\r\nX-Slow: ")
        assert get(port, "/breakeven/").status == 200
    finally:
        for knock in slow:
            knock.close()
