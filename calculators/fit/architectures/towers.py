"""Parameters of vision and audio towers, connectors included."""

from __future__ import annotations

from typing import Any

from calculators.fit.architectures.blocks import linear, mlp
from calculators.fit.architectures.errors import ModelConfigError
from calculators.fit.architectures.keys import Keys

WIDTH = ("hidden_size", "vt_hidden_size", "embed_dim", "d_model", "width")
DEPTH = ("num_hidden_layers", "vt_num_hidden_layers", "depth", "encoder_layers")
INNER = ("intermediate_size", "vt_intermediate_size", "encoder_ffn_dim")


def encoder(
    width: int,
    n: int,
    inner: int,
    *,
    qkv_bias: bool = True,
    o_bias: bool = True,
    gated: bool = False,
    mlp_bias: bool = True,
    norm: int = 2,
    n_norms: int = 2,
    more: int = 0,
) -> int:
    """Parameters of n layers of a transformer encoder; `more` are further ones of each layer.

    >>> encoder(768, 12, 3072)
    85054464
    """
    attention = 3 * linear(width, width, bias=qkv_bias) + linear(width, width, bias=o_bias)
    feed = mlp(width, inner, gated=gated, bias=mlp_bias)
    return n * (attention + feed + n_norms * norm * width + more)


def square(keys: Keys, name: str, default: int | None = None) -> int:
    """A size that files give as a number or as a pair of equal numbers."""
    value = keys.data.get(name)
    if isinstance(value, list | tuple):
        pair = keys.counts(name, low=1)
        if len(set(pair)) != 1:
            raise ModelConfigError(
                f"config: '{keys.label(name)}' is {pair}; two equal numbers are needed."
            )
        return pair[0]
    return keys.count(name, default=default) if default else keys.count(name)


def plain_encoder(vision: Keys, **style: Any) -> int:
    """The encoder layers that a section describes."""
    return encoder(vision.count(*WIDTH), vision.count(*DEPTH), vision.count(*INNER), **style)


def pooling_head(width: int, inner: int) -> int:
    """SigLIP's attention pooling: a probe, attention, a norm and a feed-forward block."""
    return (
        width
        + 4 * linear(width, width, bias=True)
        + 2 * width
        + mlp(width, inner, gated=False, bias=True)
    )


