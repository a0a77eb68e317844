"""One measurement after the other: its text and numbers become a deployment."""

from __future__ import annotations

from functools import lru_cache
from math import isfinite
from typing import Any

from calculators.evidence.benchmark_names import dense_size_named
from calculators.evidence.row_formats import assumed_format, cache_format, weight_format
from calculators.evidence.row_parallelism import row_parallelism
from calculators.evidence.row_text import NoteFacts, dense_model, engine_of, note_facts
from calculators.evidence.rows import (
    DEFAULT_INPUT_TOK,
    DEFAULT_MAX_SEQUENCES,
    DEFAULT_OUTPUT_TOK,
    LIMITS,
    METRICS,
    NEVER_ZERO,
    SCENARIOS,
    Priced,
    Row,
)
from calculators.evidence.workloads import is_windowed, n_table_requests, workload
from calculators.fit.model_names import resolve_model_name
from calculators.fit.weights import card_weight_bytes
from calculators.specs import Catalog, Deployment, EngineSpec, ModelSpec, SpeedConstants
from calculators.speed.constants import speed_of_version
from calculators.speed.parallel import step_inputs

SINGLE_STREAM_INPUT_TOK = 32.0
SINGLE_STREAM_OUTPUT_TOK = 128.0
BATCH_ENGINES_MAX_SEQUENCES = 2048  # TensorRT-LLM's default, per rank
MOST_REMEMBERED = 20_000  # deployments
Record = dict[str, Any]


