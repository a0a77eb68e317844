"""A published model's own files read into a ModelSpec: parameters exact, or a clear refusal."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import date
from typing import Any

from calculators.fit.architectures.checks import Checked, cross_checked
from calculators.fit.architectures.errors import ModelConfigError, UnsupportedModel
from calculators.fit.architectures.families import RECIPES
from calculators.fit.architectures.index_file import Index, read_index
from calculators.fit.architectures.keys import Keys, shown
from calculators.fit.architectures.native import Stored, stored
from calculators.fit.architectures.refusals import refuse, unknown
from calculators.fit.architectures.resolve import Resolved, resolved
from calculators.fit.architectures.shape import grouped
from calculators.fit.architectures.verified import verified_shape
from calculators.fit.model_description import describe_model
from calculators.specs import ModelSpec, ParameterCounts, Source

__all__ = ["ModelConfigError", "UnsupportedModel", "describe_model", "parse_model_config"]

Json = str | bytes | Mapping[str, Any]
LARGEST_FILE = 10 * 2**20
READ = date(2026, 11, 30)  # the day of the class defaults that stand in for absent keys


def parse_model_config(
    config: Json,
    index: Json | None = None,
    hf_quant: Json | None = None,
    *,
    name: str | None = None,
    read: date | None = None,
) -> ModelSpec:
    """The model that a Hugging Face config.json describes, to the single parameter.

    total = embedding + head + sum over layers of (attention + feed-forward or experts + norms)

    Parameters
    ----------
    config : str, bytes or mapping
        The file config.json, at most 10 MiB.
    index : str, bytes or mapping, optional
        The file model.safetensors.index.json (or of pytorch_model.bin): a cross-check of the
        count, the size of towers that are not known, and whether a head is stored.
    hf_quant : str, bytes or mapping, optional
        The file hf_quant_config.json of NVIDIA's checkpoints.
    name : str, optional
        What to call the model; the config's own name, else its architecture, where not given.
    read : date, optional
        The day on which the files were read.

    Returns
    -------
    ModelSpec
        Layer groups, parameters by group, experts, towers, formats; `note` says what was read
        from class defaults, `disagreements` where the files contradict each other.

    Raises
    ------
    UnsupportedModel
        Encoder-decoders, encoders, diffusion models and architectures that are not known.
    ModelConfigError
        A file that cannot be read, or a key that is missing, of the wrong type or out of range.

    Notes
    -----
    Basis: bound. Buffers (rotary tables, masks) are no parameters and not counted. An
    architecture that is not known is refused, unless an index names its tensors, they are Llama's,
    and their sizes add up to the index's total to the byte.

    References
    ----------
    Checked against the model classes of transformers 5.24.0 (meta device), 2026-11-30.

    Examples
    --------
    Llama 2 7B: 2 x 32000 x 4096 + 32 x (4 x 4096^2 + 3 x 4096 x 11008 + 2 x 4096) + 4096.

    >>> spec = parse_model_config({"model_type": "llama", "hidden_size": 4096, "vocab_size": 32000,
    ...     "num_hidden_layers": 32, "num_attention_heads": 32, "intermediate_size": 11008})
    >>> spec.total_params
    6738415616
    """
    keys = Keys(read_json(config, "config"))
    found = read_index(read_json(index, "index")) if index is not None else None
    quant = read_json(hf_quant, "hf_quant_config") if hf_quant is not None else None
    model = resolved(keys)
    if model is None:
        return _verified(keys, found, quant, name, read or READ)
    shape = RECIPES[model.kind](model.text)
    storage = stored(keys, model.text, quant, len(shape.layers))
    checked = cross_checked(shape, model, found, storage)
    return _spec(model, checked, storage, name, read or READ)


def read_json(data: Json, what: str) -> Mapping[str, Any]:
    """A file's JSON object, or one sentence about what is wrong with it."""
    if isinstance(data, Mapping):
        return data
    if len(data) > LARGEST_FILE:
        raise ModelConfigError(
            f"{what}: {len(data):,} bytes; at most {LARGEST_FILE:,} bytes are read."
        )
    try:
        value = json.loads(data.lstrip("\ufeff") if isinstance(data, str) else data)
        json.dumps(value, ensure_ascii=False).encode()
    except RecursionError:
        raise ModelConfigError(f"{what}: nested too deeply to be a model's file.") from None
    except ValueError as error:
        raise ModelConfigError(f"{what}: not JSON ({str(error)[:120]}).") from None
    if not isinstance(value, Mapping):
        raise ModelConfigError(f"{what}: {shown(value)} at the top; an object is needed.")
    return value


