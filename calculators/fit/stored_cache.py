"""What an engine really stores of a model's cache: ignored windows, expanded latents."""

from __future__ import annotations

from calculators.specs import LayerGroup, MemoryRule, ModelSpec


def stored_model(model: ModelSpec, rule: MemoryRule, cache_bits: float = 16.0) -> ModelSpec:
    """The model as an engine caches it.

    A window that the engine ignores is cached in full; a latent that it expands becomes K and V
    of every query head, in some engines padded to one power of two. Index keys of a width of their
    own count as so many elements of the cache's width.

    Parameters
    ----------
    model : ModelSpec
        The model.
    rule : MemoryRule
        `full_kinds`, `expands_latent` and `index_bits` of the engine.
    cache_bits : float [bits]
        Of a cached element, scales included.

    Returns
    -------
    ModelSpec
        The same object where the engine stores each kind as it is.

    Notes
    -----
    Basis: measured (block counts printed at start-up).

    References
    ----------
    vllm-project/vllm#10927 (expanded latent: 442,368 bytes a token for DeepSeek-V2-Lite);
    vLLM 0.8.5, v1/core/kv_cache_utils.py, unify_hybrid_kv_cache_specs, and 0.11.0,
    config/__init__.py (chunked layers cached in full unless asked otherwise), 0.22.0,
    models/deepseek_v2.py, and SGLang 0.5.23, pool_configurator.py (an index key of 128 takes 128
    bytes and a 4-byte scale whatever the cache's format), read 2026-11-30.

    Examples
    --------
    >>> from types import SimpleNamespace as Shape
    >>> local = LayerGroup(kind="chunked", n_layers=3, n_kv_heads=8, window_tok=8192)
    >>> stored_group(local, MemoryRule(full_kinds=("chunked",))).kind
    'full'
    """
    groups = tuple(stored_group(group, rule, cache_bits) for group in model.groups)
    if all(new is old for new, old in zip(groups, model.groups, strict=True)):
        return model
    return model.model_copy(update={"groups": groups})


def stored_group(group: LayerGroup, rule: MemoryRule, cache_bits: float = 16.0) -> LayerGroup:
    """One layer group as an engine caches it; see `stored_model`.

    Parameters
    ----------
    group : LayerGroup
        Layers of one kind.
    rule, cache_bits
        As `stored_model`.

    Returns
    -------
    LayerGroup
        The same object where the engine stores it as it is.

    Examples
    --------
    See `stored_model`.
    """
    if group.kind in rule.full_kinds:
        return group.model_copy(update={"kind": "full", "window_tok": 0})
    if group.kind == "mla" and rule.expands_latent != "no":
        padded = padded_head_dim(group) if rule.expands_latent == "padded" else None
        changes = {
            "kind": "full",
            "n_kv_heads": group.n_q_heads,
            "k_head_dim": padded or group.k_head_dim,
            "v_head_dim": padded or group.v_head_dim,
            "latent_dim": 0,
            "rope_dim": 0,
        }
        return group.model_copy(update=changes)
    if group.kind == "mla" and group.index_dim and rule.index_bits:
        n_elements = round(group.index_dim * rule.index_bits / cache_bits)
        return group.model_copy(update={"index_dim": n_elements})
    if group.conv_elements and rule.conv_bits not in (None, group.conv_bits):
        return group.model_copy(update={"conv_bits": rule.conv_bits})
    return group


def padded_head_dim(group: LayerGroup) -> int:
    """Width of a padded head: the next of 64, 128, 256 that holds K.

    >>> padded_head_dim(LayerGroup(kind="mla", n_layers=1, k_head_dim=192, v_head_dim=128))
    256
    """
    return next((width for width in (64, 128, 256) if width >= group.k_head_dim), group.k_head_dim)
