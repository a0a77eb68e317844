from dataclasses import replace

import pytest

from calculators.fit.backwards import fewest_cards, first_that_holds, longest_context_tok, spread
from calculators.fit.capacity import capacity
from calculators.specs import ParameterCounts
from tests.calculators.fit.shapes import deployment, engine, gqa, model

LLAMA_70B = model((gqa(80),), ParameterCounts(dense_mlp=70_000_000_000))


def test_the_longest_context_fits_and_one_block_more_does_not():
    one = deployment(LLAMA_70B, 4)
    longest = longest_context_tok(one, n_sequences=4)
    assert longest % 16 == 0
    assert capacity(one, context_tok=longest).max_sequences == 4
    assert capacity(one, context_tok=longest + 16).max_sequences == 3


def test_the_longest_context_of_a_known_budget():
    # Llama 3.1 8B in release 0.6 on a 3090 was refused at 29,000 tokens with room for 23,648
    # (vllm-project/vllm#10517): a pass of 20,000 tokens leaves 3.81 GiB, 31,232 tokens.
    llama = model((gqa(32),), ParameterCounts(dense_mlp=8_030_261_248), hidden=4096,
                  intermediate=14_336, max_context_tok=131_072)  # fmt: skip
    rule = {"batched_is_context": True, "runtime_gib": 0.35}
    old = deployment(llama, visible_gib=23.58, rule=rule)
    assert capacity(old, context_tok=20_000).kv_capacity_tok == pytest.approx(31_232, rel=0.01)
    assert not capacity(old, context_tok=29_000).fits


def test_the_model_itself_bounds_the_context():
    small = model((gqa(2, 1, 64),), ParameterCounts(dense_mlp=1_000_000), max_context_tok=4096)
    assert longest_context_tok(deployment(small)) == 4096


def test_no_context_where_the_weights_do_not_fit():
    assert longest_context_tok(deployment(LLAMA_70B, 16)) == 0


def test_70_billion_in_16_bits_need_more_than_one_80_gb_card():
    # 130.4 GiB of weights: two cards hold 142.5 GiB at 0.9, which overheads take; four hold it.
    answer = fewest_cards(deployment(LLAMA_70B, 16), context_tok=8192, n_sequences=4)
    assert answer is not None
    assert answer.deployment.parallelism.tp == 4
    assert not capacity(spread(answer.deployment, 2), context_tok=8192).max_sequences >= 4


def test_counts_that_do_not_divide_are_never_offered():
    odd = model((gqa(16, 4, 256, n_q_heads=24),), ParameterCounts(dense_mlp=150_000_000_000))
    answer = fewest_cards(deployment(odd, 16), context_tok=8192)
    # 279 GiB need more than four cards (285 GiB at 0.9, less overheads); 5 to 7 do not divide
    assert answer is not None and answer.deployment.parallelism.tp == 8


def test_layer_splits_take_any_count():
    rule = {"utilisation_frac": 1.0, "sampler_bytes": 0}
    layered = replace(
        deployment(LLAMA_70B, 16, rule=rule),
        engine=engine(**rule).model_copy(update={"split": "layer"}),
    )
    answer = fewest_cards(layered, context_tok=8192)
    assert answer is not None
    assert answer.deployment.parallelism.layer_split and answer.deployment.parallelism.pp == 2


def test_nothing_holds_the_impossible():
    assert first_that_holds([deployment(LLAMA_70B, 16)], context_tok=8192) is None
