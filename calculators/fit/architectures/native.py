"""How a checkpoint stores its weights: a format, and where parameter groups differ from it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from calculators.fit.architectures.keys import Keys

DTYPES = {"float32": "fp32", "bfloat16": "bf16", "float16": "bf16", "half": "bf16"}
ALGORITHMS = {
    "FP8": "fp8",
    "FP8_PER_CHANNEL_PER_TOKEN": "fp8",
    "FP8_PB_WO": "fp8-block",
    "FP8_PB_REAL": "fp8-block",
    "FP8_BLOCK_SCALES": "fp8-block",
    "NVFP4": "nvfp4",
    "W4A4_NVFP4": "nvfp4",
    "NVFP4_AWQ": "nvfp4",
    "W4A16_NVFP4": "nvfp4-a16",
    "MXFP8": "mxfp8",
    "MXFP4": "mxfp4-linear",
    "W4A8_MXFP4_FP8": "mxfp4-a8",
    "W4A16_AWQ": "awq-int4",
    "INT4_AWQ": "awq-int4",
    "W4A8_AWQ": "int4-w4a8",
    "W8A16": "int8-w8a16",
    "W8A8_SQ_PER_CHANNEL": "int8-w8a8",
    "INT8_SQ": "int8-w8a8",
}
GROUPS = (
    ("towers", r"vision|visual|audio|mm_projector|multi_modal|image_|embed_vision"),
    ("mtp", r"\bmtp|nextn|eagle"),
    ("embedding", r"embed_tokens|embeddings?\b|\bwte\b"),
    ("head", r"lm_head|output_layer|embed_out"),
    ("shared_experts", r"shared_?expert|shared_mlp"),
    ("rest", r"\brouter\b|mlp\.gate\b|moe\.gate\b|mixer\.gate\b|norm\b|\bgate$|conv1d"),
    ("routed_experts", r"experts?\b|block_sparse_moe"),
    ("attention", r"attn|attention|mixer\.([qkvo]|in|out)_proj|[qkvo]_proj|qkv"),
    ("dense_mlp", r"mlp|ffn|feed_forward|(gate|up|down)_proj|mixer\.(up|down)"),
)
MOSTLY = 0.75  # share of a group's layers from which the group counts as left out


@dataclass(frozen=True, slots=True)
class Stored:
    """The format of the linear layers, groups in another one, the cache format asked for."""

    format: str = "bf16"
    groups: dict[str, str] = field(default_factory=dict)
    cache: str | None = None
    notes: tuple[str, ...] = ()


def group_of(module: str) -> str | None:
    """The parameter group of a module by its name; None for a whole layer or an unknown name."""
    for group, pattern in GROUPS:
        if re.search(pattern, module):
            return group
    return None


def layer_of(module: str) -> int | None:
    """A layer's number in a module's name, or None."""
    found = re.search(r"(?:layers|blocks|\bh)\.(\d+)", module)
    return int(found.group(1)) if found and len(found.group(1)) < 6 else None


def left_out(names: Iterable[Any], n_layers: int) -> set[str]:
    """Groups that a list of excluded modules leaves in 16 bits on (nearly) all their layers."""
    everywhere: set[str] = set()
    layers: dict[str, set[int]] = {}
    for name in names:
        if not isinstance(name, str) or len(name) > 500 or "indexer" in name:
            continue
        group, layer = group_of(name.replace("\\.", ".")), layer_of(name)
        if group and layer is None:
            everywhere.add(group)
        elif group and layer is not None:
            layers.setdefault(group, set()).add(layer)
    few = {group for group, found in layers.items() if len(found) >= MOSTLY * n_layers}
    return everywhere | few


def mixed(layers: Mapping[str, Any], others: str) -> tuple[str, dict[str, str]]:
    """The commonest format of a list of quantized modules, and that of each group.

    `others` is the format of the groups that the list leaves out.
    """
    tallies: dict[str, Counter[str]] = {}
    for module, entry in layers.items():
        algorithm = entry.get("quant_algo") if isinstance(entry, Mapping) else None
        name = ALGORITHMS.get(str(algorithm).upper())
        group = group_of(module) if isinstance(module, str) else None
        if name and group:
            tallies.setdefault(group, Counter())[name] += 1
    groups = {group: tally.most_common(1)[0][0] for group, tally in tallies.items()}
    total = sum(tallies.values(), Counter())
    main = groups.get("routed_experts") or groups.get("dense_mlp")
    main = main or (total.most_common(1)[0][0] if total else "bf16")
    groups.setdefault("head", "bf16")
    for group in ("attention", "dense_mlp", "shared_experts", "routed_experts"):
        groups.setdefault(group, others)
    return main, {group: name for group, name in groups.items() if name != main}


def renamed(main: str, groups: Mapping[str, str]) -> str:
    """The format whose own groups come closest: NVFP4 with 16-bit or FP8 attention has its own."""
    attention = groups.get("attention", main)
    if main == "nvfp4" and attention == "bf16":
        return "nvfp4-mlp"
    if main in ("nvfp4", "nvfp4-a16") and attention in ("fp8", "fp8-block"):
        return "nvfp4-fp8"
    if main == "mxfp4-linear" and attention == "bf16":
        return "mxfp4"
    return main


def modelopt(section: Mapping[str, Any], n_layers: int, others: str = "bf16") -> Stored | None:
    """NVIDIA ModelOpt: one algorithm with exclusions, or a list of modules with one each."""
    algorithm = str(section.get("quant_algo") or "").upper()
    listed = section.get("quantized_layers")
    cache = "fp8" if str(section.get("kv_cache_quant_algo")).upper() == "FP8" else None
    if isinstance(listed, Mapping) and listed:
        main, groups = mixed(listed, others)
        return Stored(renamed(main, groups), groups, cache)
    if algorithm not in ALGORITHMS:
        return None
    names = section.get("exclude_modules") or section.get("ignore")
    out = left_out(names if isinstance(names, list) else [], n_layers)
    groups = dict.fromkeys(sorted(out - {"rest"}), "bf16")
    main = ALGORITHMS[algorithm]
    return Stored(renamed(main, groups), groups, cache)


def compressed(section: Mapping[str, Any], n_layers: int) -> Stored | None:
    """compressed-tensors: the weights' scheme of the first group that has one, with exclusions."""
    listed = section.get("config_groups")
    schemes = listed.values() if isinstance(listed, Mapping) else []
    scheme = next(
        (s for s in schemes if isinstance(s, Mapping) and isinstance(s.get("weights"), Mapping)),
        None,
    )
    if scheme is None:
        return None
    main = compressed_format(scheme, str(scheme.get("format") or section.get("format") or ""))
    if main is None:
        return None
    ignored = section.get("ignore")
    out = left_out(ignored if isinstance(ignored, list) else [], n_layers)
    groups = dict.fromkeys(sorted(out - {"rest"}), "bf16")
    if main == "int4-w4a16" and "attention" in out and scheme["weights"].get("group_size") == 32:
        return Stored("int4-experts", groups)
    return Stored(renamed(main, groups), groups)