def _verified(
    keys: Keys, index: Index | None, quant: Mapping[str, Any] | None, name: str | None, read: date
) -> ModelSpec:
    """A model of unknown architecture whose tensors an index proves to be Llama's."""
    kind = keys.text("model_type", default=None)
    refuse(keys, kind)
    shape = verified_shape(keys, index) if index else None
    if shape is None:
        raise unknown(kind, keys.words("architectures", default=[]) or [])
    storage = stored(keys, keys, quant, len(shape.layers))
    model = Resolved(kind=kind or "unknown", text=keys, top=keys)
    return _spec(model, Checked(shape=shape, notes=shape.notes), storage, name, read)


def slug(name: str) -> str:
    """A name as an id: letters, digits, dots and dashes."""
    return re.sub(r"[^A-Za-z0-9._]+", "-", name).strip("-._").lower()[:80] or "model"


def _name(model: Resolved, name: str | None) -> str:
    given = name or model.top.data.get("_name_or_path")
    if not isinstance(given, str) or not given.strip(" ./"):
        given = model.kind
    return given.strip()[:120].split("/")[-1] or model.kind


def _spec(
    model: Resolved, checked: Checked, storage: Stored, name: str | None, read: date
) -> ModelSpec:
    shape, called = checked.shape, _name(model, name)
    notes = (*model.notes, *shape.notes, *checked.notes, *storage.notes, *_assumed(model))
    groups, parameters = grouped(shape.layers), _parameters(checked)
    if not groups:
        raise ModelConfigError("config: no layer keeps a cache or a state: not a language model.")
    return ModelSpec(
        id=slug(called),
        name=called,
        sources=(Source(title="config.json", checked=read, grade="A"),),
        disagreements=checked.disagreements,
        note=" ".join(dict.fromkeys(notes)) or None,
        n_layers=len(shape.layers),
        hidden=shape.hidden,
        intermediate=shape.intermediate,
        vocab=shape.vocab,
        groups=groups,
        parameters=parameters,
        tied_embeddings=shape.tied,
        n_experts=shape.experts.n,
        top_k=shape.experts.top_k,
        n_shared_experts=shape.experts.n_shared,
        moe_intermediate=shape.experts.width,
        n_moe_layers=shape.n_moe_layers,
        max_context_tok=shape.max_context_tok,
        native_format=storage.format,
        group_formats={
            group: name for group, name in storage.groups.items() if getattr(parameters, group, 0)
        },
        native_cache_format=storage.cache,
        towers=checked.towers,
        unknown_towers=checked.unknown_towers,
        origin="custom",
    )


def _parameters(checked: Checked) -> ParameterCounts:
    shape, counts = checked.shape, checked.shape.counts
    return ParameterCounts(
        embedding=shape.embedding,
        head=shape.head,
        attention=counts.attention,
        dense_mlp=counts.dense_mlp,
        routed_experts=counts.routed_experts,
        shared_experts=counts.shared_experts,
        rest=counts.rest + shape.rest,
        towers=sum(checked.towers.values()),
        mtp=shape.mtp,
    )


def _assumed(model: Resolved) -> list[str]:
    """What was read from class defaults, in one sentence."""
    sizes = {k: v for k, v in model.text.assumed.items() if not isinstance(v, bool)}
    if not sizes:
        return []
    listed = ", ".join(f"{key} {value}" for key, value in list(sizes.items())[:12])
    return [f"Not in the file, read as its class has it: {listed}."]
