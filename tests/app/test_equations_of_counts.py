"""Figures that once had only a sentence: each equation is right, and comes out."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date

import numpy as np
import pandas as pd
import pytest

from app import explanations_labs
from app.catalog_rows import TABLES
from app.derivations import (
    crossings,
    lab_formats,
    lab_paging,
    lab_serving,
    memory_reach,
    quality,
    risk,
    speculative,
)
from app.derivations import traffic as week_of
from app.memory_words import KINDS
from calculators.cost.traffic_measured import measured_traffic
from calculators.cost.usage_logs import read_usage_log
from calculators.evidence.lm_eval_files import read_eval_file
from calculators.evidence.quality import compare
from calculators.labs.batching_results import BatchingRun, BatchingSummary, Percentiles
from calculators.labs.format_study import format_study
from calculators.labs.generation_counts import model_work
from calculators.labs.paging_results import random_jobs
from calculators.labs.paging_study import paging_runs
from calculators.memory_answers import memory_answers
from calculators.plan import plan
from calculators.scenario import Scenario
from calculators.speculative_answers import Draft, model_draft, speculative_answers
from tests.app.equations import comes_out
from tests.worlds import quote, small_catalog


def spelled_out(derivations, *figures: str) -> dict[str, str]:
    """Formulas by figure; every one named must be there, have an equation, and come out."""
    comes_out(derivations)
    formulas = {one.figure: one.formula for one in derivations}
    for figure in figures:
        assert formulas[figure], figure
    return formulas


def test_waits_of_the_batching_lab_are_read_from_the_sorted_requests(catalog):
    waits = np.array([0.2, 0.4, 0.9, 2.9])
    table = pd.DataFrame({
        "input_tok": 10, "output_tok": [1, 11, 21, 31], "arrival_s": 1.0, "admitted_s": 1.0,
        "first_token_s": 1.0 + waits, "last_token_s": 9.0, "returned_s": 9.0,
    })  # fmt: skip
    flat = Percentiles(1.0, 1.0, 1.0)
    summary = BatchingSummary("static", 4, 8.0, 8.0, 0.5, 0.2, flat, flat, flat)
    found = lab_serving.batching([BatchingRun(table, table, summary)], n_slots=4)
    [one] = [one for one in found if one.figure == "Table and chart: waits"]
    # half way between 400 and 900 ms; 95 %: place 0.95 x 3 = 2.85 between 0.9 and 2.9 s
    assert one.formula.splitlines()[:2] == [
        "static, first token, half: 400 + 0.5 x (900 - 400) = 650 ms",
        "static, first token, 95 %: 0.9 + 0.85 x (2.9 - 0.9) = 2.60 s",
    ]


def test_counts_of_the_paging_lab_have_equations():
    jobs = random_jobs(n_sequences=60, prompt_mean_tok=100, output_mean_tok=60, max_tok=400,
                       prefix_tok=32, n_samples=2)  # fmt: skip
    runs = paging_runs(jobs, capacity_tok=1600, block_tok=16)
    formulas = spelled_out(
        lab_paging.paging(runs, 1600),
        "Table: steps for all", "Table: too small holes", "Table: saved by sharing",
        "Table and picture: preempted, evicted, copied",
    )  # fmt: skip
    total = f"{int(jobs.output_tok.sum()):,} tokens / "
    assert all(total in line for line in formulas["Table: steps for all"].splitlines())


def test_tasks_that_broke_are_counted_and_their_p_corrected():
    def results(values):
        return {t: {"acc,none": v, "acc_stderr,none": 0.01} for t, v in values.items()}

    def read(values):
        return read_eval_file(json.dumps({"results": results(values)}).encode())

    # z of -0.04 / (0.01 sqrt 2) = -2.83: p = 0.0047, of three tasks the second clearest
    comparison = compare(
        read({"a": 0.60, "b": 0.60, "c": 0.60}), read({"a": 0.40, "b": 0.56, "c": 0.60})
    )
    formulas = spelled_out(quality.compared(comparison), "Tasks that broke")
    # three differences, each with an error of sqrt(2) x 0.01
    assert formulas["Mean change"].startswith(
        "standard error: 100 x sqrt(0.0006 summed squares) / 3 tasks = 0.8 points"
    )
    lines = formulas["Tasks that broke"]
    assert lines.splitlines() == [
        "3 tasks that count - 1 that did not = 2",
        "a (acc), p times tasks: 0.000001 or less x 3 tasks <= 5 %",
        "b (acc), p times tasks: 0.004678 x 2 tasks <= 5 %",
    ]


def test_the_usual_estimate_and_each_group_have_their_median():
    rows = pd.DataFrame({
        "ratio": [1.1, 0.9, 1.4], "value": [1.0, 1.0, 2.0], "bound": [3.0, 5.0, 20.0],
        "predicted": [1.1, 0.9, 2.8], "family": "tpot", "engine": ["v", "v", "s"], "model": "m",
        "gpu": "c", "grade": "A",
    })  # fmt: skip
    found = explanations_labs.accuracy(rows, "engine")
    formulas = spelled_out(found, "Reference arithmetic", "Chart: errors by engine")
    assert formulas["Reference arithmetic"] == "400 % = 400 %"  # errors of 2, 4 and 9
    assert formulas["Chart: errors by engine"].splitlines() == [
        "v, 2 rows, calibrated: (10 % + 10 %) / 2 = 10 %",
        "v, reference arithmetic: (200 % + 400 %) / 2 = 300 %",
        "s, 1 row, calibrated: 40 % = 40 %",
        "s, reference arithmetic: 900 % = 900 %",
    ]


def test_lengths_of_requests_are_read_from_the_log():
    log = read_usage_log(b"time_s,in_tokens,out_tokens\n0,100,2\n3600,300,1\n7200,500,4\n")
    found = week_of.lengths(measured_traffic(log), log)
    lines = spelled_out(found, "Chart: lengths of requests")["Chart: lengths of requests"]
    assert lines.splitlines()[:2] == [
        "input, 50 % are shorter: 300 = 300 tokens",
        "input, 95 % are shorter: 300 + 0.9 x (500 - 300) = 480 tokens",
    ]


@pytest.mark.parametrize("title", TABLES)
def test_each_table_of_the_catalog_says_how_old_it_is_and_what_follows(catalog, title):
    name = TABLES[title]
    facts = getattr(catalog, name)
    is_entry = name not in ("rental_prices", "api_prices", "ownership")
    fact = next(iter(facts.values())) if is_entry else None
    found = explanations_labs.catalog(catalog, title, fact)
    spelled_out(found, f"Table: {title}, age in days")


def test_days_are_counted_over_the_turn_of_a_year():
    old = small_catalog(rental_prices=(quote(2.0, seen=date(2025, 12, 30)),))
    [_, _, _, _, age, rents] = explanations_labs.catalog(old, "Rents", None)
    # 30 November is day 334; 30 December is day 364 of a year of 365 days
    assert age.formula == "day 334 + 365 days of earlier years - day 364 = 335 days"
    assert rents.formula == "H100 80GB, 1 quote: 2 = 2.00 USD an hour"


@pytest.mark.parametrize("id_", ["deepseek-v3", "gemma-3-27b", "qwen3-next-80b-a3b"])
def test_layers_of_every_kind_have_their_sum(catalog, id_):
    with_model = plan(replace(Scenario(), model=id_, gpu="b200", n_cards=8), catalog)
    answers = memory_answers(with_model.deployment, with_model.scenario, catalog)
    found = (memory_reach.one_token(answers), memory_reach.kinds(answers))
    formulas = spelled_out(found, "Table: cache of a sequence, by kind of layer")
    kinds = {line.partition(":")[0] for formula in formulas.values() for line in
             formula.splitlines()}  # fmt: skip
    assert {KINDS[group.kind] for group in with_model.deployment.model.groups} <= kinds


def test_layers_that_compress_have_their_sum(catalog):
    for model in catalog.models.values():
        if any(group.kind == "compressed" for group in model.groups):
            now = plan(replace(Scenario(), model=model.id, gpu="b200", n_cards=8), catalog)
            answers = memory_answers(now.deployment, now.scenario, catalog)
            found = (memory_reach.one_token(answers), memory_reach.kinds(answers))
            text = spelled_out(found)["Table: cache of a sequence, by kind of layer"]
            assert "compressed: ((floor(" in text
            work = model_work(model, prompt_tok=3000, n_new_tok=500)
            comes_out(lab_serving.model_loops(now, work))


def test_methods_of_the_formats_lab_divide_what_moved_by_the_whole():
    study = format_study(n_rows=128)
    assert all(
        m.output_moved / m.output_error_frac
        == pytest.approx(study.methods[0].output_moved / study.methods[0].output_error_frac)
        for m in study.methods
    )


def test_marks_of_the_distribution_are_read_from_the_sorted_draws(catalog):
    priced = plan(Scenario(), catalog)
    chance = priced.chance
    formulas = spelled_out(risk.quantiles(chance), "One time in ten below", "Middle")
    # of 10,000 draws: place 0.1 x 9,999 = 999.9, place 0.5 x 9,999 = 4,999.5
    assert " + 0.9 x (" in formulas["One time in ten below"]
    assert " + 0.5 x (" in formulas["Middle"]


def test_both_bills_are_equal_where_the_answer_turns(catalog):
    priced = plan(replace(Scenario(), demand_mtok=8000.0), catalog)
    [line, _] = spelled_out((crossings.nearest_flip(priced),))[
        "Table: what would turn the answer"
    ].splitlines()
    assert line.endswith(" = 0 USD a month")


@pytest.mark.parametrize("draft", [Draft("heads", step_frac=0.06), None])
def test_conversations_beside_a_draft_have_their_equation(catalog, draft):
    priced = plan(replace(Scenario(), prefix_tok=512), catalog)
    drafting = draft or model_draft(priced, catalog.models["llama-3.2-1b"])
    answers = speculative_answers(priced, drafting, acceptance_frac=0.7, n_draft=4)
    found = (speculative.held(priced, answers),)
    [line] = spelled_out(found, "Held at once")["Held at once"].splitlines()
    assert line.endswith(f" = {answers.n_held}")


def test_the_labs_last_line_has_its_equation_on_both_bases(catalog):
    for basis in ("calibrated", "bound"):
        then = plan(replace(Scenario(), basis=basis), catalog)
        spelled_out(lab_formats.in_your_scenario(then), "Last line: sequences at once")


def test_a_bill_that_is_not_known_is_said_to_be_the_reason(catalog):
    none_fits = plan(replace(Scenario(), weight_format="bf16"), catalog)
    assert "not known" in crossings.nearest_flip(none_fits).sentence
