"""The model catalog: counts against published ones, names, formats."""

import pytest

from calculators.fit.model_description import describe_model
from calculators.fit.model_names import resolve_model_name
from catalogs.loader import load_catalog

MODELS = load_catalog().models

# Counts of the instantiated models (transformers 5.24.0 on the meta device, 2026-11), and the
# cache bytes of a token in 16 bits over all layers.
TRUTH = {
    "llama-3.1-8b": (8030261248, 8030261248, 131072, 0),
    "llama-3.3-70b": (70553706496, 70553706496, 327680, 0),
    "llama-3.1-405b": (405853388800, 405853388800, 516096, 0),
    "llama-4-scout": (107769861120, 17172894720, 196608, 0),
    "llama-4-maverick": (400711848960, 17184691200, 196608, 0),
    "qwen2.5-7b": (7615616512, 7615616512, 57344, 0),
    "qwen2.5-14b": (14770033664, 14770033664, 196608, 0),
    "qwen2.5-32b": (32763876352, 32763876352, 262144, 0),
    "qwen2.5-72b": (72706203648, 72706203648, 327680, 0),
    "qwen3-0.6b": (596049920, 596049920, 114688, 0),
    "qwen3-1.7b": (1720574976, 1720574976, 114688, 0),
    "qwen3-4b": (4022468096, 4022468096, 147456, 0),
    "qwen3-8b": (8190735360, 8190735360, 147456, 0),
    "qwen3-14b": (14768307200, 14768307200, 163840, 0),
    "qwen3-32b": (32762123264, 32762123264, 262144, 0),
    "qwen3-30b-a3b": (30532122624, 3353032704, 98304, 0),
    "qwen3-235b-a22b": (235093634560, 22190763520, 192512, 0),
    "qwen3-coder-480b-a35b": (480154875392, 35474765312, 253952, 0),
    "qwen3-next-80b-a3b": (79674391296, 3874929408, 24576, 20054016),
    "qwen3.5-27b": (26895998464, 26895998464, 65536, 39714816),
    "qwen3.5-35b-a3b": (34660610688, 3454988928, 20480, 16711680),
    "qwen3.5-122b-a10b": (122111526912, 9771288576, 24576, 39518208),
    "qwen3.5-397b-a17b": (396346350336, 17349040896, 30720, 49397760),
    "mistral-7b": (7248023552, 7248023552, 131072, 0),
    "mistral-nemo-12b": (12247782400, 12247782400, 163840, 0),
    "mistral-small-24b": (23572403200, 23572403200, 163840, 0),
    "mistral-large-2407": (122610069504, 122610069504, 360448, 0),
    "mixtral-8x7b": (46702792704, 12879925248, 131072, 0),
    "mixtral-8x22b": (140620634112, 39152031744, 229376, 0),
    "gemma-2-9b": (9241705984, 9241705984, 344064, 0),
    "gemma-2-27b": (27227128320, 27227128320, 376832, 0),
    "gemma-3-4b": (3880263168, 3880263168, 139264, 0),
    "gemma-3-12b": (11766034176, 11766034176, 393216, 0),
    "gemma-3-27b": (27009346304, 27009346304, 507904, 0),
    "gemma-4-26b-a4b": (25233141760, 3822530560, 225280, 0),
    "gemma-4-31b": (30697345280, 30697345280, 901120, 0),
    "phi-4": (14659507200, 14659507200, 204800, 0),
    "phi-4-mini": (3836021760, 3836021760, 131072, 0),
    "deepseek-v3": (671026404352, 37552282624, 70272, 0),
    "deepseek-v3.2": (671877929216, 38403807488, 85888, 0),
    "deepseek-v4-flash": (284332230231, None, None, None),
    "deepseek-v4-pro": (1572997179491, None, None, None),
    "gpt-oss-20b": (20914757184, 4187440704, 49152, 0),
    "gpt-oss-120b": (116829156672, 5711982912, 73728, 0),
    "kimi-k2": (1026408209408, 32861477888, 70272, 0),
    "glm-4.5": (352797814784, 33632251904, 376832, 0),
    "glm-4.5-air": (106852245504, 13424123904, 188416, 0),
    "glm-4.7": (352797814784, 33632251904, 376832, 0),
    "glm-5": (743911199232, 41784709632, 109824, 0),
    "glm-5.2": (743377000704, 41250511104, 95232, 0),
    "minimax-m2.5": (228689748992, 11030537216, 253952, 0),
    "granite-4.0-h-tiny": (6939037248, 1465470528, 8192, 14635008),
    "nemotron-3-nano-30b-a3b": (31577937344, 3580073408, 6144, 12623872),
    "nemotron-3-super-120b-a12b": (120668687360, 12770216960, 8192, 43581440),
    "nemotron-h-56b": (56324350464, 56324350464, 40960, 230916096),
    "command-r-v01": (34980831232, 34980831232, 1310720, 0),
    "command-r-08-2024": (32296476672, 32296476672, 163840, 0),
    "command-r7b": (8028033024, 8028033024, 131072, 0),
}


@pytest.mark.parametrize("name", TRUTH)
def test_counts_and_cache_of_published_models(name):
    total, active, per_token, state = TRUTH[name]
    found = describe_model(MODELS[name])
    assert found["total_params"] == total
    assert active is None or found["active_params"] == active
    assert per_token is None or found["kv_bytes_per_tok_fp16"] == per_token
    assert state is None or found["state_elements_per_sequence"] == state


def test_every_kind_of_state_is_there():
    kinds = {group.kind for model in MODELS.values() for group in model.groups}
    assert kinds == {"full", "sliding", "chunked", "mla", "recurrent", "compressed"}
    assert len(MODELS) >= 58


@pytest.mark.parametrize("name", sorted(MODELS))
def test_formats_exist_and_layers_add_up(name):
    model = MODELS[name]
    formats = load_catalog().weight_formats
    assert {model.native_format, *model.group_formats.values()} <= set(formats)
    assert sum(model.towers.values()) == model.parameters.towers
    assert max(group.n_layers for group in model.groups) <= model.n_layers
    assert model.quality_class in ("small", "medium", "large", "frontier-open")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("meta-llama/Meta-Llama-3.1-70B", "llama-3.1-70b"),
        ("RedHatAI/Llama-3.3-70B-Instruct-FP8-dynamic", "llama-3.3-70b"),
        ("Llama-4-Scout-109B", "llama-4-scout"),
        ("Kimi-K2.5-1T", "kimi-k2.5"),
        ("DeepSeek-R1-671B", "deepseek-r1"),
        ("Qwen3-1.7B-Q4_K_M.gguf", "qwen3-1.7b"),
        ("microsoft_Phi-4-mini-instruct-Q4_K_M.gguf", "phi-4-mini"),
        ("a-model-nobody-has", None),
    ],
)
def test_names_as_files_and_people_write_them(text, expected):
    assert resolve_model_name(load_catalog(), text) == expected
