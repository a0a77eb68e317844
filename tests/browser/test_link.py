"""One scenario lives in the address: sliders, pages, back, forward, reload, copies, garbage."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.session import open_page, wait_charts, wait_ready

SLIDERS = {
    "Model size": "size",
    "Bits": "bits",
    "Context": "ctx",
    "Batch": "batch",
    "Hourly rate": "rate",
    "Duty cycle": "duty",
}


def query(page: Page) -> dict[str, list[str]]:
    return parse_qs(urlsplit(page.url).query)


def press(page: Page, label: str, key: str = "ArrowRight") -> None:
    slider = page.get_by_role("slider", name=label)
    before = slider.get_attribute("aria-valuetext")
    slider.focus()
    slider.press(key)
    expect(slider).not_to_have_attribute("aria-valuetext", before or "")
    page.wait_for_timeout(300)
    wait_ready(page)


def figures(page: Page) -> list[str]:
    """What the page says in words and numbers."""
    return page.locator(".be-verdict, .be-metrics, .be-table, .breakeven-alt").all_inner_texts()


def go_to(page: Page, section: str, title: str) -> None:
    page.get_by_test_id("stTopNavSection").get_by_text(section, exact=True).click()
    page.get_by_role("menuitem", name=title, exact=True).click()
    page.wait_for_timeout(300)
    wait_ready(page)


def value_of(page: Page, label: str) -> str:
    return page.get_by_role("slider", name=label).get_attribute("aria-valuetext") or ""


@pytest.mark.parametrize("label", SLIDERS)
def test_each_slider_changes_the_address_and_the_page(server: str, page: Page, label: str):
    open_page(page, f"{server}/?tokens=20000")
    wait_charts(page)
    before = figures(page)
    press(page, label)
    assert SLIDERS[label] in query(page)
    assert query(page)["tokens"] == ["20000"] or label == "Duty cycle"
    assert figures(page) != before


def test_a_move_after_another_reaches_the_address(server: str, page: Page):
    """A note that comes or goes with the first move shifts what stands below it."""
    open_page(page, f"{server}/?tokens=20000")
    for label in ("Batch", "Hourly rate", "Bits", "Duty cycle", "Model size", "Hourly rate"):
        press(page, label)
        assert SLIDERS[label] in query(page)
    assert float(query(page)["rate"][0]) == float(value_of(page, "Hourly rate").split()[0])


def test_the_scenario_survives_pages_reload_back_and_forward(server: str, page: Page):
    open_page(page, f"{server}/?batch=4")
    press(page, "Context")
    first = query(page)
    go_to(page, "Cost", "Unit cost")
    assert query(page) == first
    press(page, "Batch")
    second = query(page)
    assert second["batch"] == ["5"]
    page.reload()
    wait_ready(page)
    assert query(page) == second
    assert value_of(page, "Batch") == "5"
    page.go_back()
    page.wait_for_timeout(300)
    wait_ready(page)
    assert page.locator("h1").first.inner_text() == "Breakeven"
    assert (query(page), value_of(page, "Batch")) == (first, "4")
    page.go_forward()
    page.wait_for_timeout(300)
    wait_ready(page)
    assert (query(page), value_of(page, "Batch")) == (second, "5")


def test_a_copied_address_opens_the_same_page_in_another_browser(
    server: str, page: Page, browser: Browser
):
    open_page(page, f"{server}/?gpu=h200-sxm&ctx=32768&size=71.5&why=data&why=latency")
    wait_charts(page)
    other = browser.new_context().new_page()
    open_page(other, page.url)
    wait_charts(other)
    assert figures(other) == figures(page)
    assert other.url == page.url
    other.context.close()


def test_share_gives_a_link_with_every_field(server: str, page: Page):
    open_page(page, f"{server}/?batch=3&ctx=99999")
    page.get_by_role("button", name="Share", exact=True).click()
    link = page.get_by_test_id("stCode").inner_text().strip()
    shared = parse_qs(urlsplit(link).query, keep_blank_values=True)
    assert shared["v"] == ["1"]
    assert shared["batch"] == ["3"]
    assert shared["asof"][0]
    open_page(page, link)
    assert value_of(page, "Batch") == "3"
    assert value_of(page, "Context") == "99999 tokens"
    assert page.locator(".be-problems").count() == 0


def test_a_garbage_link_names_each_problem_and_still_works(server: str, page: Page):
    open_page(
        page,
        f"{server}/?batch=banana&rate=-1&model=<img src=x onerror=alert(1)>&nope=7&ctx=4096&v=999",
    )
    problems = page.locator(".be-problems").inner_text()
    for key in ("batch", "rate", "model", "nope", "v"):
        assert f"{key}:" in problems
    assert page.locator(".be-problems img").count() == 0
    assert query(page) == {"ctx": ["4096"]}
    press(page, "Batch")
    assert "batch:" not in page.locator(".be-problems").inner_text()
    assert "rate:" in page.locator(".be-problems").inner_text()


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ("&".join(f"k{i}=1" for i in range(1001)), "link: has over 1,000 parts"),
        ("batch=4&why=" + "x" * 62_000, "link: has over 62,000 characters"),
    ],
)
def test_a_link_that_the_server_would_drop_is_named(
    server: str, page: Page, query: str, named: str
):
    open_page(page, f"{server}/memory?{query}")
    assert named in page.locator(".be-problems").inner_text()
    assert page.url == f"{server}/memory"
    press(page, "Batch")
    assert page.locator(".be-problems").count() == 0


def test_choosing_a_model_sets_its_sliders(server: str, page: Page):
    open_page(page, f"{server}/?size=99")
    assert value_of(page, "Model size") == "99 billion"
    page.get_by_role("combobox", name="Model", exact=False).first.click()
    page.keyboard.type("Qwen3 32B")
    page.keyboard.press("Enter")
    size = page.get_by_role("slider", name="Model size")
    expect(size).to_have_attribute("aria-valuetext", "32.76 billion")  # as published
    wait_ready(page)
    assert query(page) == {"model": ["qwen3-32b"]}


def test_a_new_demand_sets_the_duty_cycle_back(server: str, page: Page):
    open_page(page, f"{server}/?duty=0.5")
    demand = page.get_by_role("spinbutton", name="Demand")
    demand.fill("500")
    demand.press("Enter")
    duty = page.get_by_role("slider", name="Duty cycle")
    expect(duty).not_to_have_attribute("aria-valuetext", "50%")
    wait_ready(page)
    assert query(page) == {"tokens": ["500"]}


def test_values_beyond_the_usual_ends_of_a_slider_stay(server: str, page: Page):
    open_page(page, f"{server}/?ctx=1048576&batch=2000&rate=99.5&size=1500&bits=32")
    assert page.locator(".be-problems").count() == 0
    assert value_of(page, "Context") == "1048576 tokens"
    assert value_of(page, "Batch") == "2000"
    assert value_of(page, "Hourly rate") == "99.50 USD/h"
    press(page, "Batch", "ArrowLeft")
    assert query(page)["batch"] == ["1999"]
    assert query(page)["ctx"] == ["1048576"]
