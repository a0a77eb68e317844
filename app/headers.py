"""Security headers for every response of the server."""

from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path

import streamlit
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_INLINE_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)


def inline_script_hashes(page: str) -> list[str]:
    """The CSP sources of the inline scripts of an HTML page.

    >>> inline_script_hashes("<script>1</script>")
    ["'sha256-a4ayc/80/OGda4BO/1o/V0etpOqiLx1JwB5S3beHW0s='"]
    """
    digests = (hashlib.sha256(text.encode()).digest() for text in _INLINE_SCRIPT.findall(page))
    return [f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests]


def content_security_policy(page: str) -> str:
    """The policy: everything from this host alone, scripts only by file or by hash."""
    rules = {
        "default-src": "'self'",
        "script-src": f"'self' 'wasm-unsafe-eval' blob: {' '.join(inline_script_hashes(page))}",
        "style-src": "'self' 'unsafe-inline'",
        "img-src": "'self' data: blob:",
        "font-src": "'self' data:",
        "worker-src": "'self' blob:",
        "connect-src": "'self'",
        "frame-src": "'none'",
        "object-src": "'none'",
        "base-uri": "'self'",
        "form-action": "'self'",
        "frame-ancestors": "'self'",
    }
    return "; ".join(f"{name} {value}" for name, value in rules.items())


def security_headers() -> dict[str, str]:
    """The headers, with the hash of the inline script of the installed Streamlit's page."""
    page = Path(streamlit.__file__).with_name("static") / "index.html"
    return {
        "content-security-policy": content_security_policy(page.read_text(encoding="utf-8")),
        "x-content-type-options": "nosniff",
        "x-frame-options": "SAMEORIGIN",
        "referrer-policy": "same-origin",
        "cross-origin-opener-policy": "same-origin",
        "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    }


class SecurityHeaders:
    """ASGI middleware that adds the security headers to every HTTP response."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.headers = [(k.encode(), v.encode()) for k, v in security_headers().items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                ours = {name for name, _ in self.headers}
                kept = [pair for pair in message.get("headers", []) if pair[0].lower() not in ours]
                message["headers"] = kept + self.headers
            await send(message)

        await self.app(scope, receive, send_with_headers if scope["type"] == "http" else send)
