"""The same arithmetic asked backwards: the longest context, the fewest cards."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from calculators.fit.capacity import Fit, capacity
from calculators.fit.heads import MAX_TENSOR_CARDS, heads_divide
from calculators.specs import Deployment, Parallelism

MAX_CONTEXT_TOK = 2**27


@dataclass(frozen=True, slots=True)
class Answer:
    """A deployment that holds what was asked, and how it fits."""

    deployment: Deployment
    fit: Fit


def first_that_holds(
    deployments: Iterable[Deployment], *, context_tok: int, n_sequences: int = 1, **settings: int
) -> Answer | None:
    """The first of several deployments that holds so many sequences of a context.

    Parameters
    ----------
    deployments : iterable of Deployment
        In the order of preference.
    context_tok : int [tokens]
        Of each sequence, at least 1.
    n_sequences : int [sequences]
        At once, at least 1.
    **settings : int
        As `capacity`: prefix_tok, open_conversations, max_model_len.

    Returns
    -------
    Answer or None
        None where none does.

    Notes
    -----
    Basis: as `capacity`.

    References
    ----------
    As `capacity`.

    Examples
    --------
    >>> first_that_holds([], context_tok=8192) is None
    True
    """
    for deployment in deployments:
        fit = capacity(deployment, context_tok=context_tok, **settings)
        if fit.fits and fit.max_sequences >= n_sequences:
            return Answer(deployment, fit)
    return None


def longest_context_tok(deployment: Deployment, *, n_sequences: int = 1, **settings: int) -> int:
    """The longest context of which so many sequences fit at once; 0 where none does.

    bisection over whole blocks, up to the model's own longest context

    Parameters
    ----------
    deployment : Deployment
        One replica.
    n_sequences : int [sequences]
        At once, at least 1.
    **settings : int
        As `capacity`: prefix_tok, open_conversations.

    Returns
    -------
    int [tokens]
        A multiple of the engine's block, or the model's longest context.

    Notes
    -----
    Basis: as `capacity`. What a model was trained for is not always what it is good at.

    References
    ----------
    As `capacity`.

    Examples
    --------
    See tests: 32 GiB of cache hold one sequence of 102,400 tokens at 320 KiB a token.
    """
    block = deployment.engine.memory.block_tok
    most = deployment.model.max_context_tok or MAX_CONTEXT_TOK

    def holds(n_tok: int) -> bool:
        fit = capacity(deployment, context_tok=n_tok, **settings)
        return fit.fits and fit.max_sequences >= n_sequences

    if holds(most):
        return most
    low, high = 0, most // block
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if holds(middle * block) else (low, middle - 1)
    return low * block


def spread(deployment: Deployment, n_cards: int) -> Deployment:
    """The same deployment on another number of cards, split as its engine splits.

    Parameters
    ----------
    deployment : Deployment
        Its kind of parallelism is kept: tensor, stages, layers or data-parallel attention.
    n_cards : int [cards]
        At least 1.

    Returns
    -------
    Deployment
        One card needs no split.

    Notes
    -----
    Basis: definition.

    References
    ----------
    Definition.

    Examples
    --------
    See `fewest_cards`.
    """
    old = deployment.parallelism
    if n_cards == 1:
        split = Parallelism()
    elif deployment.engine.split == "layer" or old.layer_split:
        split = Parallelism(pp=n_cards, layer_split=True)
    elif old.pp > 1 and old.tp == 1:
        split = Parallelism(pp=n_cards)
    else:
        split = old.model_copy(update={"tp": n_cards, "pp": 1})
    return replace(deployment, parallelism=split)


def fewest_cards(
    deployment: Deployment, *, context_tok: int, n_sequences: int = 1, **settings: int
) -> Answer | None:
    """The smallest replica of the same card that holds so many sequences of a context.

    Parameters
    ----------
    deployment : Deployment
        Model, formats, card and engine; its number of cards is replaced.
    context_tok : int [tokens]
        Of each sequence, at least 1.
    n_sequences : int [sequences]
        At once, at least 1.
    **settings : int
        As `capacity`.

    Returns
    -------
    Answer or None
        None where no count up to 64 does. Counts by which the heads do not divide are left out.

    Notes
    -----
    Basis: as `capacity`. Counts above one server need a fast network, which memory cannot tell.

    References
    ----------
    As `capacity`.

    Examples
    --------
    See tests: 70 billion parameters in 16 bits need two cards of 80 GB at least.
    """
    counts = (
        n
        for n in range(1, MAX_TENSOR_CARDS + 1)
        if spread(deployment, n).parallelism.tp == 1 or heads_divide(deployment.model, n)
    )
    return first_that_holds(
        (spread(deployment, n) for n in counts),
        context_tok=context_tok,
        n_sequences=n_sequences,
        **settings,
    )
