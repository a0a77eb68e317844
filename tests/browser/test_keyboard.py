"""The keyboard alone: every slider, the navigation, the panels; focus stays and can be seen."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.session import open_page, wait_charts, wait_ready

SLIDERS = ("Model size", "Bits", "Context", "Batch", "Hourly rate", "Duty cycle")
MAX_TABS = 90
NAME = """() => {
  const on = document.activeElement;
  if (on.tagName === 'MAIN') return '';
  const words = (on.innerText || '').split('\\n').filter(line => !line.startsWith('keyboard_'));
  return on.getAttribute('aria-label') || words.join(' ').trim();
}"""
# The ring is on the control itself or on the visible part around a hidden input.
RING = """() => {
  let on = document.activeElement;
  for (let up = 0; up < 3; up++, on = on.parentElement) {
    const style = getComputedStyle(on);
    if (style.outlineStyle === 'solid') return [style.outlineWidth, style.outlineColor];
  }
  return ['none', ''];
}"""
# The text colours of the two themes: their contrast with the background is over 12.
TEXT = {"light": "rgb(27, 31, 36)", "dark": "rgb(232, 234, 237)"}


def tab_to(page: Page, name: str, key: str = "Tab") -> None:
    """Press Tab until the control of this name has the focus."""
    for _ in range(MAX_TABS):
        page.keyboard.press(key)
        if page.evaluate(NAME).startswith(name):
            return
    raise AssertionError(f"{name} was not reached with {MAX_TABS} presses of {key}")


def figures(page: Page) -> list[str]:
    return page.locator(".be-verdict, .be-metrics, .be-table, .breakeven-alt").all_inner_texts()


def test_each_slider_is_reached_moved_and_keeps_the_focus(server: str, page: Page):
    open_page(page, f"{server}/?tokens=20000")
    wait_charts(page)
    for label in SLIDERS:
        before = figures(page)
        tab_to(page, label)
        slider = page.get_by_role("slider", name=label)
        stood = slider.get_attribute("aria-valuetext") or ""
        page.keyboard.press("ArrowRight")
        expect(slider).not_to_have_attribute("aria-valuetext", stood)
        page.wait_for_timeout(400)
        wait_ready(page)
        assert figures(page) != before, label
        assert page.evaluate(NAME) == label


def test_backwards_and_the_skip_link(server: str, page: Page):
    open_page(page, server)
    wait_charts(page)
    tab_to(page, "Skip to main content")
    page.keyboard.press("Enter")
    tab_to(page, "Share")
    tab_to(page, "Duty cycle", "Shift+Tab")


def test_another_page_opens_through_the_navigation(server: str, page: Page):
    open_page(page, f"{server}/?batch=4")
    tab_to(page, "Cost")
    page.keyboard.press("Enter")
    expect(page.get_by_role("menuitem", name="Unit cost")).to_be_visible()
    for _ in range(9):
        page.keyboard.press("ArrowDown")
        if page.evaluate(NAME).endswith("Break-even"):
            break
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1, name="Break-even")).to_be_visible()
    assert parse_qs(urlsplit(page.url).query) == {"batch": ["4"]}


def test_the_panel_of_formulas_opens_and_closes(server: str, page: Page):
    open_page(page, server)
    wait_charts(page)
    tab_to(page, "How each figure is computed")
    page.keyboard.press("Enter")
    expect(page.locator(".be-derivation").first).to_be_visible()
    page.wait_for_timeout(300)
    assert page.evaluate(NAME).startswith("How each figure is computed")
    page.keyboard.press("Space")
    expect(page.locator(".be-derivation").first).to_be_hidden()


def test_share_and_memo_open_and_escape_closes_them(server: str, page: Page):
    open_page(page, server)
    for name, inside in (
        ("Share", page.get_by_test_id("stCode")),
        ("Memo", page.get_by_role("button", name="Markdown")),
    ):
        tab_to(page, name)
        page.keyboard.press("Enter")
        expect(inside).to_be_visible()
        page.keyboard.press("Escape")
        expect(inside).to_be_hidden()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_place_of_the_keyboard_is_seen(server: str, browser: Browser, scheme: str):
    context = browser.new_context(viewport={"width": 1440, "height": 900}, color_scheme=scheme)
    page = context.new_page()
    open_page(page, server)
    wait_charts(page)
    seen = {}
    for name in ("Help for Model", "Model size", "More", "Decide", "Share", "hardware", "Zoom",
                 "The data must stay in-house", "How each figure is computed"):  # fmt: skip
        tab_to(page, name)
        seen[name] = page.evaluate(RING)
    context.close()
    assert seen == {name: ["2px", TEXT[scheme]] for name in seen}


def test_who_asks_for_less_motion_gets_it(server: str, browser: Browser):
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()
    open_page(page, server)
    slow = page.evaluate(
        """() => [...document.querySelectorAll('.stApp *')].filter(node =>
          ['animationDuration', 'transitionDuration'].some(kind =>
            getComputedStyle(node)[kind].split(',').some(text => parseFloat(text) > 0.01))
        ).length"""
    )
    context.close()
    assert slow == 0
