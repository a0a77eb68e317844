"""Plotly's bundle from the installed package, served by the app itself."""

from __future__ import annotations

import gzip
from functools import cache
from pathlib import Path

import plotly
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

# A path of its own for each version lets browsers keep the file for a year.
BUNDLE_PATH = f"assets/plotly-{plotly.__version__}.min.js"


@cache
def bundle() -> tuple[bytes, bytes]:
    """The bundle as it is and packed; the first call packs it, which takes a fifth of a second."""
    raw = (Path(plotly.__file__).parent / "package_data" / "plotly.min.js").read_bytes()
    return raw, gzip.compress(raw, compresslevel=6)


async def _serve(request: Request) -> Response:
    raw, packed = bundle()
    headers = {"cache-control": "public, max-age=31536000, immutable", "vary": "accept-encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["content-encoding"] = "gzip"
        return Response(packed, media_type="text/javascript", headers=headers)
    return Response(raw, media_type="text/javascript", headers=headers)


def bundle_route(base_path: str) -> Route:
    """The route of the bundle under the server's base path."""
    parts = [part for part in (base_path.strip("/"), BUNDLE_PATH) if part]
    return Route("/" + "/".join(parts), _serve, name="plotly")
