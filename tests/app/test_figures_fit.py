from dataclasses import replace

import pytest

from app.figures.fit import cache_over_context, growth_finding, held_by_format, held_finding
from app.figures.theme import CACHE, WEIGHTS
from app.memory_words import (
    backward_rows,
    choice_rows,
    context_rows,
    kind_table,
    memory_metrics,
    model_rows,
)
from calculators.memory_answers import memory_answers
from calculators.scenario import Scenario
from calculators.specs import ParameterCounts
from tests.calculators.fit.shapes import gqa, model
from tests.calculators.test_memory_answers import CATALOG, replica

FITS = memory_answers(replica(), Scenario(context_tok=8192), CATALOG)
TOO_LARGE = memory_answers(replica(weights="w16"), Scenario(context_tok=8192), CATALOG)
ODD = model((gqa(16, 4, 256, n_q_heads=24),), ParameterCounts(dense_mlp=10_000_000_000))


def test_bars_stack_to_what_the_engine_may_use():
    figure = held_by_format(FITS)
    totals = [sum(trace.x[i] for trace in figure.data[:3]) for i in range(3)]
    assert totals == pytest.approx([FITS.fit.budget_bytes / 2**30] * 3)
    beyond = figure.data[3].x
    # 70e9 parameters in 16 bits are 130.4 GiB, the engine may use 72
    assert beyond[0] == pytest.approx(130.4 + FITS.fit.overhead_bytes / 2**30 - 72, abs=0.2)
    assert beyond[2] == 0


def test_colours_keep_their_meaning():
    weights, _, cache, _ = held_by_format(FITS).data
    assert (weights.marker.color, cache.marker.color) == (WEIGHTS, CACHE)


def test_the_scenarios_own_format_is_marked():
    assert [name for name in held_by_format(FITS).data[0].y if "<b>" in name] == ["<b>w4</b>"]


def test_titles_say_the_finding():
    n = FITS.fit.max_sequences
    assert f"stops at {n} sequences of 8,192 tokens" in held_finding(FITS)
    assert held_finding(TOO_LARGE).startswith("It does not fit: weights, engine and one sequence")
    odd = memory_answers(replica(ODD, tp=6), Scenario(), CATALOG)
    assert "do not divide by 6 cards; the next count that works is 8" in held_finding(odd)


def test_growth_marks_the_scenario_and_the_room():
    figure = cache_over_context(FITS)
    point = figure.data[-1]
    assert (point.x[0], point.y[0]) == (8192, 2.5)
    assert "holds 2.50 GiB on a card" in growth_finding(FITS)
    assert "no context fits" in growth_finding(TOO_LARGE)


def test_no_room_draws_no_line():
    assert not cache_over_context(TOO_LARGE).layout.shapes


def test_a_small_rest_is_shown_as_a_range():
    tight = memory_answers(replica(weights="w8", card_name="card141"), Scenario(), CATALOG)
    assert not tight.fit.shows_range
    small = replace(FITS, fit=replace(FITS.fit, cache_budget_bytes=1e9, low_sequences=3,
                                      high_sequences=5))  # fmt: skip
    assert memory_metrics(small)[0][1] == "3 to 5"


def test_tables_name_the_limit_and_the_reference():
    assert choice_rows(TOO_LARGE)[0]["At once"] == "does not fit"
    assert choice_rows(TOO_LARGE)[0]["Limit"] == "weights"
    assert [row["Reference arithmetic"] for row in context_rows(FITS)] == ["69", "17", "4"]
    assert kind_table(FITS)[0]["Per token [KiB]"] == "320"


def test_questions_asked_backwards_have_an_answer_or_say_none():
    rows = {row["Question"]: row["Answer"] for row in backward_rows(TOO_LARGE)}
    assert rows["Longest context of one sequence [tokens]"] == "none fits"
    assert rows["Smallest card for 1 x 8,192 tokens"] == "none in the catalog"
    small = model((gqa(2, 1, 64),), ParameterCounts(dense_mlp=1_000_000), max_context_tok=4096)
    own = memory_answers(replica(small), Scenario(context_tok=4096, input_tok=100), CATALOG)
    assert backward_rows(own)[0]["Answer"] == "4,096, the model's own limit"


def test_a_models_files_in_words():
    rows = {row["What"]: row["Value"] for row in model_rows(ODD)}
    assert rows["Parameters of the language model"] == "10,000,000,000"
    assert "Experts, chosen for a token" not in rows
