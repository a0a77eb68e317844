import timeit
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calculators.fit.capacity import capacity
from calculators.specs import LayerGroup, ParameterCounts
from tests.calculators.fit.shapes import cache_format, deployment, gqa, model

GIB = 2**30
LLAMA_70B = model(
    (gqa(80),),
    ParameterCounts(
        embedding=1_050_673_152,
        head=1_050_673_152,
        attention=12_079_595_520,
        dense_mlp=56_371_445_760,
        rest=1_318_912,
    ),
)


def test_llama_70b_in_fp8_on_two_cards_as_printed():
    # llm-d-planner, vLLM 0.11: 33.88 GiB weights and 32.0 GiB cache a card at 0.9 of 79.18 GiB;
    # embedding and head are left in 16 bits.
    shape = LLAMA_70B.model_copy(update={"max_context_tok": 131_072})
    fp8 = {"group_bits": {"embedding": 16, "head": 16, "rest": 16}}
    two = deployment(shape, 8, tp=2)
    two = replace(two, weights=two.weights.model_copy(update=fp8))
    fit = capacity(two, context_tok=16_000, batched_tok=8192, max_sequences=1024)
    assert fit.weights_bytes / GIB == pytest.approx(33.88, rel=0.001)
    assert fit.cache_budget_bytes / GIB == pytest.approx(32.0, rel=0.005)
    # 163,840 bytes a token and card: 2.44 GiB a sequence
    assert (fit.fits, fit.limit, fit.max_sequences) == (True, "cache", 13)
    assert fit.kv_bytes_per_tok == 327_680
    assert fit.kv_capacity_tok == pytest.approx(32.0 * GIB / 163_840, rel=0.005)
    assert not fit.shows_range


def test_the_same_model_leaves_no_room_on_one_card():
    # printed: -1.44 GiB available, refused
    fp8 = {"group_bits": {"embedding": 16, "head": 16, "rest": 16}}
    one = deployment(LLAMA_70B, 8)
    one = replace(one, weights=one.weights.model_copy(update=fp8))
    fit = capacity(one, context_tok=16_000, batched_tok=8192, max_sequences=1024)
    assert fit.cache_budget_bytes / GIB == pytest.approx(-1.44, abs=0.1)
    assert (fit.fits, fit.limit, fit.max_sequences) == (False, "weights", 0)


def test_a_cache_too_small_for_one_sequence_does_not_fit():
    # llm-d-planner: Qwen3 32B, 61.03 GiB, one card: 4.45 GiB left, refused at 32,000 tokens
    # (64 layers x 8 x 128 in 16 bits: 7.8 GiB) and accepted at 16,000 (3.9 GiB).
    qwen = model((gqa(64),), ParameterCounts(dense_mlp=32_762_123_264), vocab=151_936,
                 hidden=5120, intermediate=25_600, max_context_tok=40_960)  # fmt: skip
    settings = {"batched_tok": 8192, "max_sequences": 1024}
    long, short = (
        capacity(deployment(qwen), context_tok=length, **settings) for length in (32_000, 16_000)
    )
    assert (long.fits, long.limit) == (False, "cache")
    assert short.fits and short.max_sequences == 1
    assert short.cache_budget_bytes / GIB == pytest.approx(4.45, rel=0.01)
    assert short.shows_range and short.low_sequences <= 1 <= short.high_sequences


def test_one_long_request_must_fit_where_the_engine_is_to_accept_it():
    small = deployment(model((gqa(32),), ParameterCounts(dense_mlp=8_000_000_000)))
    assert capacity(small, context_tok=8192).fits
    assert not capacity(small, context_tok=8192, max_model_len=1_000_000).fits


def test_heads_that_do_not_divide_name_the_next_count():
    odd = model((gqa(16, 4, 256, n_q_heads=24),), ParameterCounts(dense_mlp=10_000_000_000))
    fit = capacity(deployment(odd, tp=6), context_tok=4096)
    assert (fit.fits, fit.limit, fit.next_divisor) == (False, "heads", 8)
    assert "do not divide by 6 cards; the next count that works is 8" in fit.limit_text


def test_slots_limit_where_memory_has_room():
    tiny = model((gqa(2, 1, 64),), ParameterCounts(dense_mlp=1_000_000))
    fit = capacity(deployment(tiny), context_tok=1024, max_sequences=16)
    assert (fit.limit, fit.max_sequences) == ("slots", 16)
    assert fit.fits


