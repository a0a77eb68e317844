"""Published speed measurements: one CSV a source, its origin in sources.yaml -> one table."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import pandas as pd

from calculators.specs import Source
from catalogs.yaml_reader import CatalogError, read_yaml

FOLDER = Path(__file__).parent / "measurements"
REQUIRED = ("id", "engine", "model", "accelerator", "scenario", "metric", "value", "quality")
GRADES = ("A", "B", "C", "D")
RENAMED = {
    "accelerator": "gpu",
    "n_cards": "n_gpus",
    "concurrency": "batch_or_concurrency",
    "input_tok": "input_tokens",
    "output_tok": "output_tokens",
}
OPTIONAL = (
    *("source", "engine_version", "params_b", "weight_format", "weight_bits", "kv_bits"),
    *("n_cards", "tp", "pp", "concurrency", "input_tok", "output_tok", "recorded", "remark"),
)
NOTES = (
    *("benchmark", "attention_dp", "expert_parallel", "max_sequences", "n_requests", "batching"),
    "length_frac",
)


@lru_cache(maxsize=2)
def load_measurements(folder: Path = FOLDER) -> pd.DataFrame:
    """All measurements in the columns that `score_rows` and `refit` read.

    Parameters
    ----------
    folder : holds sources.yaml and one CSV for each source named there

    Returns
    -------
    DataFrame: one row a measurement; `source_group` is the file, `source` the document or row,
    `notes` repeats the parallelism in words

    Raises
    ------
    CatalogError
        If a file is not named in sources.yaml, a column is missing, an id is given twice, or a
        grade or value is not one; the message names the file and the column.

    Examples
    --------
    >>> rows = load_measurements()
    >>> bool(len(rows) > 2000), rows.quality.isin(list("ABCD")).all().item()
    (True, True)
    """
    sources = measurement_sources(folder)
    files = sorted(folder.glob("*.csv"))
    unnamed = [path.name for path in files if path.stem not in sources]
    if unnamed:
        raise CatalogError(f"measurements/sources.yaml: names no source for {', '.join(unnamed)}")
    table = pd.concat([_read(path, sources[path.stem]) for path in files], ignore_index=True)
    twice = table.id[table.id.duplicated()]
    if len(twice):
        raise CatalogError(f"measurements: id {twice.iloc[0]} is given twice")
    return table


@lru_cache(maxsize=2)
def measurement_sources(folder: Path = FOLDER) -> dict[str, Source]:
    """Source of each measurement file, by its name without the ending.

    Examples
    --------
    >>> measurement_sources()["mlperf_5_1"].title
    'MLPerf Inference 5.1, closed division'
    """
    data = read_yaml((folder / "sources.yaml").read_text("utf-8"), "measurements/sources.yaml")
    found = {}
    for name, entry in data.get("sources", {}).items():
        fields = {key: value for key, value in entry.items() if key != "document"}
        found[name] = Source.model_validate(fields)
    return found


def _read(path: Path, source: Source) -> pd.DataFrame:
    where = f"measurements/{path.name}"
    table = pd.read_csv(path, dtype={"id": str, "engine_version": str})
    missing = [name for name in REQUIRED if name not in table]
    if missing:
        raise CatalogError(f"{where}: has no column {', '.join(missing)}")
    known = {*REQUIRED, *OPTIONAL, *NOTES}
    unknown = [name for name in table if name not in known]
    if unknown:
        raise CatalogError(f"{where}: column {unknown[0]} is unknown; known are {sorted(known)}")
    if not table.quality.isin(GRADES).all():
        raise CatalogError(f"{where}: quality must be one of {', '.join(GRADES)}")
    if not pd.api.types.is_numeric_dtype(table.value) or table.value.isna().any():
        raise CatalogError(f"{where}: value must be a number in every row")
    table = table.assign(
        notes=_notes(table),
        source_group=path.stem,
        source=table.get("source", source.title),
    )
    return table.drop(columns=[c for c in NOTES if c in table]).rename(columns=RENAMED)


def _notes(table: pd.DataFrame) -> list[str]:
    """Parallelism and limits in the words that a measurement's notes use."""
    words = {
        "benchmark": "{}",
        "attention_dp": "attention_dp={:.0f}",
        "expert_parallel": "moe_ep={:.0f}",
        "max_sequences": "max_num_seqs={:.0f}",
        "n_requests": "num_prompts={:.0f}",
        "batching": "in-flight batching {}",
        "length_frac": "lengths nominal (mean {:g}x)",
    }
    given = {name: text for name, text in words.items() if name in table}
    return (
        [
            ", ".join(
                text.format(value)
                for text, value in zip(given.values(), values, strict=True)
                if pd.notna(value)
            )
            for values in zip(*(table[name] for name in given), strict=True)
        ]
        if given
        else [""] * len(table)
    )
