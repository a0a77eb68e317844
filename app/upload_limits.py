"""The server refuses uploads that are larger than what the session's page asks for.

The browser's own check of a widget's size is no limit for whoever sends a request by hand. The
server knows which page a session shows, and so the largest file that it may send there.
"""

from __future__ import annotations

import re
from collections import OrderedDict

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.runtime.scriptrunner import get_script_run_ctx

MB = 1_000_000
ENVELOPE_BYTES = 10_000  # what a form adds to its file
MAX_SESSIONS = 20_000
_UPLOAD = re.compile(r"/_stcore/upload_file/(?P<session>[^/]+)/[^/]+$")

_pages: OrderedDict[str, tuple[str, int]] = OrderedDict()  # session: page, largest file in bytes


def enter(page: str) -> None:
    """This session shows a page; until its uploads are drawn, a new page takes none."""
    session = _session()
    if session and (session not in _pages or _pages[session][0] != page):
        _pages[session] = (page, 0)
        _pages.move_to_end(session)
        while len(_pages) > MAX_SESSIONS:
            _pages.popitem(last=False)


def allow(max_mb: int) -> None:
    """The page of this session takes files of this size."""
    session = _session()
    if session in _pages:
        page, known = _pages[session]
        _pages[session] = (page, max(known, max_mb * MB))


def largest_bytes(session: str) -> int:
    """The largest file that a session may send now; 0 where its page asks for none."""
    return _pages.get(session, ("", 0))[1]


def _session() -> str:
    context = get_script_run_ctx()
    return context.session_id if context else ""


class _TooLargeError(Exception):
    """More arrived than the page asks for."""


class UploadLimits:
    """ASGI middleware that answers 413 to files above the limit, by length or while they come."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        found = scope["type"] == "http" and scope["method"] == "PUT"
        upload = _UPLOAD.search(scope["path"]) if found else None
        if upload is None:
            await self.app(scope, receive, send)
            return
        most = largest_bytes(upload["session"])
        try:
            if _declared(scope) > most + ENVELOPE_BYTES:
                raise _TooLargeError
            await self.app(scope, _counted(receive, most + ENVELOPE_BYTES), send)
        except _TooLargeError:
            words = f"This page reads at most {most // MB} MB." if most else "No upload here."
            await PlainTextResponse(words, status_code=413)(scope, receive, send)


def _declared(scope: Scope) -> int:
    text = dict(scope["headers"]).get(b"content-length", b"0")
    return int(text) if text.isdigit() and len(text) < 16 else 0


def _counted(receive: Receive, most: int) -> Receive:
    came = 0

    async def counted() -> Message:
        nonlocal came
        message = await receive()
        came += len(message.get("body", b""))
        if came > most:
            raise _TooLargeError
        return message

    return counted
