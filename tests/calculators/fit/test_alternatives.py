from dataclasses import replace

from calculators.fit.alternatives import smallest_card, widest_formats
from calculators.specs import ParameterCounts
from tests.calculators.fit.shapes import cache_format, card, deployment, gqa, model, weight_format

LLAMA_70B = model((gqa(80),), ParameterCounts(dense_mlp=70_000_000_000))


def test_the_smallest_card_that_holds_it():
    cards = [card(gib, id=f"c{gib}") for gib in (141, 24, 80, 48)]
    answer = smallest_card(deployment(LLAMA_70B, 4), cards, context_tok=8192)
    assert answer is not None and answer.deployment.accelerator.id == "c48"


def test_cards_of_other_vendors_are_left_out():
    mine = deployment(LLAMA_70B, 4)
    mine = replace(mine, engine=mine.engine.model_copy(update={"vendors": ("NVIDIA",)}))
    assert smallest_card(mine, [card(141, vendor="AMD")], context_tok=8192) is None


def test_the_widest_formats_that_fit():
    weights = [weight_format(bits) for bits in (4.5, 8.5, 16)]
    caches = [cache_format(bits) for bits in (8, 16)]
    few = widest_formats(deployment(LLAMA_70B), weights, caches, context_tok=8192, n_sequences=8)
    many = widest_formats(deployment(LLAMA_70B), weights, caches, context_tok=8192, n_sequences=20)
    assert few and (few.deployment.weights.bits, few.deployment.cache.bits) == (4.5, 16)
    assert many and (many.deployment.weights.bits, many.deployment.cache.bits) == (4.5, 8)
