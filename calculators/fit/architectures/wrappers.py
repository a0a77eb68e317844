"""Multimodal models: which language model lies inside, and what its towers weigh."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from calculators.fit.architectures import audio_towers, towers
from calculators.fit.architectures.blocks import linear
from calculators.fit.architectures.defaults import DEFAULTS
from calculators.fit.architectures.keys import Keys

Tower = Callable[[Keys, int], dict[str, int]]
SECTIONS = ("text_config", "llm_config", "language_config")


@dataclass(frozen=True, slots=True)
class Wrapper:
    """A multimodal model: the architecture of its language model, and its towers."""

    text: str  # where the nested section does not say
    towers: Tower | None = None


def vision_of(keys: Keys, kind: str) -> Keys:
    """The vision section, with its class's defaults."""
    return keys.section("vision_config", defaults=DEFAULTS.get(kind, {}))


def audio_of(keys: Keys, kind: str) -> Keys:
    """The audio section, with its class's defaults."""
    return keys.section("audio_config", defaults=DEFAULTS.get(kind, {}))


def feature_layers(keys: Keys) -> int:
    """How many layers of the tower feed the connector."""
    value = keys.data.get("vision_feature_layer", -2)
    return len(value) if isinstance(value, list) else 1


def two_linears(n_in: int, n_out: int, *, bias: bool) -> int:
    """Two linears, the second as wide as the output."""
    return linear(n_in, n_out, bias=bias) + linear(n_out, n_out, bias=bias)


def vision_tower(vision: Keys) -> int:
    """The tower that a nested `vision_config` names."""
    kind = vision.text("model_type", default="clip_vision_model")
    known = {
        "clip_vision_model": towers.clip,
        "siglip_vision_model": lambda v: towers.siglip(v, head=True),
        "siglip2_vision_model": lambda v: towers.siglip(v, head=True, flat_patches=True),
        "pixtral": towers.pixtral,
        "internvl_vision": towers.internvit,
        "idefics3_vision": towers.siglip,
        "idefics3": towers.siglip,
        "smolvlm_vision": towers.siglip,
        "": towers.siglip,
    }
    if kind not in known:
        raise ValueError(f"the tower {kind!r} is not known")
    return known[kind](vision)


def qwen(tower: Callable[[Keys], int], kind: str) -> Tower:
    """Qwen's towers hold their connector."""
    return lambda keys, hidden: {"vision": tower(vision_of(keys, kind))}


def gemma3(keys: Keys, hidden: int) -> dict[str, int]:
    """SigLIP, a projection and a norm."""
    vision = vision_of(keys, "siglip_vision_model")
    width = vision.count(*towers.WIDTH)
    return {"vision": vision_tower(vision) + width * hidden + width}


def mistral3(keys: Keys, hidden: int) -> dict[str, int]:
    """Pixtral, a patch merger and two linears."""
    vision = vision_of(keys, "pixtral")
    width = vision.count(*towers.WIDTH) * feature_layers(keys)
    merge = keys.count("spatial_merge_size", default=2)
    bias = keys.flag("multimodal_projector_bias")
    connector = width + width * merge**2 * width + two_linears(width, hidden, bias=bias)
    return {"vision": vision_tower(vision) + connector}


def llava(newline: bool) -> Tower:
    """LLaVA: two linears between tower and language model, and in later ones a line break."""

    def count(keys: Keys, hidden: int) -> dict[str, int]:
        kind = keys.section("vision_config").text("model_type", default="clip_vision_model")
        vision = vision_of(keys, kind)
        width = vision.count(*towers.WIDTH) * feature_layers(keys)
        bias = keys.flag("multimodal_projector_bias", default=True)
        connector = two_linears(width, hidden, bias=bias) + (hidden if newline else 0)
        return {"vision": vision_tower(vision) + connector}

    return count


def llama4(keys: Keys, hidden: int) -> dict[str, int]:
    """Llama 4's encoder and one linear."""
    vision = vision_of(keys, "llama4_vision_model")
    return {"vision": towers.llama4_vision(vision) + vision.count("vision_output_dim") * hidden}


