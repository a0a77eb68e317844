import pytest
from numpy.testing import assert_allclose

from calculators.fit.engine_memory import (
    Overheads,
    activation_peak_bytes,
    cache_budget_bytes,
    engine_overheads,
)
from calculators.fit.engine_rules import EngineDefaults
from calculators.specs import MemoryRule, Parallelism
from tests.calculators.fit.shapes import deployment, model

GIB = 2**30


@pytest.mark.parametrize(
    ("hidden", "intermediate", "vocab", "printed_gib"),
    [
        # llm-d-planner, docs/empirical-vllm-memory-results.md: vLLM 0.11, H100, 8,192 tokens a pass
        # and 1,024 sequences; Llama 3.1 8B, Qwen3 0.6B, Qwen3 32B, Llama 3.3 70B on two cards
        (4096, 14336, 128256, 4.76),
        (1024, 3072, 151936, 5.56),
        (5120, 25600, 151936, 5.64),
        (8192, 28672, 128256, 4.84),
    ],
)
def test_the_sampler_sets_the_peak_of_recent_releases(hidden, intermediate, vocab, printed_gib):
    shape = model(hidden=hidden, intermediate=intermediate, vocab=vocab)
    usual = EngineDefaults(batched_tok=8192, max_sequences=1024)
    peak = activation_peak_bytes(MemoryRule(), shape, Parallelism(), usual)
    assert peak / GIB == pytest.approx(printed_gib, rel=0.005)


@pytest.mark.parametrize(("length", "printed_gib"), [(20_000, 17.06), (29_000, 17.98)])
def test_an_uncut_prompt_sets_the_peak_of_old_releases(length, printed_gib):
    # vllm-project/vllm#10517, release 0.6: peak_torch of Llama 3.1 8B, 14.9888 GiB of it weights.
    shape = model(hidden=4096, intermediate=14336, vocab=128256)
    peak = activation_peak_bytes(MemoryRule(), shape, Parallelism(), EngineDefaults(length, 256))
    assert peak / GIB + 14.9888 == pytest.approx(printed_gib, rel=0.005)


def test_the_sampler_is_not_divided_by_cards_but_the_forward_pass_is():
    # llm-d-planner: Qwen3 32B peaks at 5.64 GiB on one card and on two.
    shape = model(hidden=5120, intermediate=25600, vocab=151936)
    rule = MemoryRule()
    many = EngineDefaults(8192, 1024)
    one, two = (activation_peak_bytes(rule, shape, Parallelism(tp=tp), many) for tp in (1, 2))
    assert one == two
    few = EngineDefaults(8192, 1)
    one, two = (activation_peak_bytes(rule, shape, Parallelism(tp=tp), few) for tp in (1, 2))
    # 8,192 tokens x 6 bytes x 25,600 / 2
    assert one - two == 8192 * 6 * 12800


def test_runtime_grows_with_each_doubling_of_cards():
    sizes = [engine_overheads(deployment(tp=tp)).runtime_bytes / GIB for tp in (1, 2, 4, 8)]
    assert_allclose(sizes, [0.15, 0.55, 0.95, 1.35])


def test_layer_splits_need_no_communication_buffers():
    split = engine_overheads(deployment(pp=4, layer_split=True))
    assert split.runtime_bytes == engine_overheads(deployment()).runtime_bytes


def test_the_four_ways_to_leave_room_for_the_cache():
    taken = Overheads(activation_bytes=4, runtime_bytes=2, graphs_bytes=1)
    card = {"visible_bytes": 102, "weights_bytes": 50, "overheads": taken}
    total, before, after = (
        cache_budget_bytes(MemoryRule(utilisation_frac=0.9, utilisation_of=of), **card)
        for of in ("total", "free_before_load", "free_after_load")
    )
    assert total == pytest.approx(0.9 * 102 - 50 - 7)
    # SGLang: free after loading (102 - 2 - 50) less a tenth of what was free before (100)
    assert before == pytest.approx(50 - 10)
    assert after == pytest.approx(0.9 * (102 - 50 - 7))


def test_graphs_count_only_where_reserved():
    assert engine_overheads(deployment(rule={"graphs_gib": 0.5})).graphs_bytes == GIB / 2
