"""The guided start in a browser: answers change the verdict, and its link opens the same one."""

import re

from playwright.sync_api import Page, expect

from tests.browser.session import open_page, wait_charts, wait_ready

PATIENCE_MS = 15_000


def test_answers_of_a_newcomer_lead_to_home(server: str, page: Page):
    open_page(page, f"{server}/start")
    answer = page.locator(".be-answer").first
    expect(answer).to_contain_text("Buy it from the API", timeout=PATIENCE_MS)
    amount = page.get_by_role("spinbutton", name="How many", exact=True)
    amount.fill("500")
    amount.press("Enter")
    # 500 people x 12 requests x 365 / 12 x 5 / 7 days x 1,900 tokens are 248 million
    expect(page.get_by_text("248 million tokens a month")).to_be_visible(timeout=PATIENCE_MS)
    page.get_by_text("The data must stay in-house").last.click()
    expect(answer).to_contain_text("because the data must stay in-house", timeout=PATIENCE_MS)
    expect(page.get_by_text(re.compile("provider's building"))).to_be_visible()
    page.get_by_text("Buy cards").click()
    expect(page.get_by_text(re.compile("provider's building"))).to_have_count(0)
    wait_ready(page)
    said = answer.inner_text()
    page.get_by_role("link", name="Fill this in and open every figure").click()
    expect(page.locator("h1")).to_have_text("Breakeven", timeout=PATIENCE_MS)
    wait_ready(page)
    wait_charts(page)
    assert page.locator(".be-answer").first.inner_text() == said
    assert "billing=owned" in page.url
    assert page.locator(".be-problems").count() == 0
