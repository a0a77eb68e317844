"""Slopes of the cache by kind of layer, against the memory model's own count."""

import numpy as np
import pytest

from calculators.fit.cache_reads import cache_read_bytes
from calculators.specs import LayerGroup
from calculators.speed.cache_terms import cache_terms, merged_caps
from calculators.speed.inputs import StepInputs
from calculators.speed.parts import cache_read_bytes_sequence
from tests.calculators.speed.shapes import CACHE, DENSE

FULL = LayerGroup(kind="full", n_layers=4, n_q_heads=8, n_kv_heads=4, k_head_dim=64, v_head_dim=64)
GROUPS = {
    "full": (FULL,),
    "window": (FULL, FULL.model_copy(update={"kind": "sliding", "window_tok": 1024})),
    "latent": (LayerGroup(kind="mla", n_layers=6, n_q_heads=16, latent_dim=512, rope_dim=64),),
    "hybrid": (FULL, LayerGroup(kind="recurrent", n_layers=12, state_elements=4096)),
}


@pytest.mark.parametrize("kind", GROUPS)
@pytest.mark.parametrize("context_tok", [0, 100, 1024, 50_000])
def test_slopes_add_up_to_the_bytes_read(kind, context_tok):
    model = DENSE.model_copy(update={"groups": GROUPS[kind]})
    terms = cache_terms(model, CACHE, tp=1)
    n_bytes, n_flop, limits = zip(*terms.caps, strict=True)
    inputs = StepInputs(
        0.0,
        state_bytes=terms.state_bytes,
        cache_bytes_tok=terms.bytes_tok,
        cap_bytes_tok=n_bytes,
        cap_flop_tok=n_flop,
        cap_tok=limits,
    )
    expected = float(cache_read_bytes(model, CACHE, context_tok=context_tok))
    assert cache_read_bytes_sequence(inputs, context_tok=context_tok) == pytest.approx(expected)


def test_a_latent_is_folded_in_decode_and_unfolded_in_prefill():
    latent = LayerGroup(
        kind="mla",
        n_layers=1,
        n_q_heads=10,
        latent_dim=512,
        rope_dim=64,
        k_head_dim=192,
        v_head_dim=128,
    )
    terms = cache_terms(DENSE.model_copy(update={"groups": (latent,)}), CACHE, tp=1)
    assert terms.flop_tok == 2 * 10 * (2 * 512 + 64)
    assert terms.prefill_flop_tok == 2 * 10 * (192 + 128)


def test_more_than_three_limits_are_merged_without_loss():
    caps = [(1.0, 2.0, limit) for limit in (128, 256, 512, 1024, 128)]
    merged = merged_caps(caps)
    assert len(merged) == 3
    assert np.sum([cap[0] for cap in merged]) == 5
