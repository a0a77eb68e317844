"""The index of a sharded checkpoint: which tensors there are, and how many bytes in all."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from calculators.fit.architectures.errors import ModelConfigError
from calculators.fit.architectures.keys import shown

LARGEST_BYTES = 10**15
HEAD = re.compile(r"(^|\.)(lm_head|output_layer|embed_out|head|output|ff_out)\.weight$")
BUFFERS = re.compile(r"inv_freq$|masked_bias$|attn\.bias$|rotary_emb\.|position_ids$")
NEXT_TOKEN = re.compile(r"(^|\.)mtp\b|eh_proj|nextn")


@dataclass(frozen=True, slots=True)
class Index:
    """What an index says: bytes and parameters where they can be believed, and tensor names."""

    names: frozenset[str]
    total_bytes: int | None
    total_parameters: int | None
    doubts: tuple[str, ...] = ()

    @property
    def has_head(self) -> bool:
        return any(HEAD.search(name) and ".layers." not in name for name in self.names)

    @property
    def n_buffers(self) -> int:
        return sum(bool(BUFFERS.search(name)) for name in self.names)

    @property
    def has_next_token_layers(self) -> bool:
        return any(NEXT_TOKEN.search(name) for name in self.names)


def total(metadata: Mapping[str, Any], name: str, doubts: list[str]) -> int | None:
    """A total of the metadata, or None with a doubt where it cannot be one."""
    value = metadata.get(name)
    if value is None:
        return None
    whole = isinstance(value, int) or (isinstance(value, float) and value.is_integer())
    if isinstance(value, bool) or not whole or not 0 < value <= LARGEST_BYTES:
        doubts.append(f"index: metadata.{name} is {shown(value)}, which no model has: not used.")
        return None
    return int(value)


def read_index(data: Mapping[str, Any]) -> Index:
    """An index that was read as JSON, checked."""
    names, metadata = data.get("weight_map"), data.get("metadata") or {}
    if not isinstance(names, Mapping):
        raise ModelConfigError(
            f"index: 'weight_map' is {shown(names)}; an object from tensor to file is needed."
        )
    if not isinstance(metadata, Mapping):
        raise ModelConfigError(f"index: 'metadata' is {shown(metadata)}; an object is needed.")
    doubts: list[str] = []
    return Index(
        names=frozenset(name for name in names if isinstance(name, str)),
        total_bytes=total(metadata, "total_size", doubts),
        total_parameters=total(metadata, "total_parameters", doubts),
        doubts=tuple(doubts),
    )
