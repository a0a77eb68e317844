"""Formats, towers, the index and names: what the files beside the layers say."""

import pytest

from calculators.fit.model_config import describe_model, parse_model_config
from tests.calculators.fit.test_model_config import LLAMA, LLAMA_PARAMS

NAMES = ["model.embed_tokens.weight", "model.norm.weight", "lm_head.weight"]
PARTS = [
    *(f"self_attn.{p}_proj.weight" for p in "qkvo"),
    *(f"mlp.{p}_proj.weight" for p in ("gate", "up", "down")),
    "input_layernorm.weight",
    "post_attention_layernorm.weight",
]
TENSORS = [*NAMES, *(f"model.layers.{i}.{p}" for i in range(2) for p in PARTS)]


def index(total, names=TENSORS, **metadata):
    return {
        "metadata": {"total_size": total, **metadata},
        "weight_map": dict.fromkeys(names, "a.safetensors"),
    }


@pytest.mark.parametrize(
    ("section", "expected"),
    [
        ({"quant_method": "fp8", "weight_block_size": [128, 128]}, "fp8-block"),
        ({"quant_method": "fp8"}, "fp8"),
        ({"quant_method": "mxfp4"}, "mxfp4"),
        ({"quant_method": "gptq", "bits": 4, "group_size": 128}, "gptq-int4"),
        ({"quant_method": "gptq", "bits": 8}, "gptq-int8"),
        ({"quant_method": "awq", "bits": 4}, "awq-int4"),
        ({"quant_method": "auto-round", "bits": 4}, "int4-w4a16"),
        ({"quant_method": "bitsandbytes", "load_in_4bit": True}, "nf4"),
        ({"quant_method": "bitsandbytes", "load_in_8bit": True}, "bnb-int8"),
        ({"bits": 4, "group_size": 64}, "mlx-4bit"),
        ({"quant_method": "modelopt", "quant_algo": "NVFP4"}, "nvfp4"),
        ({"quant_method": "compressed-tensors", "sparsity_config": {}}, "bf16"),
        (
            {
                "quant_method": "compressed-tensors",
                "config_groups": {
                    "group_0": {
                        "weights": {"num_bits": 8, "type": "float", "strategy": "channel"},
                        "input_activations": {"num_bits": 8},
                    }
                },
            },
            "fp8",
        ),
    ],
)
def test_formats_of_published_checkpoints(section, expected):
    spec = parse_model_config({**LLAMA, "quantization_config": section})
    assert spec.native_format == expected
    assert spec.total_params == LLAMA_PARAMS


def test_an_unknown_quantization_is_said_and_not_guessed():
    spec = parse_model_config({**LLAMA, "quantization_config": {"quant_method": "vptq", "x": 1}})
    assert "vptq" in spec.note
    assert spec.native_format == "bf16"


def test_groups_that_a_checkpoint_leaves_in_16_bits():
    quant = {
        "quantization": {
            "quant_algo": "NVFP4",
            "kv_cache_quant_algo": "FP8",
            "exclude_modules": ["lm_head", *(f"model.layers.{i}.self_attn*" for i in range(2))],
        }
    }
    spec = parse_model_config(LLAMA, None, quant)
    assert (spec.native_format, spec.native_cache_format) == ("nvfp4-mlp", "fp8")
    assert spec.group_formats == {"attention": "bf16", "head": "bf16"}


def test_an_index_that_agrees_and_one_with_buffers():
    agrees = parse_model_config(LLAMA, index(2 * LLAMA_PARAMS))
    assert "agrees to the parameter" in agrees.note
    extra = [*TENSORS, "model.layers.0.self_attn.rotary_emb.inv_freq"]
    buffers = parse_model_config(LLAMA, index(2 * (LLAMA_PARAMS + 8), extra))
    assert buffers.disagreements == ()
    assert "8 larger" in buffers.note


@pytest.mark.parametrize("total", [10**71 + 7, -4, 0, 1.5, float("nan"), "352494542848", True, []])
def test_absurd_totals_are_named_and_not_used(total):
    spec = parse_model_config(LLAMA, index(total))
    assert spec.total_params == LLAMA_PARAMS
    assert "total_size" in spec.disagreements[0]


