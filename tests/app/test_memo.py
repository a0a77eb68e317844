"""The memo: verdict, both bills, sources with ages, the link; texts never become markup."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from datetime import date

from app.memo import memo, memo_csv, memo_json, memo_markdown, memo_pdf, shortened
from calculators.link import Problem, defaults, to_query
from calculators.plan import plan
from calculators.report import plan_report
from calculators.scenario import Scenario
from tests.worlds import model, quote, small_catalog

LINK = "https://host/?" + to_query(Scenario(), pinned=True, asof="2026-11-30")


def content(catalog, scenario=None, **settings):
    return memo(plan(scenario or Scenario(), catalog), LINK, **settings)


def test_markdown_holds_what_a_design_review_needs(tiny_catalog):
    text = memo_markdown(content(tiny_catalog, problems=[Problem("cards", "0", "is 0")]))
    for words in ("5,561 USD a month cheaper", "5,825 USD a month", "264 USD a month",
                  "cards: is 0",
                  "days old", "genai-prices", "link version 1", LINK):  # fmt: skip
        assert words in text.replace("\\", ""), words


def test_a_stale_price_is_marked():
    old = small_catalog(rental_prices=(quote(2.0, seen=date(2026, 6, 1)),))
    assert "STALE" in memo_markdown(content(old))


def test_texts_of_the_catalog_are_not_markup():
    evil = small_catalog(models={"llama-3.3-70b": model(name="<img src=x> **70B** [x](y)")})
    text = memo_markdown(content(evil))
    assert "\\<img src=x\\>" in text and "\\*\\*70B" in text and "\\[x\\]" in text


def test_pdf_is_one_page(tiny_catalog):
    many = [f"Attached paragraph {i} about quality." for i in range(3)]
    scenario = replace(Scenario(), why=("data",), n_cards=4, upkeep_usd_month=1.0, build_usd=9.0)
    made = memo_pdf(shortened(content(tiny_catalog, scenario, attached=many)))
    assert made.startswith(b"%PDF")
    assert made.count(b"/Type /Page\n") + made.count(b"/Type/Page\n") <= 1


def test_csv_and_json_hold_every_figure(tiny_catalog):
    report = plan_report(plan(Scenario(), tiny_catalog))
    rows = list(csv.reader(io.StringIO(memo_csv(report))))
    assert rows[0] == ["section", "figure", "value"]
    figures = {(section, name): value for section, name, value in rows[1:]}
    assert float(figures["cost", "api_usd_month"]) == report["cost"]["api_usd_month"]
    assert json.loads(memo_json(report)) == report


def test_a_formula_in_a_text_is_not_a_formula_in_a_spreadsheet(tiny_catalog):
    report = plan_report(plan(Scenario(), tiny_catalog))
    report["scenario"]["draft"] = "=cmd|' /C calc'!A0"
    assert "\"'=cmd" in memo_csv(report)


def assumed(catalog, scenario=None) -> dict[str, tuple[str, str]]:
    rows = content(catalog, scenario)["assumptions"]
    return {label: (value, by) for label, value, by in rows}


def test_assumptions_have_names_units_and_say_who_set_them(tiny_catalog):
    given = replace(Scenario(), growth_frac=0.4, rate_usd_h=2.5, context_tok=16_384, why=("data",))
    rows = assumed(tiny_catalog, given)
    assert rows["Model"] == ("Round 70B", "default")
    assert rows["Card"] == ("H100 80GB", "default")
    assert rows["Context"] == ("16,384 tokens", "this scenario")
    assert rows["Growth of demand"] == ("40 % a year", "this scenario")
    assert rows["Demand"] == ("300 million tokens a month", "default")
    assert rows["Hourly rate"] == ("2.5 USD per card hour", "this scenario")
    assert rows["API model"][0].endswith("(the middle provider)")
    assert rows["Cost of a card"][1] == "this scenario"
    assert rows["Duty cycle that results"][1] == "the demand"
    assert "Horizon" not in rows


def test_a_company_default_is_told_from_a_readers_choice():
    company = small_catalog(defaults={"upkeep": "9000", "in": "2000"})
    given = replace(defaults(company=company.defaults), input_tok=1234)
    rows = assumed(company, given)
    assert rows["Upkeep"] == ("9,000 USD a month", "company default")
    assert rows["Input"] == ("1,234 tokens a request", "this scenario")
    assert rows["Output"] == ("500 tokens a request", "default")


def test_no_id_of_the_catalog_is_shown_to_a_reader(catalog):
    given = replace(Scenario(), model="llama-3.1-70b", weight_format="fp8", n_cards=2)
    for label, value, _ in content(catalog, given)["assumptions"]:
        assert value not in (*catalog.models, *catalog.accelerators, *catalog.weight_formats), label
