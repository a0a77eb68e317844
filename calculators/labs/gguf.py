"""Names of GGUF types, decoded: a bit width and a grouping, not an algorithm of their own."""

from __future__ import annotations

import re
from dataclasses import dataclass

from calculators.labs.quantization import LabError

# Bits per weight of the tensor types: block bytes x 8 / block weights.
TYPE_BITS = {
    "F32": 32.0,
    "F16": 16.0,
    "BF16": 16.0,
    "Q4_0": 4.5,
    "Q4_1": 5.0,
    "Q5_0": 5.5,
    "Q5_1": 6.0,
    "Q8_0": 8.5,
    "Q2_K": 2.625,
    "Q3_K": 3.4375,
    "Q4_K": 4.5,
    "Q5_K": 5.5,
    "Q6_K": 6.5625,
    "Q8_K": 9.125,
    "IQ1_S": 1.5625,
    "IQ1_M": 1.75,
    "IQ2_XXS": 2.0625,
    "IQ2_XS": 2.3125,
    "IQ2_S": 2.5625,
    "IQ3_XXS": 3.0625,
    "IQ3_S": 3.4375,
    "IQ4_XS": 4.25,
    "IQ4_NL": 4.5,
    "TQ1_0": 1.6875,
    "TQ2_0": 2.0625,
    "MXFP4": 4.25,
    "NVFP4": 4.5,
}
MIXES = {
    "S": "small: nearly all matrices in the base type",
    "M": "medium: some of the attention and MLP matrices in a larger type",
    "L": "large: more matrices in a larger type",
    "XL": "extra large: the most matrices in a larger type",
}
BASES = {"IQ2_M": "IQ2_S", "IQ3_M": "IQ3_S", "IQ3_XS": "IQ3_XXS"}  # mixes named like types
_NAME = re.compile(
    r"(?<![A-Z0-9])(I?Q[1-8]_(?:K|[01]|NL|XXS|XS|S|M)(?:_(?:S|M|L|XL))?|TQ[12]_0|BF16|F16|F32|MXFP4"
    r"|NVFP4)(?![A-Z0-9])"
)


@dataclass(frozen=True, slots=True)
class GgufName:
    """A decoded name: bits per weight of the base type, and what shares a scale."""

    name: str
    base: str
    bits: float
    grouping: str
    sentence: str


def decode_gguf_name(name: str) -> GgufName:
    """What a GGUF type's name says, alone or inside a file name.

    Parameters
    ----------
    name : str
        For example Q4_K_M, iq3_xxs or Llama-3-8B.Q5_K_S.gguf.

    Returns
    -------
    GgufName

    Raises
    ------
    LabError
        A name that holds no known type.

    Notes
    -----
    `bits` are those of the base type. A whole file has more: embeddings, output head and, in the M
    and L mixes, other matrices are kept in larger types (the catalog has the published averages).

    References
    ----------
    PyPI gguf 0.19.0, GGML_QUANT_SIZES, read 2026-11-30; llama.cpp tools/quantize/README.md.

    Examples
    --------
    >>> found = decode_gguf_name("Q4_K_M")
    >>> found.bits, found.grouping
    (4.5, 'blocks of 32 in super-blocks of 256')
    """
    match = _NAME.search(name.upper().replace("-", "_"))
    if match is None:
        raise LabError(f"GGUF name: {name[:60]!r} given; a type like Q4_K_M is allowed")
    found = match.group(1)
    base, mix = _base_and_mix(found)
    if base not in TYPE_BITS:
        raise LabError(f"GGUF name: {found} is not a type; for example Q4_K_M is")
    grouping, how = _grouping(base)
    words = [f"{found}: {how}, {TYPE_BITS[base]:g} bits per weight with scales"]
    if mix:
        words.append(f"mixed {MIXES[mix]}")
    return GgufName(found, base, TYPE_BITS[base], grouping, "; ".join(words) + ".")


def _base_and_mix(found: str) -> tuple[str, str]:
    if found in BASES:
        return BASES[found], "M" if found.endswith("_M") else "S"
    match = re.fullmatch(r"(Q[2-8]_K)_(S|M|L|XL)", found)
    if match is None:
        return found, ""
    base = "Q8_0" if match.group(1) == "Q8_K" else match.group(1)  # Q8_K never stores weights
    return base, match.group(2)


def _grouping(base: str) -> tuple[str, str]:
    digits = next((c for c in base if c.isdigit()), "")
    if base in ("F32", "F16", "BF16"):
        return "none", "not quantized"
    if base in ("MXFP4", "NVFP4"):
        size = "32" if base == "MXFP4" else "16"
        return f"blocks of {size}", "4-bit floating point with block scales"
    if base.startswith("TQ"):
        return "blocks of 256", "weights of -1, 0 and 1 with one scale per block"
    if base.startswith("IQ4_NL"):
        return "blocks of 32", "4 bits on uneven levels, one scale per block"
    if base.startswith("IQ"):
        return "super-blocks of 256", f"about {digits} bits from a table of patterns or levels"
    if base.endswith("_K"):
        size = "16" if digits in "236" else "32"
        kind = "scale and minimum" if digits in "245" else "scale"
        return (
            f"blocks of {size} in super-blocks of 256",
            f"{digits} bits, a quantized {kind} per block of {size}",
        )
    kind = "a scale and a minimum" if base.endswith("_1") else "one scale"
    return "blocks of 32", f"{digits} bits with {kind} per block of 32"
