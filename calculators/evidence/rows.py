"""One measurement, read: its deployment, lengths and kind of run."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf

from calculators.specs import Deployment, SpeedConstants
from calculators.speed.inputs import StepInputs

SCENARIOS = ("single_stream_decode", "batched_decode", "prefill", "offline_throughput", "server")
METRICS = (
    *("output_tok_s_total", "total_tok_s", "output_tok_s_per_user"),
    *("tpot_ms", "ttft_ms", "prefill_tok_s"),
)
LIMITS: dict[str, tuple[float, float]] = {  # of what a row may state; 0 is as good as blank
    "n_gpus": (1, 65_536),
    "tp": (1, 65_536),
    "pp": (1, 65_536),
    "params_b": (0.001, 100_000),
    "weight_bits": (0.5, 64),
    "kv_bits": (0.5, 64),
    "input_tokens": (0, 100_000_000),
    "output_tokens": (0, 100_000_000),
    "batch_or_concurrency": (1, 10_000_000),
}
NEVER_ZERO = "batch_or_concurrency"
DEFAULT_INPUT_TOK = 300.0
DEFAULT_OUTPUT_TOK = 300.0
DEFAULT_MAX_SEQUENCES = 256


@dataclass(frozen=True, slots=True)
class Priced:
    """A deployment with its constants, and what every measurement of it shares."""

    deployment: Deployment
    speed: SpeedConstants
    era: str  # class of constants, such as "vllm" or "vllm before 0.8"
    inputs: StepInputs
    weight_bytes: float  # on the fullest card


@dataclass(slots=True)
class Row:
    """One measurement, read: its deployment or why there is none, and what was assumed."""

    priced: Priced | None = None
    n_replicas: float = 1.0
    max_sequences: float = DEFAULT_MAX_SEQUENCES
    length_frac: float = 1.0
    n_requests: float = inf  # that a benchmark of equal requests sends in all
    static: bool = False  # a batch starts and ends together
    windowed: bool = False  # the start of the run is not counted
    input_tok: float = DEFAULT_INPUT_TOK
    output_tok: float = DEFAULT_OUTPUT_TOK
    assumed: list[str] = field(default_factory=list)
    skipped: str = ""
