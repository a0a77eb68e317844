"""Every page: no outside request, no error, accessible, no sideways scroll."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page

from tests.browser.pages import addresses
from tests.browser.session import open_page, wait_charts

FORMS = [(1440, "light"), (400, "dark")]
PAGES = addresses()

# Long names and many cards; a model that does not fit; a card without a price, a long context.
HARD = [
    "model=deepseek-v3&cards=8",
    "model=llama-3.1-405b&wfmt=bf16&cards=4",
    "model=qwen3-32b&gpu=apple-m2-max-64gb&engine=llama-cpp&wfmt=gguf-q4-k-m&ctx=131072&batch=256",
]
SHOWN_OFTEN = ["home", "memory", "options", "break-even", "paging", "quality"]

# Faults inside Streamlit's own widgets, which an app cannot mend: the narrow navigation puts
# separators between the items of a list, an upload has a label and the role of a decoration.
STREAMLITS_OWN = ["[data-testid=stSidebarNav]", "[data-testid=stFileUploaderDropzone]"]


def path_of(name: str) -> str:
    return "" if name == "home" else name


@pytest.fixture(scope="module", params=FORMS, ids=lambda form: f"{form[0]}-{form[1]}")
def form(request, browser: Browser):
    width, scheme = request.param
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    yield context
    context.close()


def opened(context: BrowserContext, server: str, name: str) -> tuple[Page, list[str]]:
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda m: faults.append(m.text) if "Content Security" in m.text else None)
    page.on(
        "request",
        lambda request: (
            faults.append(request.url)
            if urlsplit(request.url).scheme.startswith(("http", "ws"))
            and urlsplit(request.url).hostname != "127.0.0.1"
            else None
        ),
    )
    open_page(page, f"{server}/{path_of(name)}")
    wait_charts(page)
    return page, faults


@pytest.mark.parametrize("name", PAGES)
def test_page(form: BrowserContext, server: str, name: str):
    page, faults = opened(form, server, name)
    assert page.get_by_test_id("stException").count() == 0
    assert not faults
    assert not violations(page)
    assert not sideways(page)
    for chart in page.locator(".breakeven-plot").all():
        assert chart.get_attribute("role") == "figure"
        assert len(chart.get_attribute("aria-label") or "") > 20
    page.close()


@pytest.mark.parametrize("query", HARD)
def test_hard_scenarios_fit_a_phone(browser: Browser, server: str, query: str):
    context = browser.new_context(viewport={"width": 400, "height": 900})
    page = context.new_page()
    for name in SHOWN_OFTEN:
        open_page(page, f"{server}/{path_of(name)}?{query}")
        wait_charts(page)
        assert page.get_by_test_id("stException").count() == 0
        assert not sideways(page), name
        for cell in page.locator(".be-wide td:visible").all()[:20]:
            assert cell.bounding_box()["x"] + cell.bounding_box()["width"] <= 400, name
    context.close()


def violations(page: Page) -> list[str]:
    """What axe-core finds wrong, one line a node."""
    found = Axe().run(
        page,
        context={"exclude": [[selector] for selector in STREAMLITS_OWN]},
        options={"resultTypes": ["violations"]},
    )
    return [
        f"{fault['id']}: {node['target']} {node['html'][:200]}"
        for fault in found.response["violations"]
        for node in fault["nodes"]
    ]


def sideways(page: Page) -> list[str]:
    """Elements of the main area that reach beyond it, unless they scroll by themselves."""
    return page.evaluate(
        """() => {
          const main = document.querySelector('[data-testid=stMain]');
          return main.scrollWidth > main.clientWidth + 1
            ? [`${main.scrollWidth} > ${main.clientWidth}`] : [];
        }"""
    )
