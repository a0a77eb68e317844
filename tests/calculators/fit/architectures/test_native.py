"""Parameter groups by the names of modules, and what checkpoints leave out."""

import pytest

from calculators.fit.architectures.checks import WIDTHS
from calculators.fit.architectures.native import group_of, left_out, mixed
from calculators.fit.architectures.verified import KNOWN


@pytest.mark.parametrize(
    ("module", "group"),
    [
        ("model.layers.3.mlp.experts.7.down_proj", "routed_experts"),
        ("model.layers.3.mlp.shared_experts.up_proj", "shared_experts"),
        ("model.layers.3.self_attn.kv_b_proj", "attention"),
        ("backbone.layers.5.mixer.q_proj", "attention"),
        ("model.layers.0.mlp.down_proj", "dense_mlp"),
        ("model.layers.3.mlp.gate", "rest"),
        ("lm_head", "head"),
        ("vision_tower", "towers"),
        ("model.layers.0*", None),
    ],
)
def test_groups_of_modules(module, group):
    assert group_of(module) == group


def test_a_group_is_left_out_where_nearly_all_its_layers_are():
    some = [f"model.layers.{i}.self_attn*" for i in range(4)]
    assert left_out(some, 10) == set()
    assert left_out(some, 5) == {"attention"}
    assert left_out(["re:.*self_attn.*", "lm_head"], 10) == {"attention", "head"}


def test_a_list_of_modules_with_their_own_formats():
    layers = {
        "model.layers.0.mlp.experts": {"quant_algo": "NVFP4"},
        "model.layers.0.self_attn.q_proj": {"quant_algo": "FP8"},
    }
    main, groups = mixed(layers, "bf16")
    assert main == "nvfp4"
    assert (groups["attention"], groups["shared_experts"], groups["head"]) == (
        "fp8",
        "bf16",
        "bf16",
    )


def test_only_plain_widths_are_compared_and_only_llama_names_prove():
    assert WIDTHS == {"bf16": 2, "fp32": 4}
    assert KNOWN.match("self_attn.q_proj.weight")
    assert not KNOWN.match("self_attn.kv_b_proj.weight")