def siglip(vision: Keys, *, head: bool = False, flat_patches: bool = False) -> int:
    """SigLIP: patches with bias, learned positions, one last norm, a pooling head if asked for."""
    width, patch = vision.count(*WIDTH), square(vision, "patch_size")
    n_channels = vision.count("num_channels", default=3)
    if flat_patches:
        n_positions = vision.count("num_patches")
    else:
        n_positions = (square(vision, "image_size") // patch) ** 2
    total = linear(n_channels * patch**2, width, bias=True) + n_positions * width
    total += plain_encoder(vision) + 2 * width
    if head and vision.flag("vision_use_head", default=True):
        total += pooling_head(width, vision.count(*INNER))
    return total


def clip(vision: Keys) -> int:
    """CLIP: a class embedding, patches without bias, norms before and after."""
    width, patch = vision.count(*WIDTH), square(vision, "patch_size")
    n_positions = (square(vision, "image_size") // patch) ** 2 + 1
    patches = vision.count("num_channels", default=3) * patch**2 * width
    return width + patches + n_positions * width + plain_encoder(vision) + 4 * width


def pixtral(vision: Keys) -> int:
    """Pixtral: rotary positions, gated blocks, no biases, one norm at the start."""
    width, patch = vision.count(*WIDTH), square(vision, "patch_size")
    patches = vision.count("num_channels", default=3) * patch**2 * width
    style = {"qkv_bias": False, "o_bias": False, "gated": True, "mlp_bias": False, "norm": 1}
    return patches + width + plain_encoder(vision, **style)


def internvit(vision: Keys) -> int:
    """InternViT: a class token, scales after each block, biases as the file says."""
    width, patch = vision.count(*WIDTH), square(vision, "patch_size")
    n_positions = (square(vision, "image_size") // patch) ** 2 + 1
    if not vision.flag("use_absolute_position_embeddings", default=True):
        n_positions = 0
    patches = linear(vision.count("num_channels", default=3) * patch**2, width, bias=True)
    qk = 2 * width if vision.flag("use_qk_norm") else 0
    norm = 1 if vision.text("norm_type", default="layer_norm") == "rms_norm" else 2
    layers = plain_encoder(
        vision, qkv_bias=vision.flag("attention_bias"), norm=norm, more=2 * width + qk
    )
    mean = vision.flag("use_mean_pooling", default=True)
    return width + n_positions * width + patches + layers + (0 if mean else 2 * width)


def llama4_vision(vision: Keys) -> int:
    """Llama 4's encoder with its pixel-shuffle adapter."""
    width, patch = vision.count(*WIDTH), square(vision, "patch_size")
    n_positions = (square(vision, "image_size") // patch) ** 2 + 1
    patches = vision.count("num_channels", default=3) * patch**2 * width
    inner, out = vision.count("projector_input_dim"), vision.count("projector_output_dim")
    adapter = vision.count(*INNER) * inner + inner * out
    return width + n_positions * width + patches + 4 * width + plain_encoder(vision) + adapter


def mllama_vision(vision: Keys) -> int:
    """Llama 3.2 Vision's encoder: tiles, gated positions, local and global layers."""
    width, patch = vision.count(*WIDTH), square(vision, "patch_size")
    n_positions = (square(vision, "image_size") // patch) ** 2 + 1
    tiles = vision.count("max_num_tiles")
    ratios = vision.data.get("supported_aspect_ratios")
    n_ratios = (len(ratios) if isinstance(ratios, list) else 8) + 1
    tables = n_positions * width + n_ratios * tiles * width * (n_positions + 2) + 3
    style = {"qkv_bias": False, "o_bias": False}
    inner, n_global = vision.count(*INNER), vision.count("num_global_layers")
    layers = plain_encoder(vision, **style) + encoder(width, n_global, inner, more=2, **style)
    patches = vision.count("num_channels", default=3) * patch**2 * width
    return width + patches + tables + 4 * width + layers


def moonvit(vision: Keys) -> int:
    """MoonViT: patches with bias, a learned two-dimensional position table."""
    width, patch = vision.count(*WIDTH), square(vision, "patch_size")
    table = vision.count("init_pos_emb_height", "pos_emb_height") * vision.count(
        "init_pos_emb_width", "pos_emb_width"
    )
    return (
        linear(3 * patch**2, width, bias=True) + table * width + plain_encoder(vision) + 2 * width
    )


def gemma4_vision(vision: Keys) -> int:
    """Gemma 4's encoder: gated blocks, four norms, query and key norms, two position tables."""
    width, patch = vision.count(*WIDTH), square(vision, "patch_size")
    dim, n_heads = vision.count("head_dim"), vision.count("num_attention_heads")
    if dim * n_heads != width:
        raise ModelConfigError(
            f"config: '{vision.label('head_dim')}' is {dim}; {width} / {n_heads} is needed."
        )
    tables = 2 * vision.count("position_embedding_size") * width
    style = {"qkv_bias": False, "o_bias": False, "gated": True, "mlp_bias": False, "norm": 1}
    return 3 * patch**2 * width + tables + plain_encoder(vision, n_norms=4, more=2 * dim, **style)


def qwen_patches(vision: Keys, *, bias: bool) -> int:
    """The patch projection of Qwen's encoders, over frames in pairs."""
    width, patch = vision.count("embed_dim", *WIDTH), square(vision, "patch_size")
    depth = vision.count("temporal_patch_size", default=2)
    return linear(
        vision.count("in_channels", "in_chans", default=3) * depth * patch**2, width, bias=bias
    )


def qwen2_vision(vision: Keys) -> int:
    """Qwen2-VL's encoder with its merger; the output size stands under `hidden_size`."""
    width, out = vision.count("embed_dim"), vision.count("hidden_size")
    inner = int(vision.number("mlp_ratio", default=4, low=0.1, high=100) * width)
    merged = width * square(vision, "spatial_merge_size", 2) ** 2
    merger = 2 * width + linear(merged, merged, bias=True) + linear(merged, out, bias=True)
    return qwen_patches(vision, bias=False) + encoder(width, vision.count("depth"), inner) + merger


def qwen25_vision(vision: Keys) -> int:
    """Qwen2.5-VL's encoder: gated blocks with biases, norms without."""
    width, out = vision.count("hidden_size"), vision.count("out_hidden_size")
    merged = width * square(vision, "spatial_merge_size", 2) ** 2
    merger = width + linear(merged, merged, bias=True) + linear(merged, out, bias=True)
    return qwen_patches(vision, bias=False) + plain_encoder(vision, gated=True, norm=1) + merger


def qwen3_vision(vision: Keys) -> int:
    """Qwen3-VL's and Qwen3.5's encoder: learned positions, further mergers for deep features."""
    width, out = vision.count("hidden_size"), vision.count("out_hidden_size")
    merged = width * square(vision, "spatial_merge_size", 2) ** 2
    body = linear(merged, merged, bias=True) + linear(merged, out, bias=True)
    deep = len(vision.counts("deepstack_visual_indexes", default=[])) * (2 * merged + body)
    positions = vision.count("num_position_embeddings") * width
    return (
        qwen_patches(vision, bias=True)
        + positions
        + plain_encoder(vision)
        + 2 * width
        + body
        + deep
    )


def glm_vision(vision: Keys) -> int:
    """GLM-4V's encoder: gated blocks as wide as the output, a gated merger."""
    width, out = vision.count("hidden_size"), vision.count("out_hidden_size")
    wide = vision.count("intermediate_size")
    bias = vision.flag("attention_bias")
    side = square(vision, "image_size") // square(vision, "patch_size")
    merge = square(vision, "spatial_merge_size", 2)
    layers = encoder(
        width,
        vision.count("depth"),
        out,
        qkv_bias=bias,
        o_bias=False,
        gated=True,
        mlp_bias=False,
        norm=1,
    )
    merger = out**2 + 2 * out + mlp(out, wide)
    ends = 2 * width + linear(width * merge**2, out, bias=True)
    return side**2 * width + qwen_patches(vision, bias=True) + layers + merger + ends


def molmo_vision(width: int, hidden: int) -> int:
    """Molmo's fixed CLIP encoder, attention pooling of two layers, and a gated connector.

    >>> molmo_vision(18944, 3584)
    404950016
    """
    dim = 1024
    patches = 3 * 14**2 * dim + (24**2 + 2) * dim + 2 * dim
    pooling = 3 * linear(2 * dim, dim, bias=True) + linear(dim, dim, bias=True) + 2 * 2 * dim
    connector = 2 * dim * width + width * hidden
    return patches + encoder(dim, 23, 4 * dim) + pooling + connector
