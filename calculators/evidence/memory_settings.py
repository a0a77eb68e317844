"""A row of printed memory figures to the deployment that printed it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from calculators.evidence.memory_names import (
    SOURCE,
    blank_card,
    blank_weights,
    cache_format,
    card_named,
    published_format,
    weight_format,
)
from calculators.evidence.memory_notes import NOTES, note_counts, noted_share, pinned_bytes
from calculators.fit.engine_rules import memory_rule
from calculators.fit.model_names import resolve_model_name
from calculators.specs import (
    CacheFormat,
    Catalog,
    Deployment,
    EngineSpec,
    ModelSpec,
    Parallelism,
    WeightFormat,
    normalised,
)

_VERSION = re.compile(r"(?<![\d.])(\d+)\.(\d+)(?:\.(\d+))?(?!\.?dev\d)")


class UnknownSetting(ValueError):
    """A setting that the figure depends on is not given or not known."""


@dataclass(frozen=True, slots=True)
class PrintedRow:
    """One row: what was deployed, what is known of its settings, and what was assumed."""

    deployment: Deployment
    engine_known: bool
    weights_known: bool
    card_known: bool
    max_model_len: int
    max_sequences: int | None
    batched_tok: int | None
    n_draft: int
    assumed: tuple[str, ...]
    pinned_bytes: float | None = None  # a cache size set by hand
    context_given: bool = True
    release_given: bool = True

    def with_settings(self, **changes: Any) -> PrintedRow:
        """The same row with other settings."""
        return replace(self, **changes)

    def latent_is_unsure(self) -> bool:
        """Releases differ in how they store a latent, and this row's is not given."""
        engine, groups = self.deployment.engine, self.deployment.model.groups
        differs = any(older.memory.expands_latent != "no" for older in engine.older_memory)
        layered = engine.split == "layer" and any(group.kind == "mla" for group in groups)
        return differs and layered and not self.release_given

    def with_context(self, max_model_len: int) -> PrintedRow:
        """The same row for another longest sequence."""
        assumed = tuple(name for name in self.assumed if name != "context")
        return replace(self, max_model_len=max_model_len, assumed=assumed, context_given=True)

    def with_cache(self, cache: CacheFormat) -> PrintedRow:
        """The same row with another cache format."""
        return replace(self, deployment=replace(self.deployment, cache=cache))

    def with_utilisation(self, share: float) -> PrintedRow:
        """The same row with another share of the card's memory."""
        engine = with_utilisation(self.deployment.engine, share)
        assumed = tuple(name for name in self.assumed if name != "utilisation")
        return replace(self, deployment=replace(self.deployment, engine=engine), assumed=assumed)


def with_utilisation(engine: EngineSpec, share: float) -> EngineSpec:
    """An engine that takes another share of the card's memory."""
    rule = engine.memory.model_copy(update={"utilisation_frac": share})
    return engine.model_copy(update={"memory": rule})


def read_row(row: Mapping[str, Any], catalog: Catalog) -> PrintedRow:
    """The deployment of a row of printed memory figures, with what had to be assumed.

    Parameters
    ----------
    row : mapping of str to value
        Columns engine, version, model, weight_format, kv_dtype, gpu, gpu_mem_gib_total, n_gpus,
        tp, gpu_mem_util, max_model_len, ctx_or_notes; blanks allowed.
    catalog : Catalog
        Models, formats, cards and engines by name.

    Returns
    -------
    PrintedRow
        Engine defaults stand where the row is blank, and `assumed` names them.

    Raises
    ------
    UnknownSetting
        Where the model is not known.

    Notes
    -----
    Settings are read from the notes by the engines' own option names (max_num_seqs,
    max_num_batched_tokens, block-size, MTP n, DP, PP, EP).

    References
    ----------
    As `note_counts`.

    Examples
    --------
    See tests: settings in the notes of a row.
    """
    notes = _text(row, "ctx_or_notes")
    counts = note_counts(notes)
    model = _model(row, catalog)
    engine, engine_known = _engine(row, catalog)
    engine = _with_release(engine, row, notes, counts)
    weights = _weights(row, model, catalog)
    utilisation = _number(row, "gpu_mem_util") or noted_share(notes)
    length = _number(row, "max_model_len")
    card = card_named(_text(row, "gpu"), _number(row, "gpu_mem_gib_total"), catalog)
    split = _parallelism(row, counts, notes, engine)
    if utilisation:
        engine = with_utilisation(engine, utilisation)
    deployment = Deployment(
        model=model,
        weights=weights or blank_weights(),
        cache=cache_format(_text(row, "kv_dtype"), model, weights, catalog),
        accelerator=card or blank_card(),
        engine=engine,
        parallelism=split,
    )
    return PrintedRow(
        deployment=deployment,
        engine_known=engine_known,
        weights_known=weights is not None,
        card_known=card is not None,
        max_model_len=int(length or model.max_context_tok or 8192),
        max_sequences=counts.get("max_sequences"),
        batched_tok=counts.get("batched_tok"),
        n_draft=counts.get("n_draft", 0),
        assumed=_assumed(notes, counts, utilisation, length),
        pinned_bytes=pinned_bytes(notes),
        context_given=length is not None,
        release_given=engine_release(_text(row, "version")) is not None,
    )


