"""The chart component: the node stays, zoom survives, clicks come back, the theme is followed."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Browser, Page, expect

from tests.browser.session import open_page, wait_charts, wait_ready

FIRST = "document.querySelector('.breakeven-plot')"


def move_batch(page: Page) -> None:
    slider = page.get_by_role("slider", name="Batch")
    before = slider.get_attribute("aria-valuetext") or ""
    slider.focus()
    slider.press("ArrowRight")
    expect(slider).not_to_have_attribute("aria-valuetext", before)
    page.wait_for_timeout(400)
    wait_ready(page)


def drag_over(page: Page) -> None:
    """Zoom into the middle of the first chart as a person does."""
    before = page.evaluate(f"() => {FIRST}.layout.xaxis.range")
    box = page.locator(".breakeven-plot .nsewdrag").first.bounding_box()
    assert box
    x, y = box["x"] + box["width"] * 0.4, box["y"] + box["height"] * 0.5
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 150, y, steps=5)
    page.mouse.up()
    page.wait_for_timeout(500)
    assert page.evaluate(f"() => {FIRST}.layout.xaxis.range") != before


def test_zoom_and_node_survive_new_data(server: str, page: Page):
    open_page(page, f"{server}/unit-cost?batch=4")
    wait_charts(page)
    page.evaluate(f"() => {{ {FIRST}.dataset.mark = 'same'; }}")
    drag_over(page)
    zoomed = page.evaluate(f"() => {FIRST}.layout.xaxis.range")
    drawn = page.evaluate(f"() => JSON.stringify({FIRST}.data.map(trace => trace.y))")
    page.get_by_role("slider", name="Context").focus()
    page.get_by_role("slider", name="Context").press("ArrowRight")
    page.wait_for_function(
        f"before => JSON.stringify({FIRST}.data.map(trace => trace.y)) !== before", arg=drawn
    )
    wait_ready(page)
    assert page.evaluate(f"() => {FIRST}.dataset.mark") == "same"
    assert page.evaluate(f"() => {FIRST}.layout.xaxis.range") == zoomed


def test_a_clicked_cell_sets_batch_and_duty(server: str, page: Page):
    open_page(page, f"{server}/unit-cost")
    wait_charts(page)
    heatmap = page.locator(".breakeven-plot:has(.heatmaplayer image)").last
    heatmap.scroll_into_view_if_needed()
    box = heatmap.locator(".nsewdrag").first.bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] * 0.25, box["y"] + box["height"] * 0.25)
    page.wait_for_timeout(200)
    page.mouse.click(box["x"] + box["width"] * 0.25, box["y"] + box["height"] * 0.25)
    page.wait_for_function("() => location.search.includes('batch=')")
    wait_ready(page)
    query = parse_qs(urlsplit(page.url).query)
    assert int(query["batch"][0]) > 0
    assert 0 < float(query["duty"][0]) <= 1


def test_the_chart_follows_the_theme(server: str, browser: Browser):
    context = browser.new_context(color_scheme="light", viewport={"width": 1440, "height": 900})
    page = context.new_page()
    open_page(page, server)
    wait_charts(page)
    ink = f"() => getComputedStyle({FIRST}.querySelector('.xtick text')).fill"
    light = page.evaluate(ink)
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(
        f"light => getComputedStyle({FIRST}.querySelector('.xtick text')).fill !== light", arg=light
    )
    assert page.evaluate(ink) != light
    context.close()


def test_plotly_comes_once_from_the_app_itself(server: str, browser: Browser):
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    scripts: list[str] = []
    page.on("request", lambda r: scripts.append(r.url) if r.resource_type == "script" else None)
    open_page(page, server)
    wait_charts(page)
    move_batch(page)
    plotly = [url for url in scripts if "plotly" in url.lower()]
    assert len(plotly) == 1
    assert urlsplit(plotly[0]).path.startswith("/assets/plotly-")
    context.close()


def test_the_chart_fits_a_narrow_window(server: str, browser: Browser):
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    open_page(page, server)
    wait_charts(page)
    page.set_viewport_size({"width": 400, "height": 900})
    page.wait_for_function(f"() => {FIRST}.querySelector('.main-svg').clientWidth < 400")
    context.close()
