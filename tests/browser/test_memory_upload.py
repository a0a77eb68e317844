"""A model's own config on the page Memory: read, shown, used; or one sentence."""

from __future__ import annotations

import json

from playwright.sync_api import Page, expect

from tests.browser.session import open_page, wait_charts

PATIENCE_MS = 30_000
LLAMA_2_7B = {
    "model_type": "llama",
    "hidden_size": 4096,
    "vocab_size": 32000,
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "intermediate_size": 11008,
}


def upload(page: Page, server: str, content: str) -> None:
    open_page(page, f"{server}/memory")
    page.get_by_text("Use a model's own files instead").click()
    file = {"name": "config.json", "mimeType": "application/json", "buffer": content.encode()}
    page.locator("input[type=file]").first.set_input_files(file)


def test_a_config_is_read_and_used(page: Page, server: str):
    upload(page, server, json.dumps(LLAMA_2_7B))
    # 2 x 32,000 x 4,096 + 32 x (4 x 4,096^2 + 3 x 4,096 x 11,008 + 2 x 4,096) + 4,096
    expect(page.get_by_text("6,738,415,616").first).to_be_visible(timeout=PATIENCE_MS)
    # 32 layers x 32 heads x 128 x 2 x 2 bytes
    expect(page.get_by_text("512 KiB")).to_be_visible(timeout=PATIENCE_MS)
    wait_charts(page)


def test_what_cannot_be_read_is_one_sentence(page: Page, server: str):
    upload(page, server, "not JSON")
    expect(page.get_by_text("config: not JSON")).to_be_visible(timeout=PATIENCE_MS)
    expect(page.get_by_text("320 KiB")).to_be_visible(timeout=PATIENCE_MS)


def test_an_unknown_architecture_says_how_to_go_on(page: Page, server: str):
    upload(page, server, json.dumps({"model_type": "t5"}))
    expect(page.get_by_text("Enter the shape by hand instead")).to_be_visible(timeout=PATIENCE_MS)
