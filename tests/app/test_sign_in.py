"""Sign-on: off by default, closed when on, and the link that was opened comes back."""

from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import HTMLResponse, RedirectResponse
from starlette.routing import Route
from starlette.testclient import TestClient
from streamlit.testing.v1 import AppTest

from app import sign_in

MAIN = Path(__file__).resolve().parents[2] / "app" / "main.py"


def client() -> TestClient:
    """A server that answers pages and callbacks as Streamlit does, below /b."""
    routes = [
        Route("/b/oauth2callback", lambda request: RedirectResponse("/b/", status_code=302)),
        Route("/b/{page:path}", lambda request: HTMLResponse("<p>page</p>")),
    ]
    app = Starlette(routes=routes, middleware=[Middleware(sign_in.KeepLink)])
    return TestClient(app, follow_redirects=False)


def test_an_opened_link_comes_back_after_the_callback_and_only_once():
    browser = client()
    browser.get("/b/options?tokens=2000&gpu=h200-sxm")
    back = browser.get("/b/oauth2callback?code=1&state=2")
    assert back.headers["location"] == "/b/options?tokens=2000&gpu=h200-sxm"
    assert browser.get("/b/oauth2callback?code=1&state=2").headers["location"] == "/b/"


def test_without_a_link_the_callback_leads_to_the_root():
    browser = client()
    browser.get("/b/")
    assert browser.get("/b/oauth2callback?code=1").headers["location"] == "/b/"


@pytest.mark.parametrize(
    "cookie",
    [
        "https%3A%2F%2Fevil.example%2F",
        "%2F%2Fevil.example%2Fb%2F",
        "%2Fother%2F%3Fx%3D1",
        "%2Fb%2F%0d%0aset-cookie%3Ax",
        "%2Fb%2F%5Cevil",
    ],
)
def test_a_forged_cookie_leads_nowhere_else(cookie):
    browser = client()
    answer = browser.get("/b/oauth2callback", headers={"cookie": f"{sign_in.COOKIE}={cookie}"})
    assert answer.headers["location"] == "/b/"


def test_a_link_too_long_for_a_cookie_is_not_kept():
    assert sign_in.kept_link("/", "x=" + "a" * sign_in.LONGEST_LINK) is None
    assert "set-cookie" not in client().get("/b/?x=" + "a" * 4000).headers


def test_the_switch_is_off_by_default_and_refuses_other_words(monkeypatch):
    monkeypatch.delenv(sign_in.SWITCH, raising=False)
    assert not sign_in.required()
    monkeypatch.setenv(sign_in.SWITCH, "yes")
    with pytest.raises(ValueError, match="BREAKEVEN_SIGN_IN is 'yes'; it may be oidc or off"):
        sign_in.required()


def test_nothing_is_shown_to_a_stranger_where_sign_on_is_required(monkeypatch):
    monkeypatch.setenv(sign_in.SWITCH, "oidc")
    app = AppTest.from_file(MAIN, default_timeout=30)
    app.secrets["auth"] = {"cookie_secret": "x"}
    app.run()
    assert [title.value for title in app.title] == ["Breakeven"]
    assert [button.label for button in app.button] == ["Sign in"]
    assert not app.slider and not app.exception


def test_a_switch_without_a_provider_stays_closed(monkeypatch):
    monkeypatch.setenv(sign_in.SWITCH, "oidc")
    app = AppTest.from_file(MAIN, default_timeout=30).run()
    assert "no `[auth]` table" in app.error[0].value
    assert not app.button and not app.slider


@pytest.mark.parametrize(
    "cookie",
    [
        "%2F%2Fevil.example%3Fx",
        "%2F.%2F%2Fevil.example%3Fx",
        "%2Fb%2F..%2F..%2F%2Fevil.example%3Fx",
        "%2F%5Cevil.example%3Fx",
        "%2F%09%2Fevil.example%3Fx",
        "https%3A%2F%2Fevil.example%3Fx",
        "%2Fb%3Fx%0D%0ASet-Cookie%3Aa%3Db",
    ],
)
def test_a_forged_cookie_leads_to_the_root(cookie):
    assert sign_in.way_back(cookie, "/") == "/"


def test_an_opened_path_in_any_script_comes_back_in_a_header_that_can_be_sent():
    browser = client()
    browser.get("/b/\U0001f600?tokens=20")
    back = browser.get("/b/oauth2callback?code=1&state=2")
    assert back.headers["location"] == "/b/%F0%9F%98%80?tokens=20"
