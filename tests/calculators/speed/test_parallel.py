"""What each card holds, computes and sends."""

import pytest

from calculators.specs import Parallelism
from calculators.speed.collectives import reduce_bytes_tok, reduce_hops
from calculators.speed.decode import decode_step
from calculators.speed.parallel import step_inputs
from calculators.speed.prefill import prefill
from tests.calculators.speed.shapes import (
    CARD,
    DENSE,
    EIGHT,
    ENGINE,
    EXPERTS,
    GAMER,
    IDEAL,
    deployment,
)


def test_tensor_parallel_divides_weights_heads_and_work():
    one, four = step_inputs(deployment()), step_inputs(deployment(tp=4))
    assert four.dense_bytes == pytest.approx(one.dense_bytes / 4, rel=0.02)
    assert four.cache_bytes_tok == one.cache_bytes_tok / 4
    assert four.flop_s == 4 * one.flop_s


def test_spare_cards_replicate_kv_heads():
    assert (
        step_inputs(deployment(tp=8)).cache_bytes_tok
        == step_inputs(deployment(tp=4)).cache_bytes_tok
    )


def test_data_parallel_attention_keeps_whole_sequences():
    inputs = step_inputs(deployment(EXPERTS, tp=4, attention_dp=True, expert_parallel=True))
    alone = step_inputs(deployment(EXPERTS))
    assert inputs.n_data == 4
    assert inputs.cache_bytes_tok == alone.cache_bytes_tok
    assert inputs.dense_bytes == alone.dense_bytes
    assert inputs.expert_bytes == alone.expert_bytes / 4


def test_all_reduce_bytes_and_latencies():
    # ring over 4 cards: 2 x 3/4 x 1000 x 2 bytes, twice in each of 10 layers
    assert reduce_bytes_tok(DENSE, Parallelism(tp=4)) == pytest.approx(60_000)
    assert reduce_hops(DENSE, Parallelism(tp=4)) == 40
    assert reduce_bytes_tok(DENSE, Parallelism()) == 0


@pytest.mark.parametrize(("n", "vectors"), [(2, 1.0), (4, 1.25), (8, 1.125)])
def test_switches_that_add_up_spare_wide_replicas_traffic(n, vectors):
    # to the switch once, a share of the sum back to it: 1 + 1/n vectors; two cards: a ring, 1
    sums = reduce_bytes_tok(DENSE, Parallelism(tp=n), link_sums=True)
    assert sums == pytest.approx(vectors * 1000 * 2 * 2 * 10)


def test_exchange_with_experts_reaches_few_cards():
    wide = Parallelism(tp=4, attention_dp=True)
    # 2 experts lie on 1 - (3/4)^2 of the cards, 3/4 of those are others, 3 bytes to and fro
    expected = (1 - 0.75**2) * 0.75 * 1000 * 3 * 10
    assert reduce_bytes_tok(EXPERTS, wide) == pytest.approx(expected)


def test_a_format_that_the_card_lacks_computes_in_16_bits():
    assert step_inputs(deployment(weights=EIGHT)).flop_s == 200e12
    assert step_inputs(deployment(weights=EIGHT, card=GAMER)).flop_s == 100e12


def test_an_unknown_rate_does_not_stop_the_arithmetic():
    dumb = CARD.model_copy(update={"fp16_dense_tflops": None, "fp8_dense_tflops": None})
    assert step_inputs(deployment(card=dumb)).flop_s > 0


def test_half_of_the_int8_rate_where_an_engine_works_so():
    speed = IDEAL.model_copy(update={"compute_peak": "half_int8"})
    engine = ENGINE.model_copy(update={"speed": speed})
    assert step_inputs(deployment(engine=engine)).flop_s == 150e12
    assert step_inputs(deployment(engine=engine, weights=EIGHT)).flop_s == 200e12  # FP8 units


def test_factors_apply_to_their_traits_only():
    speed = IDEAL.model_copy(update={"factors": {"bandwidth_eff_frac": {"gddr": 1.2, "amd": 0.5}}})
    engine = ENGINE.model_copy(update={"speed": speed})
    assert step_inputs(deployment(engine=engine)).bandwidth_frac == 1
    assert step_inputs(deployment(engine=engine, card=GAMER)).bandwidth_frac == pytest.approx(1.2)


def test_power_holds_the_clock_of_dense_cards_down():
    speed = IDEAL.model_copy(update={"power_exponent": 0.5})
    engine = ENGINE.model_copy(update={"speed": speed})
    # 150 TFLOP/s (half the int8 rate) in 600 W are 0.25 TFLOP/s per watt; in 37.5 W they are 4
    cool, hot = (CARD.model_copy(update={"power_w": watts}) for watts in (600, 37.5))
    times = [
        prefill(step_inputs(deployment(card=card, engine=engine)), prompt_tok=1000).compute_s
        for card in (cool, hot)
    ]
    assert times[1] / times[0] == pytest.approx((4 / 0.25) ** 0.5)


def test_tiles_of_many_small_experts_cost_arithmetic():
    speed = IDEAL.model_copy(update={"expert_pad_tok": 8})
    padded = step_inputs(deployment(EXPERTS, engine=ENGINE.model_copy(update={"speed": speed})))
    plain = step_inputs(deployment(EXPERTS))
    extra = (
        decode_step(padded, batch=1, context_tok=0).compute_s
        - decode_step(plain, batch=1, context_tok=0).compute_s
    )
    # 2 of 16 experts are touched: 2 x 3.2e9 x 2/16 FLOP a token, eight tokens' worth
    assert extra == pytest.approx(8 * 2 * 3.2e9 * 2 / 16 / 1e14)
