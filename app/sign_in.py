"""Sign-on by OIDC, off unless BREAKEVEN_SIGN_IN is `oidc`; an opened link survives the way back.

Streamlit sends a person who has signed in to the app's root, without the query. A cookie of ten
minutes keeps the link meanwhile, and the answer of the callback leads back to it.
"""

from __future__ import annotations

import os
import re
from urllib.parse import quote, unquote

import streamlit as st
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.errors import StreamlitSecretNotFoundError

SWITCH = "BREAKEVEN_SIGN_IN"
COOKIE = "breakeven_link"
COOKIE_SECONDS = 600
LONGEST_LINK = 3500  # characters; browsers keep cookies of 4,096
CALLBACK = "/oauth2callback"
_ODD_PATH = re.compile(r"//|/\.{1,2}(/|$)")  # could lead elsewhere once a browser tidies it up
_AS_WRITTEN = "/?&=%+:,;@!$'()*~[]"


def required() -> bool:
    """Whether pages are for people who have signed in.

    Raises
    ------
    ValueError
        If the variable holds anything but `oidc`, `off` or nothing.
    """
    given = os.environ.get(SWITCH, "").strip().lower()
    if given not in ("", "off", "oidc"):
        raise ValueError(f"{SWITCH} is {given!r}; it may be oidc or off.")
    return given == "oidc"


def gate() -> None:
    """Stop the run with a button to sign in, where that is required and has not happened."""
    if not required() or st.user.get("is_logged_in", False):
        return
    st.title("Breakeven")
    if not _has_provider():
        st.error("Sign-on is switched on, but `.streamlit/secrets.toml` has no `[auth]` table.")
        st.stop()
    st.write("Sign in to see this page. The link that you opened is kept.")
    st.button("Sign in", on_click=st.login, type="primary")
    st.stop()


def _has_provider() -> bool:
    try:
        return "auth" in st.secrets
    except StreamlitSecretNotFoundError:
        return False


def sign_out() -> None:
    """A button to sign out, for whoever has signed in."""
    if required():
        st.button("Sign out", on_click=st.logout, type="tertiary")


def kept_link(path: str, query: str) -> str | None:
    """The cookie's value for an opened page: path and query, quoted; None where it is too long.

    >>> kept_link("/breakeven/options", "tokens=20")
    '%2Fbreakeven%2Foptions%3Ftokens%3D20'
    """
    link = quote(f"{path}?{query}", safe="")
    return link if query and len(link) <= LONGEST_LINK else None


def way_back(cookie: str | None, root: str) -> str:
    """Where a callback leads: to the kept link if it lies below the app's root, else to the root.

    >>> way_back("%2Fb%2Foptions%3Ftokens%3D20", "/b/")
    '/b/options?tokens=20'
    >>> way_back("%2F%2Fevil.example%3Fx%3D1", "/"), way_back(None, "/b/")
    ('/', '/b/')
    """
    link = unquote(cookie or "")
    odd = not link.isprintable() or "\\" in link or _ODD_PATH.search(link.partition("?")[0])
    return root if odd or not link.startswith(root) else quote(link, safe=_AS_WRITTEN)


class KeepLink:
    """ASGI middleware that keeps the link of an opened page until the person has signed in."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_link(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(raw=message.setdefault("headers", []))
                _answer(scope, message["status"], headers)
            await send(message)

        await self.app(scope, receive, send_with_link if scope["type"] == "http" else send)


def _answer(scope: Scope, status: int, headers: MutableHeaders) -> None:
    query = scope.get("query_string", b"").decode("latin-1")
    if scope["path"].endswith(CALLBACK) and 300 <= status < 400:
        headers["location"] = way_back(_cookie(scope), headers["location"])
        headers.append("set-cookie", _set_cookie("", 0))
    elif headers.get("content-type", "").startswith("text/html") and scope["method"] == "GET":
        link = kept_link(scope["path"], query)
        if link:
            headers.append("set-cookie", _set_cookie(link, COOKIE_SECONDS))


def _set_cookie(value: str, seconds: int) -> str:
    return f"{COOKIE}={value}; Max-Age={seconds}; Path=/; HttpOnly; SameSite=Lax"


def _cookie(scope: Scope) -> str | None:
    parts = Headers(scope=scope).get("cookie", "").split(";")
    pairs = (part.strip().partition("=") for part in parts)
    return next((value for name, _, value in pairs if name == COOKIE), None)
