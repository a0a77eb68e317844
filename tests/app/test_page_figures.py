"""The panel's figures are the page's: same inputs, same digits; no Streamlit is started."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app import explanations, memory_words
from calculators.memory_answers import memory_answers
from calculators.plan import plan
from calculators.scenario import Scenario
from tests.app.equations import sides


def lines(derivations, figure: str) -> list[str]:
    [one] = [one for one in derivations if one.figure == figure]
    return one.formula.splitlines()


def shown(derivations, figure: str, line: int = -1) -> str:
    return lines(derivations, figure)[line].split(" = ")[-1]


def by_label(metrics) -> dict[str, str]:
    return {label: value for label, value, *_ in metrics}


MEMORY = {
    "default": {},
    "small rest": {"gpu": "rtx-4090", "model": "qwen3-32b", "context_tok": 4096},
    "windows": {"model": "gemma-3-27b", "context_tok": 16_384},
    "shared": {"n_cards": 2, "prefix_tok": 2048, "n_open": 3},
}


@pytest.mark.parametrize("changes", MEMORY.values(), ids=MEMORY)
def test_memory(catalog, changes):
    priced = plan(replace(Scenario(), **changes), catalog)
    answers = memory_answers(priced.deployment, priced.scenario, priced.catalog)
    derivations = explanations.memory_page(priced, answers)
    metrics = by_label(memory_words.memory_metrics(answers))
    assert shown(derivations, "Weights") == metrics["Weights"]
    assert shown(derivations, "Engine") == metrics["Engine"]
    assert shown(derivations, "Left for the cache", 0) == metrics["Left for the cache"]
    token = "Cache of a token, and table: cache by kind of layer"
    assert shown(derivations, token) == metrics["Cache of a token"]
    found = [
        line.split(" = ")[-1].split(" ")[0] for line in lines(derivations, "Sequences at once")
    ]
    assert {*metrics["Sequences at once"].split(" to ")} <= {*found}
    rows = memory_words.choice_rows(answers)
    table = lines(derivations, "Table: what would change it")
    assert [row["At once"] for row in rows if row["At once"] != "does not fit"] == [
        line.split(" = ")[-1].removesuffix(" at once") for line in table if "at once: " in line
    ]
    assert [row["Cache a card [GiB]"] for row in rows] == [
        line.split(" = ")[-1].removesuffix(" GiB") for line in table if "cache of a card: " in line
    ]
    reference = [row["Reference arithmetic"] for row in memory_words.context_rows(answers)]
    assert reference == [
        line.split(" = ")[-1] for line in lines(derivations, "Table: reference arithmetic")
    ]
    kinds = [row["Per sequence, on a card [GiB]"] for row in memory_words.kind_table(answers)]
    kept = lines(derivations, "Table: cache of a sequence, by kind of layer")
    assert kinds == [line.split(" = ")[-1].removesuffix(" GiB") for line in kept]
    for line in lines(derivations, "Table: asked backwards"):
        assert sides(line)[0][0] <= sides(line)[0][1], line
