"""A model as plain JSON values, for the command line and for downloads."""

from __future__ import annotations

from typing import Any

from calculators.fit.layer_state import entry_elements
from calculators.specs import LayerGroup, ModelSpec


def describe_model(spec: ModelSpec) -> dict[str, Any]:
    """A model as plain JSON values, with the keys of `python -m app model`.

    Parameters
    ----------
    spec : ModelSpec
        From a config or from the catalog.

    Returns
    -------
    dict
        `kv_bytes_per_tok_fp16` is 2 bytes x the elements that one token adds over all layers at
        full context, windows counted as if they still grew (compressed: per token, shared out
        over the tokens of an entry); `state_elements_per_sequence` is the fixed state with
        convolution inputs over the whole kernel, as transformers keeps it. `full_params` is null
        where a tower could not be counted.

    Notes
    -----
    Basis: bound.

    References
    ----------
    `calculators.fit.layer_state.entry_elements`.

    Examples
    --------
    >>> from calculators.fit.model_config import parse_model_config
    >>> spec = parse_model_config({"model_type": "llama", "hidden_size": 4096, "vocab_size": 32000,
    ...     "num_hidden_layers": 32, "num_attention_heads": 32, "intermediate_size": 11008})
    >>> describe_model(spec)["kv_bytes_per_tok_fp16"] == 2 * 2 * 32 * 32 * 128
    True
    """
    per_token = sum(_entry_bytes(group) for group in spec.groups)
    state = sum(group.n_caches * _state_elements(group) for group in spec.groups)
    return {
        "name": spec.name,
        "total_params": spec.total_params,
        "full_params": None if spec.unknown_towers else spec.full_params,
        "active_params": spec.active_params,
        "n_layers": spec.n_layers,
        "kv_bytes_per_tok_fp16": int(per_token) if per_token == int(per_token) else per_token,
        "state_elements_per_sequence": state,
        "groups": [group.model_dump(exclude_defaults=True) for group in spec.groups],
        "parameters": spec.parameters.model_dump(),
        "tied_embeddings": spec.tied_embeddings,
        "n_experts": spec.n_experts,
        "top_k": spec.top_k,
        "n_shared_experts": spec.n_shared_experts,
        "max_context_tok": spec.max_context_tok,
        "native_format": spec.native_format,
        "group_formats": dict(spec.group_formats),
        "native_cache_format": spec.native_cache_format,
        "towers": {**spec.towers, **dict.fromkeys(spec.unknown_towers)},
        "mtp_params": spec.parameters.mtp,
        "disagreements": list(spec.disagreements),
        "note": spec.note,
    }


def _entry_bytes(group: LayerGroup) -> float:
    return 2 * group.n_caches * entry_elements(group) / group.compress_ratio


def _state_elements(group: LayerGroup) -> int:
    whole = group.conv_elements
    if group.conv_taps > 1:
        whole = whole * group.conv_taps // (group.conv_taps - 1)
    return group.state_elements + whole
