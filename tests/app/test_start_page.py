"""The guided start: three answers give a verdict and a link that opens the same scenario."""

import re
from dataclasses import replace
from datetime import date
from html import unescape
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from app.guide import EXAMPLES, MODELS, TASKS, TIMES, UNITS, cautions, filled, offered
from calculators.guided import Answers, guided
from calculators.link import from_query
from calculators.plan import plan
from calculators.verdict import verdict
from catalogs.loader import load_catalog

MAIN = Path(__file__).resolve().parents[2] / "app" / "main.py"


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
@pytest.mark.parametrize("model", [id_ for _, id_ in MODELS])
def test_every_answer_makes_a_scenario_that_fits(catalog, task, model):
    found = guided(Answers(task, model, 1000.0), catalog)
    # 1,000 requests a day, 365 days of 12 months
    tokens = 1000 * 365 / 12 * (task.input_tok + task.output_tok) / 1e6
    assert found.scenario.demand_mtok == pytest.approx(tokens, rel=1e-5)
    assert found.fits


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("time", TIMES)
def test_every_figure_that_was_filled_in_is_told_with_its_reason(catalog, unit, time):
    answers = Answers(TASKS[0], "llama-3.3-70b", 50.0, unit, profile=time)
    found = guided(answers, catalog)
    rows = {row["What"]: row for row in filled(answers, found)}
    assert rows["A request"]["Filled in"] == "1,500 tokens in, 400 out"
    assert rows["Cards"]["Filled in"].endswith(found.deployment.accelerator.name)
    assert all(row["Filled in"] and row["Why"] for row in rows.values())


def test_the_rows_say_what_does_not_fit_and_what_is_left_out(catalog):
    own = Answers(TASKS[3], "llama-3.3-70b", 1, "people", way="have", card="rtx-4090")
    answers = replace(own, staff_usd_month=0.0)
    rows = {row["What"]: row["Why"] for row in filled(answers, guided(answers, catalog))}
    assert rows["Cards"] == "The model does not fit these cards."
    assert rows["People who run it"] == "Left out, as you said."


def test_one_copy_of_a_model_is_no_service_that_survives_a_fault(catalog):
    answers = Answers(TASKS[0], "llama-3.1-8b", 10, "people")
    told = cautions(answers, guided(answers, catalog), other_languages=True)
    assert any("One copy of the model runs" in text for text in told)
    assert any("other languages" in text for text in told)


def test_suggestions_come_first_and_every_model_is_offered(catalog):
    models, cards = offered(catalog)
    assert [*models][: len(MODELS)] == [id_ for _, id_ in MODELS]
    assert models.keys() == catalog.models.keys()
    assert "rtx-4090" in cards
    assert not any(catalog.accelerators[id_].vendor == "Apple" for id_ in cards)


@pytest.mark.parametrize("name,query", EXAMPLES, ids=lambda text: text[:20])
def test_every_example_is_read_whole_and_is_sound(catalog, name, query):
    scenario, problems = from_query(query, catalog)
    assert problems == ()
    assert plan(scenario, catalog).fits


def start() -> AppTest:
    app = AppTest.from_file(MAIN, default_timeout=60)
    app.run()
    return app.switch_page("views/start.py").run()


def texts(app: AppTest) -> str:
    return " ".join(part.proto.body for part in app.get("html"))


def test_the_page_answers_at_once_and_its_link_opens_the_same_bills(catalog):
    app = start()
    assert not app.exception
    link = re.search(r'href="([^"]+)"[^>]*>Fill this in and open every figure', texts(app))
    assert link
    query = urlsplit(unescape(link[1])).query
    known = load_catalog(None, date.today())
    scenario, problems = from_query(query, known)
    assert problems == ()
    expected = guided(Answers(TASKS[0], "llama-3.3-70b", 300.0, "people"), known)
    assert scenario == expected.scenario
    assert verdict(plan(scenario, known)).headline in unescape(re.sub(r"<[^>]+>", "", texts(app)))


def test_own_cards_are_asked_for_where_there_are_some():
    app = start()
    assert "Which card" not in [box.label for box in app.selectbox]
    app.radio[0].set_value("have").run()
    assert "Which card" in [box.label for box in app.selectbox]
    assert not app.exception
