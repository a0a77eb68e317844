"""The Serving and Speculative pages: figures, tables and equations over many scenarios."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from app import explanations
from app.figures import serving as figures
from app.figures import speculative as draft_figures
from app.serving_rows import phase_rows, split_rows
from app.speculative_rows import gain_line, headline, rule_rows, rule_runs
from calculators.plan import plan
from calculators.scenario import Scenario
from calculators.serving_answers import demand_per_s, serving_answers
from calculators.speculative_answers import Draft, draft_models, model_draft, speculative_answers
from calculators.speed.open_loop import open_loop
from calculators.units import MEGA
from tests.app.equations import sides

ROOT = Path(__file__).resolve().parents[2]
SCENARIOS = {
    "default": {},
    "objectives": {"ttft_ms": 900.0, "tpot_ms": 30.0},
    "busy": {"demand_mtok": 5000.0, "n_replicas": 1},
    "short": {"input_tok": 200, "output_tok": 50, "context_tok": 1024},
    "experts": {"model": "gpt-oss-120b", "weight_format": "mxfp4", "n_cards": 2},
    "one token": {"output_tok": 1},
    "one place": {"batch": 1},
}


@pytest.fixture(scope="module", params=SCENARIOS)
def priced(request, catalog):
    return plan(replace(Scenario(), **SCENARIOS[request.param]), catalog)


def holds(derivations) -> None:
    for derivation in derivations:
        for line in derivation.formula.splitlines():
            values, rounding, _ = sides(line)
            for value in values[:-1]:
                error = abs(value - values[-1])
                assert error <= 1.02 * rounding + 0.003 * abs(value), line


def test_serving_shows_every_scenario(priced):
    answers = serving_answers(priced)
    load, rate = figures.load_figure(priced, answers), figures.rate_figure(answers)
    assert "requests at once" in figures.load_finding(priced, answers)
    assert len(load.data) >= 4
    assert {"half of the requests", "19 in 20"} <= {trace.name for trace in rate.data}
    assert np.isfinite(answers.open.ttft_p95_s).all()
    assert len(phase_rows(priced, answers)) == 2


def test_throughput_stops_where_memory_ends_and_waiting_begins(catalog):
    answers = serving_answers(plan(Scenario(), catalog))
    curve = answers.curve
    beyond = curve.concurrency > curve.n_held
    assert np.ptp(curve.output_tok_s[beyond]) == 0
    assert (np.diff(curve.ttft_s[beyond]) > 0).all()
    assert (np.diff(curve.output_tok_s[~beyond]) > 0).all()


def test_a_demand_beyond_capacity_is_said_plainly(catalog):
    answers = serving_answers(plan(replace(Scenario(), **SCENARIOS["busy"]), catalog))
    assert bool(answers.now.saturated[1])
    assert "grows without end" in figures.rate_finding(answers)


def test_demand_is_spread_over_the_month_and_the_serving_replicas(catalog):
    priced = plan(replace(Scenario(), n_replicas=3, n_spare=1, demand_mtok=730.0), catalog)
    mean, peak = demand_per_s(priced)
    request_tok = priced.scenario.input_tok + priced.scenario.output_tok
    serving = float(priced.bills.n_replicas) - 1
    assert mean == pytest.approx(730 * MEGA / request_tok / (730 * 3600) / serving)
    assert peak == pytest.approx(mean * float(priced.money.peak))


def test_splits_hold_as_many_requests_and_mark_the_best(catalog):
    rows, best = split_rows(plan(Scenario(), catalog), 8)
    assert [row["Cards a replica"] for row in rows] == ["1", "2", "4", "8"]
    assert [row["Replicas"] for row in rows] == ["8", "4", "2", "1"]
    speeds = [float(row["Output in all"].split()[0].replace(",", "")) for row in rows]
    assert best == int(np.argmax(speeds))


def test_speculative_shows_every_scenario(priced):
    models = draft_models(priced.catalog, priced.deployment.model)
    drafts = [Draft("heads", step_frac=0.06)]
    drafts += [model_draft(priced, priced.catalog.models[id_]) for id_ in list(models)[:1]]
    for draft in drafts:
        answers = speculative_answers(priced, draft, acceptance_frac=0.7, n_draft=4)
        batches = draft_figures.gain_over_batch(answers, 0.7)
        assert len(batches.data) == 5
        assert draft_figures.gain_over_drafts(answers, 0.7, 4).data[0].z.shape == (19, 12)
        assert draft_figures.drafts_finding(answers)
        assert "In your scenario" in gain_line(priced, answers, 0.7)
        assert len(headline(priced, answers, 0.7, 4)) == 5
        holds(explanations.speculative(priced, answers, 0.7, 4))


def test_a_draft_model_takes_room_and_a_large_batch_takes_its_gain(catalog):
    priced = plan(Scenario(), catalog)
    models = draft_models(catalog, priced.deployment.model)
    assert priced.scenario.model not in models
    draft = model_draft(priced, catalog.models[next(iter(models))])
    answers = speculative_answers(priced, draft, acceptance_frac=0.6, n_draft=4)
    assert 0 < answers.n_held < priced.fit.max_sequences
    gains = answers.over_batch.speed_up[1]
    assert gains[0] > 1 > gains[-1]


def test_equations_of_serving(priced):
    shown = explanations.serving(priced, serving_answers(priced))
    holds([one for one in shown if one.function in (open_loop, demand_per_s)])


def test_the_rule_beside_the_formula():
    for run, row in zip(runs := rule_runs(0.7, 4, 0), rule_rows(runs), strict=True):
        apart = abs(run.tokens_per_pass - run.expected_tokens_per_pass)
        assert apart < 5 * run.standard_error
        assert row["Drafted"] == str(run.n_draft)


@pytest.mark.parametrize("page", ["serving", "speculative"])
@pytest.mark.parametrize("query", [{}, {"draft": "llama-3.2-1b", "accept": "0.8", "k": "3"}])
def test_pages_run(page, query):
    test = AppTest.from_file(str(ROOT / "app" / "main.py"), default_timeout=120)
    for key, value in query.items():
        test.query_params[key] = value
    test.run()
    test.switch_page(f"views/speed/{page}.py").run()
    assert not test.exception
    assert "is not measured: try" in _texts(test) or page == "serving" or query


def _texts(test: AppTest) -> str:
    """All words of a page, without the links to the glossary."""
    return re.sub(r"<[^>]+>", "", " ".join(element.proto.body for element in test.get("html")))
