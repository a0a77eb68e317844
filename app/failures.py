"""An unforeseen failure answers 500 in one line, with the security headers of every answer.

Starlette's own answer to a failure is made outside all middleware, and so has none of them.
"""

from __future__ import annotations

import logging

from starlette.requests import ClientDisconnect
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_LOGGER = logging.getLogger(__name__)
WORDS = "Something went wrong here; the log of the server says what."


class Failures:
    """ASGI middleware: failures go to the log, a browser that went away midway does not."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        begun = False

        async def noted(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self.app(scope, receive, noted)
        except ClientDisconnect:
            return
        except Exception:
            if begun:
                raise
            _LOGGER.exception("No answer to a %s request", scope["method"])
            await PlainTextResponse(WORDS, status_code=500)(scope, receive, send)
