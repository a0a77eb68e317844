import pytest
from numpy.testing import assert_allclose

from calculators.fit.engine_memory import (
    Overheads,
    activation_peak_bytes,
    cache_budget_bytes,
    engine_overheads,
)
from calculators.fit.engine_rules import EngineDefaults
from calculators.specs import LayerGroup, MemoryRule, Parallelism
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


def test_dense_models_are_sampled_without_a_sort_where_a_newer_runner_serves_them():
    # vLLM 0.25.1: logits in 16 bits and a copy in 32 (6 bytes); other models keep 14 bytes
    rule = MemoryRule(sampler_bytes=14, light_sampler_bytes=6, held_hidden_bytes=0)
    many = EngineDefaults(batched_tok=1024, max_sequences=1024)
    small = {"hidden": 64, "intermediate": 64, "vocab": 100_000}
    mixture = {"n_experts": 8, "top_k": 1, "moe_intermediate": 64}
    peaks = [
        activation_peak_bytes(rule, shape, Parallelism(), many)
        for shape in (model(**small), model(**small, **mixture))
    ]
    assert peaks == [6 * 1024 * 100_000, 14 * 1024 * 100_000]


def test_no_more_sequences_are_sampled_than_tokens_pass():
    rule = MemoryRule(held_hidden_bytes=0)
    few = EngineDefaults(batched_tok=64, max_sequences=1024)
    shape = model(hidden=64, intermediate=64, vocab=100_000)
    assert activation_peak_bytes(rule, shape, Parallelism(), few) == 38.4 * 64 * 100_000


@pytest.mark.parametrize(("attention_dp", "gib"), [(False, 0.5), (True, 4.0)])
def test_a_prefill_expands_65536_tokens_of_a_latent(attention_dp, gib):
    # vLLM 0.11.0, mla/common.py: 65,536 tokens x 128 heads x (128 + 128) x 2 bytes = 4 GiB,
    # divided by the cards unless attention is data parallel
    latent = LayerGroup(
        kind="mla",
        n_layers=61,
        n_q_heads=128,
        n_kv_heads=1,
        k_head_dim=192,
        v_head_dim=128,
        latent_dim=512,
        rope_dim=64,
    )
    shape = model((latent,), hidden=1, intermediate=1, vocab=1)
    rule = MemoryRule(latent_workspace_tok=65_536, held_hidden_bytes=0, forward_hidden_bytes=0)
    split = Parallelism(tp=8, attention_dp=attention_dp)
    peak = activation_peak_bytes(rule, shape, split, EngineDefaults(1, 1))
    assert peak / GIB == pytest.approx(gib)


def test_a_vision_tower_s_embeddings_are_held_too():
    # 2 bytes x 8,192 tokens x 5,120 more
    usual = EngineDefaults(8192, 256)
    plain = model(hidden=5120)
    seeing = plain.model_copy(update={"towers": {"vision": 1}})
    peaks = [
        activation_peak_bytes(MemoryRule(), shape, Parallelism(), usual)
        for shape in (plain, seeing)
    ]
    assert peaks[1] - peaks[0] == 2 * 8192 * 5120


def test_llama_cpp_keeps_a_mask_of_the_context_for_each_pass():
    # ollama/ollama#17037: a compute buffer of 203 MiB at 131,072 tokens, of which the 16-bit mask
    # of 512 tokens takes 128 MiB
    rule = {"mask_bytes": 2, "batched_tok": 512, "large_batched_tok": 512}
    sizes = [
        engine_overheads(deployment(rule=rule), max_model_len=length).activation_bytes
        for length in (0, 131_072)
    ]
    assert (sizes[1] - sizes[0]) / 2**20 == 128