def mllama(keys: Keys, hidden: int) -> dict[str, int]:
    """Llama 3.2 Vision's encoder and one linear."""
    vision = vision_of(keys, "mllama_vision_model")
    connector = linear(vision.count("vision_output_dim"), hidden, bias=True)
    return {"vision": towers.mllama_vision(vision) + connector}


def qwen2_audio(keys: Keys, hidden: int) -> dict[str, int]:
    """Whisper's encoder and one linear."""
    audio = audio_of(keys, "qwen2_audio_encoder")
    connector = linear(audio.count("d_model", "hidden_size"), hidden, bias=True)
    return {"audio": audio_towers.whisper(audio) + connector}


def voxtral(keys: Keys, hidden: int) -> dict[str, int]:
    """Whisper's encoder and two linears over four frames."""
    audio = audio_of(keys, "voxtral_encoder")
    inner = audio.count("intermediate_size")
    return {"audio": audio_towers.whisper(audio) + two_linears(inner, hidden, bias=False)}


def kimi(keys: Keys, hidden: int) -> dict[str, int]:
    """MoonViT and two linears over merged patches."""
    vision = vision_of(keys, "kimi_k25_vision")
    width, merge = vision.count(*towers.WIDTH), towers.square(vision, "merge_kernel_size", 2) ** 2
    merged = width * merge
    connector = 2 * width + linear(merged, merged, bias=True) + linear(merged, hidden, bias=True)
    return {"vision": towers.moonvit(vision) + connector}


def internvl(keys: Keys, hidden: int) -> dict[str, int]:
    """InternViT, a norm and two linears over merged patches."""
    vision = vision_of(keys, "internvl_vision")
    ratio = keys.number("downsample_ratio", default=0.5, low=0.01, high=1)
    merged = vision.count(*towers.WIDTH) * round(1 / ratio) ** 2
    connector = 2 * merged + two_linears(merged, hidden, bias=True)
    return {"vision": towers.internvit(vision) + connector}


def gemma4(keys: Keys, hidden: int) -> dict[str, int]:
    """Vision and audio towers, where the file has them."""
    found: dict[str, int] = {}
    if keys.has("vision_config"):
        vision = vision_of(keys, "gemma4_vision")
        found["vision"] = towers.gemma4_vision(vision) + vision.count("hidden_size") * hidden
    if keys.has("audio_config"):
        audio = audio_of(keys, "gemma4_audio")
        found["audio"] = audio_towers.gemma4_audio(audio) + audio.count("output_proj_dims") * hidden
    return found


def paligemma(keys: Keys, hidden: int) -> dict[str, int]:
    """SigLIP and one linear."""
    vision = vision_of(keys, "siglip_vision_model")
    return {
        "vision": towers.siglip(vision) + linear(vision.count("hidden_size"), hidden, bias=True)
    }


def idefics3(keys: Keys, hidden: int) -> dict[str, int]:
    """SigLIP and one linear over merged patches."""
    vision = vision_of(keys, "idefics3_vision")
    merged = vision.count("hidden_size") * keys.count("scale_factor", default=2) ** 2
    return {"vision": towers.siglip(vision) + merged * hidden}