def test_a_shared_prefix_is_held_once():
    # 128 KiB a token, 8 GiB of sequences of 8,192 tokens: 1 GiB each; half of it shared
    shape = model((gqa(32),), ParameterCounts(dense_mlp=1_000_000))
    alone = capacity(deployment(shape, visible_gib=24), context_tok=8192, max_sequences=10_000,
                     batched_tok=16)  # fmt: skip
    free = alone.cache_budget_bytes / GIB
    shared = capacity(deployment(shape, visible_gib=24), context_tok=8192, prefix_tok=4096,
                      max_sequences=10_000, batched_tok=16)  # fmt: skip
    assert alone.max_sequences == max(int(free), 0)
    assert shared.max_sequences == max(int((free - 0.5) / 0.5), 0)


def test_idle_conversations_hold_cache():
    shape = model((gqa(32),), ParameterCounts(dense_mlp=1_000_000_000))
    settings = {"context_tok": 8192, "max_sequences": 64, "batched_tok": 2048}
    busy = capacity(deployment(shape), **settings).max_sequences
    idle = capacity(deployment(shape), open_conversations=10, **settings).max_sequences
    assert idle == busy - 10 if busy < 64 else idle >= busy - 10


def test_data_parallel_attention_counts_sequences_of_all_cards():
    mla = LayerGroup(kind="mla", n_layers=60, n_q_heads=128, latent_dim=512, rope_dim=64)
    shape = model((mla,), ParameterCounts(routed_experts=200_000_000_000), n_experts=64, top_k=8)
    split = {"tp": 8, "expert_parallel": True}
    settings = {"context_tok": 131_072, "max_sequences": 1000}
    whole = capacity(deployment(shape, 8, attention_dp=True, **split), **settings)
    replicated = capacity(deployment(shape, 8, **split), **settings)
    assert whole.sequence_bytes == replicated.sequence_bytes
    assert whole.max_sequences == 8 * replicated.max_sequences > 0


def test_a_grown_block_rounds_up():
    shape = model((gqa(1, 1, 64),), ParameterCounts(dense_mlp=1_000_000))
    fit = capacity(deployment(shape, rule={"block_tok": 256}), context_tok=257)
    assert fit.sequence_bytes == 512 * 256


shapes = st.builds(
    gqa,
    n_layers=st.integers(1, 80),
    n_kv_heads=st.sampled_from([1, 2, 4, 8]),
    kind=st.sampled_from(["full", "sliding"]),
    window_tok=st.sampled_from([1024, 4096]),
)


@given(shapes, st.integers(1, 200_000), st.floats(8, 300), st.sampled_from([1, 2, 4, 8]))
def test_sequences_fill_the_budget_but_never_overflow_it(group, context_tok, gib, tp):
    shape = model((group,), ParameterCounts(dense_mlp=5_000_000_000))
    fit = capacity(
        deployment(shape, visible_gib=gib, tp=tp), context_tok=context_tok, max_sequences=10**9
    )
    if not fit.fits:
        assert fit.max_sequences == 0
        return
    assert fit.max_sequences * fit.sequence_bytes <= fit.cache_budget_bytes
    assert (fit.max_sequences + 1) * fit.sequence_bytes > fit.cache_budget_bytes
    assert fit.low_sequences <= fit.max_sequences <= fit.high_sequences


@given(shapes, st.integers(1, 100_000), st.integers(1, 100_000))
def test_longer_contexts_never_hold_more_sequences(group, one_tok, other_tok):
    shape = model((group,), ParameterCounts(dense_mlp=5_000_000_000))
    short, long = sorted((one_tok, other_tok))
    counts = [
        capacity(deployment(shape), context_tok=n, max_sequences=256, batched_tok=2048)
        for n in (short, long)
    ]
    assert counts[0].max_sequences >= counts[1].max_sequences


@given(shapes)
def test_an_eight_bit_cache_never_holds_fewer(group):
    shape = model((group,), ParameterCounts(dense_mlp=5_000_000_000))
    wide = deployment(shape)
    narrow = replace(wide, cache=cache_format(8))
    assert (
        capacity(narrow, context_tok=8192).max_sequences
        >= capacity(wide, context_tok=8192).max_sequences
    )


def test_one_call_takes_well_under_a_millisecond():
    hybrid = model((gqa(16, 4, 256), gqa(48, kind="sliding", window_tok=1024)))
    call = deployment(hybrid, 4, tp=4)
    best_s = min(timeit.repeat(lambda: capacity(call, context_tok=8192), number=20, repeat=5)) / 20
    assert best_s < 1e-3
