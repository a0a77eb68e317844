"""Other cards and formats that hold what is asked: the smallest card, the widest formats."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from calculators.fit.backwards import Answer, first_that_holds
from calculators.specs import AcceleratorSpec, CacheFormat, Deployment, WeightFormat


def smallest_card(
    deployment: Deployment,
    accelerators: Iterable[AcceleratorSpec],
    *,
    context_tok: int,
    n_sequences: int = 1,
    **settings: int,
) -> Answer | None:
    """The card with the least memory, in the same number, that holds what is asked.

    Parameters
    ----------
    deployment : Deployment
        Its card is replaced.
    accelerators : iterable of AcceleratorSpec
        Cards to try; those of vendors that the engine does not serve are left out.
    context_tok, n_sequences, **settings
        As `fewest_cards`.

    Returns
    -------
    Answer or None
        None where no card does.

    Notes
    -----
    Basis: as `capacity`.

    References
    ----------
    As `capacity`.

    Examples
    --------
    >>> from types import SimpleNamespace as Shape
    >>> smallest_card(Shape(engine=Shape(vendors=())), [], context_tok=1) is None
    True
    """
    vendors = deployment.engine.vendors
    served = (card for card in accelerators if not vendors or card.vendor in vendors)
    ordered = sorted(served, key=lambda card: card.memory_visible_gib)
    return first_that_holds(
        (replace(deployment, accelerator=card) for card in ordered),
        context_tok=context_tok,
        n_sequences=n_sequences,
        **settings,
    )


def widest_formats(
    deployment: Deployment,
    weight_formats: Iterable[WeightFormat],
    cache_formats: Iterable[CacheFormat],
    *,
    context_tok: int,
    n_sequences: int = 1,
    **settings: int,
) -> Answer | None:
    """The formats with the most bits, and so the least loss, that hold what is asked.

    Weight formats from the widest down, each with the cache formats from the widest down.

    Parameters
    ----------
    deployment : Deployment
        Its formats are replaced.
    weight_formats, cache_formats : iterables
        To try; those that the engine does not serve are left out.
    context_tok, n_sequences, **settings
        As `fewest_cards`.

    Returns
    -------
    Answer or None
        None where even the narrowest pair does not.

    Notes
    -----
    Basis: as `capacity`. Bits are only a first guess of the loss: see the page on quality.

    References
    ----------
    As `capacity`.

    Examples
    --------
    See tests: a 70 billion model on one 80 GB card needs about four bits.
    """
    engine = deployment.engine
    weights = [fmt for fmt in weight_formats if serves(engine.id, engine.families, fmt)]
    caches = [fmt for fmt in cache_formats if not fmt.engines or engine.id in fmt.engines]
    pairs = (
        replace(deployment, weights=weight, cache=cache)
        for weight in sorted(weights, key=lambda fmt: -fmt.bits)
        for cache in sorted(caches, key=lambda fmt: -fmt.bits)
    )
    return first_that_holds(pairs, context_tok=context_tok, n_sequences=n_sequences, **settings)


def serves(engine_id: str, families: tuple[str, ...], fmt: WeightFormat) -> bool:
    """Whether an engine runs a weight format.

    Parameters
    ----------
    engine_id : str
        Engine class.
    families : tuple of str
        Weight-format families that it serves; empty means any.
    fmt : WeightFormat
        `engines` names those that serve it, where not all of a family do.

    Returns
    -------
    bool

    Notes
    -----
    Basis: documented support.

    References
    ----------
    catalogs/engines.yaml.

    Examples
    --------
    >>> from types import SimpleNamespace as Shape
    >>> serves("llama-cpp", ("gguf",), Shape(family="gguf", engines=("llama-cpp",)))
    True
    """
    return (not families or fmt.family in families) and (
        not fmt.engines or engine_id in fmt.engines
    )
