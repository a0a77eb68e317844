"""The server: Streamlit as an ASGI app, with security headers and Plotly's own bundle.

`streamlit run app/server.py` starts it, and so does `python -m app`.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:] = [entry for entry in sys.path if Path(entry or ".").resolve() != ROOT / "app"]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

import streamlit as st  # noqa: E402
from starlette.middleware import Middleware  # noqa: E402
from streamlit import config  # noqa: E402

from app.failures import Failures  # noqa: E402
from app.frames import OwnFrames  # noqa: E402
from app.headers import SecurityHeaders  # noqa: E402
from app.long_links import LongLinks  # noqa: E402
from app.origins import SameOrigin  # noqa: E402
from app.plotly_bundle import bundle_route  # noqa: E402
from app.sign_in import KeepLink, required  # noqa: E402
from app.upload_limits import UploadLimits  # noqa: E402
from app.warm_up import lifespan  # noqa: E402

app = st.App(
    ROOT / "app" / "main.py",
    lifespan=lifespan,
    routes=[bundle_route(config.get_option("server.baseUrlPath") or "")],
    middleware=[
        Middleware(SecurityHeaders),
        Middleware(Failures),
        Middleware(SameOrigin, allowed=config.get_option("server.corsAllowedOrigins")),
        Middleware(OwnFrames),
        Middleware(LongLinks),
        Middleware(UploadLimits),
        *([Middleware(KeepLink)] if required() else []),
    ],
)
