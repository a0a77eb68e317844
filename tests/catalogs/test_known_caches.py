"""Cache sizes that engines printed or their authors worked out, for models of the catalog."""

import pytest

from calculators.fit.kv_cache import cache_bytes_per_tok, sequence_cache_bytes
from calculators.fit.layer_state import state_bytes
from calculators.specs import ModelSpec
from catalogs.loader import load_catalog

CATALOG = load_catalog()


def growing(model: ModelSpec) -> ModelSpec:
    groups = tuple(group for group in model.groups if group.kind in ("full", "mla"))
    return model.model_copy(update={"groups": groups})


@pytest.mark.parametrize(
    ("model", "bytes_per_tok"),
    [
        ("llama-3.3-70b", 327_680),  # the reference: 320 KiB
        ("llama-3.1-8b", 131_072),  # vllm-project/tpu-inference#223
        ("deepseek-v3", 70_272),  # ai-dynamo/aisimulate#263, LMCache/LMCache#694
        ("qwen3-0.6b", 114_688),  # vllm-project/vllm#24577
        ("qwen3-1.7b", 114_688),  # sgl-project/mini-sglang#132
        ("qwen3-8b", 147_456),  # vllm-project/vllm#42058
        ("qwen3-235b-a22b", 192_512),  # vllm-project/vllm#21348, 4 x 48,128
        ("qwen2.5-1.5b", 28_672),  # GeniePod/genie-claw#410
        ("phi-3-mini", 393_216),  # turboderp-org/exllamav2#425
        ("minimax-m2.5", 253_952),  # guqiong96/Lvllm#35
    ],
)
def test_bytes_of_a_token(model, bytes_per_tok):
    assert cache_bytes_per_tok(CATALOG.models[model]) == bytes_per_tok


@pytest.mark.parametrize(
    ("model", "bytes_per_tok"),
    [
        ("qwen3.6-27b", 65_536),  # paiml/aprender#3596: 64 KiB, 16 of 64 layers
        ("qwen3.6-35b-a3b", 20_480),  # jundot/omlx#2725: 1.25 MiB at 64 tokens
        ("gemma-4-31b", 81_920),  # redhat-performance/configiq#112: 10 layers of 4 x 512
        ("nemotron-nano-9b-v2", 16_384),  # video-search-and-summarization#1649: 4 of 56 layers
    ],
)
def test_only_some_layers_of_a_hybrid_grow(model, bytes_per_tok):
    assert cache_bytes_per_tok(growing(CATALOG.models[model])) == bytes_per_tok


def test_the_state_of_a_mamba_hybrid():
    # video-search-and-summarization#1649: about 70 MiB a sequence (16-bit states are half)
    groups = CATALOG.models["nemotron-nano-9b-v2"].groups
    assert sum(state_bytes(group) for group in groups) / 2**20 == pytest.approx(140, rel=0.15)


def test_a_million_tokens_of_deepseek_v4():
    # vLLM blog, 2026-04-24: 9.62 GiB in 16 bits
    pro = CATALOG.models["deepseek-v4-pro"]
    size = sequence_cache_bytes(pro, CATALOG.cache_formats["bf16"], context_tok=1_048_576)
    assert size / 2**30 == pytest.approx(9.62, abs=0.01)
