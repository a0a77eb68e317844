"""Whose requests the batching lab serves: drawn around the scenario's lengths, or a log's."""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np
import streamlit as st

from app import lab_runs, ui
from calculators.cost.usage_logs import UsageLogError, read_usage_log
from calculators.labs.quantization import LabError
from calculators.labs.requests import Requests, logged_requests, random_requests
from calculators.plan import Plan


def requests_for(plan: Plan) -> tuple[Hashable, Requests]:
    """The requests and what they follow from; an uploaded log keeps its own pattern of gaps."""
    count_at, spread_at, log_at = st.columns(3)
    n = count_at.select_slider(
        "Requests", (100, 200, 300, 1000, 3000, 10_000), 200, key="lab_b_n", persist_state="session"
    )
    spread = spread_at.slider(
        "Spread of lengths", 0.0, 2.0, 1.0, help="Standard deviation over mean.",
        key="lab_b_spread", persist_state="session",
    )  # fmt: skip
    with log_at:
        data = ui.upload(
            "A usage log instead",
            ["csv", "tsv", "json", "jsonl"],
            key="lab_b_log",
            max_mb=ui.MAX_LOG_MB,
        )
    drawn = _drawn(plan, n, spread)
    if data is None:
        return ("drawn", n, spread, plan.scenario), drawn
    key = ("log", hash(data), n)
    try:
        logged = lab_runs.quick(key, lambda: logged_requests(read_usage_log(data), n_max=n))
    except (UsageLogError, LabError) as error:
        ui.problems([error])
        return ("drawn", n, spread, plan.scenario), drawn
    return (*key, plan.scenario), logged


def _drawn(plan: Plan, n: int, spread: float) -> Requests:
    return random_requests(
        n_requests=n,
        requests_s=1.0 if n > 1 else np.inf,
        input_mean_tok=plan.scenario.input_tok,
        output_mean_tok=plan.scenario.output_tok,
        variation=spread,
        seed=plan.scenario.seed,
    )
