"""Files of measurements scored for the command line: read, predicted, summarised as text."""

from __future__ import annotations

import io
from difflib import get_close_matches
from pathlib import Path

import pandas as pd

from app.reading import CannotRead
from app.score_text import figures_text, speed_text
from calculators.evidence.accuracy import score_rows
from calculators.evidence.benchmark_files import BenchmarkFileError, read_benchmark
from calculators.evidence.memory_accuracy import score_memory_rows, summarise_memory
from calculators.evidence.refit import refit
from calculators.specs import Catalog
from catalogs.calibration_file import write_calibration
from catalogs.measurements_loader import load_measurements

MEMORY_COLUMNS = ("printed_quantity", "value", "engine", "model", "gpu")


def score_file(
    data: bytes,
    name: str,
    catalog: Catalog,
    *,
    gpu: str | None = None,
    n_gpus: int | None = None,
    model: str | None = None,
) -> tuple[pd.DataFrame, str]:
    """Predictions beside a file of speed measurements or a benchmark tool's result, and a summary.

    Raises CannotRead where the file cannot be read, lacks what cannot be guessed, or `gpu` is no
    card of the catalog.
    """
    if gpu and catalog.find("accelerators", gpu) is None:
        near = get_close_matches(gpu.lower(), catalog.accelerators, n=3, cutoff=0.4)
        hint = f"; close to it: {', '.join(near)}" if near else ""
        raise CannotRead(f"--gpu: is “{gpu}”, which the catalog does not hold{hint}.")
    if n_gpus is not None and n_gpus < 1:
        raise CannotRead(f"--n-gpus: is {n_gpus}; allowed is a whole number from 1.")
    try:
        file = read_benchmark(data, name, gpu=gpu, n_gpus=n_gpus, model=model)
    except BenchmarkFileError as error:
        raise CannotRead(str(error)) from None
    if file.needs:
        asked = ", ".join(f"--{need.replace('_', '-')}" for need in file.needs)
        raise CannotRead(f"{name}: does not say {', '.join(file.needs)}; give {asked}.")
    scored = score_rows(file.rows, catalog)
    return scored, speed_text(scored, file.notes)


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
