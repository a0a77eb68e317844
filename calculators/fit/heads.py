"""Card counts by which attention heads divide."""

from __future__ import annotations

from calculators.specs import ModelSpec

MAX_TENSOR_CARDS = 64


def heads_divide(model: ModelSpec, tp: int) -> bool:
    """Can every attention layer be cut over so many cards?

    query heads mod cards = 0, and KV heads mod cards = 0 or cards mod KV heads = 0

    Parameters
    ----------
    model : ModelSpec
        Layer groups with their heads.
    tp : int [cards]
        Tensor parallel width, at least 1.

    Returns
    -------
    bool
        True where all groups divide.

    Notes
    -----
    Basis: bound. Quantisation groups can forbid further counts.

    References
    ----------
    vLLM 0.33.0, config/model.py: "must be divisible by tensor parallel size" (read 2026-11-30).

    Examples
    --------
    >>> from types import SimpleNamespace as Shape
    >>> from calculators.specs import LayerGroup
    >>> odd = LayerGroup(kind="full", n_layers=1, n_q_heads=24, n_kv_heads=4, k_head_dim=256)
    >>> heads_divide(Shape(groups=(odd,)), 4), heads_divide(Shape(groups=(odd,)), 6)
    (True, False)
    """
    return all(
        group.n_q_heads % tp == 0
        and (group.n_kv_heads == 0 or group.n_kv_heads % tp == 0 or tp % group.n_kv_heads == 0)
        for group in model.groups
    )


def next_tensor_cards(model: ModelSpec, tp: int) -> int | None:
    """The next larger tensor parallel width by which all heads divide.

    Parameters
    ----------
    model : ModelSpec
        Layer groups with their heads.
    tp : int [cards]
        Width to start above.

    Returns
    -------
    int [cards] or None
        None where no width up to 64 works.

    Notes
    -----
    Basis: bound.

    References
    ----------
    As `heads_divide`.

    Examples
    --------
    >>> from types import SimpleNamespace as Shape
    >>> from calculators.specs import LayerGroup
    >>> odd = LayerGroup(kind="full", n_layers=1, n_q_heads=24, n_kv_heads=4, k_head_dim=256)
    >>> next_tensor_cards(Shape(groups=(odd,)), 4)
    8
    """
    widths = range(tp + 1, MAX_TENSOR_CARDS + 1)
    return next((width for width in widths if heads_divide(model, width)), None)
