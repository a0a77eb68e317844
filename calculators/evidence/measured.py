"""A table of speed measurements as deployments and arrays, with what had to be assumed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from calculators.evidence.row_reader import reader_of
from calculators.evidence.rows import Priced, Row
from calculators.fit.engine_memory import forward_bytes_tok
from calculators.fit.engine_rules import engine_defaults
from calculators.specs import Catalog
from calculators.speed.constants import constant
from calculators.speed.inputs import StepInputs, stack
from calculators.speed.traits import traits

BLANK = -np.inf
REQUIRED = ("engine", "model", "gpu", "scenario", "metric", "value")
NUMERIC = (
    *("value", "params_b", "weight_bits", "kv_bits", "n_gpus", "tp", "pp"),
    *("batch_or_concurrency", "input_tokens", "output_tokens"),
)
TEXT = (
    "engine",
    "engine_version",
    "model",
    "weight_format",
    "gpu",
    "scenario",
    "metric",
    "source",
    "notes",
)


@dataclass(frozen=True)
class Measured:
    """Measurements that can be priced; arrays have one entry for each kept row."""

    rows: Sequence[Row]  # all rows of the table
    kept: np.ndarray  # positions of rows with a deployment
    columns: dict[str, np.ndarray]  # what the table says, of the kept rows
    which: np.ndarray  # deployment of each kept row
    priced: Sequence[Priced]  # each deployment once

    @cached_property
    def inputs(self) -> StepInputs:
        """Coefficients with the catalog's constants, an entry for each kept row."""
        return _taken(stack([p.inputs for p in self.priced]), self.which)

    @cached_property
    def traits(self) -> list[tuple[str, ...]]:
        """Traits of each deployment."""
        return [traits(p.deployment) for p in self.priced]

    def each(self, values: Sequence[Any]) -> np.ndarray:
        """One value of each deployment, spread over the kept rows."""
        return np.array(values)[self.which]

    def of_speed(self, name: str) -> np.ndarray:
        """A constant of each kept row's engine for its deployment."""
        pairs = zip(self.priced, self.traits, strict=True)
        return self.each([constant(one.speed, name, kinds) for one, kinds in pairs])

    @cached_property
    def card_memory_bytes(self) -> np.ndarray:
        """What a process may allocate of the card of each kept row."""
        return self.each([p.deployment.accelerator.memory_bytes for p in self.priced])

    @cached_property
    def card_weight_bytes(self) -> np.ndarray:
        """Weights on the fullest card of each kept row."""
        return self.each([p.weight_bytes for p in self.priced])

    @cached_property
    def forward_bytes_tok(self) -> np.ndarray:
        """Scratch memory of one prompt token's pass on one card of each kept row."""
        found = []
        for one in self.priced:
            at = one.deployment
            rule, tp = at.engine.memory, at.parallelism.tp
            found.append(forward_bytes_tok(rule, at.model, tp))
        return self.each(found)

    @cached_property
    def pass_tok(self) -> np.ndarray:
        """Tokens that the engine of each kept row puts into one forward pass."""
        at = [p.deployment for p in self.priced]
        return self.each([engine_defaults(d.engine.memory, d.accelerator).batched_tok for d in at])

    @cached_property
    def utilisation_of_free(self) -> np.ndarray:
        """Whether the engine takes a share of what weights leave, not of the whole card."""
        rules = [p.deployment.engine.memory.utilisation_of for p in self.priced]
        return self.each([rule == "free_after_load" for rule in rules])

    @cached_property
    def selected_limits_tok(self) -> np.ndarray:
        """Tokens that a sparse index selects: read up to that limit, held without one."""
        return self.each(
            [
                float(max(g.index_topk_tok * g.compress_ratio for g in p.deployment.model.groups))
                for p in self.priced
            ]
        )


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
    columns = _columns(frame)
    reader = reader_of(catalog)
    lists = {name: column.tolist() for name, column in columns.items()}
    rows = [
        reader.known(key) or reader.read(key, {name: lists[name][i] for name in lists})
        for i, key in enumerate(_keys(columns))
    ]
    kept = np.array([i for i, row in enumerate(rows) if row.priced is not None], dtype=int)
    found: dict[int, int] = {}
    priced: list[Priced] = []
    which = np.empty(len(kept), dtype=int)
    for position, i in enumerate(kept):
        one = rows[i].priced
        assert one is not None
        which[position] = found.setdefault(id(one), len(priced))
        if which[position] == len(priced):
            priced.append(one)
    return Measured(rows, kept, {n: column[kept] for n, column in columns.items()}, which, priced)


def _keys(columns: dict[str, np.ndarray]) -> Iterator[tuple]:
    """All that decides how a row is read, as something that can be looked up: no nan in it."""
    numeric = [np.nan_to_num(columns[name], nan=BLANK).tolist() for name in NUMERIC[1:]]
    return zip(*numeric, *(columns[name].tolist() for name in TEXT), strict=True)


def _columns(frame: pd.DataFrame) -> dict[str, np.ndarray]:
    columns: dict[str, np.ndarray] = {}
    for name in NUMERIC:
        column = frame[name] if name in frame else np.full(len(frame), np.nan)
        columns[name] = numbers(column)
    for name in TEXT:
        texts = frame[name].tolist() if name in frame else [""] * len(frame)
        columns[name] = np.array(
            [t.strip() if isinstance(t, str) else "" for t in texts], dtype=object
        )
    return columns


def numbers(column: Any) -> np.ndarray:
    """A column as floats; what is not a number is nan.

    Examples
    --------
    >>> numbers(pd.Series(["1.5", "", None]))
    array([1.5, nan, nan])
    """
    values = np.asarray(column)
    if values.dtype.kind in "fiu":
        return values.astype(float)
    return pd.to_numeric(pd.Series(column), errors="coerce").to_numpy(dtype=float)
