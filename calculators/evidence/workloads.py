"""What a published benchmark fixes and its rows do not say: lengths, requests, the client."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache


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


# Requests of the tables of TensorRT-LLM's performance overview, by input and output tokens.
TABLE_MARKS = ("perf-overview", "performance overview")
TABLE_ENGINE = "tensorrt-llm"
TABLE_REQUESTS: dict[tuple[int, int], int] = {
    (128, 128): 30_000,
    (128, 2048): 3000,
    (128, 4096): 1500,
    (500, 2000): 3000,
    (1000, 1000): 3000,
    (1000, 2000): 3000,
    (1024, 1024): 3000,
    (1024, 2048): 3000,
    (1024, 8192): 1500,
    (1024, 32768): 1000,
    (2048, 128): 3000,
    (2048, 2048): 1500,
    (5000, 500): 1500,
    (8192, 1024): 1500,
    (20000, 2000): 1000,
    (32768, 1024): 1000,
}
# Clients that drop the start of a run, and documents whose figures come from them.
AT_A_RATE = "requests arrived at"  # in the notes of a run that was sent one request after the other
WINDOWED_MARKS = ("genai-perf", "aiperf", "nvidia nim", "nim/benchmarking", AT_A_RATE)


def n_table_requests(*texts: str, input_tok: float, output_tok: float) -> float:
    """Requests that TensorRT-LLM's published tables send for a pair of lengths.

    Parameters
    ----------
    texts : engine, source and notes of a measurement
    input_tok, output_tok : of one request

    Returns
    -------
    count, or infinity where a row is of another document or other lengths

    References
    ----------
    TensorRT-LLM, docs/source/performance/perf-overview.md, "Number of Requests" (NVIDIA): from
    knowledge, not re-read; grade C.

    Examples
    --------
    >>> n_table_requests("TensorRT-LLM@1 perf-overview.md", input_tok=128, output_tok=4096)
    1500.0
    >>> n_table_requests("vLLM", input_tok=128, output_tok=4096)
    inf
    """
    if not _benchmark(texts).is_table:
        return float("inf")
    return float(TABLE_REQUESTS.get((round(input_tok), round(output_tok)), float("inf")))


def is_windowed(*texts: str) -> bool:
    """Whether no request of a run waits for the burst of its start, in which all come at once.

    GenAI-Perf and AIPerf measure in windows after a warm-up; at a request rate requests arrive one
    by one. vLLM's and SGLang's benchmarks of a fixed concurrency count the first burst too.

    Parameters
    ----------
    texts : engine, source and notes of a measurement

    Returns
    -------
    bool

    References
    ----------
    GenAI-Perf documentation, measurement window (from knowledge, not re-read).

    Examples
    --------
    >>> is_windowed("concurrency sweep, genai-perf"), is_windowed("benchmark_serving.py")
    (True, False)
    """
    return _benchmark(texts).is_windowed


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
    if not _benchmark(texts).is_mlperf:
        return None
    name = model.lower().replace("_", "-").replace(" ", "-")
    return next((load for key, load in WORKLOADS.items() if key in name), None)


@dataclass(frozen=True, slots=True)
class _Benchmark:
    """What texts of a measurement tell about the benchmark behind it."""

    is_mlperf: bool
    is_table: bool
    is_windowed: bool


@lru_cache(maxsize=16384)
def _benchmark(texts: tuple[str, ...]) -> _Benchmark:
    text = "\n".join(texts).lower()
    return _Benchmark(
        is_mlperf=any(mark in text for mark in MARKS),
        is_table=TABLE_ENGINE in text and any(mark in text for mark in TABLE_MARKS),
        is_windowed=any(mark in text for mark in WINDOWED_MARKS),
    )
