"""The server refuses uploads that are larger than what the session's page asks for.

The browser's own check of a widget's size is no limit for whoever sends a request by hand. The
server knows which page a session shows, and so the largest file that it may send there; and
however many files come, a session holds no more than SESSION_MB, all sessions TOTAL_MB.
"""

from __future__ import annotations

import re
from collections import OrderedDict

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.runtime import exists, get_instance
from streamlit.runtime.scriptrunner import get_script_run_ctx

MB = 1_000_000
ENVELOPE_BYTES = 10_000  # what a form adds to its file
MAX_SESSIONS = 20_000
SESSION_MB = 300  # a request log of 200 MB and some files of 10
TOTAL_MB = 600
_UPLOAD = re.compile(r"/_stcore/upload_file/(?P<session>[^/]+)/[^/]+$")

_pages: OrderedDict[str, tuple[str, int]] = OrderedDict()  # session: page, largest file in bytes
_coming: dict[str, int] = {}  # bytes of uploads that are under way, by session


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


def room_bytes(session: str) -> int:
    """How much a session may still send: less what it holds, what comes, and what others hold."""
    held = {name: sum(sizes) for name, sizes in _held().items()}
    of_all = TOTAL_MB * MB - sum(held.values()) - sum(_coming.values())
    own = SESSION_MB * MB - held.get(session, 0) - _coming.get(session, 0)
    return max(min(own, of_all), 0)


def _held() -> dict[str, list[int]]:
    """The sizes of the files that Streamlit holds, by session."""
    stored = getattr(get_instance().uploaded_file_mgr, "file_storage", {}) if exists() else {}
    return {
        name: [len(file.data) for file in files.copy().values()]
        for name, files in stored.copy().items()
    }


def _session() -> str:
    context = get_script_run_ctx()
    return context.session_id if context else ""


class _TooLargeError(Exception):
    """More arrived than may; the message says how much may."""


class UploadLimits:
    """ASGI middleware that answers 413 to files above the limits, by length or while they come."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        found = scope["type"] == "http" and scope["method"] == "PUT"
        upload = _UPLOAD.search(scope["path"]) if found else None
        if upload is None:
            await self.app(scope, receive, send)
            return
        coming = _Coming(upload["session"])
        try:
            coming.check(_declared(scope))
            await self.app(scope, coming.counted(receive), send)
        except _TooLargeError as error:
            await PlainTextResponse(str(error), status_code=413)(scope, receive, send)
        finally:
            coming.end()


class _Coming:
    """One upload that is under way."""

    def __init__(self, session: str) -> None:
        self.session, self.n_bytes = session, 0

    def check(self, more: int) -> None:
        """Raise where this many further bytes are too many."""
        most = largest_bytes(self.session)
        if not most:
            raise _TooLargeError("No upload here.")
        if self.n_bytes + more > most + ENVELOPE_BYTES:
            raise _TooLargeError(f"This page reads at most {most // MB} MB.")
        if more > room_bytes(self.session) + ENVELOPE_BYTES:
            raise _TooLargeError(
                f"The files of one visit may have {SESSION_MB} MB together, those of everyone "
                f"{TOTAL_MB} MB. Take a file out, or try again later."
            )

    def counted(self, receive: Receive) -> Receive:
        """`receive`, with every part checked and counted."""

        async def counted() -> Message:
            message = await receive()
            came = len(message.get("body", b""))
            self.check(came)
            self.arrived(came)
            return message

        return counted

    def arrived(self, n_bytes: int) -> None:
        """Count what has come."""
        self.n_bytes += n_bytes
        _coming[self.session] = _coming.get(self.session, 0) + n_bytes

    def end(self) -> None:
        """This upload is no longer under way; what was stored of it is held by Streamlit."""
        left = _coming.pop(self.session, 0) - self.n_bytes
        if left > 0:
            _coming[self.session] = left


def _declared(scope: Scope) -> int:
    text = dict(scope["headers"]).get(b"content-length", b"0")
    return int(text) if text.isdigit() and len(text) < 16 else 0
