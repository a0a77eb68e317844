"""Configs to specs: counts against transformers, shapes, formats, towers, index, refusals."""

from pathlib import Path

import pytest
import yaml

from calculators.fit.model_config import describe_model, parse_model_config

COUNTS = yaml.safe_load((Path(__file__).parents[2] / "golden/model_counts.yaml").read_text())
LLAMA = {
    "model_type": "llama",
    "hidden_size": 64,
    "intermediate_size": 160,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "vocab_size": 100,
}
LLAMA_PARAMS = 2 * 100 * 64 + 2 * (64 * 64 * 2 + 64 * 32 * 2 + 3 * 64 * 160 + 2 * 64) + 64


def described(config, *files):
    return describe_model(parse_model_config(config, *files))


@pytest.mark.parametrize("row", COUNTS, ids=lambda row: row["config"]["model_type"])
def test_counts_agree_with_instantiated_models(row):
    assert parse_model_config(row["config"]).total_params == row["params"]


@pytest.mark.parametrize(
    ("config", "params"),  # transformers 5.24.0, meta device, 2026-11-30: class defaults
    [
        (
            {
                "model_type": "kimi_linear",
                "hidden_size": 2304,
                "num_hidden_layers": 27,
                "num_attention_heads": 32,
                "vocab_size": 163840,
                "intermediate_size": 9216,
                "moe_intermediate_size": 1024,
                "num_experts": 256,
                "num_experts_per_token": 8,
                "num_shared_experts": 1,
                "kv_lora_rank": 512,
                "qk_nope_head_dim": 128,
                "qk_rope_head_dim": 64,
                "v_head_dim": 128,
                "linear_attn_config": {
                    "head_dim": 128,
                    "num_heads": 32,
                    "short_conv_kernel_size": 4,
                    "full_attn_layers": [5, 9, 13, 17, 21, 25],
                },
            },
            49133074464,
        ),
        ({**LLAMA, "num_key_value_heads": None}, LLAMA_PARAMS + 2 * 2 * 64 * 32),
        (LLAMA, LLAMA_PARAMS),
    ],
)
def test_counts_of_single_models(config, params):
    assert parse_model_config(config).total_params == params


def test_a_hybrid_lists_its_state_and_its_cache():
    """Jamba v0.1: 4 of 32 layers attend; 16 KiB a token (model card shapes)."""
    spec = described(
        {
            "model_type": "jamba",
            "hidden_size": 4096,
            "intermediate_size": 14336,
            "num_hidden_layers": 32,
            "num_attention_heads": 32,
            "num_key_value_heads": 8,
            "num_experts": 16,
            "num_experts_per_tok": 2,
            "attn_layer_period": 8,
            "attn_layer_offset": 4,
            "expert_layer_period": 2,
            "expert_layer_offset": 1,
            "mamba_d_state": 16,
            "mamba_d_conv": 4,
            "mamba_expand": 2,
            "mamba_dt_rank": 256,
            "vocab_size": 65536,
        }
    )
    assert spec["total_params"] == 51570323328
    assert spec["kv_bytes_per_tok_fp16"] == 4 * 2 * 8 * 128 * 2
    assert spec["state_elements_per_sequence"] == 28 * (8192 * 16 + 8192 * 4)
    assert [group["kind"] for group in spec["groups"]] == ["recurrent", "full"]


def test_windows_shared_caches_and_wider_global_heads():
    """Gemma 4 with 12 layers of which 4 reuse a cache: 8 own one, the sixth is global."""
    spec = parse_model_config(
        {
            "model_type": "gemma4_text",
            "hidden_size": 64,
            "num_hidden_layers": 12,
            "num_attention_heads": 4,
            "num_key_value_heads": 2,
            "head_dim": 16,
            "global_head_dim": 32,
            "intermediate_size": 96,
            "vocab_size": 100,
            "hidden_size_per_layer_input": 0,
            "num_kv_shared_layers": 4,
            "sliding_window": 512,
        }
    )
    local, whole = spec.groups
    assert (local.kind, local.n_layers, local.n_caches, local.window_tok) == ("sliding", 10, 7, 512)
    assert (whole.kind, whole.n_layers, whole.n_caches, whole.k_head_dim) == ("full", 2, 1, 32)


