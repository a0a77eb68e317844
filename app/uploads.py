"""Uploaded logs and result files of this session: read once, kept until another comes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import streamlit as st

from app import ui
from calculators.cost.usage_logs import UsageLog, UsageLogError, read_usage_log
from calculators.evidence.lm_eval_files import EvalFile, EvalFileError, read_eval_file

T = TypeVar("T")
LOG_TYPES = ["csv", "tsv", "txt", "json", "jsonl", "ndjson", "log", "md"]
LOG_HELP = (
    "Time, input tokens and output tokens of each request, as usage exports, gateways and traces "
    "write them. The log stays in this session and in no link; what follows from it can go there."
)
RESULTS_HELP = "results_*.json of lm-evaluation-harness or lighteval. It stays in this session."
_SHOWN_STEP = 0.02


def usage_log() -> UsageLog | None:
    """The usage log that was uploaded in this session, or None; the widget is drawn here."""
    data = ui.upload(
        "Usage log (CSV, TSV, JSON, JSON lines)",
        LOG_TYPES,
        key="traffic_log",
        max_mb=ui.MAX_LOG_MB,
        help=LOG_HELP,
    )
    unit = st.session_state.get("traffic_unit", "auto")

    def read(content: bytes) -> UsageLog:
        bar = st.progress(0.0, text="Reading the log ...")
        last = [0.0]

        def progress(done: float) -> None:
            if done - last[0] >= _SHOWN_STEP:
                last[0] = done
                bar.progress(min(done, 1.0), text="Reading the log ...")

        try:
            return read_usage_log(content, time_unit=unit, progress=progress)
        finally:
            bar.empty()

    return _read_once("traffic_log", data, unit, read)


def eval_file(label: str, key: str) -> EvalFile | None:
    """A result file that was uploaded in this session, or None; the widget is drawn here."""
    data = ui.upload(label, ["json"], key=key, help=RESULTS_HELP)
    held = st.session_state.get(key)
    name = getattr(held, "name", "")
    return _read_once(key, data, name, lambda content: read_eval_file(content, name))


def _read_once(key: str, data: bytes | None, setting: str, read: Callable[[bytes], T]) -> T | None:
    kept = f"_read_{key}"
    if data is None:
        return st.session_state[kept][1] if kept in st.session_state else None
    mark = (st.session_state[key].file_id, setting)
    if kept not in st.session_state or st.session_state[kept][0] != mark:
        st.session_state.pop(kept, None)
        try:
            st.session_state[kept] = (mark, read(data))
        except (UsageLogError, EvalFileError) as error:
            ui.problems([str(error)])
            return None
    return st.session_state[kept][1]


def forget(*keys: str) -> None:
    """Leave out what was uploaded under these keys."""
    for key in keys:
        st.session_state.pop(f"_read_{key}", None)
