"""Sentences speak of products by name; ids stand in links and downloads."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from app.compare_rows import input_rows
from app.figures.options import cost_against_latency, options_finding
from app.memo import memo, memo_markdown
from app.names import names
from app.option_rows import option_rows, taken
from app.sentences import api_words
from calculators.compare import compare
from calculators.options import options
from calculators.plan import plan
from calculators.scenario import FIELDS, Scenario
from catalogs.loader import load_catalog


def test_the_api_is_named_on_home_and_in_the_memo(catalog):
    now = plan(Scenario(), catalog)
    assert now.api is not None and "/" in now.api.id
    name = f"{now.api.name} from {now.api.provider_name}"
    chosen = plan(replace(Scenario(), api=now.api.id), catalog)
    assert api_words(now).startswith(name + ", the middle of ")
    assert api_words(chosen) == name
    bills = memo_markdown(memo(now, "https://host/?v=1")).replace("\\", "")
    assert f"API: {name}" in bills and now.api.id not in bills.split("## Sources")[0]


def test_options_are_read_by_name_and_clicked_by_id(catalog):
    found = options(Scenario(), catalog)
    best = found.table.iloc[0]
    card, weights = catalog.accelerators[best.card], catalog.weight_formats[best.weight_format]
    finding = options_finding(found)
    assert f" x {card.name} with {weights.name} at " in finding and best.card not in finding
    row = option_rows(found.table)[0]
    assert row["Cards"] == f"{best.n_cards:.0f} x {card.name}"
    assert row["Cache"] == catalog.cache_formats[best.cache_format].name
    points = [
        p for trace in cost_against_latency(found, found.table).data for p in trace.customdata
    ]
    wanted = {"gpu": best.card, "wfmt": best.weight_format, "kvfmt": best.cache_format}
    assert any(wanted.items() <= taken(point).items() for point in points)


def test_own_entries_are_marked_where_they_are_chosen():
    text = "accelerators:\n  h100-sxm:\n    price_usd: 21000\n"
    text += "    source: {title: t, checked: 2026-11-01}\n"
    known = load_catalog(override_text=text, today=date(2026, 11, 30))
    called = names(known, FIELDS["gpu"])
    assert called["h100-sxm"] == f"{known.accelerators['h100-sxm'].name} (own)"
    assert called["l40s"] == known.accelerators["l40s"].name


def test_inputs_that_differ_are_compared_by_name(catalog):
    other = Scenario(gpu="l40s", n_cards=2, weight_format="fp8", growth_frac=0.2, why=("data",))
    plans = [plan(scenario, catalog) for scenario in (Scenario(), other)]
    rows = {row["Input"]: list(row.values())[2] for row in input_rows(compare(plans), plans)}
    assert rows["Card"] == catalog.accelerators["l40s"].name
    assert rows["Weight format"] == catalog.weight_formats["fp8"].name
    assert rows["Growth of demand"] == "20 % a year"
    assert rows["Reasons that are not about money"] == "the data must stay in-house"
    assert rows["Cards per replica"] == "2"
