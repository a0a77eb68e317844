"""Lengths that a published benchmark fixes, for rows that name the benchmark but no lengths."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Workload:
    """Mean lengths of a benchmark's data set; None where its rules do not publish one."""

    input_tok: float | None
    output_tok: float | None


MARKS = ("mlperf", "mlcommons")
WORKLOADS: dict[str, Workload] = {
    "llama-2-70b": Workload(294.45, 294.45),
    "mixtral-8x7b": Workload(None, 144.84),
    "llama-3.1-405b": Workload(9428.0, 684.68),
    "llama-3.1-8b": Workload(778.0, 73.0),
    "deepseek-r1": Workload(800.0, 3880.0),
}


def workload(*texts: str, model: str) -> Workload | None:
    """The benchmark's data set for a model, if a text names MLPerf.

    Parameters
    ----------
    texts : engine, source and notes of a measurement
    model : as the measurement has it

    Returns
    -------
    Workload, or None

    References
    ----------
    Mean lengths of the data sets of MLPerf Inference (MLCommons: Llama 2 70B, Mixtral 8x7B,
    Llama 3.1 405B and 8B, DeepSeek R1): from knowledge, not re-read; grade C.

    Examples
    --------
    >>> workload("MLPerf submission", model="Llama-2-70B").output_tok
    294.45
    >>> workload("vLLM", model="Llama-2-70B") is None
    True
    """
    if not any(mark in text.lower() for text in texts for mark in MARKS):
        return None
    name = model.lower().replace("_", "-").replace(" ", "-")
    return next((load for key, load in WORKLOADS.items() if key in name), None)
