"""A reader's own benchmark run or table of measurements, scored for the Accuracy page."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from app import ui
from calculators.evidence.accuracy import score_rows
from calculators.evidence.benchmark_files import BenchmarkFileError, read_benchmark
from calculators.specs import Catalog

TYPES = ["csv", "json", "jsonl", "ndjson", "txt", "log"]
HELP = (
    "What vLLM, SGLang, guidellm, aiperf or llmperf write, or a CSV table of measurements. "
    "It stays in this session and in no link."
)


def uploaded_run(catalog: Catalog) -> pd.DataFrame | None:
    """The uploaded run with its predictions, or None; the widgets are drawn here.

    A card or a number of cards that the file does not say is asked for, never guessed.
    """
    data = ui.upload("Your own run or table", TYPES, key="accuracy_run", help=HELP)
    if data is None:
        return None
    name = getattr(st.session_state.get("accuracy_run"), "name", "")
    try:
        file = read_benchmark(data, name)
        if file.needs:
            asked = _asked(file.needs, catalog)
            if asked is None:
                return None
            file = read_benchmark(data, name, **asked)
        ui.notes(file.notes)
        return score_rows(file.rows, catalog)
    except (BenchmarkFileError, ValueError) as error:
        ui.problems([error])
        return None


def _asked(needs: tuple[str, ...], catalog: Catalog) -> dict | None:
    cards = catalog.accelerators
    answers: dict = {}
    if "gpu" in needs:
        answers["gpu"] = st.selectbox(
            "Card of this run",
            list(cards),
            index=None,
            format_func=lambda key: cards[key].name,
            key="accuracy_gpu",
        )
    if "n_gpus" in needs:
        answers["n_gpus"] = st.number_input(
            "Cards of this run", min_value=1, max_value=4096, value=None, key="accuracy_n_gpus"
        )
    if any(value is None for value in answers.values()):
        ui.notes(["The file does not say what it ran on; choose it to see the predictions."])
        return None
    return answers
