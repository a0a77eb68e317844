"""`python -m app.health`: exit 0 when the server on this machine answers, else 1.

The address is asked for its exact answer, because unknown paths below the base path answer 200
too, so that a mistyped probe would always be green.
"""

from __future__ import annotations

import os
import sys
import urllib.request


def health_url(environment: dict[str, str]) -> str:
    """The health address that follows from the server's own environment variables.

    >>> health_url({"STREAMLIT_SERVER_PORT": "80", "STREAMLIT_SERVER_BASE_URL_PATH": "/b/"})
    'http://127.0.0.1:80/b/_stcore/health'
    >>> health_url({})
    'http://127.0.0.1:8501/_stcore/health'
    """
    port = environment.get("STREAMLIT_SERVER_PORT", "8501")
    base = environment.get("STREAMLIT_SERVER_BASE_URL_PATH", "").strip("/")
    return f"http://127.0.0.1:{port}/{base + '/' if base else ''}_stcore/health"


def main() -> int:
    """0 when the answer is `ok`."""
    try:
        with urllib.request.urlopen(health_url(dict(os.environ)), timeout=2) as answer:
            return 0 if answer.read() == b"ok" else 1
    except OSError:
        return 1


if __name__ == "__main__":
    sys.exit(main())
