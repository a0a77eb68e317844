"""How weights and caches are stored."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from calculators.specs.facts import Fact
from calculators.specs.model import GroupKind


class WeightFormat(Fact):
    """How weights are stored and computed.

    `bits` are effective bits per weight for the linear layers, scales included;
    `group_bits` override single parameter groups (what published checkpoints leave in 16 bits).
    `whole_file_bits` (GGUF) is the published average over the whole file instead.
    """

    family: str  # native, gguf, gptq, awq, bitsandbytes, compressed-tensors, mx, nvfp4, hqq ...
    nominal_bits: float = Field(gt=0)
    bits: float = Field(gt=0)
    publishers: tuple[str, ...] = ()  # whose checkpoints of this family and width are this
    group_bits: dict[str, float] = Field(default_factory=dict)
    whole_file_bits: float | None = Field(default=None, gt=0)
    group_size: int | None = Field(default=None, ge=1)
    scale_bits: float = Field(default=0, ge=0)
    zero_bits: float = Field(default=0, ge=0)
    expert_width_multiple: int = Field(default=1, ge=1)  # experts are padded to it, per card
    compute: Literal["16", "fp8", "int8", "fp4"] = "16"  # format that the multiplications run in
    engines: tuple[str, ...] = ()  # engine classes that serve it; empty = all but llama-cpp
    checkpoints: Literal["any", "experts", "few"] = "any"  # models that are published in it
    ppl_delta: float | None = None  # perplexity added, where published
    kl_divergence: float | None = None
    loss_note: str | None = None


class CacheFormat(Fact):
    """How keys and values are stored; `bits` include scales."""

    nominal_bits: float = Field(gt=0)
    bits: float = Field(gt=0)
    engines: tuple[str, ...] = ()
    kinds: tuple[GroupKind, ...] = ()  # layer groups that it exists for; empty = all
    units: Literal["any", "fp4"] = "any"  # what a card must multiply in for an engine to store it