def compressed_format(scheme: Mapping[str, Any], packing: str) -> str | None:
    """The format of a compressed-tensors scheme, by its weights' bits, type and packing."""
    weights = scheme["weights"]
    bits, kind, strategy = weights.get("num_bits"), weights.get("type"), weights.get("strategy")
    active = isinstance(scheme.get("input_activations"), Mapping)
    if kind == "float" and bits == 8:
        return "fp8-block" if strategy == "block" else "fp8" if active else "fp8-w8a16"
    if kind == "float" and bits == 4:
        if "mxfp4" in packing or weights.get("group_size") == 32:
            return "mxfp4-linear"
        return "nvfp4" if active else "nvfp4-a16"
    if kind in ("int", None) and bits == 8:
        return "int8-w8a8" if active else "int8-w8a16"
    if kind in ("int", None) and bits == 4:
        return "int4-w4a8" if active else "int4-w4a16"
    return None


def by_width(section: Mapping[str, Any], method: str) -> str | None:
    """Formats that a number of bits, and a group size, tell apart."""
    bits, size = section.get("bits", section.get("w_bit", 4)), section.get("group_size")
    if method == "gptq" and bits == 4:
        return "gptq-int4-g32" if size == 32 else "gptq-int4"
    if method == "bitsandbytes":
        if section.get("load_in_8bit") is True:
            return "bnb-int8"
        return "nf4-dq" if section.get("bnb_4bit_use_double_quant") is True else "nf4"
    names = {
        ("gptq", 8): "gptq-int8",
        ("awq", 4): "awq-int4",
        ("auto-round", 4): "int4-w4a16",
        ("intel/auto-round", 4): "int4-w4a16",
        ("hqq", 4): "hqq-int4",
        ("eetq", 4): "int8-w8a16",
        ("mlx", 4): "mlx-4bit",
        ("mlx", 8): "mlx-8bit",
    }
    return names.get((method, bits)) if isinstance(bits, int) else None


def quantized(
    section: Mapping[str, Any], keys: Keys, n_layers: int, others: str = "bf16"
) -> Stored | None:
    """The format that a quantization section describes; None where it is not one known here."""
    method = str(section.get("quant_method") or "").lower()
    method = method or ("mlx" if "bits" in section else "modelopt")
    if method.startswith("modelopt"):
        return modelopt(section, n_layers, others) or compressed(section, n_layers)
    if method == "compressed-tensors":
        return compressed(section, n_layers)
    if method in ("fp8", "fbgemm_fp8", "deepseek_fp8"):
        main = "fp8-block" if section.get("weight_block_size") else "fp8"
        fp4 = "fp4" in (keys.data.get("expert_dtype"), section.get("expert_dtype"))
        return Stored("mxfp4-fp8" if fp4 else main)
    if method == "mxfp4":
        return Stored("mxfp4")
    name = by_width(section, method)
    return Stored(name) if name else None


def stored(top: Keys, text: Keys, hf_quant: Mapping[str, Any] | None, n_layers: int) -> Stored:
    """How the weights are stored: the quantization files first, else the data type."""
    plain = "bf16"
    for keys in (top, text):
        for name in ("torch_dtype", "dtype"):
            value = keys.data.get(name)
            plain = (
                DTYPES.get(value.removeprefix("torch."), plain) if isinstance(value, str) else plain
            )
    sections = [(hf_quant or {}).get("quantization", hf_quant)]
    sections += [
        keys.data.get(name)
        for keys in (top, text)
        for name in ("quantization_config", "compression_config")
    ]
    base = top.data.get("quantization_config")
    fp8 = isinstance(base, Mapping) and base.get("quant_method") == "fp8"
    others = "fp8-block" if fp8 else "bf16"
    notes: list[str] = []
    for section in sections:
        if not isinstance(section, Mapping) or not section:
            continue
        found = quantized(section, text if text.data else top, n_layers, others)
        if found:
            return found
        if set(section) - {"quant_method", "version", "sparsity_config", "format"}:
            method = str(section.get("quant_method") or section.get("quant_algo") or "unnamed")[:40]
            notes.append(
                f"Quantized by {method} in a way that is not known here: choose the weight format."
            )
    return Stored(plain, notes=tuple(notes[:1]))
