"""What a measurement's text says: engine, parallelism, limits; models that are in no catalog."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from calculators.evidence.row_formats import OWN_COLUMNS
from calculators.specs import (
    Catalog,
    EngineSpec,
    LayerGroup,
    ModelSpec,
    ParameterCounts,
    normalised,
)

_ATTENTION_DP = re.compile(r"attention_dp=(\d+)")
_MOE_EP = re.compile(r"moe_ep=(\d+)")
_DEP = re.compile(r"\bDEP(\d+)\b")
_ALL_DP = re.compile(r"enable_attention_dp|attention data-parallel", re.IGNORECASE)
_MAX_SEQUENCES = re.compile(r"max_num_seqs=(\d+)")
_N_REQUESTS = re.compile(r"num_prompts=(\d+)")
_STATIC = re.compile(r"in-flight batching off", re.IGNORECASE)
_SHORTEST_ALIAS = 3
_NOMINAL = re.compile(r"nominal")
NOMINAL_LENGTH_FRAC = 0.9
COMMON_FAMILY = "vllm"  # runs on every vendor's cards


@dataclass(frozen=True, slots=True)
class NoteFacts:
    """Parallelism and limits that stand in a measurement's notes; 0 where they do not."""

    attention_dp: int = 0
    expert_parallel: int = 0
    experts_over_all: bool = False  # models with experts run data-parallel whatever the label
    max_sequences: int = 0
    length_frac: float = 1.0  # of the stated lengths
    n_requests: int = 0  # that the benchmark sends in all
    static: bool = False  # a batch starts and ends together


@lru_cache(maxsize=16384)
def note_facts(notes: str) -> NoteFacts:
    """Parallelism, limits and what kind of run it was, as notes of measurements say it.

    Parameters
    ----------
    notes : free text, such as "attention_dp=4, moe_ep=4" or "... (DEP4)"

    Returns
    -------
    NoteFacts

    Examples
    --------
    >>> facts = note_facts("attention_dp=4, moe_ep=2; lengths nominal")
    >>> facts.attention_dp, facts.expert_parallel, facts.length_frac
    (4, 2, 0.9)
    """

    def number(pattern: re.Pattern[str]) -> int:
        found = pattern.search(notes)
        return int(found.group(1)) if found else 0

    width = number(_DEP)
    return NoteFacts(
        attention_dp=number(_ATTENTION_DP) or width,
        expert_parallel=number(_MOE_EP) or width,
        experts_over_all=not width and bool(_ALL_DP.search(notes)),
        max_sequences=number(_MAX_SEQUENCES),
        n_requests=number(_N_REQUESTS),
        static=bool(_STATIC.search(notes)),
        length_frac=NOMINAL_LENGTH_FRAC if _NOMINAL.search(notes) else 1.0,
    )


def engine_of(catalog: Catalog, text: str, vendor: str) -> EngineSpec | None:
    """The engine class that a text names, by alias or by the longest alias that it contains.

    An engine that does not run on the card's vendor gives way to its sibling that does
    (vLLM to vLLM on ROCm), or to vLLM's, as submissions to MLPerf use it on other cards.

    Parameters
    ----------
    catalog : engines with their aliases
    text : such as "vLLM 0.10.0, RHEL 9.6"
    vendor : of the card

    Returns
    -------
    EngineSpec, or None where no engine is named

    Examples
    --------
    Used by `score_rows` for the column `engine`.
    """
    found = catalog.find("engines", text) or _contained(catalog, text)
    if found is None:
        return None
    engine = catalog.engines[found]
    if not engine.vendors or vendor in engine.vendors:
        return engine
    siblings = (
        e
        for family in (found.split("-")[0], COMMON_FAMILY)
        for key, e in catalog.engines.items()
        if key.startswith(family) and vendor in e.vendors
    )
    return next(siblings, engine)


def _contained(catalog: Catalog, text: str) -> str | None:
    wanted = normalised(text)
    names = (
        (normalised(alias), key)
        for key, engine in catalog.engines.items()
        for alias in (key, engine.name, *engine.aliases)
    )
    hits = [(len(n), key) for n, key in names if len(n) >= _SHORTEST_ALIAS and n in wanted]
    return max(hits)[1] if hits else None


@lru_cache(maxsize=512)
def dense_model(name: str, params_b: float) -> ModelSpec:
    """A dense model of so many parameters with the usual shape, for names not in the catalog.

    Layers = hidden / 128, eight KV heads of 128, a vocabulary of 128,000, so that
    parameters = 12.5 x hidden^3 / 128 + 2 x vocabulary x hidden.

    Parameters
    ----------
    name : as the measurement has it
    params_b : [billions of parameters] > 0

    Returns
    -------
    ModelSpec

    Examples
    --------
    >>> round(dense_model("unknown", 8.0).total_params / 1e9, 2)
    8.0
    """
    total = int(params_b * 1e9)
    hidden = max(256, 128 * round((total * 128 / 12.5) ** (1 / 3) / 128))
    layers, heads, vocab = hidden // 128, hidden // 128, 128_000
    vocab = min(vocab, total // (8 * hidden))
    attention = layers * (2 * hidden**2 + 2 * hidden * 1024)
    group = LayerGroup(
        kind="full",
        n_layers=layers,
        n_q_heads=heads,
        n_kv_heads=min(8, heads),
        k_head_dim=128,
        v_head_dim=128,
    )
    return ModelSpec(
        id="unknown",
        name=name or "unknown",
        sources=OWN_COLUMNS,
        n_layers=layers,
        hidden=hidden,
        vocab=vocab,
        groups=(group,),
        parameters=ParameterCounts(
            embedding=vocab * hidden,
            head=vocab * hidden,
            attention=attention,
            dense_mlp=max(total - attention - 2 * vocab * hidden, 0),
        ),
    )
