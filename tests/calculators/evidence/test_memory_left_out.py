import pandas as pd
import pytest

from calculators.evidence.memory_left_out import (
    grid_candidates,
    left_out_ratios,
    pool_ratios,
    with_constants,
)
from tests.calculators.evidence.test_memory_accuracy import CATALOG, RECENT

GIB = 2**30


def test_a_source_is_judged_by_constants_that_suit_the_others():
    # "low" is exact for b and c, "high" for a: a is judged by "low", b and c by what suits
    # the other two best (b: a and c are off by 10 % and 0 under low, by 0 and 30 % under high)
    ratios = pd.DataFrame({"low": [0.9, 1.0, 1.0], "high": [1.0, 1.3, 1.3]})
    assert left_out_ratios(ratios, pd.Series(["a", "b", "c"])).tolist() == [0.9, 1.0, 1.0]


def test_only_constants_that_an_engine_has_are_changed():
    changed = with_constants(CATALOG, {"graphs_gib": 1.0, "runtime_gib": 0.4})
    vllm = changed.engines["vllm"]
    assert (vllm.memory.graphs_gib, vllm.memory.runtime_gib) == (1.0, 0.4)
    before_0_8, before_0_16 = (older.memory for older in vllm.older_memory)
    assert (before_0_8.runtime_gib, before_0_16.graphs_gib) == (0.35, 0.0)
    assert changed.engines["llama-cpp"] == CATALOG.engines["llama-cpp"]


def test_a_candidate_takes_its_memory_from_the_cache():
    rows = pd.DataFrame([RECENT | {"printed_quantity": "kv_gib", "value": 51.38, "source": "a"}])
    ratios = pool_ratios(rows, CATALOG, grid_candidates({"runtime_gib": (0.15, 1.15)}))
    assert (ratios[0] - ratios[1]).iloc[0] * 51.38 == pytest.approx(1.0)
