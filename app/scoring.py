"""Files of measurements scored for the command line: read, predicted, summarised as text."""

from __future__ import annotations

import io
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import pandas as pd

from app.formatting import joined
from app.reading import CannotRead
from app.score_text import figures_text, speed_text
from calculators.evidence.accuracy import score_rows
from calculators.evidence.benchmark_files import BenchmarkFileError, read_benchmark
from calculators.evidence.benchmark_names import format_named, params_named
from calculators.evidence.memory_accuracy import score_memory_rows, summarise_memory
from calculators.evidence.refit import refit
from calculators.evidence.row_text import engine_of
from calculators.fit.model_names import resolve_model_name
from calculators.specs import Catalog
from catalogs.calibration_file import write_calibration
from catalogs.measurements_loader import load_measurements

OPTIONS = {  # field of Given: the option, and what it is in words
    "gpu": ("--gpu", "the card"),
    "n_gpus": ("--n-gpus", "the number of cards"),
    "tp": ("--tp", "the cards of a replica"),
    "model": ("--model", "the model"),
    "engine": ("--engine", "the engine"),
    "weight_format": ("--weight-format", "the weight format"),
    "input_tok": ("--input-tokens", "the tokens of a prompt"),
    "output_tok": ("--output-tokens", "the tokens of an answer"),
    "concurrency": ("--batch", "the requests at once"),
}
KINDS = {
    "gpu": "accelerators",
    "model": "models",
    "engine": "engines",
    "weight_format": "weight_formats",
}
MOST = 10_000_000
MEMORY_COLUMNS = ("printed_quantity", "value", "engine", "model", "gpu")


def score_file(data: bytes, name: str, catalog: Catalog, **said: Any) -> tuple[pd.DataFrame, str]:
    """Predictions beside a file of speed measurements or a benchmark tool's result, and a summary.

    `said` holds fields of `benchmark_given.Given`. Raises CannotRead where the file cannot be
    read, lacks what cannot be guessed, or an option names what the catalog does not hold.
    """
    _check_options(catalog, said)
    try:
        file = read_benchmark(data, name, **said)
    except BenchmarkFileError as error:
        raise CannotRead(str(error)) from None
    if file.needs:
        wanted = joined([OPTIONS[need][1] for need in file.needs])
        asked = ", ".join(OPTIONS[need][0] for need in file.needs)
        raise CannotRead(f"{name}: does not say {wanted}; give {asked}.")
    scored = score_rows(file.rows, catalog)
    return scored, speed_text(scored, file.notes)


def _check_options(catalog: Catalog, said: dict[str, Any]) -> None:
    """An option that names nothing in the catalog, or no number above zero, is refused."""
    for field, (option, _) in OPTIONS.items():
        value = said.get(field)
        if value is None:
            continue
        if isinstance(value, int | float):
            if not 1 <= value < MOST:
                raise CannotRead(f"{option}: is {value:g}; allowed are 1 to {MOST:,}.")
        elif not _known(catalog, field, value):
            names: list[str] = list(getattr(catalog, KINDS[field]))
            near = get_close_matches(value.lower(), names, n=3, cutoff=0.4)
            hint = f"; close to it: {', '.join(near)}" if near else ""
            raise CannotRead(f"{option}: is “{value}”, which the catalog does not hold{hint}.")


def _known(catalog: Catalog, field: str, value: str) -> bool:
    if field == "engine":
        return engine_of(catalog, value, "") is not None
    if field == "weight_format" and format_named(value):
        return True
    if field == "model" and (resolve_model_name(catalog, value) or params_named(value)):
        return True
    return catalog.find(KINDS[field], value) is not None


def fit_file(data: bytes, name: str, catalog: Catalog) -> tuple[pd.DataFrame, str]:
    """Predictions beside a file of memory figures that engines printed, and a summary."""
    try:
        rows = pd.read_csv(io.BytesIO(data), dtype=str, keep_default_na=False)
    except (ValueError, UnicodeDecodeError) as error:
        raise CannotRead(f"{name}: is not a CSV table ({error}).") from None
    missing = [column for column in MEMORY_COLUMNS if column not in rows]
    if missing:
        raise CannotRead(f"{name}: lacks the column {missing[0]}.")
    scored = score_memory_rows(rows, catalog)
    return scored, figures_text(summarise_memory(scored))


def refit_classes(catalog: Catalog) -> str:
    """Fit the engine classes to the catalog's measurements and rewrite their constants."""
    calibration = refit(load_measurements(), catalog)
    path: Path = write_calibration(calibration)
    return f"{path.name} rewritten\n\n{figures_text(calibration.errors)}"
