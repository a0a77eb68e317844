"""A published model's own files, read into a ModelSpec: parameters exact, or a clear refusal."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import date
from typing import Any

from calculators.fit.architectures.errors import ModelConfigError, UnsupportedModel
from calculators.fit.architectures.families import RECIPES
from calculators.fit.architectures.keys import Keys, shown
from calculators.fit.architectures.shape import Shape, grouped
from calculators.specs import ModelSpec, ParameterCounts, Source

Json = str | bytes | Mapping[str, Any]


def read_json(data: Json, what: str) -> Mapping[str, Any]:
    if isinstance(data, Mapping):
        return data
    try:
        value = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise ModelConfigError(f"{what}: not JSON that can be read ({error}).") from None
    if not isinstance(value, Mapping):
        raise ModelConfigError(f"{what}: {shown(value)} at the top; an object is needed.")
    return value


def parse_model_config(
    config: Json, index: Json | None = None, hf_quant: Json | None = None, *, name: str | None = None
) -> ModelSpec:
    data = read_json(config, "config")
    keys = Keys(data)
    kind = keys.text("model_type", default=None)
    if kind not in RECIPES:
        raise UnsupportedModel(f"The architecture {kind!r} is not known.")
    return spec_of(RECIPES[kind](keys), name or "model")


def slug(name: str) -> str:
    """A name as an id: letters, digits, dots and dashes."""
    return re.sub(r"[^A-Za-z0-9._]+", "-", name).strip("-._").lower()[:80] or "model"


def spec_of(shape: Shape, name: str) -> ModelSpec:
    counts = shape.counts
    return ModelSpec(
        id=slug(name),
        name=name,
        sources=(Source(title="config.json", checked=date(2026, 11, 30)),),
        n_layers=len(shape.layers),
        hidden=shape.hidden,
        intermediate=shape.intermediate,
        vocab=shape.vocab,
        groups=grouped(shape.layers),
        parameters=ParameterCounts(
            embedding=shape.embedding,
            head=shape.head,
            attention=counts.attention,
            dense_mlp=counts.dense_mlp,
            routed_experts=counts.routed_experts,
            shared_experts=counts.shared_experts,
            rest=counts.rest + shape.rest,
            mtp=shape.mtp,
        ),
        tied_embeddings=shape.tied,
        n_experts=shape.experts.n,
        top_k=shape.experts.top_k,
        n_shared_experts=shape.experts.n_shared,
        moe_intermediate=shape.experts.width,
        n_moe_layers=shape.n_moe_layers,
        max_context_tok=shape.max_context_tok,
        origin="custom",
    )
