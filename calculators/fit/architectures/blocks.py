"""Parameters of the blocks that architectures are built from, by group."""

from __future__ import annotations

from calculators.fit.architectures.shape import Counts
from calculators.specs import LayerGroup


def linear(n_in: int, n_out: int, *, bias: bool = False) -> int:
    """Parameters of a matrix and its bias.

    >>> linear(4096, 1024, bias=True)
    4195328
    """
    return n_in * n_out + (n_out if bias else 0)


def mlp(hidden: int, width: int, *, gated: bool = True, bias: bool = False) -> int:
    """Parameters of a feed-forward block: up and down, and a gate where it is gated.

    >>> mlp(4096, 14336) == 3 * 4096 * 14336
    True
    """
    up = linear(hidden, width, bias=bias) * (2 if gated else 1)
    return up + linear(width, hidden, bias=bias)


def attention(
    hidden: int,
    *,
    n_q: int,
    n_kv: int,
    k_dim: int,
    v_dim: int | None = None,
    qkv_bias: bool = False,
    o_bias: bool = False,
    norm: int = 0,
    n_gate: int = 0,
    k_eq_v: bool = False,
) -> Counts:
    """Parameters of grouped-query attention; `norm` are those of its query and key norms.

    `n_gate` are outputs of an output gate; with `k_eq_v` one projection makes keys and values.
    """
    v_dim = k_dim if v_dim is None else v_dim
    outputs = n_q * k_dim + n_kv * k_dim + (0 if k_eq_v else n_kv * v_dim) + n_gate
    matrices = linear(hidden, outputs, bias=qkv_bias) + linear(n_q * v_dim, hidden, bias=o_bias)
    return Counts(attention=matrices, rest=norm)


def latent_attention(
    hidden: int,
    *,
    n_heads: int,
    q_rank: int | None,
    kv_rank: int,
    nope: int,
    rope: int,
    v_dim: int,
    bias: bool = False,
    q_bias: bool = False,
) -> Counts:
    """Parameters of multi-head latent attention."""
    key = nope + rope
    if q_rank:
        query = linear(hidden, q_rank, bias=bias) + linear(q_rank, n_heads * key, bias=q_bias)
    else:
        query = linear(hidden, n_heads * key, bias=q_bias)
    latent = linear(hidden, kv_rank + rope, bias=bias) + linear(kv_rank, n_heads * (nope + v_dim))
    output = linear(n_heads * v_dim, hidden, bias=bias)
    return Counts(attention=query + latent + output, rest=(q_rank or 0) + kv_rank)


def sparse_index(hidden: int, *, q_rank: int, n_heads: int, head_dim: int) -> Counts:
    """Parameters of the index that picks the tokens to attend to (DeepSeek sparse attention)."""
    matrices = q_rank * n_heads * head_dim + hidden * head_dim + hidden * n_heads
    return Counts(attention=matrices, rest=2 * head_dim)


def experts(
    hidden: int,
    *,
    n: int,
    width: int,
    gated: bool = True,
    bias: bool = False,
    shared_width: int = 0,
    shared_gate: bool = False,
    shared_bias: bool = False,
    router: int | None = None,
    router_bias: bool = False,
) -> Counts:
    """Parameters of a mixture of experts: routed, shared, router (n x hidden by default)."""
    router = linear(hidden, n, bias=router_bias) if router is None else router
    return Counts(
        routed_experts=n * mlp(hidden, width, gated=gated, bias=bias),
        shared_experts=(
            mlp(hidden, shared_width, gated=gated, bias=shared_bias) if shared_width else 0
        ),
        rest=router + (hidden if shared_gate else 0),
    )


def full(n_q: int, n_kv: int, k_dim: int, v_dim: int | None = None, **more: int) -> LayerGroup:
    """The cache of a layer that keeps K and V of every token."""
    return LayerGroup(
        kind="full",
        n_layers=1,
        n_q_heads=n_q,
        n_kv_heads=n_kv,
        k_head_dim=k_dim,
        v_head_dim=k_dim if v_dim is None else v_dim,
        **more,
    )


def windowed(cache: LayerGroup, window_tok: int, kind: str = "sliding") -> LayerGroup:
    """The same cache, kept only for the last `window_tok` tokens.

    Parameters
    ----------
    cache : LayerGroup
        Of one layer.
    window_tok : int [tokens]
        At least 1.
    kind : str
        `sliding` or `chunked`.

    Returns
    -------
    LayerGroup
        Of the kind.
    """
    return cache.model_copy(update={"kind": kind, "window_tok": window_tok})


def recurrent(
    *, state: int, conv: int, taps: int = 0, n_heads: int = 0, state_bits: float = 32
) -> LayerGroup:
    """A fixed state per sequence: a matrix, and a convolution over `conv` channels.

    Parameters
    ----------
    state, conv, taps, n_heads : int [elements, channels, inputs, heads]
        The tail holds the last `taps - 1` inputs of each channel.
    state_bits : float [bits]
        Of one element of the matrix.

    Returns
    -------
    LayerGroup
        Of one layer.
    """
    return LayerGroup(
        kind="recurrent",
        n_layers=1,
        n_q_heads=n_heads,
        state_elements=state,
        state_bits=state_bits,
        conv_elements=conv * max(taps - 1, 0),
        conv_taps=taps,
    )
