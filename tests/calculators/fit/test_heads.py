import pytest

from calculators.fit.heads import heads_divide, next_tensor_cards
from calculators.specs import LayerGroup
from tests.calculators.fit.shapes import gqa, model

QWEN = model((gqa(16, 4, 256, n_q_heads=24), LayerGroup(kind="recurrent", n_layers=48)))


@pytest.mark.parametrize(("tp", "divides"), [(2, True), (4, True), (6, False), (8, True)])
def test_24_query_and_4_kv_heads(tp, divides):
    # noonghunna/club-3090 #127: four of six cards used, because neither count divides by six
    assert heads_divide(QWEN, tp) is divides


def test_the_next_count_that_works():
    assert [next_tensor_cards(QWEN, tp) for tp in (1, 4, 8)] == [2, 8, 12]


def test_no_count_works_beyond_the_heads():
    assert next_tensor_cards(QWEN, 24) is None


def test_latents_need_only_the_query_heads():
    mla = LayerGroup(kind="mla", n_layers=1, n_q_heads=128, latent_dim=512, rope_dim=64)
    assert heads_divide(model((mla,)), 16)
    assert not heads_divide(model((mla,)), 6)
