"""Other cards and formats that hold what is asked: the smallest card, the widest formats."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from calculators.fit.backwards import Answer, first_that_holds
from calculators.fit.weights import card_weight_bytes
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
    See tests: a 70 billion model in four bits needs 48 GB.
    """
    vendors = deployment.engine.vendors
    least_bytes = card_weight_bytes(deployment)
    served = (
        card
        for card in accelerators
        if (not vendors or card.vendor in vendors) and card.memory_bytes > least_bytes
    )
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
        To try; the caller leaves out what the engine does not serve.
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
    caches = sorted(cache_formats, key=lambda fmt: -fmt.bits)
    weighted = (
        replace(deployment, weights=weight)
        for weight in sorted(weight_formats, key=lambda fmt: -fmt.bits)
    )
    pairs = (
        replace(other, cache=cache)
        for other in weighted
        if card_weight_bytes(other) < deployment.accelerator.memory_bytes
        for cache in caches
    )
    return first_that_holds(pairs, context_tok=context_tok, n_sequences=n_sequences, **settings)
