"""What would make a replica fit that does not: changes of a link, the smallest first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from calculators.fit.alternatives import smallest_card
from calculators.fit.backwards import Answer, fewest_cards, first_that_holds
from calculators.memory_choices import SHORTEST_TOK, Question
from calculators.scenario import Scenario
from calculators.specs import AcceleratorSpec, Catalog, Deployment, WeightFormat

NARROW_CACHE_BITS = 8
SERVERS = 2  # more of them for one replica is another project


@dataclass(frozen=True, slots=True)
class Change:
    """A change that makes the replica fit: in words, as link keys, and what it then holds."""

    label: str
    keys: dict[str, str]
    max_sequences: int


def what_fits(deployment: Deployment, scenario: Scenario, catalog: Catalog) -> tuple[Change, ...]:
    """Changes after which the replica holds at least one sequence, one of each kind at most.

    Parameters
    ----------
    deployment : Deployment
        The scenario's replica.
    scenario : Scenario
        Context, shared prefix and open conversations.
    catalog : Catalog
        Cards and formats to change to.

    Returns
    -------
    tuple of Change
        Fewer bits for the cache or for the weights, a larger card, more cards (in at most two
        servers), more cards with fewer bits, a shorter context; those that do not help are left
        out.

    Notes
    -----
    Basis: calibrated, as `calculators.fit.capacity`. Money is not looked at.

    References
    ----------
    As `calculators.fit.capacity`.

    Examples
    --------
    `python -m app plan` says under `fit` whether anything is to be changed.
    """
    ask = Question(deployment, scenario, catalog)
    wanted = {"context_tok": ask.context_tok, **ask.settings}
    return tuple(_changes(ask, wanted))


def _changes(ask: Question, wanted: dict[str, int]) -> Iterator[Change]:
    mine = ask.deployment
    narrower = [fmt for fmt in ask.usual_formats() if fmt.bits < mine.weights.bits - 0.5]
    cache = ask.cache_of(NARROW_CACHE_BITS)
    if cache and cache.bits < mine.cache.bits - 0.5:
        held = first_that_holds([replace(mine, cache=cache)], **wanted)
        if held:
            yield _change(f"the cache in {cache.name}", held)
    in_bits = first_that_holds((replace(mine, weights=fmt) for fmt in narrower), **wanted)
    if in_bits:
        yield _change(f"weights in {in_bits.deployment.weights.name}", in_bits)
    card = smallest_card(mine, _alike(mine.accelerator, ask.catalog), **wanted)
    if card:
        yield _change(f"{card.deployment.accelerator.name} instead", card)
    yield from _more_cards(mine, None if in_bits or not narrower else narrower[-1], wanted)
    yield from _shorter(ask, wanted)


def _alike(card: AcceleratorSpec, catalog: Catalog) -> list[AcceleratorSpec]:
    """Cards, or machines, of the same maker that are no slower."""
    return [
        other
        for other in catalog.accelerators.values()
        if other.vendor == card.vendor
        and other.whole_machine == card.whole_machine
        and other.bandwidth_gb_s >= card.bandwidth_gb_s
    ]


def _more_cards(
    mine: Deployment, narrow: WeightFormat | None, wanted: dict[str, int]
) -> Iterator[Change]:
    most = SERVERS * mine.accelerator.n_server_cards
    if mine.accelerator.n_server_cards == 1:
        return
    more = fewest_cards(mine, **wanted)
    if more and _n_cards(more) <= most:
        yield _change(f"{_n_cards(more)} cards per replica", more)
    both = fewest_cards(replace(mine, weights=narrow), **wanted) if narrow else None
    if narrow and both and _n_cards(both) <= most and (not more or _n_cards(both) < _n_cards(more)):
        yield _change(f"{_n_cards(both)} cards per replica and weights in {narrow.name}", both)


def _shorter(ask: Question, wanted: dict[str, int]) -> Iterator[Change]:
    length = ask.context_tok // 2
    while length >= SHORTEST_TOK:
        held = first_that_holds([ask.deployment], **wanted | {"context_tok": length})
        if held:
            found = _change(f"a context of {length:,} tokens", held)
            yield replace(found, keys={"ctx": str(length)})
            return
        length //= 2


def _n_cards(answer: Answer) -> int:
    return answer.deployment.parallelism.n_cards


def _change(label: str, answer: Answer) -> Change:
    found = answer.deployment
    keys = {
        "wfmt": found.weights.id,
        "kvfmt": found.cache.id,
        "gpu": found.accelerator.id,
        "cards": str(found.parallelism.n_cards),
    }
    return Change(label, keys, answer.fit.max_sequences)