def test_float_and_32_bit_totals_are_understood():
    spec = parse_model_config({**LLAMA, "torch_dtype": "float32"}, index(4.0 * LLAMA_PARAMS))
    assert "agrees to the parameter (32-bit)" in spec.note


def test_half_the_bytes_of_a_4_bit_index_is_no_count():
    four_bit = {**LLAMA, "quantization_config": {"quant_method": "awq", "bits": 4}}
    spec = parse_model_config(four_bit, index(LLAMA_PARAMS // 2))
    assert (spec.total_params, spec.disagreements) == (LLAMA_PARAMS, ())


def test_a_contradicting_index_is_a_disagreement():
    spec = parse_model_config(LLAMA, index(2 * LLAMA_PARAMS + 2_000_000))
    assert f"{LLAMA_PARAMS + 1_000_000:,}" in spec.disagreements[0]


def test_a_head_stored_although_tied_is_counted_once():
    tied = {**LLAMA, "tie_word_embeddings": True}
    spec = parse_model_config(tied, index(2 * LLAMA_PARAMS))
    assert spec.total_params == LLAMA_PARAMS - 100 * 64
    assert "ties head and embedding" in spec.disagreements[0]


def test_an_unknown_architecture_that_its_tensors_prove():
    unknown = {**LLAMA, "model_type": "brandnew", "architectures": ["BrandNewForCausalLM"]}
    spec = parse_model_config(unknown, index(2 * LLAMA_PARAMS))
    assert spec.total_params == LLAMA_PARAMS
    assert "not known" in spec.note
    for wrong in (
        index(2 * LLAMA_PARAMS + 2),
        index(2 * LLAMA_PARAMS, [*TENSORS, "model.layers.0.mixer.weight"]),
        None,
    ):
        with pytest.raises(ValueError, match="brandnew"):
            parse_model_config(unknown, wrong)


def test_towers_are_named_and_left_out():
    """SigLIP as Gemma 3 has it (width 1152, 27 layers, 4096 positions) and a connector."""
    vision = {
        "model_type": "siglip_vision_model",
        "hidden_size": 32,
        "intermediate_size": 48,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "image_size": 28,
        "patch_size": 14,
        "vision_use_head": False,
    }
    text = {**LLAMA, "model_type": "gemma3_text", "head_dim": 16}
    spec = parse_model_config(
        {"model_type": "gemma3", "text_config": text, "vision_config": vision}
    )
    block = 4 * (32 * 32 + 32) + 2 * 32 * 48 + 48 + 32 + 4 * 32
    tower = 3 * 14 * 14 * 32 + 32 + 4 * 32 + 2 * block + 2 * 32
    assert spec.towers == {"vision": tower + 32 * 64 + 32}
    assert spec.full_params == spec.total_params + spec.towers["vision"]


def test_a_tower_of_unknown_kind_is_null_until_an_index_tells():
    config = {
        "model_type": "somethingvl",
        "text_config": LLAMA,
        "vision_config": {"model_type": "noidea"},
        "torch_dtype": "bfloat16",
    }
    assert describe_model(parse_model_config(config))["full_params"] is None
    known = parse_model_config(config, index(2 * (LLAMA_PARAMS + 1234)))
    assert known.towers == {"vision": 1234}


def test_a_sparse_nested_section_is_read_as_its_class_has_it():
    spec = parse_model_config(
        {
            "model_type": "qwen2_audio",
            "audio_config": {"model_type": "qwen2_audio_encoder"},
            "text_config": {
                "model_type": "qwen2",
                "intermediate_size": 11008,
                "vocab_size": 156032,
            },
        }
    )
    assert spec.full_params == 8397094912  # transformers 4.57.6, meta device
    assert "text_config.hidden_size 4096" in spec.note


def test_a_config_without_a_model_type_is_read_by_its_architecture():
    config = {k: v for k, v in LLAMA.items() if k != "model_type"}
    spec = parse_model_config({**config, "architectures": ["LlamaForCausalLM"]})
    assert spec.total_params == LLAMA_PARAMS
    assert "by its architectures" in spec.note
