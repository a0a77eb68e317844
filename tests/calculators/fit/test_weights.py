import pytest
from numpy.testing import assert_allclose

from calculators.fit.sharding import card_shares
from calculators.fit.weights import (
    card_group_bytes,
    card_weight_bytes,
    effective_bits,
    group_weight_bytes,
    touched_weight_bytes,
    weight_bytes,
)
from calculators.specs import LayerGroup, Parallelism, ParameterCounts
from tests.calculators.fit.shapes import deployment, gqa, model, weight_format

COUNTS = ParameterCounts(
    embedding=1000,
    head=1000,
    attention=4000,
    dense_mlp=8000,
    routed_experts=64000,
    shared_experts=800,
    rest=10,
    towers=500,
    mtp=300,
)


def test_a_scale_and_a_zero_of_16_bits_in_128_weights_cost_a_quarter_bit():
    assert_allclose(
        effective_bits(bits=[8, 4, 3, 2], group_size=128, scale_bits=16, zero_bits=16),
        [8.25, 4.25, 3.25, 2.25],
    )


def test_q8_0_stores_34_bytes_for_32_weights():
    # withcatai/node-llama-cpp#608: a block is 32 one-byte weights and one 16-bit scale.
    assert effective_bits(bits=8, group_size=32, scale_bits=16) == pytest.approx(34 / 32 * 8)


def test_a_group_of_nothing_is_refused():
    with pytest.raises(ValueError, match="group_size is 0"):
        effective_bits(bits=4, group_size=0, scale_bits=16)


def test_llama_70b_in_16_bits_is_141_gb():
    # huggingface/accelerate#3379: 70.6e9 parameters x 2 bytes, not the 65 GB that a tool printed.
    assert weight_bytes(n_params=70.6e9, bits=16) == pytest.approx(141.2e9)


def test_weight_bytes_broadcast_like_single_calls():
    grid = weight_bytes(n_params=[[8e9], [70e9]], bits=[16, 4])
    assert grid.shape == (2, 2)
    assert grid[1, 1] == weight_bytes(n_params=70e9, bits=4) == 35e9


def test_a_four_bit_format_leaves_named_groups_towers_and_norms_in_16_bits():
    fmt = weight_format(4, group_bits={"embedding": 16, "head": 16})
    sizes = group_weight_bytes(model(parameters=COUNTS), fmt)
    assert sizes == {
        "embedding": 2000,
        "head": 2000,
        "attention": 2000,
        "dense_mlp": 4000,
        "routed_experts": 32000,
        "shared_experts": 400,
        "rest": 20,
        "towers": 1000,
        "mtp": 150,
    }


def test_a_whole_file_average_counts_every_language_group_alike():
    fmt = weight_format(4, whole_file_bits=4.85)
    sizes = group_weight_bytes(model(parameters=COUNTS), fmt)
    language = sum(size for group, size in sizes.items() if group not in ("towers", "mtp"))
    assert language == pytest.approx(78810 * 4.85 / 8)


def test_tensor_parallel_divides_all_but_norms():
    shares = card_shares(model(parameters=COUNTS), Parallelism(tp=4))
    assert shares["dense_mlp"] == shares["embedding"] == shares["routed_experts"] == 0.25
    assert shares["rest"] == 1


def test_kv_projections_are_replicated_beyond_one_head_a_card():
    # 1 layer, hidden 16: Q and O 2 x 16 x 16 = 512, K and V of 2 heads x 4 = 2 x 16 x 8 = 256.
    # On 4 cards each holds 512 / 4 of Q and O, and one KV head: 16 x 8 = 128.
    one = gqa(n_layers=1, n_kv_heads=2, head_dim=4, n_q_heads=4)
    shape = model((one,), ParameterCounts(attention=768), hidden=16)
    held = card_group_bytes(deployment(shape, tp=4))["attention"]
    assert held == (128 + 128) * 2


def test_the_latent_projection_is_replicated():
    # hidden 10 x (latent 6 + rope 2) = 80 of 480 parameters stay whole, 400 divide by 2.
    mla = LayerGroup(kind="mla", n_layers=1, n_q_heads=4, latent_dim=6, rope_dim=2)
    shape = model((mla,), ParameterCounts(attention=480), hidden=10)
    assert card_shares(shape, Parallelism(tp=2))["attention"] == pytest.approx(280 / 480)


def test_data_parallel_attention_divides_only_the_experts():
    shape = model(parameters=COUNTS, n_experts=8, top_k=2)
    shares = card_shares(shape, Parallelism(tp=8, attention_dp=True, expert_parallel=True))
    assert shares["routed_experts"] == 1 / 8
    assert shares["attention"] == shares["dense_mlp"] == shares["embedding"] == 1


def test_expert_parallel_is_not_divided_twice_nor_left_whole():
    # ai-dynamo/aiconfigurator#1390: 384 experts on 8 cards are 48 each.
    shape = model(parameters=COUNTS, n_experts=384, top_k=8)
    assert card_shares(shape, Parallelism(tp=8, expert_parallel=True))["routed_experts"] == 1 / 8
    # 10 experts on 4 cards: the fullest holds 3.
    odd = model(parameters=COUNTS, n_experts=10, top_k=2)
    assert card_shares(odd, Parallelism(tp=4, expert_parallel=True))["routed_experts"] == 0.3


def test_mxfp4_experts_are_padded_to_whole_tiles_on_each_card():
    # gpt-oss: 2,880 wide experts take 3,072; vLLM 0.11 printed 13.47 GiB where the checkpoint's
    # own bytes are 12.8. On 8 cards 360 become 512.
    shape = model(parameters=COUNTS, n_experts=32, top_k=4, moe_intermediate=2880)
    fmt = weight_format(4.25, expert_width_multiple=256)
    whole, eighth = (card_shares(shape, Parallelism(tp=tp), fmt)["routed_experts"] for tp in (1, 8))
    assert (whole, eighth) == (3072 / 2880, 512 / 2880)


def test_stages_hold_whole_layers_and_one_end():
    # 5 layers on 2 stages: 3 of 5; the head (1200) is larger than the embedding (1000).
    counts = ParameterCounts(embedding=1000, head=1200, dense_mlp=5000)
    shape = model((gqa(n_layers=5),), counts)
    assert card_weight_bytes(deployment(shape, pp=2)) == (3000 + 1200) * 2


def test_llama_cpp_keeps_an_untied_embedding_on_the_host():
    counts = ParameterCounts(embedding=1000, head=1000, dense_mlp=5000)
    rule = {"embedding_on_host": True}
    assert card_weight_bytes(deployment(model(parameters=counts), rule=rule)) == 12000
    tied = model(parameters=ParameterCounts(embedding=1000, dense_mlp=5000), tied_embeddings=True)
    assert card_weight_bytes(deployment(tied, rule=rule)) == 12000


def test_a_step_reads_the_head_but_looks_the_embedding_up():
    dense, routed = touched_weight_bytes(deployment(model(parameters=COUNTS)))
    assert dense == 2 * (1000 + 4000 + 8000 + 800 + 10)
    assert routed == 2 * 64000


def test_a_tied_embedding_is_read_as_the_head():
    tied = model(parameters=ParameterCounts(embedding=1000, dense_mlp=50), tied_embeddings=True)
    assert touched_weight_bytes(deployment(tied)) == (2100, 0)
