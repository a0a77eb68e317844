"""Unknown architectures whose tensors are Llama's: counted from names, proved by the total."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

from calculators.fit.architectures import decoder, patterns
from calculators.fit.architectures.decoder import Style
from calculators.fit.architectures.errors import ModelConfigError
from calculators.fit.architectures.index_file import Index
from calculators.fit.architectures.keys import Keys
from calculators.fit.architectures.shape import Shape

LAYER = re.compile(r"^(?:model\.|transformer\.)?layers\.(\d+)\.(.+)$")
NORM = r"(?:\w*norm\w*)"
KNOWN = re.compile(
    r"^(self_attn\.[qkvo]_proj\.(weight|bias)|self_attn\.[qk]_norm\.weight"
    rf"|mlp\.(gate|up|down)_proj\.(weight|bias)|{NORM}\.(weight|bias))$"
)
OUTSIDE = re.compile(
    r"^(?:model\.|transformer\.)?(embed_tokens|norm|lm_head)\.(weight|bias)$|^lm_head\.weight$"
)
WINDOWS = ("sliding_window", "layer_types", "attention_chunk_size", "sliding_window_pattern")


def style_of(parts: Counter[str]) -> Style:
    """The style that a layer's tensor names show."""
    norms = {name.rsplit(".", 1)[0] for name in parts if "norm" in name and "self_attn" not in name}
    return Style(
        qkv_bias="self_attn.q_proj.bias" in parts,
        o_bias="self_attn.o_proj.bias" in parts,
        mlp_bias="mlp.up_proj.bias" in parts,
        gated="mlp.gate_proj.weight" in parts,
        qk_norm="head" if "self_attn.q_norm.weight" in parts else "",
        norm=2 if any("norm" in n and n.endswith(".bias") for n in parts) else 1,
        n_norms=len(norms),
    )


def verified_shape(keys: Keys, index: Index) -> Shape | None:
    """The shape of a model whose tensors are all Llama's and add up to the index's total.

    None where a tensor has another name, a window is not understood, or the sizes do not add up
    to the byte (to the parameter where the index counts them).
    """
    layers: dict[int, Counter[str]] = {}
    for name in index.names:
        found = LAYER.match(name)
        if found and len(found.group(1)) < 6 and KNOWN.match(found.group(2)):
            layers.setdefault(int(found.group(1)), Counter())[found.group(2)] += 1
        elif not OUTSIDE.match(name):
            return None
    if not layers or len({frozenset(parts) for parts in layers.values()}) != 1:
        return None
    if any(keys.data.get(name) for name in WINDOWS):
        return None
    parts = next(iter(layers.values()))
    return proved(keys, style_of(parts), len(layers), index)


def proved(keys: Keys, style: Style, n_layers: int, index: Index) -> Shape | None:
    """The shape in the one variant that adds up to the index's total."""
    named = {**keys.data, "tie_word_embeddings": not index.has_head}
    for qk_norm in dict.fromkeys((style.qk_norm, "full" if style.qk_norm else "")):
        recipe = decoder.decoder(replace(style, qk_norm=qk_norm, window=patterns.all_full))
        try:
            shape = recipe(Keys(named))
        except ModelConfigError:
            return None
        total = shape.embedding + shape.head + shape.rest + shape.counts.total
        widths = [1] if index.total_parameters else [2, 4]
        claimed = index.total_parameters or index.total_bytes
        if len(shape.layers) == n_layers and any(total * width == claimed for width in widths):
            note = (
                "The architecture is not known: its tensors have Llama's names, and their sizes "
                "add up to the index's total exactly."
            )
            return replace(shape, notes=(note,))
    return None
