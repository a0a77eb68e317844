"""A reader's own benchmark run or table of measurements, scored for the Accuracy page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st

from app import ui
from calculators.evidence.accuracy import score_rows
from calculators.evidence.benchmark_files import BenchmarkFileError, read_benchmark
from calculators.specs import Catalog

TYPES = ["csv", "json", "jsonl", "ndjson", "txt", "log", "md"]
HELP = (
    "What vLLM, SGLang, guidellm, AIPerf, GenAI-Perf, LLMPerf, trtllm-bench or llama-bench write, "
    "or a CSV table of measurements. "
    "It stays in this session and in no link."
)
CHOICES = {  # field of benchmark_given.Given: label, kind of the catalog
    "gpu": ("Card of this run", "accelerators"),
    "model": ("Model of this run", "models"),
    "engine": ("Engine of this run", "engines"),
    "weight_format": ("Weight format of this run", "weight_formats"),
}
N_COLUMNS = 4
NUMBERS = {  # field: label, largest
    "n_gpus": ("Cards of this run", 65_536),
    "tp": ("Cards of one replica", 65_536),
    "input_tok": ("Tokens of a prompt", 10_000_000),
    "output_tok": ("Tokens of an answer", 10_000_000),
    "concurrency": ("Requests at once", 1_000_000),
}


def uploaded_file() -> bytes | None:
    """The file that the reader gives, or None."""
    return ui.upload("Your own run or table", TYPES, key="accuracy_run", help=HELP)


def uploaded_run(data: bytes | None, catalog: Catalog) -> pd.DataFrame | None:
    """The uploaded run with its predictions, or None; what it needs is asked for here.

    What the file does not say and nobody may guess is asked for. Everything else that it says can
    be set too: a note then says both.
    """
    if data is None:
        return None
    name = getattr(st.session_state.get("accuracy_run"), "name", "")
    try:
        needs = read_benchmark(data, name).needs
        said = _asked(needs, catalog)
        with st.expander("Correct what the file says"):
            said |= _asked([f for f in (*CHOICES, *NUMBERS) if f not in needs], catalog)
        file = read_benchmark(data, name, **said)
        if file.needs:
            labels = [(CHOICES | NUMBERS)[need][0].lower() for need in file.needs]
            ui.notes([f"The file does not say this; set it: {', '.join(labels)}."])
            return None
        ui.notes([f"{note[:1].upper()}{note[1:]}." for note in file.notes])
        return score_rows(file.rows, catalog)
    except (BenchmarkFileError, ValueError) as error:
        ui.problems([error])
        return None


def _asked(fields: Sequence[str], catalog: Catalog) -> dict[str, Any]:
    """What the reader chose for these fields; those that are left empty are not in it."""
    answers: dict[str, Any] = {}
    for start in range(0, len(fields), N_COLUMNS):
        row = fields[start : start + N_COLUMNS]
        for field, column in zip(row, st.columns(N_COLUMNS), strict=False):
            with column:
                answers[field] = _widget(field, catalog)
    return {field: answer for field, answer in answers.items() if answer is not None}


def _widget(field: str, catalog: Catalog) -> Any:
    key = f"accuracy_{field}"
    if field in NUMBERS:
        label, most = NUMBERS[field]
        return st.number_input(label, min_value=1, max_value=most, value=None, key=key)
    label, kind = CHOICES[field]
    entries = getattr(catalog, kind)
    return st.selectbox(
        label, list(entries), index=None, format_func=lambda each: entries[each].name, key=key
    )