def test_latent_attention_with_an_index_on_some_layers():
    spec = parse_model_config(
        {
            "model_type": "glm_moe_dsa",
            "hidden_size": 64,
            "num_hidden_layers": 4,
            "num_attention_heads": 4,
            "vocab_size": 100,
            "intermediate_size": 96,
            "moe_intermediate_size": 32,
            "n_routed_experts": 8,
            "n_shared_experts": 1,
            "num_experts_per_tok": 2,
            "first_k_dense_replace": 1,
            "kv_lora_rank": 32,
            "q_lora_rank": 48,
            "qk_nope_head_dim": 16,
            "qk_rope_head_dim": 8,
            "v_head_dim": 16,
            "index_head_dim": 24,
            "index_n_heads": 2,
            "index_topk": 128,
            "indexer_types": ["full", "shared", "shared", "full"],
        }
    )
    assert [(g.n_layers, g.index_dim, g.index_topk_tok) for g in spec.groups] == [
        (2, 24, 128),
        (2, 0, 128),
    ]
    assert spec.n_moe_layers == 3
    assert describe_model(spec)["kv_bytes_per_tok_fp16"] == 2 * (4 * (32 + 8) + 2 * 24)


def test_searched_layers_may_lack_attention_or_a_feed_forward_block():
    block = {"attention": {"no_op": True}, "ffn": {"no_op": True}}
    whole = {"attention": {"n_heads_in_group": 2}, "ffn": {"ffn_mult": 3.0}}
    spec = parse_model_config(
        {
            "model_type": "nemotron-nas",
            "hidden_size": 128,
            "num_hidden_layers": 3,
            "num_attention_heads": 4,
            "vocab_size": 100,
            "tie_word_embeddings": False,
            "block_configs": [whole, block, whole],
        }
    )
    attention, feed = 128 * 128 * 2 + 128 * 64 * 2, 3 * 128 * 256  # 2 / 3 x 3 x 128 = 256
    assert spec.total_params == 2 * 100 * 128 + 128 + 2 * (attention + feed + 2 * 128)
    assert spec.groups[0].n_layers == 2
    assert spec.n_layers == 3


def test_a_window_counts_only_where_its_switch_is_on():
    qwen = {**LLAMA, "model_type": "qwen2", "sliding_window": 64, "max_window_layers": 1}
    assert [g.kind for g in parse_model_config(qwen).groups] == ["full"]
    on = parse_model_config({**qwen, "use_sliding_window": True})
    assert [(g.kind, g.n_layers) for g in on.groups] == [("full", 1), ("sliding", 1)]


def test_active_parameters_leave_out_experts_that_are_not_chosen():
    moe = {**LLAMA, "model_type": "mixtral", "num_local_experts": 8, "num_experts_per_tok": 2}
    spec = parse_model_config(moe)
    assert spec.active_params == spec.total_params - 2 * 6 * 3 * 64 * 160


def test_multi_token_prediction_layers_are_apart():
    deepseek = {
        **LLAMA,
        "model_type": "deepseek_v3",
        "kv_lora_rank": 32,
        "q_lora_rank": None,
        "qk_nope_head_dim": 16,
        "qk_rope_head_dim": 8,
        "v_head_dim": 16,
        "n_routed_experts": None,
    }
    without = parse_model_config(deepseek)
    with_layer = parse_model_config({**deepseek, "num_nextn_predict_layers": 1})
    layer = (without.total_params - 2 * 100 * 64 - 64) // 2
    assert with_layer.total_params == without.total_params
    assert with_layer.parameters.mtp == layer + 2 * 64 * 64 + 3 * 64
