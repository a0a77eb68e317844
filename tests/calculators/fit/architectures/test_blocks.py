"""Parameters of blocks against hand calculations."""

import pytest

from calculators.fit.architectures import blocks
from calculators.fit.architectures.families import RECIPES
from calculators.fit.architectures.wrappers import WRAPPERS


def test_latent_attention_of_deepseek_v3():
    """Published shape: 7168 wide, 128 heads, ranks 1536 and 512: 187,107,328 with its norms."""
    counts = blocks.latent_attention(
        7168, n_heads=128, q_rank=1536, kv_rank=512, nope=128, rope=64, v_dim=128
    )
    query = 7168 * 1536 + 1536 * 128 * 192
    latent = 7168 * 576 + 512 * 128 * 256
    assert counts.attention == query + latent + 128 * 128 * 7168
    assert counts.total == 187_107_328


def test_experts_with_a_shared_one_and_a_router():
    counts = blocks.experts(64, n=8, width=32, shared_width=48, shared_gate=True)
    assert counts.routed_experts == 8 * 3 * 64 * 32
    assert counts.shared_experts == 3 * 64 * 48
    assert counts.rest == 8 * 64 + 64


def test_a_tail_is_one_input_shorter_than_the_kernel():
    group = blocks.recurrent(state=100, conv=10, taps=4)
    assert (group.state_elements, group.conv_elements) == (100, 30)


@pytest.mark.parametrize("kind", sorted(WRAPPERS))
def test_every_wrapper_names_a_language_model_that_is_known(kind):
    assert WRAPPERS[kind].text in RECIPES
