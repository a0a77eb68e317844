"""The guided start: three answers give a verdict and a link that opens the same scenario."""

import pytest

from app.guide import EXAMPLES, MODELS, TASKS, Answers, guided
from calculators.link import from_query
from calculators.plan import plan


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
@pytest.mark.parametrize("model", [id_ for _, id_ in MODELS])
def test_every_answer_makes_a_scenario_that_fits(catalog, task, model):
    scenario, problems = from_query(guided(Answers(task, model, 1000.0), catalog), catalog)
    assert problems == ()
    # 1,000 requests a day, 365 days of 12 months
    tokens = 1000 * 365 / 12 * (task.input_tok + task.output_tok) / 1e6
    assert scenario.demand_mtok == pytest.approx(tokens, rel=1e-5)
    assert plan(scenario, catalog).fits


@pytest.mark.parametrize("name,query", EXAMPLES, ids=lambda text: text[:20])
def test_every_example_is_read_whole(catalog, name, query):
    assert from_query(query, catalog)[1] == ()
