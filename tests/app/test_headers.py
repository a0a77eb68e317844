"""Security headers and Plotly's bundle, through the ASGI pieces themselves."""

from __future__ import annotations

import base64
import gzip
import hashlib

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from app.headers import SecurityHeaders, content_security_policy, inline_script_hashes
from app.origins import SameOrigin
from app.plotly_bundle import BUNDLE_PATH, bundle_route


@pytest.fixture(scope="module")
def client() -> TestClient:
    def hello(_request):
        return PlainTextResponse("hello", headers={"X-Frame-Options": "ALLOWALL"})

    routes = [Route("/", hello), bundle_route("/team/tools/")]
    middleware = [
        Middleware(SecurityHeaders),
        Middleware(SameOrigin, allowed=["https://portal.example"]),
    ]
    return TestClient(Starlette(routes=routes, middleware=middleware))


def test_every_answer_carries_the_headers_once(client):
    for path in ("/", "/nowhere"):
        answer = client.get(path)
        assert "default-src 'self'" in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers.get_list("x-frame-options") == ["SAMEORIGIN"]


def test_inline_scripts_are_allowed_by_hash_alone():
    page = "<script>let a = 1</script><script src='x.js'></script>"
    digest = hashlib.sha256(b"let a = 1").digest()
    wanted = f"'sha256-{base64.b64encode(digest).decode()}'"
    assert inline_script_hashes(page) == [wanted]
    rules = dict(rule.split(" ", 1) for rule in content_security_policy(page).split("; "))
    assert wanted in rules["script-src"].split()
    assert "'unsafe-inline'" not in rules["script-src"]
    assert "'unsafe-eval'" not in rules["script-src"]


def test_the_bundle_lies_under_the_base_path_and_may_be_kept(client):
    answer = client.get(f"/team/tools/{BUNDLE_PATH}", headers={"accept-encoding": "gzip"})
    assert answer.headers["content-encoding"] == "gzip"
    assert "immutable" in answer.headers["cache-control"]
    plain = client.get(f"/team/tools/{BUNDLE_PATH}", headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.content == answer.content
    assert len(gzip.compress(plain.content)) < len(plain.content) / 3


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        (None, 200),
        ("http://testserver", 200),
        ("https://portal.example", 200),
        ("https://evil.example", 403),
        ("http://testserver.evil.example", 403),
        ("null", 403),
    ],
)
def test_foreign_origins_are_refused(client, origin, status):
    headers = {} if origin is None else {"origin": origin}
    assert client.get("/", headers=headers).status_code == status
