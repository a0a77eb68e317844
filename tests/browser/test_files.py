"""Files out and in: memo, Markdown and CSV; results, a run and own figures as uploads."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.session import open_page, wait_charts, wait_ready

PATIENCE_MS = 15_000


def put(page: Page, name: str, content: bytes, *, place: int = 0) -> None:
    payload = {"name": name, "mimeType": "text/plain", "buffer": content}
    page.locator("input[type=file]").nth(place).set_input_files(payload)


def saved(page: Page, label: str) -> bytes:
    with page.expect_download() as waiting:
        page.get_by_role("button", name=label, exact=True).click()
    return Path(waiting.value.path()).read_bytes()


def test_the_memo_as_pdf_markdown_and_csv(server: str, page: Page):
    open_page(page, f"{server}/?tokens=4321")
    answer = page.locator(".be-answer").inner_text()
    page.get_by_role("button", name="Memo").click()
    expect(page.get_by_role("button", name="CSV", exact=True)).to_be_visible()
    text = saved(page, "Markdown").decode()
    assert answer in text
    assert "tokens=4321" in text
    rows = list(csv.reader(io.StringIO(saved(page, "CSV").decode())))
    assert len(rows) > 10
    assert len({len(row) for row in rows}) == 1
    assert any("4321" in cell for row in rows for cell in row)
    pdf = saved(page, "PDF")
    assert pdf.startswith(b"%PDF-")
    assert b"%%EOF" in pdf[-1024:]


def test_two_perplexities_are_compared(server: str, page: Page):
    open_page(page, f"{server}/quality")
    for place, (name, value) in enumerate((("before.json", 8.0), ("after.json", 10.0))):
        results = {"wikitext": {"word_perplexity,none": value}}
        put(page, name, json.dumps({"results": results}).encode(), place=place)
        expect(page.get_by_text(name).first).to_be_visible()
        page.wait_for_timeout(300)
        wait_ready(page)
    # 10 / 8 - 1
    expect(page.get_by_text("+25.0 %").first).to_be_visible(timeout=PATIENCE_MS)


def test_an_own_benchmark_run_is_scored(server: str, page: Page):
    run = {
        "backend": "vllm",
        "model_id": "meta-llama/Llama-3.1-8B-Instruct",
        "num_prompts": 100,
        "completed": 100,
        "max_concurrency": 8,
        "duration": 60.0,
        "total_input_tokens": 100_000,
        "total_output_tokens": 20_000,
        "output_throughput": 333.3,
        "mean_tpot_ms": 9.5,
        "median_ttft_ms": 60.0,
        "median_tpot_ms": 9.4,
    }
    open_page(page, f"{server}/accuracy")
    put(page, "run.json", json.dumps(run).encode())
    expect(page.get_by_text("does not say this")).to_be_visible(timeout=PATIENCE_MS)
    cards = page.get_by_role("spinbutton", name="Cards of this run")
    cards.fill("1")
    cards.press("Enter")
    page.get_by_role("combobox", name="Card of this run").click()
    page.keyboard.type("H100 SXM5 80GB")
    page.keyboard.press("Enter")
    table = page.get_by_role("table", name="The rows that are furthest off")
    expect(table.get_by_text("333").first).to_be_visible(timeout=PATIENCE_MS)
    wait_charts(page)


def test_own_figures_count_and_can_be_dropped(server: str, page: Page):
    own = """
accelerators:
  h100-sxm:
    price_usd: 27123
    source: {title: "Our contract", checked: 2026-11-15, grade: A}
"""
    open_page(page, f"{server}/catalog")
    put(page, "own.yaml", own.encode())
    marked = page.get_by_role("table", name="Own figures that count now")
    expect(marked.get_by_text("h100-sxm").first).to_be_visible(timeout=PATIENCE_MS)
    expect(marked.get_by_text("27,123")).to_be_visible()
    expect(marked.get_by_text("Our contract")).to_be_visible()
    page.get_by_role("button", name="Remove own.yaml").click()
    page.get_by_role("button", name="Drop the uploaded figures").click()
    expect(marked).to_have_count(0)


def test_own_figures_that_cannot_be_read_are_one_sentence(server: str, page: Page):
    open_page(page, f"{server}/catalog")
    put(page, "own.yaml", b"accelerators: !!python/object/apply:os.getcwd []")
    problem = page.locator(".be-problems")
    expect(problem).to_contain_text("own.yaml: accelerators: line 1: ", timeout=PATIENCE_MS)
    assert page.get_by_test_id("stException").count() == 0
