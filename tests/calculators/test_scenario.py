"""The link: every field read by itself, round trips, old versions, hostile input."""

from __future__ import annotations

import math
from dataclasses import fields, replace

import pytest
from hypothesis import HealthCheck, given, settings

from calculators import link as module
from calculators.link import from_query, to_query
from calculators.scenario import FIELDS, KEYS, NAMES, Scenario, autoscale_minutes
from tests.strategies import hostile_links, legal_links

# The defaults of link version 1 as they were released; a change needs a new version.
VERSION_1 = {
    "model": "llama-3.3-70b", "wfmt": "awq-int4", "kvfmt": "bf16", "gpu": "h100-sxm",
    "cards": "1", "replicas": "0", "engine": "vllm", "in": "3000", "out": "500", "ctx": "8192",
    "batch": "0", "tokens": "300", "profile": "office-hours", "billing": "on-demand",
    "upkeep": "4000", "build": "0", "spare": "0", "hours": "730", "horizon": "36",
    "api": "", "cached": "0", "apibatch": "0",
    "basis": "calibrated", "split": "1", "load": "0.8",
}  # fmt: skip


def test_keys_of_the_design_are_all_there():
    keys = (
        "v model tokens size active peak layers kvh hd win duty bits wfmt rate kvfmt billing gpu "
        "cards replicas upkeep build engine spare in out ctx api batch cached apibatch ttft tpot "
        "horizon prefix why mem bw tf basis asof experts topk open hours growth profile term "
        "autoscale kwh pue discount price residual draft accept k split cachewrite seed"
    )
    assert set(keys.split()) <= set(KEYS)
    assert len(KEYS) == len(set(KEYS))


def test_defaults_of_version_1_are_frozen():
    plain = Scenario()
    assert {k: FIELDS[NAMES[k]].format(getattr(plain, NAMES[k])) for k in VERSION_1} == VERSION_1


def test_a_plain_link_is_empty_and_a_pinned_one_holds_every_field():
    assert to_query(Scenario()) == ""
    pinned = to_query(Scenario(), pinned=True, asof="2026-11-30")
    assert pinned.startswith("v=1&")
    assert [part.split("=")[0] for part in pinned.split("&")] == list(KEYS)
    read, problems = from_query(pinned)
    assert problems == ()
    assert read == replace(Scenario(), asof="2026-11-30")


@pytest.mark.parametrize(
    ("query", "key", "words"),
    [
        ("gpu=b3000", "gpu", "the catalog does not hold"),
        ("cards=0", "cards", "from 1 to 1,024"),
        ("cards=2.5", "cards", "a whole number"),
        ("rate=-1", "rate", "from 0 to 10,000"),
        ("rate=nan", "rate", "a number"),
        ("duty=1.5", "duty", "from 0.0001 to 1"),
        ("billing=lease", "billing", "on-demand, reserved, spot, owned"),
        ("why=data,fun", "why", "data, volume, model, latency"),
        ("asof=2026-02-30", "asof", "YYYY-MM-DD"),
        ("profile=lunar", "profile", "office-hours"),
        ("autoscale=soon", "autoscale", "idle minutes"),
        ("ctx=", "ctx", "is empty"),
        ("in=3&in=4", "in", "more than once"),
        ("colour=red", "colour", "not a key"),
        ("v=99", "v", "allowed is 1"),
    ],
)
def test_each_wrong_field_is_named_with_what_is_allowed(tiny_catalog, query, key, words):
    _, problems = from_query(query, tiny_catalog)
    assert [problem.key for problem in problems] == [key]
    assert words in str(problems[0])


def test_a_wrong_field_leaves_the_others():
    read, problems = from_query("cards=nine&in=1234&tokens=5e3")
    assert (read.n_cards, read.input_tok, read.demand_mtok) == (1, 1234, 5000.0)
    assert len(problems) == 1


def test_ids_are_found_by_alias_and_near_ones_are_named(tiny_catalog):
    read, problems = from_query("gpu=H100 80GB", tiny_catalog)
    assert (read.gpu, problems) == ("h100-sxm", ())
    _, problems = from_query("gpu=h100-sx", tiny_catalog)
    assert "h100-sxm" in str(problems[0])


def test_an_older_link_keeps_its_defaults_and_is_migrated(monkeypatch):
    monkeypatch.setattr(module, "LINK_VERSION", 3)
    monkeypatch.setattr(module, "CHANGED_DEFAULTS", {1: {"upkeep": "1000"}, 2: {"out": "77"}})
    monkeypatch.setattr(
        module,
        "MIGRATIONS",
        {1: lambda q: {("in" if k == "prompt" else k): v for k, v in q.items()}, 2: lambda q: q},
    )
    read, problems = from_query("v=1&prompt=42")
    assert problems == ()
    assert (read.input_tok, read.upkeep_usd_month, read.output_tok) == (42, 1000.0, 77)
    assert from_query("v=2")[0].upkeep_usd_month == Scenario().upkeep_usd_month
    assert from_query("")[0].output_tok == Scenario().output_tok


def test_company_defaults_apply_to_what_a_link_leaves_out(tiny_catalog):
    company = tiny_catalog.model_copy(update={"defaults": {"upkeep": "9000"}})
    assert from_query("", company)[0].upkeep_usd_month == 9000
    assert from_query("upkeep=1", company)[0].upkeep_usd_month == 1


@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(hostile_links)
def test_hostile_links_never_raise_and_stay_in_range(link):
    read, problems = from_query(link)
    for field in fields(Scenario):
        value, spec = getattr(read, field.name), FIELDS[field.name]
        if isinstance(value, int | float) and not isinstance(value, bool):
            assert math.isfinite(value) and spec.low <= value <= spec.high
    again, later = from_query(to_query(read, pinned=True, asof=read.asof))
    assert again == read
    assert later == ()
    assert all(len(str(problem)) < 2000 for problem in problems)


@settings(max_examples=200, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(legal_links)
def test_legal_links_are_accepted_whole_and_round_trip(link):
    read, problems = from_query(link)
    assert problems == ()
    assert from_query(to_query(read))[0] == read


def test_a_link_of_over_a_thousand_parts_is_said():
    _, problems = from_query("&".join(f"k{i}=1" for i in range(1500)))
    assert "1,000" in str(problems[0])


def test_autoscale():
    assert autoscale_minutes("off") is None
    assert autoscale_minutes("15") == 15
    with pytest.raises(ValueError, match="off, or the idle minutes"):
        autoscale_minutes("0")


def test_a_key_that_stands_often_is_said_once():
    read, problems = from_query("&".join(["cards=2"] + ["cards=3"] * 500))
    assert read.n_cards == 2
    assert [problem.key for problem in problems] == ["cards"]


def test_a_draft_model_is_one_of_the_catalog(tiny_catalog):
    assert from_query("draft=nobody", tiny_catalog)[1][0].key == "draft"
    assert from_query("draft=llama-3.3-70b", tiny_catalog)[0].draft == "llama-3.3-70b"
