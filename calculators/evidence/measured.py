"""A table of speed measurements as deployments and arrays, with what had to be assumed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from calculators.evidence.row_text import (
    cache_format,
    dense_model,
    engine_of,
    note_facts,
    weight_format,
)
from calculators.fit.weights import card_weight_bytes
from calculators.specs import (
    Catalog,
    Deployment,
    EngineSpec,
    ModelSpec,
    Parallelism,
    SpeedConstants,
)
from calculators.speed.constants import speed_of_version
from calculators.speed.inputs import StepInputs, stack
from calculators.speed.parallel import step_inputs
from calculators.speed.traits import traits

SCENARIOS = ("single_stream_decode", "batched_decode", "prefill", "offline_throughput", "server")
METRICS = (
    *("output_tok_s_total", "total_tok_s", "output_tok_s_per_user"),
    *("tpot_ms", "ttft_ms", "prefill_tok_s"),
)
DEFAULT_INPUT_TOK = 300.0
DEFAULT_OUTPUT_TOK = 300.0
SINGLE_STREAM_INPUT_TOK = 32.0
SINGLE_STREAM_OUTPUT_TOK = 128.0
DEFAULT_MAX_SEQUENCES = 256
BATCH_ENGINES_MAX_SEQUENCES = 2048  # TensorRT-LLM's default, per rank
WEIGHT_SHARE = 0.6  # of a card's memory, where the number of cards of a replica is not given
REQUIRED = ("engine", "model", "gpu", "scenario", "metric", "value")


@dataclass(slots=True)
class Row:
    """One measurement, read: its deployment or why there is none, and what was assumed."""

    deployment: Deployment | None = None
    speed: SpeedConstants | None = None
    era: str = ""
    n_replicas: float = 1.0
    max_sequences: float = DEFAULT_MAX_SEQUENCES
    length_frac: float = 1.0
    assumed: list[str] = field(default_factory=list)
    skipped: str = ""


@dataclass(frozen=True)
class Measured:
    """Measurements that can be priced; arrays have one entry for each kept row."""

    rows: Sequence[Row]  # all rows of the table
    kept: np.ndarray  # positions of rows with a deployment
    table: pd.DataFrame  # the columns that matter, of the kept rows
    which: np.ndarray  # deployment of each kept row
    deployments: Sequence[tuple[Deployment, SpeedConstants, str]]

    @cached_property
    def inputs(self) -> StepInputs:
        """Coefficients with the catalog's constants, an entry for each kept row."""
        return _taken(stack([step_inputs(d, s) for d, s, _ in self.deployments]), self.which)

    @cached_property
    def traits(self) -> list[tuple[str, ...]]:
        """Traits of each deployment."""
        return [traits(deployment) for deployment, *_ in self.deployments]

    def of_speed(self, name: str) -> np.ndarray:
        """A constant of each kept row's engine."""
        return np.array([getattr(s, name) for _, s, _ in self.deployments])[self.which]

    @cached_property
    def card_memory_bytes(self) -> np.ndarray:
        return np.array([d.accelerator.memory_bytes for d, *_ in self.deployments])[self.which]

    @cached_property
    def card_weight_bytes(self) -> np.ndarray:
        return np.array([card_weight_bytes(d) for d, *_ in self.deployments])[self.which]

    @cached_property
    def utilisation_of_free(self) -> np.ndarray:
        """Whether the engine takes a share of what weights leave, not of the whole card."""
        rules = [d.engine.memory.utilisation_of for d, *_ in self.deployments]
        return np.array([rule == "free_after_load" for rule in rules])[self.which]

    @cached_property
    def selected_limits_tok(self) -> np.ndarray:
        """Tokens that a sparse index selects: read up to that limit, held without one."""
        limits = [
            max((g.index_topk_tok * g.compress_ratio for g in d.model.groups), default=0)
            for d, *_ in self.deployments
        ]
        return np.array(limits, dtype=float)[self.which]


def _taken(inputs: StepInputs, which: np.ndarray) -> StepInputs:
    def taken(value: Any) -> Any:
        return tuple(v[which] for v in value) if isinstance(value, tuple) else value[which]

    return StepInputs(**{name: taken(getattr(inputs, name)) for name in StepInputs.__slots__})


