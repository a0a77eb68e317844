import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from calculators.fit.cache_reads import cache_read_bytes
from calculators.fit.kv_cache import cache_by_group, cache_bytes_per_tok, sequence_cache_bytes
from calculators.specs import LayerGroup, Parallelism
from tests.calculators.fit.shapes import cache_format, gqa, model

MLA = {"kind": "mla", "latent_dim": 512, "rope_dim": 64, "n_kv_heads": 1, "k_head_dim": 192}


def latent(n_layers, **other):
    return LayerGroup(n_layers=n_layers, **(MLA | other))


@pytest.mark.parametrize(
    ("group", "bits", "expected"),
    [
        # Qwen2.5 1.5B, GeniePod/genie-claw#410: 28 x 2 x 128 x 2 x 2
        (gqa(28, 2), 16, 28_672),
        # Phi-3 mini, turboderp-org/exllamav2#425: 32 x 32 x 96 x 2 x 2
        (gqa(32, 32, 96), 16, 393_216),
        # Llama 2 7B, rohitg00/ai-engineering-from-scratch#57: 512 KiB
        (gqa(32, 32), 16, 524_288),
        # Falcon 7B is multi-query, huggingface/text-generation-inference#629: 8 KiB
        (gqa(32, 1, 64), 16, 8192),
        # Qwen3 0.6B states its head size, vllm-project/vllm#24577: 28 x 8 x 128 x 2 x 2
        (gqa(28, 8), 16, 114_688),
        # Qwen3 235B, vllm-project/vllm#21348: 94 x 4 x 128 x 2 x 2
        (gqa(94, 4), 16, 192_512),
        # DeepSeek V3, LMCache/LMCache#694: 61 x (512 + 64) x 2
        (latent(61), 16, 70_272),
        # 7B cache in q8_0, withcatai/node-llama-cpp#608: 34 bytes for 32 elements
        (gqa(32, 32), 8.5, 32 * 2 * 32 * 128 * 34 / 32),
    ],
)
def test_bytes_per_token_that_engines_and_authors_state(group, bits, expected):
    assert cache_bytes_per_tok(model((group,)), bits) == pytest.approx(expected, abs=1e-6)


def test_a_36_layer_dense_model_takes_4_5_gib_at_32k_and_36_at_256k():
    # Osmantic/ODS#3375
    sizes = sequence_cache_bytes(
        model((gqa(36),)), cache_format(), context_tok=[32 * 1024, 256 * 1024]
    )
    assert_allclose(sizes / 2**30, [4.5, 36])


def test_only_attention_layers_of_a_hybrid_grow():
    # jundot/omlx#2725: 16 of 64 layers attend: 4.00 MiB at 64 tokens, not 16.
    recurrent = LayerGroup(kind="recurrent", n_layers=48, state_elements=10)
    hybrid = model((gqa(16, 4, 256), recurrent))
    attention, state = cache_by_group(hybrid, cache_format(), context_tok=[64, 6400])
    assert_allclose(attention / 2**20, [4, 400])
    assert_allclose(state, [48 * 40, 48 * 40])


def test_gemma_3_4b_full_and_local_caches():
    # ollama/ollama#17037 printed 2,560 MiB for 5 global layers of 131,072 cells and 174 MiB for 29
    # local layers of 1,536 cells: 4 KV heads of 256.
    shape = model((gqa(5, 4, 256), gqa(29, 4, 256, kind="sliding", window_tok=1536)), hidden=2560)
    full, local = cache_by_group(shape, cache_format(), context_tok=131_072)
    assert (full / 2**20, local / 2**20) == (2560, 174)


def test_a_gated_delta_state_is_a_matrix_for_each_head():
    # noonghunna/club-3090 KV_MATH: 144 MiB of state and 5.6 of convolution for 48 layers of
    # 48 heads x 128 x 128 in 32 bits; tail 3 x 10,240 in 32 bits.
    delta = LayerGroup(
        kind="recurrent",
        n_layers=48,
        state_elements=48 * 128 * 128,
        conv_elements=3 * 10_240,
        conv_bits=32,
    )
    state = sequence_cache_bytes(model((delta,)), cache_format(), context_tok=1)
    assert state / 2**20 == pytest.approx(149.6, abs=0.05)


def test_compressed_layers_of_deepseek_v4():
    # vLLM blog, 2026-04-24: one entry in 4 tokens with an index of 128, 320.1 MiB a layer at
    # 1,048,576 tokens in 16 bits; one entry in 128 tokens, 8.1 MiB; window 128.
    base = {"kind": "compressed", "latent_dim": 448, "rope_dim": 64, "window_tok": 128}
    fine = LayerGroup(n_layers=1, compress_ratio=4, index_dim=128, **base)
    coarse = LayerGroup(n_layers=1, compress_ratio=128, **base)
    sizes = cache_by_group(model((fine, coarse)), cache_format(), context_tok=1_048_576)
    assert_allclose(np.array(sizes) / 2**20, [320.1, 8.1], atol=0.05)


