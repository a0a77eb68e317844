"""Links that the server would drop without a word: the browser is sent to one that says so.

Streamlit ignores a query of over 1,000 parts, and hands the app an empty one.
"""

from __future__ import annotations

from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from calculators.link import Problem

MAX_PARTS = 1000  # of a query, Streamlit's limit
MAX_CHARACTERS = 62_000  # of a query; uvicorn itself ends at 64 KiB for all headers
REFUSED = "refused"  # the key that says why a link was left behind; deploy/nginx.conf sets it too
REASONS = {
    "parts": f"has over {MAX_PARTS:,} parts; all of it is ignored",
    "length": f"has over {MAX_CHARACTERS:,} characters; all of it is ignored",
}


def refusal(query: bytes) -> str | None:
    """Why a query is left behind: `parts`, `length`, or None where it is read.

    >>> refusal(b"tokens=20"), refusal(b"&" * 1000), refusal(b"a" * 62_001)
    (None, 'parts', 'length')
    """
    if len(query) > MAX_CHARACTERS:
        return "length"
    return "parts" if query.count(b"&") + 1 > MAX_PARTS else None


def problem(reason: str) -> Problem | None:
    """What the page says of a link that was left behind for this reason."""
    return Problem("link", "", REASONS[reason]) if reason in REASONS else None


class LongLinks:
    """ASGI middleware that sends a browser on from a link that would be dropped."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        reason = refusal(scope["query_string"]) if scope["type"] == "http" else None
        if reason is None or scope["method"] not in ("GET", "HEAD"):
            await self.app(scope, receive, send)
            return
        # A relative address: it stays on this page whatever host and path the proxy has.
        await RedirectResponse(f"?{REFUSED}={reason}", status_code=302)(scope, receive, send)