def measured(frame: pd.DataFrame, catalog: Catalog) -> Measured:
    """Read a table of measurements against the catalog.

    Parameters
    ----------
    frame : columns engine, model, gpu, scenario, metric, value, and where known engine_version,
        params_b, weight_bits, weight_format, kv_bits, n_gpus, tp, pp, batch_or_concurrency,
        input_tokens, output_tokens, notes
    catalog : cards, models and engines

    Returns
    -------
    Measured

    Raises
    ------
    ValueError
        If a required column is missing.

    Notes
    -----
    A model that is not in the catalog is priced as dense from `params_b`; a card that is not is
    skipped. Blank lengths and parallelism take defaults, named in `assumed`.

    Examples
    --------
    `python -m app score FILE.csv` prints the result.
    """
    missing = [name for name in REQUIRED if name not in frame.columns]
    if missing:
        raise ValueError(
            f"the table has no column {', '.join(missing)}; needed are {', '.join(REQUIRED)}"
        )
    table = _numbers(frame)
    reader = _Reader(catalog)
    rows = [reader.row(record) for record in table.to_dict("records")]
    kept = np.array([i for i, row in enumerate(rows) if row.deployment is not None], dtype=int)
    index: dict[int, int] = {}
    deployments: list[tuple[Deployment, SpeedConstants, str]] = []
    which = np.empty(len(kept), dtype=int)
    for position, i in enumerate(kept):
        row = rows[i]
        key = id(row.deployment)
        if key not in index:
            index[key] = len(deployments)
            assert row.deployment is not None and row.speed is not None
            deployments.append((row.deployment, row.speed, row.era))
        which[position] = index[key]
    return Measured(rows, kept, table.iloc[kept].reset_index(drop=True), which, deployments)


_NUMERIC = (
    *("value", "params_b", "weight_bits", "kv_bits", "n_gpus", "tp", "pp"),
    *("batch_or_concurrency", "input_tokens", "output_tokens"),
)
_TEXT = ("engine", "engine_version", "model", "weight_format", "gpu", "scenario", "metric", "notes")


def _numbers(frame: pd.DataFrame) -> pd.DataFrame:
    columns: dict[str, Any] = {}
    for name in _NUMERIC:
        column = frame[name] if name in frame else pd.Series(np.nan, index=frame.index)
        columns[name] = pd.to_numeric(column, errors="coerce").to_numpy(dtype=float)
    for name in _TEXT:
        column = frame[name] if name in frame else pd.Series("", index=frame.index)
        columns[name] = column.fillna("").astype(str).str.strip().to_numpy(dtype=object)
    return pd.DataFrame(columns)


