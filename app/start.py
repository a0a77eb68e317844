"""The start command, without Streamlit in this process."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parent.parent


def command(*, port: int | None, address: str | None, base_path: str) -> list[str]:
    """The arguments that start the server with this interpreter.

    >>> command(port=80, address=None, base_path="")[-3:][0], command(
    ...     port=80, address=None, base_path="")[-1]
    ('run', '--server.port=80')
    """
    given = {"port": port, "address": address, "baseUrlPath": base_path}
    options = [f"--server.{name}={value}" for name, value in given.items() if value]
    return [sys.executable, "-m", "streamlit", "run", str(ROOT / "app" / "server.py"), *options]


def run(*, port: int | None = None, address: str | None = None, base_path: str = "") -> NoReturn:
    """Become the server process, in the project's folder, where its configuration lies.

    What is not given comes from the STREAMLIT_* variables, then from .streamlit/config.toml. Each
    run is a thread; few heaps for all of them keep the C library from holding on to more memory.
    """
    os.environ.setdefault("MALLOC_ARENA_MAX", "2")
    os.chdir(ROOT)
    os.execv(sys.executable, command(port=port, address=address, base_path=base_path))
