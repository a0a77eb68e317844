"""While sliders move, nothing jumps: the browser's own measure of layout shift stays small."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.browser.session import open_page, wait_charts, wait_ready

WATCH = """() => {
  window.shifts = [];
  new PerformanceObserver(list => list.getEntries().forEach(entry => shifts.push(entry.value)))
    .observe({ type: 'layout-shift' });
}"""


@pytest.mark.parametrize("name", ["", "memory", "serving"])
def test_a_slider_moves_nothing_else(server: str, page: Page, name: str):
    open_page(page, f"{server}/{name}")
    wait_charts(page)
    page.evaluate(WATCH)
    for label in ("Context", "Batch"):
        slider = page.get_by_role("slider", name=label)
        slider.focus()
        slider.press("ArrowRight")
        page.wait_for_timeout(700)
        wait_ready(page)
    # 0.1 is "good" for a whole visit by the Core Web Vitals; shifts right after a key count here.
    assert sum(page.evaluate("() => window.shifts")) <= 0.05