class Reader:
    """Rows to deployments against one catalog; what repeats is looked up once."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        self.cards: dict[str, str | None] = {}
        self.models: dict[tuple[str, float], tuple[ModelSpec | None, str]] = {}
        self.engines: dict[tuple[str, str], tuple[EngineSpec | None, str]] = {}
        self.speeds: dict[tuple[str, str], tuple[SpeedConstants, str]] = {}
        self.priced: dict[tuple, Priced] = {}
        self.known_rows: dict[tuple, Row] = {}

    def known(self, key: tuple) -> Row | None:
        """What was read before of a measurement that says the same; its value may differ."""
        return self.known_rows.get(key)

    def read(self, key: tuple, record: Record) -> Row:
        """The deployment of a measurement, remembered under a key of all that it says."""
        if len(self.known_rows) >= MOST_REMEMBERED:
            self.known_rows.clear()
        row = self.known_rows[key] = self.row(record)
        return row

    def row(self, record: Record) -> Row:
        """The deployment of a measurement, or why there is none."""
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
        bits, kv_bits, form = self._formats(record, row, model, engine)
        parallel, row.n_replicas = row_parallelism(
            record, model=model, engine=engine, memory_bytes=card.memory_bytes, bits=bits
        )
        if not isfinite(record["tp"]) and record["n_gpus"] > 1:
            row.assumed.append(f"{parallel.tp} of {record['n_gpus']:g} cards to a replica")
        if 1 <= record["n_gpus"] < parallel.tp * parallel.pp:
            row.assumed.append(f"{parallel.tp * parallel.pp} cards, as tp x pp says")
        facts = note_facts(record["notes"])
        speed, era = self._speed(engine, record["engine_version"] or record["engine"])
        key = (
            *(era, model.id, model.total_params, form, bits, kv_bits),
            *(card.id, parallel.tp, parallel.pp, parallel.attention_dp),
            *(parallel.expert_parallel, parallel.layer_split),
        )
        row.priced = self.priced.get(key)
        if row.priced is None:
            deployment = Deployment(
                model, weight_format(form, bits), cache_format(kv_bits), card, engine, parallel
            )
            if len(self.priced) >= MOST_REMEMBERED:
                self.priced.clear()
            row.priced = self.priced[key] = _priced(deployment, speed, era)
        row.length_frac, row.static = facts.length_frac, facts.static
        row.max_sequences = facts.max_sequences or _max_sequences(engine)
        self._lengths(record, row)
        self._run(record, row, facts)
        return row

    def _why_skipped(self, record: Record) -> str:
        if record["scenario"] not in SCENARIOS:
            return f"scenario {record['scenario'] or 'blank'!r} is none of {', '.join(SCENARIOS)}"
        if record["metric"] not in METRICS:
            return f"metric {record['metric'] or 'blank'!r} is none of {', '.join(METRICS)}"
        if self._card(record["gpu"]) is None:
            return f"card {record['gpu'] or 'blank'!r} is not in the catalog"
        for name, (low, high) in LIMITS.items():
            value = record[name]
            if isfinite(value) and not low <= value <= high and (value or name == NEVER_ZERO):
                return f"{name} is {value:g}; allowed are {low:g} to {high:,}"
        return ""

    def _card(self, text: str) -> str | None:
        if text not in self.cards:
            self.cards[text] = self.catalog.find("accelerators", text)
        return self.cards[text]

    def _model(self, text: str, params_b: float) -> tuple[ModelSpec | None, str]:
        key = (text, params_b if isfinite(params_b) else 0.0)
        if key not in self.models:
            found = resolve_model_name(self.catalog, text)
            if found is not None:
                self.models[key] = (self.catalog.models[found], "")
            elif (size_b := max(key[1], 0.0) or dense_size_named(text) or 0.0) > 0:
                note = f"model not in the catalog: dense with {size_b:g} billion parameters"
                note += "" if key[1] > 0 else ", as its name says"
                self.models[key] = (dense_model(text, float(size_b)), note)
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

    def _speed(self, engine: EngineSpec, version: str) -> tuple[SpeedConstants, str]:
        key = (engine.id, version)
        if key not in self.speeds:
            speed = speed_of_version(engine, version)
            older = next((o.before for o in engine.older_speed if o.speed is speed), "")
            self.speeds[key] = (speed, f"{engine.id} before {older}" if older else engine.id)
        return self.speeds[key]

    def _formats(
        self, record: Record, row: Row, model: ModelSpec, engine: EngineSpec
    ) -> tuple[float, float, str]:
        bits, kv_bits, form = record["weight_bits"], record["kv_bits"], record["weight_format"]
        if not (isfinite(bits) and bits > 0):
            bits, form, note = assumed_format(self.catalog, form, record["model"], model, engine.id)
            row.assumed.append(note)
        if not (isfinite(kv_bits) and kv_bits > 0):
            kv_bits = 16.0
            row.assumed.append("16-bit cache")
        return float(bits), float(kv_bits), form or "bf16"

    @staticmethod
    def _lengths(record: Record, row: Row) -> None:
        short = record["scenario"] == "single_stream_decode"
        texts = (record["engine"], record["source"], record["notes"])
        known = workload(*texts, model=record["model"])
        asked = (
            ("input", SINGLE_STREAM_INPUT_TOK if short else DEFAULT_INPUT_TOK),
            ("output", SINGLE_STREAM_OUTPUT_TOK if short else DEFAULT_OUTPUT_TOK),
        )
        for name, default in asked:
            length = record[f"{name}_tokens"]
            if isfinite(length):
                length *= row.length_frac
            else:
                length = (known and getattr(known, f"{name}_tok")) or default
                row.assumed.append(f"{length:g} {name} tokens")
            setattr(row, f"{name}_tok", length)

    @staticmethod
    def _run(record: Record, row: Row, facts: NoteFacts) -> None:
        texts = (record["engine"], record["source"], record["notes"])
        row.windowed = is_windowed(*texts)
        row.n_requests = facts.n_requests or n_table_requests(
            *texts, input_tok=row.input_tok, output_tok=row.output_tok
        )


def _priced(deployment: Deployment, speed: SpeedConstants, era: str) -> Priced:
    return Priced(
        deployment=deployment,
        speed=speed,
        era=era,
        inputs=step_inputs(deployment, speed),
        weight_bytes=card_weight_bytes(deployment),
    )


def _max_sequences(engine: EngineSpec) -> float:
    if engine.memory.utilisation_of == "free_after_load":
        return BATCH_ENGINES_MAX_SEQUENCES
    return DEFAULT_MAX_SEQUENCES


class _ByIdentity:
    """A catalog as a key: two are the same when they are one object."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog

    def __hash__(self) -> int:
        return id(self.catalog)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ByIdentity) and other.catalog is self.catalog


@lru_cache(maxsize=4)
def _reader(key: _ByIdentity) -> Reader:
    return Reader(key.catalog)


def reader_of(catalog: Catalog) -> Reader:
    """The reader of a catalog, which remembers the deployments that it has priced.

    Examples
    --------
    See `calculators.evidence.measured.measured`.
    """
    return _reader(_ByIdentity(catalog))
