"""A real session: find a browser, start the real command, wait until a page is ready."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from playwright.sync_api import Browser, Page, Playwright, expect

ROOT = Path(__file__).resolve().parents[2]
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
READY = (
    "[data-testid=stApp][data-test-script-state=notRunning][data-test-connection-state=CONNECTED]"
)


def browser_path() -> str | None:
    """The browser to drive: BREAKEVEN_BROWSER, else the first one on the path."""
    own = os.environ.get("BREAKEVEN_BROWSER")
    return own or next((path for name in BROWSERS if (path := shutil.which(name))), None)


def launch(playwright: Playwright) -> Browser:
    """Start the browser that is installed; nothing is downloaded."""
    return playwright.chromium.launch(
        executable_path=browser_path(),
        args=["--no-sandbox", "--disable-background-networking", "--disable-dev-shm-usage"],
    )


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def start_server(port: int, *arguments: str, env: dict[str, str] | None = None) -> subprocess.Popen:
    """Start the dashboard as a user does: `python -m app`, in a process group of its own."""
    command = [sys.executable, "-m", "app", "--port", str(port), *arguments]
    return subprocess.Popen(
        command,
        cwd=ROOT,
        env={**os.environ, **(env or {})},
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def wait_for_server(
    port: int, server: subprocess.Popen, *, base: str = "", timeout_s: float = 60
) -> None:
    """Wait until the health address answers `ok`; fail at once if the process has ended."""
    url = f"http://127.0.0.1:{port}{base}/_stcore/health"
    deadline = time.monotonic() + timeout_s
    while time.monotonic() < deadline:
        if server.poll() is not None:
            raise RuntimeError(f"the server ended with code {server.returncode}")
        try:
            with urllib.request.urlopen(url, timeout=2) as answer:
                if answer.read() == b"ok":
                    return
        except OSError:
            time.sleep(0.1)
    raise TimeoutError(f"{url} did not answer within {timeout_s:.0f} s")


def wait_ready(page: Page, *, timeout_s: float = 60) -> None:
    """Wait until the heading is there, the socket is open, the script has run, HTML is shown.

    In this order: before its first run a script is not running either.
    """
    expect(page.locator("h1").first).to_be_visible(timeout=timeout_s * 1000)
    page.locator(READY).wait_for(timeout=timeout_s * 1000)
    expect(page.locator(".be-question").first).to_be_visible(timeout=timeout_s * 1000)
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0, timeout=timeout_s * 1000)


def open_page(page: Page, url: str, *, timeout_s: float = 60) -> None:
    """Go to an address and wait until it is ready."""
    page.goto(url)
    wait_ready(page, timeout_s=timeout_s)


def wait_charts(page: Page, *, timeout_s: float = 30) -> None:
    """Wait until every chart of the page is drawn."""
    page.wait_for_function(
        "() => [...document.querySelectorAll('.breakeven-plot')]"
        ".every(node => node.querySelector('.main-svg'))",
        timeout=timeout_s * 1000,
    )


def stop(server: subprocess.Popen) -> None:
    """End a server that this test started."""
    server.terminate()
    try:
        server.wait(timeout=10)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait(timeout=10)
