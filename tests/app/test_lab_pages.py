"""The lab pages: they run, their reference buttons agree, their last line follows the controls."""

from __future__ import annotations

import re
from functools import partial, wraps
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from app import lab_runs
from app.lab_parts import digits
from calculators.labs.classifier import train_classifier

ROOT = Path(__file__).resolve().parents[2]
PAGES = {
    "quantization": "affine",
    "kv_cache": "generation",
    "batching": "batching",
    "paging": "paging",
}
PARTS = ("Affine per group", "Symmetric schemes", "Trained classifier", "Formats of the field")


def opened(view: str, **query: str) -> AppTest:
    at = AppTest.from_file(str(ROOT / "app" / "main.py"), default_timeout=120)
    for key, text in query.items():
        at.query_params[key] = text
    at.run()
    at.switch_page(f"views/labs/{view}.py").run()
    assert not at.exception
    return at


def texts(at: AppTest) -> str:
    """What the page says, without its markup (terms are links to the glossary)."""
    return re.sub(r"<[^>]*>", "", " ".join(element.proto.body for element in at.get("html")))


def press(at: AppTest, label: str) -> AppTest:
    next(button for button in at.button if button.label == label).click().run()
    assert not at.exception
    return at


@pytest.mark.parametrize("view", sorted(PAGES))
def test_the_reference_button_shows_figures_that_all_agree(view):
    found = re.search(
        r"Reference: (\d+) of (\d+) figures agree",
        texts(press(opened(view), "Reproduce the reference table")),
    )
    assert found and found[1] == found[2]


@pytest.mark.parametrize("part", PARTS)
def test_every_part_of_the_quantization_lab_runs_and_ends_with_your_scenario(part):
    at = opened("quantization")
    at.session_state["lab_quantization"] = part
    at.run()
    assert not at.exception
    assert "In your scenario, " in texts(at)


def test_the_last_line_follows_the_bits():
    at = opened("quantization")
    lines = []
    for bits in (2, 4):
        at.session_state["lab_affine_bits"] = bits
        at.run()
        lines.append(re.search(r"In your scenario, (\d)-bit weights.*?([\d.]+) GiB", texts(at)))
    assert [line[1] for line in lines] == ["2", "4"]
    assert float(lines[1][2]) > 1.5 * float(lines[0][2])


def test_the_classifier_trains_on_demand_and_is_kept(monkeypatch):
    short = wraps(train_classifier)(partial(train_classifier, n_steps=3))
    monkeypatch.setattr(digits, "train_classifier", short)
    at = opened("quantization", seed="7")
    at.session_state["lab_quantization"] = "Trained classifier"
    at.run()
    assert "Not trained yet" in texts(at)
    press(at, "Train the classifier")
    assert "Accuracy in full precision" in texts(at)
    assert lab_runs.kept(("digits", 7)) is not None


def test_batching_runs_few_requests_at_once_more_on_demand_and_ends_with_your_cost():
    at = opened("batching")
    assert re.search(r"200 requests at .*these requests cost [\d.]+ USD", texts(at))
    at.session_state["lab_b_n"] = 1000
    at.run()
    assert "Press Run" in texts(at)
    assert re.search(r"these requests cost [\d.]+ USD", texts(press(at, "Run")))


def test_a_scenario_that_does_not_fit_is_said_so():
    assert "Nothing to serve" in texts(opened("batching", wfmt="bf16"))
    assert "no cache to divide" in texts(opened("paging", wfmt="bf16"))


def test_a_name_that_is_no_gguf_type_is_explained():
    at = opened("quantization")
    at.session_state["lab_quantization"] = "Formats of the field"
    at.session_state["lab_gguf"] = "Q9_Z"
    at.run()
    assert "a type like Q4_K_M is allowed" in texts(at)


def test_the_same_seed_shows_the_same_picture():
    first, again, other = (texts(opened("kv_cache", seed=seed)) for seed in ("5", "5", "6"))
    assert first == again
    assert "the same tokens" in other


def test_a_log_takes_the_place_of_drawn_requests():
    at = opened("batching")
    rows = "".join(f"{i},{100 + i},{5 + i % 3}\n" for i in range(40))
    at.file_uploader(key="lab_b_log").upload(
        "log.csv", b"arrival_s,input_tokens,output_tokens\n" + rows.encode(), "text/csv"
    ).run()
    assert not at.exception
    assert "40 requests at" in texts(press(at, "Run"))


def test_a_log_without_single_requests_is_explained():
    at = opened("batching")
    text = b"date,input_tokens,output_tokens,requests\n2026-03-02,3000,400,12\n2026-03-03,30,4,2\n"
    at.file_uploader(key="lab_b_log").upload("log.csv", text, "text/csv").run()
    assert "log: its rows are sums of requests" in texts(at)
