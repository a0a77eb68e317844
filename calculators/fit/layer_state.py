"""What one layer keeps: elements of a cached entry, bytes of a fixed state."""

from __future__ import annotations

from math import ceil

from calculators.specs import LayerGroup
from calculators.units import BITS_PER_BYTE

LATENT_KINDS = ("mla", "compressed")


def entry_elements(group: LayerGroup, tp: int = 1) -> int:
    """Cached elements of one entry of one layer on one card (an entry is usually a token).

    heads: max(ceil(kv_heads / tp), 1) x (k_dim + v_dim); a latent and an index key are
    replicated on every card.

    Parameters
    ----------
    group : LayerGroup
        Layers of one kind.
    tp : int [cards]
        Tensor parallel width, at least 1.

    Returns
    -------
    int [elements]
        Of one layer; 0 for a recurrent layer.

    Notes
    -----
    Basis: bound.

    References
    ----------
    DeepSeek-V2, arXiv 2405.04434, section 2.1 (latent); Ainslie et al., arXiv 2305.13245 (GQA).

    Examples
    --------
    Eight KV heads of 128 on 16 cards: one head each, K and V.

    >>> gqa = LayerGroup(kind="full", n_layers=80, n_kv_heads=8, k_head_dim=128, v_head_dim=128)
    >>> entry_elements(gqa), entry_elements(gqa, tp=16)
    (2048, 256)
    """
    latent = group.latent_dim + group.rope_dim
    if group.kind == "recurrent":
        return 0
    if latent and group.kind in LATENT_KINDS:
        return latent + group.index_dim
    n_heads = ceil(group.n_kv_heads / tp)
    return n_heads * (group.k_head_dim + group.v_head_dim) + group.index_dim


def state_bytes(group: LayerGroup, tp: int = 1) -> float:
    """Bytes of the fixed state of one sequence in all layers of a group on one card.

    layers x (state elements x bits + convolution tail x bits) / 8 / tp

    Parameters
    ----------
    group : LayerGroup
        Layers of one kind.
    tp : int [cards]
        Tensor parallel width, at least 1.

    Returns
    -------
    float [bytes]
        0 where the kind has no state.

    Notes
    -----
    Basis: bound. Engines pad a state to whole pages and keep more than one copy when they
    speculate or cache prefixes: real use is higher.

    References
    ----------
    Gu and Dao, Mamba, arXiv 2312.00752; llama.cpp prints R and S buffers at start-up.

    Examples
    --------
    Mamba 2.8B: 64 layers x (5120 x 16 state + 5120 x 3 tail) x 4 bytes = 23.75 MiB.

    >>> mamba = LayerGroup(kind="recurrent", n_layers=64, state_elements=5120 * 16,
    ...                    conv_elements=5120 * 3, conv_bits=32)
    >>> state_bytes(mamba) / 2**20
    23.75
    """
    bits = group.state_elements * group.state_bits + group.conv_elements * group.conv_bits
    return group.n_caches * bits / BITS_PER_BYTE / tp
