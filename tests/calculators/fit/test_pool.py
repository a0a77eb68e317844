import pytest

from calculators.fit.pool import held_bytes, request_pool
from calculators.specs import LayerGroup
from tests.calculators.fit.shapes import deployment, gqa, model

PAGED = {"page_align_tok": 16}


def gated_delta(n_layers=48, n_heads=48):
    # 128 x 128 state for each value head in 32 bits; tail of 3 of the 10,240 convolved channels
    return LayerGroup(
        kind="recurrent",
        n_layers=n_layers,
        state_elements=n_heads * 128 * 128,
        conv_elements=3 * 10_240,
        conv_taps=4,
    )


def test_plain_attention_reserves_whole_blocks():
    # llm-d-planner, release 0.11, 40 layers x 8 x 128, block 128: 28.2 GiB printed as 184,832
    # tokens, 11.55 sequences of 16,000. 28.2 is rounded: one block is 20 MiB.
    shape = model((gqa(40),))
    pool = request_pool(
        deployment(shape, rule={"block_tok": 128}), max_model_len=16_000, batched_tok=8192
    )
    assert (pool.block_bytes, pool.request_blocks) == (163_840 * 128, 125)
    assert pool.concurrency(28.2 * 2**30) * 16_000 == pytest.approx(184_832, rel=0.001)


def test_windows_reserve_a_window_and_one_pass():
    # redhat-performance/configiq#112: Gemma 4 31B, 10 global layers of 4 x 512 and 50 local ones
    # of 16 x 256 with a window of 1,024; 110,797 bytes a token at 262,144 tokens.
    local = gqa(50, 16, 256, kind="sliding", window_tok=1024)
    gemma = model((gqa(10, 4, 512), local))
    pool = request_pool(deployment(gemma, rule=PAGED), max_model_len=262_144, batched_tok=8192)
    assert pool.request_bytes / 262_144 == pytest.approx(110_797, rel=0.0005)


def test_pages_of_a_hybrid_hold_a_whole_state():
    # noonghunna/club-3090 #849, release 0.25.1: 14.68 GiB a card held 841,541 tokens, which is
    # 565 pages / 176 x 262,144: pages of 1,600 tokens, 3 x 4 pages of states with 3 drafts.
    hybrid = model((gqa(16, 4, 256), gated_delta()))
    two_cards = deployment(hybrid, cache_bits=8, rule=PAGED, tp=2)
    pool = request_pool(two_cards, max_model_len=262_144, batched_tok=8192, n_draft=3)
    assert (pool.page_tok, pool.request_blocks) == (1600, 176)
    assert int(pool.concurrency(14.68 * 2**30) * 262_144) == 841_541


def test_more_copies_of_a_state_reserve_more_pages():
    # the same model on release 0.27.1: 270,930 tokens are 185 pages / 179
    hybrid = model((gqa(16, 4, 256), gated_delta()))
    rule = PAGED | {"state_copies": 2}
    pool = request_pool(
        deployment(hybrid, cache_bits=8, rule=rule, tp=2),
        max_model_len=262_144,
        batched_tok=8192,
        n_draft=3,
    )
    assert pool.request_blocks == 179


def test_equal_shares_of_local_and_global_layers_make_two_groups():
    # 12 and 12 layers of 8 x 64 in blocks of 16: global 1,000 blocks of 16,000 tokens; local
    # ceil((127 + 8192) / 16) + 1 = 521
    local = gqa(12, 8, 64, kind="sliding", window_tok=128)
    pool = request_pool(
        deployment(model((gqa(12, 8, 64), local)), rule=PAGED),
        max_model_len=16_000,
        batched_tok=8192,
    )
    assert (pool.request_blocks, pool.block_bytes) == (1521, 12 * 16 * 2048)


def test_an_engine_without_pages_sums_states():
    hybrid = model((gqa(16, 4, 256), gated_delta()))
    pool = request_pool(deployment(hybrid), max_model_len=1600, batched_tok=512)
    state = 48 * (48 * 128 * 128 * 4 + 3 * 10_240 * 2)
    assert pool.request_bytes == pytest.approx(1600 * 16 * 4096 + state)


def test_an_empty_pool_holds_nothing():
    pool = request_pool(deployment(), max_model_len=1600, batched_tok=512)
    assert pool.concurrency(-5.0) == 0


def test_one_token_of_a_hybrid_holds_a_whole_page_of_each_kind():
    # 16 attention layers of 4 x 256 and 48 states of 3 MiB, 8-bit cache: pages of 1,568 tokens
    hybrid = deployment(model((gqa(16, 4, 256), gated_delta())), cache_bits=8, rule=PAGED)
    page = 16 * 1568 * 2048
    assert held_bytes(hybrid, 1) == held_bytes(hybrid, 1568) == 4 * page
    assert held_bytes(hybrid, 1569) == 5 * page


def test_stages_hold_their_share_of_the_layers():
    local = gqa(50, 16, 256, kind="sliding", window_tok=1024)
    gemma = model((gqa(10, 4, 512), local))
    one, two = (held_bytes(deployment(gemma, rule=PAGED, pp=pp), 65_536) for pp in (1, 2))
    assert two == one / 2


def test_older_releases_count_tokens_by_group_of_layers():
    # vLLM 0.15.0, _report_kv_cache_config: blocks // groups x block. 10 global and 50 local layers
    # of one page size make six groups of ten.
    local = gqa(50, 8, 128, kind="sliding", window_tok=1024)
    shape = model((gqa(10, 8, 128), local))
    pool = request_pool(deployment(shape, rule=PAGED), max_model_len=32_768, batched_tok=2048)
    block_bytes = 10 * 16 * 2 * 8 * 128 * 2  # ten layers, 16 tokens, K and V, 16 bits
    assert (pool.block_bytes, pool.n_groups) == (block_bytes, 6)
    assert pool.tokens(1000 * block_bytes) == 1000 // 6 * 16
