from dataclasses import replace

import pytest

from calculators.fit.position_table import position_table_bytes
from calculators.fit.weights import card_weight_bytes
from calculators.specs import LayerGroup, ParameterCounts
from tests.calculators.fit.shapes import deployment, gqa, model


def test_llama_8b_prints_its_weights_and_its_position_table():
    # vllm-project/vllm#10517: 14.9888 GiB; 8,030,261,248 parameters of 2 bytes are 14.9575.
    counts = ParameterCounts(dense_mlp=8_030_261_248)
    shape = model((gqa(32),), counts, max_context_tok=131_072)
    assert card_weight_bytes(deployment(shape)) / 2**30 == pytest.approx(14.9888, abs=5e-5)


def test_a_latent_rotates_only_its_own_part():
    mla = LayerGroup(kind="mla", n_layers=2, latent_dim=512, rope_dim=64, k_head_dim=192)
    assert position_table_bytes(deployment(model((mla,), max_context_tok=1000))) == 1000 * 64 * 2


def test_engines_that_split_by_layer_keep_no_table():
    mine = deployment(model((gqa(32),), max_context_tok=131_072))
    layered = replace(mine, engine=mine.engine.model_copy(update={"split": "layer"}))
    assert position_table_bytes(layered) == 0
