"""Every page: each metric that it shows is derived in its panel, and each equation comes out."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from app import ui
from tests.app.equations import comes_out

ROOT = Path(__file__).resolve().parents[2]
VIEWS = sorted(
    str(path.relative_to(ROOT / "app" / "views"))
    for path in (ROOT / "app" / "views").rglob("*.py")
    if path.stem not in ("__init__", "start", "glossary")
)
METRIC = re.compile(r'<dt><span>(.*?)</span>.*?<dd class="be-value">(.*?)</dd>', re.DOTALL)
LABS = ("Affine per group", "Symmetric schemes", "Trained classifier", "Formats of the field")


@pytest.fixture
def panels(monkeypatch):
    """What pages hand to their panel: derivations and source lines."""
    found = []
    monkeypatch.setattr(ui, "explanations", lambda make, lines=(): found.append((make(), lines)))
    return found


def opened(view: str, **state: str) -> AppTest:
    at = AppTest.from_file(str(ROOT / "app" / "main.py"), default_timeout=120).run()
    for key, value in state.items():
        at.session_state[key] = value
    at.switch_page(f"views/{view}").run()
    assert not at.exception
    return at


def metrics(at: AppTest) -> list[tuple[str, str]]:
    bodies = "".join(element.proto.body for element in at.get("html"))
    strip = [
        [html.unescape(re.sub(r"<[^>]*>", "", part)) for part in pair]
        for pair in METRIC.findall(bodies)
    ]
    return [(label, value) for label, value in strip]


def numbers_of(text: str) -> list[str]:
    return re.findall(r"\d[\d,]*(?:\.\d+)?", text)


def missing(at: AppTest, derivations) -> list[str]:
    """Metrics of which a number stands in no result and no sentence of the panel."""
    results = " ".join(
        [line.split(" = ")[-1] for one in derivations for line in one.formula.splitlines()]
        + [one.sentence for one in derivations]
    )
    known = {*numbers_of(results)}
    return [
        f"{label}: {value}"
        for label, value in metrics(at)
        if (wanted := numbers_of(value)) and not known.issuperset(wanted)
    ]


@pytest.mark.parametrize("view", VIEWS)
def test_each_metric_is_derived(panels, view):
    at = opened(view)
    [(derivations, lines), *_] = panels[-1:]
    assert derivations
    comes_out(derivations)
    assert missing(at, derivations) == []
    facts = {kind for one in derivations for kind in one.facts}
    assert not facts or {line.fact.partition(":")[0] for line in lines} & facts


@pytest.mark.parametrize("part", LABS)
def test_each_part_of_the_quantization_lab(panels, part):
    at = opened("labs/quantization.py", lab_quantization=part)
    comes_out(panels[-1][0])
    assert missing(at, panels[-1][0]) == []
