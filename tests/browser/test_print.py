"""A printed page: dark on white in both themes, no controls, charts and tables within the paper."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.session import open_page, wait_charts

PAPER_PX = 718  # A4 at 96 px an inch, less Chromium's margins of 0.4 inches
INK = "rgb(27, 31, 36)"
GONE = "[data-testid=stSidebar], [data-testid=stHeader], .st-key-be-actions, .modebar"
LOOK = """() => {
  const shown = [...document.querySelectorAll('.stApp *')].filter(node => node.checkVisibility());
  const inks = new Set();
  const walker = document.createTreeWalker(document.querySelector('.stApp'), NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode.parentElement;
    if (walker.currentNode.data.trim() && node.checkVisibility() && !node.closest('svg, style'))
      inks.add(getComputedStyle(node).color);
  }
  const dark = shown.filter(node => {
    const [r, g, b, a = 1] = getComputedStyle(node).backgroundColor.match(/[\\d.]+/g).map(Number);
    return a > 0.5 && r + g + b < 300 && node.clientHeight > 12;
  });
  return {
    inks: [...inks],
    paper: getComputedStyle(document.querySelector('.stApp')).backgroundColor,
    dark: dark.map(node => node.outerHTML.slice(0, 100)),
    charts: [...document.querySelectorAll('.breakeven-plot .main-svg')].map(n => n.clientWidth),
    ticks: [...new Set([...document.querySelectorAll('.breakeven-plot .xtick text')]
      .map(node => getComputedStyle(node).fill))],
    wide: [...document.querySelectorAll('.be-table')]
      .filter(node => node.getBoundingClientRect().right > innerWidth)
      .map(node => node.innerText.slice(0, 60)),
  };
}"""


@pytest.fixture(params=["light", "dark"])
def themed(request, browser: Browser):
    context = browser.new_context(
        viewport={"width": 1440, "height": 900}, color_scheme=request.param
    )
    yield context.new_page()
    context.close()


def on_paper(page: Page, address: str) -> dict:
    open_page(page, address)
    wait_charts(page)
    page.emulate_media(media="print")
    page.set_viewport_size({"width": PAPER_PX, "height": 1000})
    page.wait_for_timeout(500)
    return page.evaluate(LOOK)


@pytest.mark.parametrize("name", ["", "options", "serving"])
def test_dark_on_white_and_nothing_cut(server: str, themed: Page, name: str):
    look = on_paper(themed, f"{server}/{name}")
    assert look["inks"] == [INK]
    assert look["paper"] == "rgb(255, 255, 255)"
    assert not look["dark"]
    assert look["ticks"] == [INK]
    assert look["charts"] and max(look["charts"]) <= PAPER_PX
    assert not look["wide"]
    assert not any(node.is_visible() for node in themed.locator(GONE).all())


def test_the_charts_return_to_the_screen(server: str, themed: Page):
    open_page(themed, server)
    wait_charts(themed)
    first = "document.querySelector('.breakeven-plot')"
    state = (
        f"() => [{first}.clientWidth, getComputedStyle({first}.querySelector('.xtick text')).fill]"
    )
    before = themed.evaluate(state)
    themed.evaluate("() => dispatchEvent(new Event('beforeprint'))")
    themed.wait_for_timeout(300)
    assert themed.evaluate(state) == [680, INK]
    themed.evaluate("() => dispatchEvent(new Event('afterprint'))")
    themed.wait_for_timeout(300)
    assert themed.evaluate(state) == before
