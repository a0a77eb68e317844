import pytest

from calculators.fit.kv_cache import cache_bytes_per_tok
from calculators.fit.layer_state import state_bytes
from calculators.fit.stored_cache import stored_model
from calculators.specs import LayerGroup, MemoryRule
from tests.calculators.fit.shapes import gqa, model

LITE = LayerGroup(
    kind="mla", n_layers=27, n_q_heads=16, n_kv_heads=1, k_head_dim=192, v_head_dim=128,
    latent_dim=512, rope_dim=64,
)  # fmt: skip


def test_old_releases_stored_padded_heads_instead_of_the_latent():
    # vllm-project/vllm#10927: 27 x 16 x 256 x 2 x 2 = 442,368 bytes a token for DeepSeek-V2-Lite
    stored = stored_model(model((LITE,)), MemoryRule(expands_latent="padded"))
    assert cache_bytes_per_tok(stored) == 442_368


def test_others_stored_heads_as_wide_as_they_are():
    # ollama/ollama#5117: 27 x (3072 + 2048) x 2 bytes
    stored = stored_model(model((LITE,)), MemoryRule(expands_latent="heads"))
    assert cache_bytes_per_tok(stored) == 27 * (3072 + 2048) * 2


def test_the_latent_itself_is_14_times_smaller():
    assert cache_bytes_per_tok(stored_model(model((LITE,)), MemoryRule())) == 31_104


def test_ignored_windows_are_full():
    local = gqa(4, kind="chunked", window_tok=8192)
    (stored,) = stored_model(model((local,)), MemoryRule(full_kinds=("chunked",))).groups
    assert (stored.kind, stored.window_tok) == ("full", 0)


def test_nothing_changes_where_the_engine_stores_all_kinds():
    shape = model((gqa(4), LITE))
    assert stored_model(shape, MemoryRule()) is shape


def test_llama_cpp_keeps_convolution_tails_in_32_bits():
    # ggml-org/llama.cpp#5328: Mamba 2.8B, 64 x (5120 x 16 + 5120 x 3) x 4 bytes = 23.75 MiB
    mamba = LayerGroup(
        kind="recurrent", n_layers=64, state_elements=5120 * 16, conv_elements=5120 * 3
    )
    (stored,) = stored_model(model((mamba,)), MemoryRule(conv_bits=32)).groups
    assert state_bytes(stored) / 2**20 == 23.75


@pytest.mark.parametrize(("cache_bits", "bytes_per_tok"), [(16, 1152 + 132), (8, 576 + 132)])
def test_an_index_key_keeps_its_8_bits_and_scale(cache_bits, bytes_per_tok):
    # vLLM 0.22.0, models/deepseek_v2.py: 128 + 4 bytes for each token and layer, beside a latent of
    # 512 + 64 in the cache's format
    sparse = LayerGroup(kind="mla", n_layers=1, latent_dim=512, rope_dim=64, index_dim=128)
    stored = stored_model(model((sparse,)), MemoryRule(index_bits=8.25), cache_bits)
    assert cache_bytes_per_tok(stored, cache_bits) == bytes_per_tok
