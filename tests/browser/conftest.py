"""The real server, started once, and a browser whose contexts are reused."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.browser import session

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests of this folder need a browser and share one server on one worker."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.xdist_group("browser"))


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The address of a dashboard that was started by the real command."""
    port = session.free_port()
    process = session.start_server(port)
    try:
        session.wait_for_server(port, process)
        yield f"http://127.0.0.1:{port}"
    finally:
        session.stop(process)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One browser for the whole run."""
    if session.browser_path() is None:
        pytest.fail("no Chromium found: run `make test`, or set BREAKEVEN_BROWSER")
    with sync_playwright() as playwright:
        started = session.launch(playwright)
        yield started
        started.close()


@pytest.fixture(scope="session")
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A context that tests share: its cache holds the assets."""
    shared = browser.new_context(viewport={"width": 1440, "height": 900})
    shared.grant_permissions(["clipboard-read", "clipboard-write"])
    yield shared
    shared.close()


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A fresh tab; an uncaught error of the page fails the test."""
    tab = context.new_page()
    errors: list[str] = []
    tab.on("pageerror", lambda error: errors.append(str(error)))
    yield tab
    tab.close()
    assert not errors