def _text(row: Mapping[str, Any], key: str) -> str:
    value = row.get(key)
    return "" if value is None or value != value else str(value).strip()


def _number(row: Mapping[str, Any], key: str) -> float | None:
    text = _text(row, key).replace(",", "")
    try:
        value = float(text)
    except ValueError:
        return None
    return value if abs(value) < 1e15 else None  # more than any engine prints


def _model(row: Mapping[str, Any], catalog: Catalog) -> ModelSpec:
    name = _text(row, "model")
    found = resolve_model_name(catalog, name) if name else None
    if found is None:
        raise UnknownSetting(f"the model '{name}' is not known")
    return catalog.models[found]


def _weights(row: Mapping[str, Any], model: ModelSpec, catalog: Catalog) -> WeightFormat | None:
    weights = weight_format(_text(row, "weight_format"), model, catalog)
    return published_format(weights, _text(row, "model"), catalog) if weights else None


def _assumed(
    notes: str, counts: Mapping[str, int], utilisation: float | None, length: float | None
) -> tuple[str, ...]:
    """Settings that a row does not give."""
    given = {
        "utilisation": utilisation,
        "context": length,
        "batched tokens": counts.get("batched_tok"),
        "draft": counts.get("n_draft") or not NOTES["drafts"].search(notes),
        "weight format": not NOTES["unsure_format"].search(notes),
    }
    return tuple(name for name, value in given.items() if not value)


def engine_release(text: str) -> tuple[int, ...] | None:
    """The release in a version text; None for development builds and free text.

    >>> engine_release("~0.11.0 (V1)"), engine_release("0.1.dev20073"), engine_release("0.9.x/0.10")
    ((0, 11, 0), None, (0, 9))
    """
    match = _VERSION.search(text)
    return tuple(int(part) for part in match.groups() if part) if match else None


def _engine(row: Mapping[str, Any], catalog: Catalog) -> tuple[EngineSpec, bool]:
    name = _text(row, "engine")
    found = catalog.find("engines", name) or catalog.find("engines", name.split("(")[0])
    relatives = catalog.engines[found].relatives if found else ()
    if found and normalised(name) not in {normalised(other) for other in relatives}:
        return catalog.engines[found], True
    return EngineSpec(id="unknown", name=name or "unknown", sources=SOURCE), False


def _with_release(
    engine: EngineSpec, row: Mapping[str, Any], notes: str, counts: Mapping[str, int]
) -> EngineSpec:
    """The engine with the memory rule of its release, and the block size and graphs of notes."""
    rule = memory_rule(engine, engine_release(_text(row, "version")))
    changes: dict[str, float] = {name: counts[name] for name in ("block_tok",) if name in counts}
    if NOTES["eager"].search(notes):
        changes |= {"graphs_gib": 0.0, "light_graphs_gib": 0.0}
    if NOTES["prefix_caching"].search(notes) and rule.page_align_tok:
        changes["state_copies"] = 2
    if NOTES["chunked"].search(notes):
        changes["batched_is_context"] = False
    return engine.model_copy(update={"memory": rule.model_copy(update=changes)})


def _parallelism(
    row: Mapping[str, Any], counts: Mapping[str, int], notes: str, engine: EngineSpec
) -> Parallelism:
    n_cards = int(_number(row, "n_gpus") or 1)
    tp = int(_number(row, "tp") or counts.get("tp") or (n_cards if engine.split == "tensor" else 1))
    if engine.split == "layer":
        return Parallelism(pp=max(n_cards, 1), layer_split=n_cards > 1)
    attention_dp = bool(NOTES["attention_dp"].search(notes)) and tp > 1
    expert = bool(NOTES["ep"].search(notes))
    return Parallelism(
        tp=tp, pp=counts.get("pp", 1), attention_dp=attention_dp, expert_parallel=expert
    )
