"""Weight and cache formats of a measurement, stated or assumed."""

from __future__ import annotations

import re
from datetime import date
from functools import lru_cache

from calculators.evidence.benchmark_names import format_named
from calculators.specs import (
    LANGUAGE_GROUPS,
    CacheFormat,
    Catalog,
    ModelSpec,
    Source,
    WeightFormat,
)

OWN_COLUMNS = (Source(title="The measurement's own columns", checked=date(2026, 11, 30)),)
_GGUF = re.compile(r"(?<![a-z0-9])(?:iq|q)[1-8]_[a-z0-9_]+", re.IGNORECASE)
Q8_0_BITS = 8.5  # 34 bytes for 32 weights
# What runs when nobody says a format: engines that take quantized files by default.
USUAL_FORMATS = {
    "llama-cpp": "gguf-q4-k-m",
    "mlx": "mlx-4bit",
    "mlc-llm": "mlc-q4f16",
    "exllama": "exl2-4.0",
    "autoawq": "awq-int4",
    "tinychat": "awq-int4",
    "qserve": "int4-w4a8",
}
CONVERTED = {("llama-cpp", "mxfp4"): "gguf-mxfp4", ("mlx", "int4"): "mlx-4bit"}


def assumed_format(
    catalog: Catalog, text: str, model_text: str, model: ModelSpec, engine_id: str = ""
) -> tuple[float, str, str]:
    """Bits and format of a measurement that does not state the bits of its weights.

    A format's name decides, else one in the model's name, else what is usual with the engine where
    that is narrower than what the model is published in, else that.

    Parameters
    ----------
    catalog : of weight formats
    text : the measurement's format, may be blank
    model_text : the model as the measurement names it
    model : found for it
    engine_id : of the catalog

    Returns
    -------
    effective bits, name of the format, and a sentence that says what was assumed

    Notes
    -----
    A blank format is four bits with llama.cpp and what is built on it (Ollama's default tags,
    LM Studio's first choice and llama.cpp's `-hf` are Q4_K_M), MLX, MLC-LLM, ExLlama and the
    engines of one format; 16 bits there are a choice that people state.

    References
    ----------
    Ollama's library, llama.cpp's help of `-hf`, mlx_lm.convert (4 bits in groups of 64), MLC-LLM's
    quick start (q4f16_1): from knowledge, not re-read; grade C.

    Examples
    --------
    Used by `Reader` where the column `weight_bits` is blank.
    """
    named = format_named(text or model_text)
    converted = CONVERTED.get((engine_id, named[0])) if named and not text else None
    for name in (text, *_gguf_names(model_text), converted):
        found = catalog.find("weight_formats", name) if name else None
        if found is not None:
            known = catalog.weight_formats[found]
            bits = _bits(known)
            return bits, text or found, f"{bits:.4g} bits a weight, as {known.name} has"
    if named is not None:
        form, bits = named
        return bits, text or form, f"{bits:g} bits a weight, as {form} has"
    own = None if text else catalog.weight_formats.get(model.native_format)
    if own is None:
        return 16.0, text, "16-bit weights"
    usual = catalog.weight_formats.get(
        CONVERTED.get((engine_id, own.id)) or USUAL_FORMATS.get(engine_id, "")
    )
    if usual is not None and usual.bits <= own.bits:
        return _bits(usual), usual.id, f"{usual.name} weights, usual with this engine"
    return own.bits, own.id, f"weights as published, {own.name}"


def _bits(known: WeightFormat) -> float:
    return known.whole_file_bits or known.bits


def _gguf_names(model_text: str) -> tuple[str, ...]:
    """The GGUF type in a file's name or tag, and the plain type that a mix of its own is near."""
    found = _GGUF.search(model_text)
    if found is None:
        return ()
    width = found[0].lower().lstrip("iq")[0]
    return found[0], f"Q{width}_K_M", f"Q{width}_K", f"Q{width}_0"


@lru_cache(maxsize=4096)
def weight_format(text: str, bits: float) -> WeightFormat:
    """A weight format from its name in a measurement and its effective bits.

    Parameters
    ----------
    text : such as "fp8", "gguf-q4_k_m", "int4-awq"; decides the kernels and what stays in 16 bits
    bits : effective bits of the quantized layers, or of the whole file for GGUF

    Returns
    -------
    WeightFormat

    Notes
    -----
    FP4 kernels are used where the card has them. Weight-only formats compute in 16 bits. Engines
    that quantize every linear layer themselves (int8, int4-g32, exl2) quantize the head too, MLX
    and MLC-LLM the embedding with it. GGUF files in MXFP4 have the experts alone in it and the
    rest in Q8_0.

    Examples
    --------
    >>> weight_format("fp8", 8.0).compute, weight_format("gguf-q4_k_m", 4.9).whole_file_bits
    ('fp8', 4.9)
    """
    name = f"gguf-{text.lower()}" if _GGUF.match(text) else text.lower()
    gguf = name.startswith("gguf")
    kept, whole = _kept(name, bits), None
    if gguf and bits < 16 and "mxfp4" not in name:
        kept, whole = {}, bits
    return WeightFormat(
        id="measured",
        name=text or "unknown",
        sources=OWN_COLUMNS,
        family="gguf" if gguf else "native",
        nominal_bits=bits,
        bits=bits,
        group_bits=kept,
        whole_file_bits=whole,
        compute=_compute(name),
    )


def _kept(name: str, bits: float) -> dict[str, float]:
    """Bits of the parameter groups that a format leaves wider than the rest."""
    if name.startswith("gguf"):
        rest = (group for group in LANGUAGE_GROUPS if group not in ("routed_experts", "rest"))
        return dict.fromkeys(rest, Q8_0_BITS) if "mxfp4" in name else {}
    kept: dict[str, float] = {"embedding": 16.0, "head": 16.0}
    if name.startswith("mx"):
        kept |= {"attention": 16.0, "shared_experts": 16.0}
    elif name.startswith("exl"):
        kept["head"] = min(max(bits, 6.0), 16.0)
    elif name in ("int8", "int4") or name.startswith(
        ("int8wo", "int4wo", "float8wo", "fp6", "int4-g")
    ):
        kept["head"] = bits
    elif name.startswith(("mlx", "mlc")):
        kept |= {"embedding": bits, "head": bits}
    return kept


def _compute(name: str) -> str:
    if name.startswith("gguf") or "autoround" in name:
        return "16"
    if "fp4" in name:
        return "fp4"
    if name.startswith(("fp8", "float8dq")) or "w8a8-fp8" in name:
        return "fp8"
    return "int8" if "w8a8" in name or "a8" in name.split("-")[-1] else "16"


@lru_cache(maxsize=64)
def cache_format(bits: float) -> CacheFormat:
    """A cache format of so many bits an element.

    Examples
    --------
    >>> cache_format(8.0).bits
    8.0
    """
    return CacheFormat(
        id=f"kv{bits:g}", name=f"{bits:g} bits", sources=OWN_COLUMNS, nominal_bits=bits, bits=bits
    )
