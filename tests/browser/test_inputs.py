"""Inputs beyond the sliders: reasons on Home, everything under More, what choosing sets back."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Page, expect

from tests.browser.session import open_page, wait_charts, wait_ready


def wait_query(page: Page, wanted: str) -> None:
    page.wait_for_function("wanted => location.search === wanted", arg=wanted)
    wait_ready(page)


def test_a_reason_on_home_reaches_the_link_and_leaves_it_again(server: str, page: Page):
    open_page(page, server)
    reason = page.get_by_text("The data must stay in-house", exact=True)
    reason.click()
    wait_query(page, "?why=data")
    expect(page.locator(".be-answer")).to_contain_text("data must stay in-house")
    reason.click()
    wait_query(page, "")


def test_more_holds_every_other_input_and_keeps_it_when_closed(server: str, page: Page):
    open_page(page, server)
    wait_charts(page)
    assert page.get_by_role("spinbutton", name="Upkeep").count() == 0
    page.get_by_text("More", exact=True).click()
    upkeep = page.get_by_role("spinbutton", name="Upkeep")
    expect(upkeep).to_be_visible()
    upkeep.fill("1234")
    upkeep.press("Enter")
    wait_query(page, "?upkeep=1234")
    page.get_by_text("More", exact=True).click()
    page.wait_for_timeout(800)
    wait_ready(page)
    page.reload()
    wait_ready(page)
    assert parse_qs(urlsplit(page.url).query) == {"upkeep": ["1234"]}


def test_another_model_drops_what_was_custom_of_the_first(server: str, page: Page):
    open_page(page, f"{server}/?layers=40&size=99&upkeep=500")
    page.get_by_role("combobox", name="Model", exact=False).first.click()
    page.keyboard.type("Qwen3 32B")
    page.keyboard.press("Enter")
    page.wait_for_function("() => location.search.includes('model=qwen3-32b')")
    page.wait_for_function("() => !location.search.includes('layers')")
    wait_ready(page)
    query = parse_qs(urlsplit(page.url).query)
    assert query == {"model": ["qwen3-32b"], "upkeep": ["500"]}
