"""What cards of one replica send each other."""

from __future__ import annotations

from math import log2

from calculators.specs import AcceleratorSpec, ModelSpec, Parallelism

PCIE_BYTES_S = 16e9  # where a card names no link
ACTIVATION_BYTES = 2
EXCHANGE_BYTES = 3  # an activation goes to an expert in 8 bits and comes back in 16


def reduce_bytes_tok(model: ModelSpec, parallel: Parallelism, *, link_sums: bool = False) -> float:
    """Bytes that one card sends over its link per token of a pass.

    all-reduce: 2 x (n - 1) / n x hidden x 2 bytes, two a layer; with switches that add up,
    (1 + 1 / n) x hidden x 2 bytes where that is less
    data-parallel attention: each card sends 1 / n of the tokens to the cards of their k experts
    and gets them back, (1 - (1 - 1/n)^k) x (n - 1) / n x hidden x 3 bytes in a layer of experts

    Parameters
    ----------
    model : hidden size, layers and experts
    parallel : how the replica is spread
    link_sums : whether the switches between the cards add up what they send (NVLink SHARP)

    Returns
    -------
    [byte] per token, 0 on one card

    References
    ----------
    Klenk et al., An In-Network Architecture for Accelerating Shared-Memory Multiprocessor
    Collectives, ISCA 2020: a card sends its whole vector to the switch once and its share of the
    sum once (from knowledge, not re-read).

    Examples
    --------
    >>> from types import SimpleNamespace as Shape
    >>> reduce_bytes_tok(Shape(hidden=8192, n_layers=80), Parallelism(tp=2))
    2621440.0
    """
    n = parallel.tp
    stages = (parallel.pp - 1) * model.hidden * ACTIVATION_BYTES
    if parallel.attention_dp:
        reached = 1.0 - (1.0 - 1.0 / n) ** max(model.top_k, 1)
        layer = reached * (n - 1) / n * model.hidden * EXCHANGE_BYTES
        return layer * n_expert_layers(model) + stages
    sent = 2.0 * (n - 1) / n
    if link_sums:
        sent = min(sent, 1.0 + 1.0 / n)
    return 2 * sent * model.hidden * ACTIVATION_BYTES * model.n_layers + stages


def n_expert_layers(model: ModelSpec) -> int:
    """Layers with experts; all where the catalog does not say.

    Examples
    --------
    >>> from types import SimpleNamespace as Shape
    >>> n_expert_layers(Shape(n_moe_layers=24, n_layers=48))
    24
    """
    return model.n_moe_layers or model.n_layers


def reduce_hops(model: ModelSpec, parallel: Parallelism) -> float:
    """Latencies of a pass: two collectives a layer of log2(cards) each, one hop between stages.

    Parameters
    ----------
    model : layers
    parallel : how the replica is spread

    Returns
    -------
    count, 0 on one card

    Examples
    --------
    >>> from types import SimpleNamespace as Shape
    >>> reduce_hops(Shape(n_layers=80), Parallelism(tp=4))
    320.0
    """
    layers = n_expert_layers(model) if parallel.attention_dp else model.n_layers
    stages = 0 if parallel.layer_split else parallel.pp - 1
    return 2.0 * layers * log2(parallel.tp) + stages


def link_bytes_s(card: AcceleratorSpec, n_cards: int) -> float:
    """Peak of the link between the cards of a replica, one way and per card.

    Parameters
    ----------
    card : the accelerator
    n_cards : cards of the replica

    Returns
    -------
    [byte/s]; PCI Express 4.0 at half its lanes where the card names no link

    Notes
    -----
    A replica wider than a server would use the network; that is not modelled.

    Examples
    --------
    >>> from types import SimpleNamespace as Shape
    >>> link_bytes_s(Shape(link_bytes_s=0.0), 2)
    16000000000.0
    """
    return card.link_bytes_s or PCIE_BYTES_S
