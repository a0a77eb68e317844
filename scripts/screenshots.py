"""Every page (or those named) at 1440 and 400 pixels, light and dark, into build/screenshots.

Usage: python scripts/screenshots.py [--url http://127.0.0.1:8501] [--query "model=..."] [page ...]
where a page is its address, such as `memory`, and `home` is the first one. Without --url a server
is started for the run.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from playwright.sync_api import Browser, sync_playwright  # noqa: E402

from tests.browser import session  # noqa: E402
from tests.browser.pages import addresses  # noqa: E402

OUT = ROOT / "build" / "screenshots"
FORMS = [(width, scheme) for width in (1440, 400) for scheme in ("light", "dark")]


def take(browser: Browser, url: str, pages: list[str], query: str) -> None:
    """One full-page picture of each page in each form."""
    for width, scheme in FORMS:
        context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
        page = context.new_page()
        for name in pages:
            address = "" if name == "home" else name
            session.open_page(page, f"{url}/{address}{'?' + query if query else ''}")
            session.wait_charts(page)
            grow(page, width)
            page.screenshot(path=OUT / f"{name}-{width}-{scheme}.png")
            page.set_viewport_size({"width": width, "height": 900})
        context.close()


def grow(page, width: int) -> None:
    """Make the window as high as the page, since Streamlit scrolls inside it."""
    height = page.evaluate("() => document.querySelector('[data-testid=stMain]').scrollHeight")
    page.set_viewport_size({"width": width, "height": min(max(900, height), 8000)})
    page.wait_for_timeout(400)


def main() -> None:
    """Read the arguments, start a server where none is named, take the pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pages", nargs="*")
    parser.add_argument("--url", help="a running dashboard")
    parser.add_argument("--query", default="", help="the part of a link after ?")
    given = parser.parse_args()
    OUT.mkdir(parents=True, exist_ok=True)
    port = session.free_port()
    server = None if given.url else session.start_server(port)
    try:
        if server:
            session.wait_for_server(port, server)
        with sync_playwright() as playwright:
            browser = session.launch(playwright)
            url = (given.url or f"http://127.0.0.1:{port}").rstrip("/")
            take(browser, url, given.pages or addresses(), given.query)
            browser.close()
    finally:
        if server:
            session.stop(server)
    print(f"written to {OUT.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
