from dataclasses import replace
from datetime import date

import numpy as np
import pytest

from calculators.memory_answers import kind_rows, memory_answers
from calculators.scenario import Scenario
from calculators.specs import Catalog, LayerGroup, ParameterCounts
from tests.calculators.fit.shapes import cache_format, card, deployment, gqa, model, weight_format


def named(spec, name):
    return spec.model_copy(update={"id": name, "name": name})


WEIGHTS = {name: named(weight_format(bits), name)
           for name, bits in (("w16", 16), ("w8", 8), ("w4", 4))}  # fmt: skip
CACHES = {name: named(cache_format(bits), name) for name, bits in (("c16", 16), ("c8", 8))}
CARDS = {f"card{gib}": named(card(gib), f"card{gib}") for gib in (24, 48, 80, 141)}
CATALOG = Catalog(
    asof=date(2026, 11, 30),
    accelerators=CARDS,
    models={},
    weight_formats=WEIGHTS,
    cache_formats=CACHES,
    engines={},
    rental_prices=(),
    api_prices={},
    ownership={},
)
LLAMA_70B = model((gqa(80),), ParameterCounts(dense_mlp=70_000_000_000), max_context_tok=131_072)


def replica(the_model=LLAMA_70B, weights="w4", card_name="card80", **split):
    return replace(
        deployment(the_model, **split),
        weights=WEIGHTS[weights],
        cache=CACHES["c16"],
        accelerator=CARDS[card_name],
    )


def answers(**changes):
    scenario = Scenario(context_tok=8192, **changes)
    return memory_answers(replica(), scenario, CATALOG)


def test_choices_come_in_the_order_in_which_one_would_try():
    labels = [
        choice.label
        for choice in memory_answers(replica(weights="w16"), Scenario(), CATALOG).choices
    ]
    assert labels == [
        "As it is",
        "Cache in c8",
        "Weights in w8",
        "Weights in w4",
        "w4 with the cache in c8",
        "2 cards instead",
        "card141 instead",
        "Half the context: 4,096 tokens",
    ]


def test_every_choice_but_the_first_holds_at_least_as_many():
    first, *others = answers().choices
    assert first.fit.max_sequences > 0
    assert all(choice.fit.max_sequences >= first.fit.max_sequences for choice in others)


def test_formats_show_both_widths_of_cache_from_the_widest_down():
    rows = answers().formats
    assert [wide.label for wide, _ in rows] == ["w16", "w8", "w4"]
    assert not rows[0][0].fit.fits
    wide, narrow = rows[-1]
    assert narrow.fit.max_sequences in (
        2 * wide.fit.max_sequences,
        2 * wide.fit.max_sequences + 1,
    )


def test_contexts_stand_beside_the_reference_arithmetic():
    # 80 GiB less 4, less 70e9 x 4 / 8 bytes = 43.4 GiB: 69, 17 and 4 sequences
    rows = answers().contexts
    assert [(row.context_tok, row.n_reference) for row in rows] == [
        (2048, 69),
        (8192, 17),
        (32_768, 4),
    ]
    assert all(row.fit.max_sequences < row.n_reference for row in rows)


def test_backwards_from_a_batch():
    found = answers(batch=4)
    assert found.n_wanted == 4
    assert found.longest_wanted_tok == pytest.approx(found.longest_one_tok / 4, abs=16)
    assert found.fewest.deployment.parallelism.n_cards == 1
    assert found.smallest.deployment.accelerator.id == "card80"
    assert (found.widest.deployment.weights.id, found.widest.deployment.cache.id) == ("w4", "c16")


def test_curves_hold_half_in_half_the_bits():
    wide, narrow = answers().curves[:2]
    assert (wide.label, narrow.label) == ("c16", "c8")
    assert np.allclose(wide.sequence_bytes, 2 * narrow.sequence_bytes)
    assert wide.context_tok[-1] == 131_072


def test_kinds_add_up_to_the_sequence():
    hybrid = model((gqa(4), LayerGroup(kind="recurrent", n_layers=12, state_elements=1000)))
    rows = kind_rows(replica(hybrid), 8192)
    assert [row.kind for row in rows] == ["full", "recurrent"]
    # 4 layers x 8 heads x 2 x 128 x 2 bytes a token; 12 x 1000 x 4 bytes of state
    assert [row.sequence_bytes for row in rows] == [8192 * 16_384, 48_000]
    assert [row.bytes_per_tok for row in rows] == [16_384, 0]


def test_a_replicated_latent_suggests_data_parallel_attention():
    mla = LayerGroup(kind="mla", n_layers=60, n_q_heads=128, latent_dim=512, rope_dim=64)
    counts = ParameterCounts(routed_experts=200_000_000_000)
    moe = model((mla,), counts, n_experts=64, top_k=8)
    found = memory_answers(replica(moe, tp=8), Scenario(), CATALOG).choices
    (whole,) = [choice for choice in found if "Data-parallel" in choice.label]
    assert whole.fit.max_sequences > 7 * found[0].fit.max_sequences
    dense = memory_answers(replica(tp=8), Scenario(), CATALOG).choices
    assert not any("Data-parallel" in choice.label for choice in dense)
