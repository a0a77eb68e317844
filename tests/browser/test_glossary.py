"""Terms lead to their line in the glossary, and the scenario comes along."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.session import open_page, wait_ready


@pytest.mark.parametrize("term", ["kv-cache", "break-even", "weights"])
def test_an_anchor_is_in_sight(page: Page, server: str, term: str):
    open_page(page, f"{server}/glossary#{term}")
    expect(page.locator(f"#{term}")).to_be_in_viewport(timeout=10_000)


def test_a_term_opens_its_line(page: Page, server: str):
    open_page(page, f"{server}/memory?batch=4")
    link = page.locator("a.be-term", has_text="cache").first
    assert "conversation so far" in (link.get_attribute("title") or "")
    with page.context.expect_page() as opened:
        link.click()
    glossary = opened.value
    wait_ready(glossary)
    expect(glossary.get_by_role("heading", name="KV cache")).to_be_in_viewport(timeout=10_000)
    assert "batch=4" in glossary.url
    glossary.close()


def test_a_term_is_linked_once(page: Page, server: str):
    open_page(page, f"{server}/unit-cost")
    expect(page.locator("a.be-term").first).to_be_visible()
    titles = [link.get_attribute("title") for link in page.locator("a.be-term").all()]
    assert len(titles) == len(set(titles)) > 5
