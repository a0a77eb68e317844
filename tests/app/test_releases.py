"""Price lists of another release of the hosted model are said to be that."""

from __future__ import annotations

import pytest

from app.cost_rows import offer_rows
from app.releases import other_release
from app.sentences import api_words
from calculators.cost.api_offers import ApiOffer
from calculators.plan import plan
from calculators.scenario import Scenario
from tests.worlds import api


@pytest.mark.parametrize(
    ("model", "listed", "release"),
    [
        ("DeepSeek V3", "deepseek-ai/DeepSeek-V3", ""),
        ("DeepSeek V3", "deepseek-ai/DeepSeek-V3.1", "3.1"),
        ("DeepSeek V3", "deepseek-chat-v3-0324", "0324"),
        ("DeepSeek R1", "DeepSeek-R1-0528", "0528"),
        ("Qwen3 235B A22B", "Qwen3-235B-A22B-Instruct-2507", "2507"),
        ("Llama 3.3 70B", "meta-llama/Llama-3.3-70B-Instruct-Turbo", ""),
        ("Llama 3.3 70B", "Meta-Llama-3_3-70B-Instruct", ""),
        ("Llama 3.3 70B", "meta.llama3-3-70b-instruct-v1:0", ""),
        ("Mixtral 8x7B", "mixtral-8x7b-instruct", ""),
        ("Mistral Small 3 24B 2501", "mistral-small-24b-2501", ""),
        ("Mistral Small 3 24B", "mistral-small-24b-instruct-2501", "2501"),
        ("gpt-oss 120b", "openai/gpt-oss-120b", ""),
    ],
)
def test_another_release_is_told_by_its_number(model: str, listed: str, release: str):
    price = api().model_copy(update={"model": listed, "name": listed})
    assert other_release(model, price) == release


def test_the_table_says_which_release_a_list_is_of():
    dated = api().model_copy(update={"model": "deepseek-v3-0324", "name": "DeepSeek V3"})
    [row] = offer_rows([ApiOffer(dated, 1.0, 1.0, same_model=True)], "DeepSeek V3")
    assert row["Same model"] == "yes, its release 0324"
    newer = api().model_copy(update={"model": "DeepSeek-V3.1", "name": "DeepSeek V3.1"})
    rows = offer_rows([ApiOffer(newer, 1.0, 1.0, same_model=True)], "DeepSeek V3")
    assert rows[0]["Same model"] == "same shape, but version 3.1: compare quality first"


def test_home_says_that_the_api_serves_another_version(catalog):
    scenario = Scenario(model="deepseek-v3", api="openrouter/deepseek/deepseek-chat-v3.1")
    assert "version 3.1: compare quality" in api_words(plan(scenario, catalog))
    same = Scenario(model="deepseek-v3", api="openrouter/deepseek/deepseek-chat-v3-0324")
    assert "compare quality" not in api_words(plan(same, catalog))