def test_deepseek_v32_with_its_index():
    # vLLM blog, 2026-04-24: 83.9 GiB at 1,048,576 tokens, 256 bytes of index key a layer.
    size = sequence_cache_bytes(
        model((latent(61, index_dim=128),)), cache_format(), context_tok=1_048_576
    )
    assert size / 2**30 == pytest.approx(83.9, abs=0.05)


def test_kv_heads_divide_until_one_each_and_are_then_replicated():
    shape = model((gqa(94, 4),))
    sizes = [
        sequence_cache_bytes(shape, cache_format(), Parallelism(tp=tp), context_tok=16) / 16
        for tp in (1, 2, 4, 8)
    ]
    # vllm-project/vllm#21348: 48,128 bytes a token and card at 4 cards
    assert sizes == [192_512, 96_256, 48_128, 48_128]


def test_a_latent_lies_whole_on_every_card():
    shape = model((latent(61),))
    one, eight = (
        sequence_cache_bytes(shape, cache_format(), Parallelism(tp=tp), context_tok=160)
        for tp in (1, 8)
    )
    assert one == eight


def test_with_data_parallel_attention_a_sequence_lies_on_one_card():
    split = Parallelism(tp=8, attention_dp=True)
    shape = model((gqa(80),))
    assert sequence_cache_bytes(shape, cache_format(), split, context_tok=16) == 16 * 327_680


def test_layers_that_share_a_cache_hold_it_once_and_read_it_each():
    shape = model((gqa(10, 1, 64, n_cache_layers=4),))
    assert sequence_cache_bytes(shape, cache_format(), context_tok=16) == 16 * 4 * 256
    assert cache_read_bytes(shape, cache_format(), context_tok=16) == 16 * 10 * 256


def test_contexts_count_in_whole_blocks():
    sizes = sequence_cache_bytes(
        model((gqa(1, 1, 64),)), cache_format(), context_tok=[0, 1, 16, 17]
    )
    assert_allclose(sizes, np.array([0, 16, 16, 32]) * 256)


def test_a_sparse_index_reads_all_keys_and_the_chosen_entries():
    shape = model((latent(2, index_dim=128, index_topk_tok=2048),))
    read = cache_read_bytes(shape, cache_format(), context_tok=[1000, 100_000])
    assert_allclose(read, [2 * 2 * (1000 * 704), 2 * 2 * (2048 * 576 + 100_000 * 128)])


def test_a_state_is_read_and_written_each_step():
    recurrent = LayerGroup(kind="recurrent", n_layers=3, state_elements=100)
    assert cache_read_bytes(model((recurrent,)), cache_format(), context_tok=5) == 2 * 3 * 400


heads = st.sampled_from([1, 2, 4, 8, 16, 32])
contexts = st.integers(0, 300_000)


@given(heads, contexts)
def test_grouped_queries_never_hold_more_than_all_heads(n_kv_heads, context_tok):
    few = sequence_cache_bytes(
        model((gqa(4, n_kv_heads),)), cache_format(), context_tok=context_tok
    )
    all_heads = sequence_cache_bytes(model((gqa(4, 32),)), cache_format(), context_tok=context_tok)
    assert few <= all_heads


@given(st.integers(16, 5000), contexts)
def test_a_window_that_covers_the_context_is_full_attention(window_tok, context_tok):
    sliding = model((gqa(4, kind="sliding", window_tok=window_tok),))
    local = sequence_cache_bytes(sliding, cache_format(), context_tok=context_tok)
    full = sequence_cache_bytes(model((gqa(4),)), cache_format(), context_tok=context_tok)
    assert local == full if window_tok >= context_tok else local <= full


@given(st.lists(contexts, min_size=2, max_size=6).map(sorted))
def test_more_context_never_holds_or_reads_less(lengths):
    mixed = model(
        (
            gqa(4),
            gqa(4, kind="sliding", window_tok=1024),
            latent(2, index_dim=64, index_topk_tok=512),
            LayerGroup(
                kind="compressed",
                n_layers=2,
                latent_dim=512,
                compress_ratio=4,
                window_tok=128,
                index_dim=64,
                index_topk_tok=512,
            ),
        )
    )
    for sizes in (
        sequence_cache_bytes(mixed, cache_format(), context_tok=lengths),
        cache_read_bytes(mixed, cache_format(), context_tok=lengths),
    ):
        assert np.all(np.diff(sizes) >= 0)
    single = [sequence_cache_bytes(mixed, cache_format(), context_tok=n) for n in lengths]
    assert_allclose(sequence_cache_bytes(mixed, cache_format(), context_tok=lengths), single)
