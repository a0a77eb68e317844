"""The panel of formulas: made when opened, readable by everyone, and open while inputs change."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.session import open_page

PAGES = ["", "unit-cost", "break-even", "ownership", "roofline", "options", "compare",
         "sensitivity", "second-opinion", "memory", "traffic", "quality", "serving", "speculative",
         "quantization", "kv-cache", "paging", "accuracy", "catalog"]  # fmt: skip


@pytest.mark.parametrize("name", PAGES)
def test_a_page_opens_to_its_formulas(page: Page, server: str, name: str):
    open_page(page, f"{server}/{name}?upkeep=1234")
    expect(page.locator(".be-derivation")).to_have_count(0)
    page.get_by_text("How each figure is computed").click()
    first = page.locator(".be-derivation").first
    expect(first).to_be_visible(timeout=15_000)
    assert page.locator(".be-derivation pre").count() > 2
    first.locator("summary").click()
    expect(first.get_by_text("Computed by")).to_be_visible()
    assert page.get_by_test_id("stException").count() == 0
    found = Axe().run(page, context={"include": [[".be-explain"]]})
    assert not found.response["violations"]


def test_the_panel_follows_the_inputs(page: Page, server: str):
    open_page(page, f"{server}/?upkeep=1234")
    page.get_by_text("How each figure is computed").click()
    bill = page.locator(".be-derivation pre").first
    expect(bill).to_contain_text("1,234 USD upkeep")
    cards = page.get_by_role("spinbutton", name="Cards per replica")
    cards.fill("2")
    cards.press("Enter")
    expect(bill).to_contain_text("2 cards", timeout=15_000)
