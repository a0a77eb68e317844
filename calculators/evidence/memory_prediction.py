"""The value of a memory figure by its name, such as kv_tokens_fp8 or kv_mib_for_ctx."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from calculators.evidence.memory_quantities import MemoryFigures
from calculators.evidence.memory_settings import PrintedRow, UnknownSetting
from calculators.fit.engine_rules import engine_defaults, pass_tok
from calculators.specs import Catalog
from calculators.units import GB, GIB, MIB

UNITS = {"gib": GIB, "mib": MIB, "kib": 1024, "gb": GB, "bytes": 1}
_AT = re.compile(r"^(?P<base>.+?)_at_(?P<value>[\d.]+)(?P<kilo>k?)$")
_CACHE_SUFFIX = re.compile(r"^(?P<base>.+?)_(?P<format>fp8|fp16|bf16|int8|q4|q8)$")
_SHORT_CONTEXT = re.compile(r"^(?P<base>kv_mib)_(?P<kilo>\d+)k$")
_CONTEXT_NOTE = re.compile(r"([\d,]{2,})[ -](?:cells|ctx|tokens?\b)")
_NOT_OURS = ("estimate", "before_fix", "_pinned", "oom_alloc", "allocated_")
_OUTSIDE = {
    "cudagraph": "graphs are captured outside the budget and differ from run to run",
    "used_": "what the driver shows counts other programs too",
}

BYTES: dict[str, Callable[[MemoryFigures], float]] = {
    "weights": MemoryFigures.weights_bytes,
    "checkpoint": MemoryFigures.model_bytes,
    "draft": MemoryFigures.draft_bytes,
    "projector_weights": MemoryFigures.tower_bytes,
    "activation": lambda figures: figures.overheads().activation_bytes,
    "compute_buffer": lambda figures: figures.overheads().activation_bytes,
    "non_torch": lambda figures: figures.overheads().runtime_bytes,
    "peak_torch": lambda figures: figures.weights_bytes() + figures.overheads().activation_bytes,
    "kv": lambda figures: (
        figures.context_bytes() if figures.is_context_sized() else figures.pool_bytes()
    ),
    "kv_for_ctx": MemoryFigures.context_bytes,
    "kv_swa": MemoryFigures.window_bytes,
    "kv_needed": lambda figures: figures.request().request_bytes,
    "kv_total": lambda figures: figures.pool_bytes() * figures.row.deployment.parallelism.n_cards,
    "state": MemoryFigures.states_bytes,
    "per_token": MemoryFigures.token_bytes,
    "kv_per_token": MemoryFigures.token_bytes,
    "per_token_per_gpu": MemoryFigures.card_token_bytes,
    "kv_per_token_per_gpu": MemoryFigures.card_token_bytes,
    "per_token_effective": lambda figures: (
        figures.request().request_bytes / figures.row.max_model_len
    ),
    "total": MemoryFigures.total_bytes,
    "required_full": MemoryFigures.total_bytes,
}
COUNTS: dict[str, Callable[[MemoryFigures], float]] = {
    "kv_tokens": MemoryFigures.pool_tok,
    "kv_tokens_per_rank": MemoryFigures.pool_tok,
    "kv_blocks*block_size": MemoryFigures.pool_tok,
    "max_concurrency": MemoryFigures.concurrency,
    "est_max_len": MemoryFigures.longest_tok,
    "fits": MemoryFigures.fits,
    "max_state_blocks": lambda figures: figures.pool_bytes() // figures.request().block_bytes,
    "attention_block_size": lambda figures: figures.request().page_tok,
}
WINDOW_PASS = ("kv_tokens", "kv_tokens_per_rank", "max_concurrency", "est_max_len", "kv_needed")
SHARE_SIZED = ("kv", "kv_total", "kv_tokens", "kv_tokens_per_rank", "kv_blocks*block_size",
               "max_concurrency", "est_max_len", "fits")  # fmt: skip
SHARE_ERROR_FRAC = 0.03  # how much people set the share off its default
PER_TOKEN = ("per_token", "kv_per_token", "per_token_per_gpu", "kv_per_token_per_gpu")
SETTING_FREE = ("weights", "checkpoint", "draft", "projector_weights", "state", *PER_TOKEN)
NO_POOL = (*SETTING_FREE, "kv_for_ctx", "kv_swa")
CACHE_WORDS = {"q4": "q4-0", "q8": "q8-0", "fp16": "bf16"}


def attention_kind(row: PrintedRow) -> str:
    """The kinds of a model's layers, such as "full+sliding".

    Parameters
    ----------
    row : PrintedRow
        With its model.

    Returns
    -------
    str
        Sorted and joined.
    """
    return "+".join(sorted({group.kind for group in row.deployment.model.groups}))


def predict(
    name: str, printed: PrintedRow, row: Mapping[Any, Any], catalog: Catalog
) -> tuple[float, str]:
    """The value of a named figure in its own unit, and its basis.

    Parameters
    ----------
    name : str
        Such as kv_tokens, weights_gib, kv_mib_for_ctx, kv_tokens_at_8192 or kv_tokens_fp8.
    printed : PrintedRow
        The deployment.
    row : mapping
        For the context that the notes state.
    catalog : Catalog
        For the cache format that a suffix names.

    Returns
    -------
    tuple of float and str
        Value; "bound" or "calibrated", with what was assumed.

    Raises
    ------
    UnknownSetting
        Where the figure is another tool's, lies outside the rules, or lacks a setting.
    """
    if any(part in name for part in _NOT_OURS):
        raise UnknownSetting("another tool's figure, or one that was set by hand")
    for part, reason in _OUTSIDE.items():
        if part in name:
            raise UnknownSetting(reason)
    stated_tok = printed.max_model_len
    name, printed = _with_suffix(name, printed, catalog)
    _refuse_unsteady(name, printed)
    if name in COUNTS:
        value, base = COUNTS[name](MemoryFigures(printed)), name
    else:
        base, unit = _split_unit(name)
        if base not in BYTES:
            raise UnknownSetting(f"no rule predicts '{name}'")
        if base in ("kv_for_ctx", "kv", "total") and printed.max_model_len == stated_tok:
            printed = _at_noted_context(printed, base, str(row.get("ctx_or_notes", "")))
        value = BYTES[base](MemoryFigures(printed)) / UNITS[unit]
    return float(value), _basis(base, printed)


def _refuse_unsteady(name: str, printed: PrintedRow) -> None:
    """A small rest of an unknown share of memory is no prediction: 3 % of the card change it much.

    Raises
    ------
    UnknownSetting
        Where the share is not given and the cache changes by more than half, or to nothing.
    """
    share = printed.deployment.engine.memory.utilisation_frac
    base = name if name in COUNTS else _split_unit(name)[0]
    if base not in SHARE_SIZED or not _matters_share(base, printed):
        return
    low, high = (
        MemoryFigures(printed.with_utilisation(min(share + step, 1.0))).pool_bytes()
        for step in (-SHARE_ERROR_FRAC, SHARE_ERROR_FRAC)
    )
    if low <= 0 < high or high > 1.5 * low > 0:
        raise UnknownSetting(
            "the share of memory is not given, and the cache is a small rest of it"
        )


def _matters_share(base: str, printed: PrintedRow) -> bool:
    return "utilisation" in printed.assumed and _matters("utilisation", base, printed)


def _basis(base: str, printed: PrintedRow) -> str:
    """Pure arithmetic is "bound"; what an engine's default stood in for is named."""
    is_bound = base in NO_POOL
    assumed = [name for name in printed.assumed if _matters(name, base, printed)]
    words = f", default {' and '.join(assumed)} assumed" if assumed else ""
    return ("bound" if is_bound else "calibrated") + words