class _Reader:
    """Rows to deployments; what repeats is looked up once."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        self.cards: dict[str, str | None] = {}
        self.models: dict[tuple[str, float], tuple[ModelSpec | None, str]] = {}
        self.engines: dict[tuple[str, str], tuple[EngineSpec | None, str]] = {}
        self.deployments: dict[tuple, tuple[Deployment, SpeedConstants, str]] = {}

    def row(self, record: dict[str, Any]) -> Row:
        row = Row()
        row.skipped = self._why_skipped(record)
        if row.skipped:
            return row
        card = self.catalog.accelerators[str(self._card(record["gpu"]))]
        model, note = self._model(record["model"], record["params_b"])
        engine, engine_note = self._engine(record["engine"], card.vendor)
        row.assumed.extend(text for text in (note, engine_note) if text)
        if model is None or engine is None:
            row.skipped = note or engine_note
            return row
        bits, kv_bits, form = self._formats(record, row)
        parallel = self._parallelism(record, row, model, engine, card.memory_bytes, bits)
        facts = note_facts(record["notes"])
        version = record["engine_version"] or record["engine"]
        key = (engine.id, version, record["model"], record["params_b"], form, bits, kv_bits)
        key += (card.id, parallel.tp, parallel.pp, parallel.attention_dp)
        key += (parallel.expert_parallel, parallel.layer_split)
        found = self.deployments.get(key)
        if found is None:
            speed = speed_of_version(engine, version)
            era = engine.id if speed is engine.speed else f"{engine.id} {_before(engine, speed)}"
            deployment = Deployment(
                model, weight_format(form, bits), cache_format(kv_bits), card, engine, parallel
            )
            found = self.deployments[key] = (deployment, speed, era)
        row.deployment, row.speed, row.era = found
        row.length_frac = facts.length_frac
        row.max_sequences = facts.max_sequences or _max_sequences(engine)
        self._lengths(record, row)
        return row

    def _why_skipped(self, record: dict[str, Any]) -> str:
        if record["scenario"] not in SCENARIOS:
            return f"scenario {record['scenario'] or 'blank'!r} is none of {', '.join(SCENARIOS)}"
        if record["metric"] not in METRICS:
            return f"metric {record['metric'] or 'blank'!r} is none of {', '.join(METRICS)}"
        if self._card(record["gpu"]) is None:
            return f"card {record['gpu'] or 'blank'!r} is not in the catalog"
        return ""

    def _card(self, text: str) -> str | None:
        if text not in self.cards:
            self.cards[text] = self.catalog.find("accelerators", text)
        return self.cards[text]

    def _model(self, text: str, params_b: float) -> tuple[ModelSpec | None, str]:
        key = (text, params_b)
        if key not in self.models:
            found = self.catalog.find("models", text)
            if found is not None:
                self.models[key] = (self.catalog.models[found], "")
            elif np.isfinite(params_b) and params_b > 0:
                note = f"model not in the catalog: dense with {params_b:g} billion parameters"
                self.models[key] = (dense_model(text, float(params_b)), note)
            else:
                self.models[key] = (None, f"model {text!r} is unknown and params_b is blank")
        return self.models[key]

    def _engine(self, text: str, vendor: str) -> tuple[EngineSpec | None, str]:
        key = (text, vendor)
        if key not in self.engines:
            found, note = engine_of(self.catalog, text, vendor), ""
            if found is None:
                found = engine_of(self.catalog, "vllm", vendor)
                note = f"engine {text or 'blank'!r} is unknown: taken as {found and found.name}"
            self.engines[key] = (found, note)
        return self.engines[key]

    @staticmethod
    def _formats(record: dict[str, Any], row: Row) -> tuple[float, float, str]:
        bits, kv_bits = record["weight_bits"], record["kv_bits"]
        if not (np.isfinite(bits) and bits > 0):
            bits = 16.0
            row.assumed.append("16-bit weights")
        if not (np.isfinite(kv_bits) and kv_bits > 0):
            kv_bits = 16.0
            row.assumed.append("16-bit cache")
        return float(bits), float(kv_bits), record["weight_format"] or "bf16"

    @staticmethod
    def _parallelism(
        record: dict[str, Any],
        row: Row,
        model: ModelSpec,
        engine: EngineSpec,
        memory_bytes: float,
        bits: float,
    ) -> Parallelism:
        n_cards = _whole(record["n_gpus"], 1)
        pp = _whole(record["pp"], 1)
        facts = note_facts(record["notes"])
        if np.isfinite(record["tp"]):
            tp = _whole(record["tp"], 1)
        else:
            tp = _fewest_cards(model.total_params * bits / 8, memory_bytes, n_cards // pp)
            if n_cards > 1:
                row.assumed.append(f"{tp} of {n_cards} cards to a replica")
        over_all = facts.experts_over_all and model.n_experts > 0 and tp > 1
        attention_dp = facts.attention_dp > 1 or over_all
        if attention_dp:
            tp = max(tp, n_cards // pp)
        row.n_replicas = max(n_cards / (tp * pp), 1.0)
        splits = record["scenario"] in ("single_stream_decode", "prefill")
        return Parallelism(
            tp=tp,
            pp=pp,
            attention_dp=attention_dp,
            expert_parallel=attention_dp or facts.expert_parallel > 1,
            layer_split=pp > 1 and (splits or engine.split == "layer"),
        )

    @staticmethod
    def _lengths(record: dict[str, Any], row: Row) -> None:
        short = record["scenario"] == "single_stream_decode"
        for name, default in (
            ("input_tokens", SINGLE_STREAM_INPUT_TOK if short else DEFAULT_INPUT_TOK),
            ("output_tokens", SINGLE_STREAM_OUTPUT_TOK if short else DEFAULT_OUTPUT_TOK),
        ):
            if not np.isfinite(record[name]):
                row.assumed.append(f"{default:g} {name.replace('_', ' ')}")


def _before(engine: EngineSpec, speed: SpeedConstants) -> str:
    return next(f"before {o.before}" for o in engine.older_speed if o.speed is speed)


def _whole(value: float, default: int) -> int:
    return int(value) if np.isfinite(value) and value >= 1 else default


def _max_sequences(engine: EngineSpec) -> float:
    if engine.memory.utilisation_of == "free_after_load":
        return BATCH_ENGINES_MAX_SEQUENCES
    return DEFAULT_MAX_SEQUENCES


def _fewest_cards(weight_bytes: float, memory_bytes: float, most: int) -> int:
    n = 1
    while n < most and weight_bytes > WEIGHT_SHARE * n * memory_bytes:
        n *= 2
    return n
