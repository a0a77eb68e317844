"""The Memory page's own figures: metrics, the chart by format, what one could change."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from app.derivations.derivation import (
    CACHE_FORMAT,
    DEPLOYMENT,
    MODEL,
    Derivation,
    derived,
    precise,
)
from app.derivations.derivation import amount as a
from app.derivations.memory import held_formula, reference_formula, room_formula
from app.formatting import count, gib
from calculators.fit.capacity import (
    OVERHEAD_ERROR_FRAC,
    WEIGHTS_ERROR_FRAC,
    Fit,
    capacity,
)
from calculators.fit.engine_memory import activation_peak_bytes, cache_budget_bytes
from calculators.fit.held_sequences import held_sequences
from calculators.fit.pool import request_pool
from calculators.fit.weights import card_group_bytes, card_weight_bytes, group_weight_bytes
from calculators.memory_answers import MemoryAnswers
from calculators.memory_choices import Choice
from calculators.performance import reference_max_batch
from calculators.scenario import Scenario
from calculators.specs import Deployment
from calculators.units import BITS_PER_BYTE, GB, GIB

UNKNOWN = float("nan")


def at_once(answers: MemoryAnswers, scenario: Scenario) -> Derivation:
    """Sequences at once, with both ends where the cache is a small rest."""
    fit = answers.fit
    lines = [_held_line(answers.deployment, fit, scenario, answers.context_tok)]
    if fit.shows_range:
        lines = _range_lines(answers.deployment, fit, scenario, answers.context_tok)
    return derived(
        "Sequences at once",
        f"{fit.limit_text} Each conversation reserves {answers.context_tok:,} tokens; whole ones "
        "only, on the fullest card."
        + (" The cache is a small rest, so both ends of its range are shown." * fit.shows_range),
        "\n".join(lines),
        "calibrated",
        capacity,
        DEPLOYMENT,
        known=0.0 if fit.fits and fit.max_sequences else UNKNOWN,
    )


def weights(answers: MemoryAnswers) -> Derivation:
    """The weights that the fullest card holds, by part of the model."""
    d = answers.deployment
    held, whole = card_group_bytes(d), group_weight_bytes(d.model, d.weights)
    lines = []
    for part in (name for name, size in held.items() if size):
        n = getattr(d.model.parameters, part)
        bits, share = whole[part] * BITS_PER_BYTE / n, held[part] / whole[part]
        cut = "" if share == 1 else f" x {a(share)} of them on this card"
        lines.append(
            f"{part.replace('_', ' ')}: {a(n / GB, 5)} billion x {a(bits)} bits / 8{cut} / "
            f"{precise(GIB / GB)} billion bytes = {a(held[part] / GIB)} GiB"
        )
    parts = " + ".join(f"{a(size / GIB)} GiB" for size in held.values() if size)
    table = card_weight_bytes(d) - sum(held.values())
    extra = f" + {a(table / GIB)} GiB table of positions" if table else ""
    return derived(
        "Weights",
        "Each part of the model, the count of its weights times the bits that the format really "
        "takes for each (scales included; some parts stay wider than the format's name says).",
        "\n".join([*lines, f"all: {parts}{extra} = {gib(answers.fit.weights_bytes)}"]),
        "calibrated",
        card_weight_bytes,
        DEPLOYMENT,
    )


def engine(answers: MemoryAnswers) -> Derivation:
    """What the serving software takes for itself."""
    fit = answers.fit
    return derived(
        "Engine",
        "Scratch memory for the largest pass, the software itself, and recorded graphs where the "
        "engine keeps room for them.",
        f"{a(fit.activation_bytes / GIB)} GiB scratch + {a(fit.runtime_bytes / GIB)} GiB software "
        f"+ {a(fit.graphs_bytes / GIB)} GiB graphs = {gib(fit.overhead_bytes)}",
        "calibrated",
        activation_peak_bytes,
        DEPLOYMENT,
    )


def left(answers: MemoryAnswers) -> Derivation:
    """What is left for the cache, its range, and the tokens that it holds."""
    fit, d = answers.fit, answers.deployment
    ranks = d.parallelism.tp if d.parallelism.attention_dp else 1
    here = precise(fit.cache_budget_bytes / GIB)
    error = (
        f"{a(WEIGHTS_ERROR_FRAC * 100)} % x {a(fit.weights_bytes / GIB)} GiB weights + "
        f"{a(OVERHEAD_ERROR_FRAC * 100)} % x {a(fit.overhead_bytes / GIB)} GiB engine"
    )
    lines = [f"max(0 ; {room_formula(fit, d)}) = {gib(max(fit.cache_budget_bytes, 0.0))}"]
    if fit.fits and fit.sequence_bytes > 0:
        lines += [
            f"at least: max(0 ; {here} GiB - ({error})) = {gib(max(fit.cache_low_bytes, 0.0))}",
            f"at most: max(0 ; {here} GiB + {error}) = {gib(max(fit.cache_high_bytes, 0.0))}",
            f"tokens: floor({ranks} x {here} GiB / {precise(fit.sequence_bytes / GIB)} GiB x "
            f"{answers.context_tok:,} tokens) = {count(fit.kv_capacity_tok)} tokens",
        ]
    return derived(
        "Left for the cache",
        "What a program can use of the card, the share that the engine takes, less weights and "
        "engine. Printed logs of engines lie within this range two times in three.",
        "\n".join(lines),
        "calibrated",
        cache_budget_bytes,
        DEPLOYMENT,
    )


def chart_by_format(answers: MemoryAnswers, scenario: Scenario) -> Derivation:
    """The bars: sequences beside each weight format, for both widths of cache."""
    shown = [
        (choice, f"{choice.label}, cache in {choice.deployment.cache.name}")
        for pair in answers.formats
        for choice in pair
        if choice
    ]
    return _choices("Chart: weight formats", shown, scenario)


def remedies(answers: MemoryAnswers, scenario: Scenario) -> Derivation:
    """The table of what one could change."""
    shown = [(choice, choice.label) for choice in answers.choices]
    return _choices("Table: what would change it", shown, scenario)


def _choices(figure: str, shown: list[tuple[Choice, str]], scenario: Scenario) -> Derivation:
    lines = []
    for choice, label in shown:
        d, fit = choice.deployment, choice.fit
        name = label.replace(": ", ", ")
        room = f"max(0 ; {room_formula(fit, d)}) = {gib(max(fit.cache_budget_bytes, 0.0))}"
        lines.append(f"{name}, cache of a card: {room}")
        if fit.fits and fit.max_sequences:
            lines.append(f"{name}, at once: {_held_line(d, fit, scenario, choice.context_tok)}")
    return derived(
        figure,
        "What is left of the card, and how many conversations of that length it holds; where "
        "there is no second line, not even one fits.",
        "\n".join(lines),
        "calibrated",
        held_sequences,
        DEPLOYMENT,
    )


def chart_over_context(answers: MemoryAnswers) -> Derivation:
    """The curves: one conversation's cache, at the scenario's context."""
    found = [*_cached(answers)]
    return derived(
        "Chart: cache over context",
        f"The cache of one conversation of {answers.context_tok:,} tokens on one card, in whole "
        "pages, as the engine hands them out; the other lengths of the chart go the same way.",
        "\n".join(found),
        "bound",
        request_pool,
        (MODEL, CACHE_FORMAT),
        known=0.0 if found else UNKNOWN,
    )


def _cached(answers: MemoryAnswers) -> Iterator[str]:
    names = {curve.label for curve in answers.curves}
    others = (choice.deployment.cache for pair in answers.formats for choice in pair if choice)
    caches = {fmt.name: fmt for fmt in (answers.deployment.cache, *others) if fmt.name in names}
    for name, cache in caches.items():
        pool = request_pool(
            replace(answers.deployment, cache=cache),
            max_model_len=answers.context_tok,
            batched_tok=1,
        )
        yield (
            f"{name}: {pool.request_blocks:,} pages x {precise(pool.block_bytes / GIB)} GiB = "
            f"{gib(pool.request_bytes)}"
        )


def by_context(answers: MemoryAnswers, scenario: Scenario) -> tuple[Derivation, ...]:
    """The table over lengths: sequences, their range, and the reference beside them."""
    d = answers.deployment
    held, reference = [], []
    for row in answers.contexts:
        name = f"{row.context_tok:,} tokens"
        if row.fit.fits and row.fit.max_sequences:
            lines = _range_lines(d, row.fit, scenario, row.context_tok)
            held += [f"{name}, {line}" for line in lines]
        reference.append(
            f"{name}: {reference_formula(d, row.context_tok)} = {count(row.n_reference)}"
        )
    one = float(answers.fit.kv_bytes_per_tok)
    return (
        derived(
            "Table: sequences by length",
            "What is left for the cache over what one conversation of that length takes; at least "
            "and at most with the ends of the range.",
            "\n".join(held),
            "calibrated",
            held_sequences,
            DEPLOYMENT,
        ),
        derived(
            "Table: reference arithmetic",
            "The memory on the label less 4 GiB a card and the weights at the bits of the name; a "
            "real engine holds fewer.",
            "\n".join(reference),
            "bound",
            reference_max_batch,
            DEPLOYMENT,
            known=0.0 if one else UNKNOWN,
        ),
    )


def _held_line(d: Deployment, fit: Fit, scenario: Scenario, context_tok: int) -> str:
    return f"{held_formula(fit, d, scenario, context_tok)} = {count(fit.max_sequences)} at once"


def _range_lines(d: Deployment, fit: Fit, scenario: Scenario, context_tok: int) -> list[str]:
    """Expected, at least and at most; the last two only where they are other numbers."""
    lines = [f"expected: {_held_line(d, fit, scenario, context_tok)}"]
    for name, cache, n in (
        ("at least", fit.cache_low_bytes, fit.low_sequences),
        ("at most", fit.cache_high_bytes, fit.high_sequences),
    ):
        if n != fit.max_sequences:
            lines.append(
                f"{name}: {held_formula(fit, d, scenario, context_tok, cache)} = {count(n)}"
            )
    return lines
