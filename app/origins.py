"""Requests that another site's page makes are refused before Streamlit sees them.

Streamlit itself would look its external address up on the internet to judge a foreign origin.
"""

from __future__ import annotations

from collections.abc import Collection
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send


def is_foreign(origin: str | None, host: str | None, allowed: Collection[str]) -> bool:
    """Whether an Origin header names neither this host nor an allowed origin.

    >>> is_foreign(None, "tools:80", ()), is_foreign("http://tools:80", "tools:80", ())
    (False, False)
    >>> is_foreign("https://evil.example", "tools", ()), is_foreign("null", "tools", ())
    (True, True)
    >>> is_foreign("http://[", "tools", ())
    True
    >>> is_foreign("https://portal.example", "tools", ("https://portal.example",))
    False
    """
    if origin is None or origin in allowed:
        return False
    try:
        return urlsplit(origin).netloc != host
    except ValueError:  # no address at all
        return True


class SameOrigin:
    """ASGI middleware that answers 403 to foreign origins, sockets included."""

    def __init__(self, app: ASGIApp, allowed: Collection[str] = ()) -> None:
        self.app = app
        self.allowed = tuple(allowed)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in ("http", "websocket"):
            headers = Headers(scope=scope)
            origins = headers.getlist("origin")
            if any(is_foreign(origin, headers.get("host"), self.allowed) for origin in origins):
                await self._refuse(scope, receive, send)
                return
        await self.app(scope, receive, send)

    async def _refuse(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
            return
        await PlainTextResponse("Foreign origin.", status_code=403)(scope, receive, send)
