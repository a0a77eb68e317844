"""A shape against the index of its checkpoint: heads, totals, towers that are not known."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from calculators.fit.architectures.index_file import Index
from calculators.fit.architectures.native import Stored
from calculators.fit.architectures.resolve import Resolved
from calculators.fit.architectures.shape import Shape
from calculators.fit.architectures.towers import molmo_vision

WIDTHS = {"bf16": 2, "fp32": 4}


@dataclass(frozen=True, slots=True)
class Checked:
    """A shape with its towers, and what the index had to say."""

    shape: Shape
    towers: dict[str, int] = field(default_factory=dict)
    unknown_towers: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    disagreements: tuple[str, ...] = ()


def language_params(shape: Shape) -> int:
    """Parameters of the language model, towers and next-token layers left out."""
    return shape.embedding + shape.head + shape.rest + shape.counts.total


def counted_towers(model: Resolved, hidden: int) -> tuple[dict[str, int], tuple[str, ...]]:
    """Towers that can be counted, and the names of those that cannot."""
    if model.kind == "molmo":
        width = model.text.count("intermediate_size") // 2
        return {"vision": molmo_vision(width, hidden)}, ()
    if not model.tower_names and not (model.wrapper and model.wrapper.towers):
        return {}, ()
    if model.wrapper and model.wrapper.towers:
        try:
            return model.wrapper.towers(model.top, hidden), ()
        except ValueError:
            pass
    return {}, model.tower_names or ("vision",)


def cross_checked(shape: Shape, model: Resolved, index: Index | None, storage: Stored) -> Checked:
    """The shape with towers counted, and compared with the index where there is one."""
    towers, missing = counted_towers(model, shape.hidden)
    if index is None:
        notes = tuple(f"The {name} tower is not known here and not counted." for name in missing)
        return Checked(shape, towers, missing, notes)
    shape, doubts = stored_head(shape, model, index)
    if missing:
        towers, missing = towers_by_total(shape, missing, index, storage)
    notes = tuple(f"The {name} tower is not known here and not counted." for name in missing)
    agreed, disagreed = compared(shape, towers, missing, index, storage)
    return Checked(shape, towers, missing, (*notes, *agreed), (*index.doubts, *doubts, *disagreed))


def stored_head(shape: Shape, model: Resolved, index: Index) -> tuple[Shape, tuple[str, ...]]:
    """Compares whether a head is stored with what the config says about tying."""
    if shape.tied and index.has_head:
        said = "The config ties head and embedding, the index stores both: the copy is not counted."
        return shape, (said,)
    partial = not any("embed" in n or "wte" in n or "tok" in n for n in index.names)
    if shape.tied or index.has_head or partial:
        return shape, ()
    if model.text.data.get("tie_word_embeddings") is not None:
        return shape, ("The config has a head of its own, but the index does not list one.",)
    said = "The config does not say whether the head is tied; the index has none: read as tied."
    return replace(shape, tied=True, head=0), (said,)


def extras(shape: Shape, index: Index) -> int:
    """Parameters beside the language model: a copied head, next-token layers."""
    copy = shape.vocab * shape.hidden if shape.tied and index.has_head else 0
    return copy + (shape.mtp if index.has_next_token_layers else 0)


def towers_by_total(
    shape: Shape, names: tuple[str, ...], index: Index, storage: Stored
) -> tuple[dict[str, int], tuple[str, ...]]:
    """Towers as what the index's total leaves over; only where that total counts parameters."""
    total = index.total_parameters
    if total is None and index.total_bytes and storage.format in WIDTHS:
        total = index.total_bytes // WIDTHS[storage.format]
    left = (total or 0) - language_params(shape) - extras(shape, index)
    if left <= 0:
        return {}, names
    return {"+".join(names): left}, ()


def compared(
    shape: Shape, towers: dict[str, int], missing: tuple[str, ...], index: Index, storage: Stored
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What the index's totals confirm, and what they contradict."""
    expected = language_params(shape) + sum(towers.values()) + extras(shape, index)
    if missing:
        return (), ()
    if index.total_parameters is not None:
        return judged(expected, index.total_parameters, index, "total_parameters")
    if index.total_bytes is None or storage.format not in WIDTHS:
        return (), ()
    for width in (WIDTHS[storage.format], 2, 4):
        if index.total_bytes % width == 0 and index.total_bytes // width == expected:
            kind = "32-bit" if width == 4 else "16-bit"
            return (f"The index's total size agrees to the parameter ({kind}).",), ()
    width = WIDTHS[storage.format]
    return judged(expected, index.total_bytes // width, index, "total size")


def judged(
    expected: int, found: int, index: Index, what: str
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """An agreement, a difference that buffers explain, or a disagreement."""
    if expected == found:
        return (f"The index's {what} agrees to the parameter.",), ()
    gap = found - expected
    if index.n_buffers and 0 < gap < max(expected // 10_000, 4096):
        said = (
            f"The index's {what} is {gap:,} larger: buffers such as rotary tables, no parameters."
        )
        return (said,), ()
    said = f"The index's {what} says {found:,} parameters, the config {expected:,}."
    return (), (said,)
