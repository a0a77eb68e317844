"""The table of rotary positions that engines keep beside the weights."""

from __future__ import annotations

from calculators.specs import Deployment

POSITION_BYTES = 2


def position_table_bytes(deployment: Deployment) -> float:
    """Sines and cosines of all positions, which tensor-parallel engines keep on every card.

    longest context x rotated width x 2 bytes

    Parameters
    ----------
    deployment : Deployment
        The model's longest context; engines that split by layer compute them instead.

    Returns
    -------
    float [bytes]
        Of one card; 0 where the longest context is unknown.

    Notes
    -----
    Basis: measured: 14.9888 GiB printed for Llama 3.1 8B are its weights and this table.

    References
    ----------
    vLLM 0.33.0, model_executor/layers/rotary_embedding/base.py, cos_sin_cache (read 2026-11-30);
    start-up log in vllm-project/vllm#10517.

    Examples
    --------
    >>> from types import SimpleNamespace as Shape
    >>> layers = (Shape(kind="full", rope_dim=0, k_head_dim=128),)
    >>> llama = Shape(groups=layers, max_context_tok=131072)
    >>> position_table_bytes(Shape(model=llama, engine=Shape(split="tensor"))) / 2**20
    32.0
    """
    model = deployment.model
    if deployment.engine.split == "layer":
        return 0.0
    widths = (group.rope_dim or group.k_head_dim for group in model.groups)
    return (model.max_context_tok or 0) * max(widths) * POSITION_BYTES
