"""Selects show names, the address holds ids."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from app.names import names
from calculators.scenario import FIELDS
from tests.worlds import card, small_catalog

ROOT = Path(__file__).resolve().parents[2]
BY_ID = [spec for spec in FIELDS.values() if spec.kind == "id"]


@pytest.mark.parametrize("spec", BY_ID, ids=[spec.key for spec in BY_ID])
def test_every_id_has_a_name_of_its_own(catalog, spec):
    called = names(catalog, spec)
    assert {*called} == {*getattr(catalog, spec.table), *spec.options}
    assert len({*called.values()}) == len(called)


def test_the_same_name_twice_is_told_apart():
    twins = small_catalog(
        accelerators={"a": card(id="a", name="Twin"), "b": card(id="b", name="Twin")}
    )
    assert names(twins, FIELDS["gpu"]) == {"a": "Twin (a)", "b": "Twin (b)"}


def test_fields_that_hold_ids_are_not_seen():
    style = (ROOT / "app" / "style.css").read_text(encoding="utf-8")
    [rule] = [line for line in style.splitlines() if ".st-key-model," in line]
    assert rule.endswith("{ display: none; }")
    assert {part.strip(" ,") for part in rule.split("{")[0].split()} == {
        f".st-key-{spec.key}" for spec in BY_ID
    }


def test_a_choice_by_name_becomes_an_id():
    at = AppTest.from_file(str(ROOT / "app" / "main.py"), default_timeout=120).run()
    [select] = [box for box in at.sidebar.selectbox if box.label == "Card"]
    assert "H100 SXM5 80GB" in select.options and "h100-sxm" not in select.options
    select.select("L40S 48GB").run()
    assert not at.exception
    assert at.session_state["gpu"] == "l40s"
