"""Defaults of vLLM by release, as its published sources state them."""

import pytest

from calculators.evidence.memory_names import published_format
from calculators.fit.engine_rules import engine_defaults, memory_rule
from calculators.specs import AcceleratorSpec
from catalogs.loader import load_catalog

CATALOG = load_catalog()
VLLM = CATALOG.engines["vllm"]


def large_card(name, gib):
    return AcceleratorSpec.model_construct(id=name, name=name, memory_total_gib=gib)


@pytest.mark.parametrize(
    ("release", "card", "gib", "expected"),
    [
        # engine/arg_utils.py of the release: tokens of a pass, sequences
        ((0, 8, 5), "a100", 80, (8192, 1024)),
        ((0, 9, 2), "a100", 80, (2048, 256)),
        ((0, 11, 0), "h100", 80, (8192, 1024)),
        ((0, 25, 1), "b200", 180, (8192, 1024)),
        ((0, 28, 0), "b200", 180, (16384, 1024)),
        ((0, 33, 0), "gb10", 120, (2048, 256)),
        ((0, 33, 0), "l4", 22, (2048, 256)),
    ],
)
def test_defaults_of_a_release(release, card, gib, expected):
    found = engine_defaults(memory_rule(VLLM, release), large_card(card, gib))
    assert (found.batched_tok, found.max_sequences) == expected


@pytest.mark.parametrize(
    ("release", "share", "sampler", "by_group"),
    [
        # config/cache.py; v1/sample (sort, then one kernel); v1/core/kv_cache_utils.py
        ((0, 11, 0), 0.9, 38.4, True),
        ((0, 16, 0), 0.9, 38.4, True),
        ((0, 18, 0), 0.9, 14, True),
        ((0, 19, 0), 0.9, 14, True),
        ((0, 20, 0), 0.92, 14, True),
        ((0, 22, 0), 0.92, 14, False),
        ((0, 33, 0), 0.92, 14, False),
    ],
)
def test_rules_of_a_release(release, share, sampler, by_group):
    rule = memory_rule(VLLM, release)
    assert (rule.utilisation_frac, rule.sampler_bytes) == (share, sampler)
    assert rule.counts_by_group is by_group


@pytest.mark.parametrize("release", [(0, 11), (0, 19)])
def test_graphs_are_set_aside_since_0_20(release):
    assert memory_rule(VLLM, release).graphs_gib == 0 < memory_rule(VLLM, (0, 20)).graphs_gib


def test_meta_s_own_fp8_keeps_attention_in_16_bits():
    # vllm-project/vllm#6746 prints 57.75 GiB a card on eight; all linear layers in FP8 are 47.8
    fp8 = CATALOG.weight_formats["fp8"]
    meta = published_format(fp8, "meta-llama/Meta-Llama-3.1-405B-Instruct-FP8", CATALOG)
    other = published_format(fp8, "RedHatAI/Llama-3.3-70B-Instruct-FP8-dynamic", CATALOG)
    assert (meta.group_bits["attention"], other) == (16, fp8)


@pytest.mark.parametrize(
    ("model", "printed_mib"),
    # ollama/ollama#10765 prints the projector file; vLLM prints 44.76 GiB for Mistral Small 3.2,
    # 0.82 GiB above its language model
    [("gemma-3-4b", 795.9), ("mistral-small-3.2-24b", 0.82 * 1024)],
)
def test_vision_towers_in_16_bits(model, printed_mib):
    assert CATALOG.models[model].parameters.towers * 2 / 2**20 == pytest.approx(
        printed_mib, rel=0.03
    )


def test_llama_cpp_has_no_fp8_cache():
    assert "llama-cpp" not in CATALOG.cache_formats["fp8"].engines