def cohere2_vision(keys: Keys, hidden: int) -> dict[str, int]:
    """SigLIP and a gated connector."""
    vision = vision_of(keys, "siglip_vision_model")
    merged = vision.count("hidden_size") * keys.count("downsample_factor", default=2) ** 2
    inner = keys.count("alignment_intermediate_size", default=36864)
    connector = linear(merged, inner, bias=True) + linear(inner // 2, hidden, bias=True)
    return {"vision": vision_tower(vision) + connector}


def lfm2_vl(keys: Keys, hidden: int) -> dict[str, int]:
    """SigLIP 2 and two linears over merged patches."""
    vision = vision_of(keys, "siglip2_vision_model")
    merged = vision.count("hidden_size") * keys.count("downsample_factor", default=2) ** 2
    inner = keys.count("projector_hidden_size", default=2560)
    bias = keys.flag("projector_bias", default=True)
    norm = 2 * merged if keys.flag("projector_use_layernorm", default=True) else 0
    connector = norm + linear(merged, inner, bias=bias) + linear(inner, hidden, bias=bias)
    return {"vision": vision_tower(vision) + connector}


def minimax_m3(keys: Keys, hidden: int) -> dict[str, int]:
    """A CLIP-like encoder over frames, a projector and a patch merger."""
    vision = vision_of(keys, "minimax_m3_vl_vision")
    width, patch = vision.count("hidden_size"), vision.count("patch_size")
    section = vision.section("img_token_compression_config")
    depth = section.count("temporal_patch_size", default=2)
    merge = section.count("spatial_merge_size", default=2) ** 2
    inner = keys.count("projector_hidden_size", default=hidden)
    connector = linear(width, inner, bias=True) + linear(inner, hidden, bias=True)
    merger = linear(hidden * merge, inner, bias=True) + linear(inner, hidden, bias=True)
    patches = vision.count("num_channels", default=3) * depth * patch**2 * width
    tower = patches + 2 * width + towers.plain_encoder(vision)
    return {"vision": tower + connector + merger}


def muse_glimmer(keys: Keys, hidden: int) -> dict[str, int]:
    """An encoder over frames and three linears."""
    vision = vision_of(keys, "muse_glimmer_vision")
    width, patch = vision.count("hidden_size"), vision.count("patch_size")
    depth = vision.count("patch_temporal", default=2)
    patches = 3 * depth * patch**2 * width + vision.count("max_position_embeddings") * width
    inner = keys.count("projector_hidden_size", default=4096)
    connector = keys.count("out_hidden_size", default=6144) * inner + inner**2 + inner * hidden
    return {"vision": patches + 4 * width + towers.plain_encoder(vision) + connector}


WRAPPERS: dict[str, Wrapper] = {
    "aya_vision": Wrapper("cohere2"),
    "cohere2_vision": Wrapper("cohere2", cohere2_vision),
    "gemma3": Wrapper("gemma3_text", gemma3),
    "gemma3n": Wrapper("gemma3n_text"),
    "gemma4": Wrapper("gemma4_text", gemma4),
    "gemma4_unified": Wrapper("gemma4_unified_text"),
    "glm4v": Wrapper("glm4v_text", qwen(towers.glm_vision, "glm4v_vision")),
    "glm4v_moe": Wrapper("glm4v_moe_text", qwen(towers.glm_vision, "glm4v_moe_vision")),
    "idefics3": Wrapper("llama", idefics3),
    "internvl": Wrapper("qwen2", internvl),
    "kimi_k25": Wrapper("deepseek_v3", kimi),
    "kimi_vl": Wrapper("deepseek_v3", kimi),
    "lfm2_vl": Wrapper("lfm2", lfm2_vl),
    "llama4": Wrapper("llama4_text", llama4),
    "llava": Wrapper("llama", llava(newline=False)),
    "llava_next": Wrapper("llama", llava(newline=True)),
    "minimax_m3_vl": Wrapper("minimax_m3_vl_text", minimax_m3),
    "mistral3": Wrapper("mistral", mistral3),
    "mllama": Wrapper("mllama_text_model", mllama),
    "muse_glimmer": Wrapper("muse_glimmer_text", muse_glimmer),
    "paligemma": Wrapper("gemma", paligemma),
    "qwen2_5_vl": Wrapper("qwen2", qwen(towers.qwen25_vision, "qwen2_5_vl_vision")),
    "qwen2_audio": Wrapper("qwen2", qwen2_audio),
    "qwen2_vl": Wrapper("qwen2", qwen(towers.qwen2_vision, "qwen2_vl_vision")),
    "qwen3_5": Wrapper("qwen3_5_text", qwen(towers.qwen3_vision, "qwen3_5_vision")),
    "qwen3_5_moe": Wrapper("qwen3_5_moe_text", qwen(towers.qwen3_vision, "qwen3_5_vision")),
    "qwen3_vl": Wrapper("qwen3", qwen(towers.qwen3_vision, "qwen3_vl_vision")),
    "qwen3_vl_moe": Wrapper("qwen3_moe", qwen(towers.qwen3_vision, "qwen3_vl_vision")),
    "smolvlm": Wrapper("llama", idefics3),
    "voxtral": Wrapper("llama", voxtral),
}
