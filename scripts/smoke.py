"""Start the dashboard by the README's command and open a real session in a browser."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from playwright.sync_api import sync_playwright  # noqa: E402

from tests.browser.session import free_port, launch, open_page, wait_for_server  # noqa: E402


def main() -> int:
    """Exit code 0 when the heading of Home appears."""
    port = free_port()
    command = ["make", "run", f"PORT={port}"]
    server = subprocess.Popen(command, cwd=ROOT, start_new_session=True)
    try:
        wait_for_server(port, server, timeout_s=600)
        with sync_playwright() as playwright:
            browser = launch(playwright)
            page = browser.new_page()
            open_page(page, f"http://127.0.0.1:{port}/")
            heading = page.locator("h1").first.inner_text()
            browser.close()
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.wait(timeout=30)
    print(f"{' '.join(command)}: a session opened, heading “{heading}”")
    return 0 if heading.strip() else 1


if __name__ == "__main__":
    sys.exit(main())
