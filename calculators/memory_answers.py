"""All that the page on memory shows of a deployment: remedies, reaches, formats, kinds of cache."""

from __future__ import annotations

from dataclasses import dataclass

from calculators.fit.alternatives import smallest_card, widest_formats
from calculators.fit.backwards import Answer, fewest_cards, longest_context_tok
from calculators.fit.capacity import Fit
from calculators.fit.kv_cache import cache_by_group, cache_bytes_per_tok
from calculators.memory_choices import Choice, ContextRow, Curve, Question
from calculators.options_axes import holds, serves
from calculators.scenario import Scenario
from calculators.specs import Catalog, Deployment


@dataclass(frozen=True, slots=True)
class KindRow:
    """The cache of the layers of one kind."""

    kind: str
    n_layers: int
    n_caches: int
    n_kv_heads: int
    window_tok: int
    bytes_per_tok: float  # of the whole model, while the window is not full; 0 for a state
    sequence_bytes: float  # on one card


@dataclass(frozen=True, slots=True)
class MemoryAnswers:
    """A deployment's memory, asked forwards and backwards."""

    deployment: Deployment
    context_tok: int
    n_wanted: int
    fit: Fit
    choices: tuple[Choice, ...]
    formats: tuple[tuple[Choice, Choice | None], ...]  # with a 16-bit and an 8-bit cache
    contexts: tuple[ContextRow, ...]
    kinds: tuple[KindRow, ...]
    curves: tuple[Curve, ...]
    longest_one_tok: int
    longest_wanted_tok: int
    fewest: Answer | None
    smallest: Answer | None
    widest: Answer | None


def memory_answers(deployment: Deployment, scenario: Scenario, catalog: Catalog) -> MemoryAnswers:
    """What a replica holds, what would change it, and how far it reaches.

    Parameters
    ----------
    deployment : Deployment
        The scenario's replica, or the same with another model.
    scenario : Scenario
        Context, batch, shared prefix and open conversations.
    catalog : Catalog
        Cards and formats to compare with.

    Returns
    -------
    MemoryAnswers
        Some hundred capacities; about 20 milliseconds.

    Notes
    -----
    Basis: calibrated, but for the reference ceiling.

    References
    ----------
    As `calculators.fit.capacity`.

    Examples
    --------
    `python -m app plan` prints the part about the scenario itself under `fit`.
    """
    ask = Question(deployment, scenario, catalog)
    shared = ask.settings
    wanted = {"context_tok": ask.context_tok, "n_sequences": ask.n_wanted, **shared}
    engine, model = deployment.engine, deployment.model
    return MemoryAnswers(
        deployment=deployment,
        context_tok=ask.context_tok,
        n_wanted=ask.n_wanted,
        fit=ask.fit(deployment),
        choices=tuple(ask.choices()),
        formats=tuple(ask.formats()),
        contexts=tuple(ask.contexts()),
        kinds=kind_rows(deployment, ask.context_tok),
        curves=tuple(ask.curves()),
        longest_one_tok=longest_context_tok(deployment, **shared),
        longest_wanted_tok=longest_context_tok(deployment, n_sequences=ask.n_wanted, **shared),
        fewest=fewest_cards(deployment, **wanted),
        smallest=smallest_card(deployment, catalog.accelerators.values(), **wanted),
        widest=widest_formats(
            deployment,
            [fmt for fmt in catalog.weight_formats.values() if serves(engine, fmt)],
            [fmt for fmt in catalog.cache_formats.values() if holds(engine, fmt, model)],
            **wanted,
        ),
    )


def kind_rows(deployment: Deployment, context_tok: int) -> tuple[KindRow, ...]:
    """The cache of one sequence by kind of layer; see `cache_by_group`.

    Parameters
    ----------
    deployment : Deployment
        Model, cache format and parallelism.
    context_tok : int [tokens]
        At least 1.

    Returns
    -------
    tuple of KindRow
        One for each layer group of the model.
    """
    sizes = cache_by_group(
        deployment.model, deployment.cache, deployment.parallelism, context_tok=context_tok
    )
    rows = []
    for group, size in zip(deployment.model.groups, sizes, strict=True):
        alone = deployment.model.model_copy(update={"groups": (group,)})
        rows.append(
            KindRow(
                kind=group.kind,
                n_layers=group.n_layers,
                n_caches=group.n_caches,
                n_kv_heads=group.n_kv_heads,
                window_tok=group.window_tok,
                bytes_per_tok=float(cache_bytes_per_tok(alone, deployment.cache.bits)),
                sequence_bytes=float(size),
            )
        )
    return tuple(rows)
