"""Uploaded logs and result files: read, shown, refused in a sentence, carried into the link."""

from __future__ import annotations

import json
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Page, expect

from tests.browser.session import open_page, wait_ready

HOUR = 3600


def put(page: Page, *files: tuple[str, bytes]) -> None:
    for place, (name, content) in enumerate(files):
        payload = {"name": name, "mimeType": "text/plain", "buffer": content}
        page.locator("input[type=file]").nth(place).set_input_files(payload)
        expect(page.get_by_text(name[:6]).first).to_be_visible()
        page.wait_for_timeout(500)
        wait_ready(page)


def test_a_log_is_read_and_carried_into_the_link(server: str, page: Page):
    rows = "".join(f"{1_767_571_200 + HOUR * n},900,100\n" for n in range(337))
    open_page(page, f"{server}/traffic")
    put(page, ("usage.csv", ("timestamp,prompt_tokens,completion_tokens\n" + rows).encode()))
    expect(page.get_by_text("This log asks for")).to_be_visible()
    page.get_by_role("button", name="Use this traffic in the scenario").click()
    page.wait_for_timeout(500)
    wait_ready(page)
    query = parse_qs(urlsplit(page.url).query)
    assert (query["in"], query["out"]) == (["900"], ["100"])
    assert abs(float(query["tokens"][0]) - 0.73) < 0.01


def test_what_is_no_log_is_refused_in_a_sentence(server: str, page: Page):
    open_page(page, f"{server}/traffic")
    put(page, ("usage.csv", b"version https://git-lfs.github.com/spec/v1\noid sha256:a\n"))
    expect(page.get_by_text("Git LFS pointer")).to_be_visible()


def test_two_result_files_are_compared(server: str, page: Page):
    files = []
    for name, value in (("before.json", 0.6), ("after.json", 0.4)):
        results = {"gsm8k": {"exact_match,strict": value, "exact_match_stderr,strict": 0.01}}
        files.append((name, json.dumps({"results": results}).encode()))
    open_page(page, f"{server}/quality")
    put(page, *files)
    expect(page.get_by_text("gsm8k (exact_match, strict) by 20.0 points").first).to_be_visible()


def test_own_hours_go_into_the_link(server: str, page: Page):
    open_page(page, f"{server}/traffic")
    page.get_by_role("radiogroup").get_by_text("own hours").click()
    page.wait_for_timeout(500)
    wait_ready(page)
    box = page.get_by_role("textbox", name="24 or 168 numbers")
    box.fill("0," * 12 + "1," * 12)
    box.press("Control+Enter")
    page.wait_for_timeout(800)
    wait_ready(page)
    assert parse_qs(urlsplit(page.url).query)["profile"] == [("0" * 12 + "_" * 12) * 7]
    box = page.get_by_role("textbox", name="24 or 168 numbers")
    box.fill("1, 2, soon")
    box.press("Control+Enter")
    expect(page.get_by_text("is 'soon'")).to_be_visible()