def _matters(name: str, base: str, printed: PrintedRow) -> bool:
    """Does a setting that was not given change the figure?"""
    if base in SETTING_FREE:
        return False
    is_sized = MemoryFigures(printed).is_context_sized()
    if name in ("utilisation", "draft", "weight format"):
        return base not in NO_POOL and not is_sized
    if name == "batched tokens":
        return base in WINDOW_PASS and not is_sized and _pass_matters(printed)
    return is_sized or base == "kv_for_ctx" or _is_hybrid(printed)


def _pass_matters(printed: PrintedRow) -> bool:
    """Does a pass four times as long change what a request reserves by more than a tenth?"""
    one = MemoryFigures(printed).request().request_bytes
    usual = pass_tok(
        printed.deployment.engine.memory,
        engine_defaults(printed.deployment.engine.memory, printed.deployment.accelerator),
        printed.batched_tok,
        printed.max_model_len,
    )
    four = MemoryFigures(printed.with_settings(batched_tok=4 * usual)).request().request_bytes
    return four > 1.1 * one


def _is_hybrid(printed: PrintedRow) -> bool:
    return attention_kind(printed) not in ("full", "mla")


def _split_unit(name: str) -> tuple[str, str]:
    """kv_mib_for_ctx to ("kv_for_ctx", "mib").

    >>> _split_unit("kv_mib_for_ctx"), _split_unit("weights_gib"), _split_unit("kv_bytes")
    (('kv_for_ctx', 'mib'), ('weights', 'gib'), ('kv', 'bytes'))
    """
    parts = name.split("_")
    for unit in UNITS:
        if unit in parts:
            parts.remove(unit)
            return "_".join(parts), unit
    raise UnknownSetting(f"no rule predicts '{name}'")


def _with_suffix(name: str, printed: PrintedRow, catalog: Catalog) -> tuple[str, PrintedRow]:
    """A suffix changes one setting: _at_8192, _at_50k, _at_0.7, _fp8, _4k, _no_spec."""
    name = name.replace("_per_sequence", "").replace("recurrent", "state")
    if name.endswith("_no_spec"):
        return name.removesuffix("_no_spec"), printed.with_settings(n_draft=0)
    if short := _SHORT_CONTEXT.match(name):
        return "kv_mib_for_ctx", printed.with_context(int(short["kilo"]) * 1024)
    if at := _AT.match(name):
        value = float(at["value"]) * (1000 if at["kilo"] else 1)
        if value <= 1:
            return at["base"], printed.with_utilisation(value)
        return at["base"], printed.with_context(int(value))
    if (suffix := _CACHE_SUFFIX.match(name)) and name not in COUNTS:
        word = suffix["format"]
        found = catalog.find("cache_formats", CACHE_WORDS.get(word, word))
        if found is None:
            raise UnknownSetting(f"the cache format '{suffix['format']}' is not known")
        return suffix["base"], printed.with_cache(catalog.cache_formats[found])
    return name, printed


def _at_noted_context(printed: PrintedRow, base: str, notes: str) -> PrintedRow:
    """Notes state the context that a cache was allocated for, as "2,048 ctx" or "64 tokens"."""
    noted = _CONTEXT_NOTE.search(notes)
    if noted is None or (base != "kv_for_ctx" and not MemoryFigures(printed).is_context_sized()):
        return printed
    return printed.with_context(int(noted[1].replace(",", "")))
