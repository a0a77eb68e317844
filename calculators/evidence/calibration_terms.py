"""Which constants are fitted, from which first values, and what may change them.

Every constant is exp(base + deviation of the engine class + sum over traits). Deviations and trait
effects are drawn towards 0 by their spread, so that a class with few rows stays near all others.
What tells cards apart is drawn the hardest, since a new card has to do without rows of its own;
engine classes the least. Of some twenty choices of spreads, these err least over cards and models
that were left out.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import log

from calculators.specs import Catalog, OlderSpeed, SpeedConstants


@dataclass(frozen=True, slots=True)
class Term:
    """First value and spreads (of the logarithm) of one constant."""

    first: float  # in the unit of the constant's name
    spread: float = 1.0
    class_spread: float = 0.0  # 0: one value for all engine classes
    traits: dict[str, tuple[float, float]] = field(default_factory=dict)  # mean, spread
    only: tuple[str, ...] = ()  # engine classes that have it at all
    unit: float = 1.0  # to SI

    @property
    def log_first(self) -> float:
        return log(self.first * self.unit)


# Engines that multiply one token by packed weights outside the matrix units.
UNPACKS = ("llama-cpp", "mlx", "exllama", "tinychat", "autoawq", "mlc-llm")

TERMS: dict[str, Term] = {
    "bandwidth_eff_frac": Term(
        0.75,
        class_spread=0.45,
        traits={
            "gddr": (0, 0.12),
            "unified": (0, 0.12),
            "amd": (0, 0.12),
            "w4": (0, 0.12),
            "w8": (0, 0.12),
            "fp8": (0, 0.3),
            "fp4": (0, 0.3),
            "data-parallel": (0, 0.3),
        },
    ),
    "expert_eff_frac": Term(1.0, spread=0.4),
    "cache_eff_frac": Term(1.0, spread=0.4, class_spread=0.8),
    "compute_eff_frac": Term(
        0.5,
        class_spread=0.9,
        traits={
            "gddr": (0, 0.16),
            "unified": (0, 0.16),
            "amd": (0, 0.16),
            "w4": (0, 0.2),
            "w8": (0, 0.2),
            "fp8": (0, 0.5),
            "fp4": (-0.5, 0.5),
            "int8": (0, 0.2),
            "moe": (0, 0.5),
            "data-parallel": (0, 0.3),
        },
    ),
    "power_exponent": Term(0.2, spread=1.0, class_spread=1.5),
    "attention_eff_frac": Term(1.0, spread=0.7),
    "expert_pad_tok": Term(8, spread=1.0),
    "activation_passes": Term(4, spread=1.0),
    "unpack_flop": Term(10, spread=0.7, only=UNPACKS),
    "overlap_exponent": Term(0.3, spread=0.5),  # of what exceeds 1
    "link_eff_frac": Term(0.5, spread=0.5, traits={"data-parallel": (0, 1)}),
    "nvlink_latency_us": Term(6, spread=0.7, unit=1e-6),
    "pcie_latency_us": Term(15, spread=0.7, unit=1e-6),
    "stage_hop_us": Term(100, unit=1e-6),
    "layer_overhead_us": Term(
        8,
        class_spread=1.8,
        unit=1e-6,
        traits={
            "gddr": (0, 0.2),
            "unified": (0, 0.28),
            "amd": (0, 0.5),
            "apple": (0.5, 0.5),
            "w4": (0, 0.16),
            "w8": (0, 0.16),
            "moe": (0, 0.7),
        },
    ),
    "step_overhead_ms": Term(0.5, class_spread=1.8, unit=1e-3),
    "sequence_overhead_us": Term(5, class_spread=2.1, unit=1e-6),
    "prefill_layer_us": Term(50, class_spread=2.1, unit=1e-6, traits={"moe": (0, 1)}),
    "prefill_overhead_ms": Term(3, class_spread=2.1, unit=1e-3),
    "score_bytes": Term(25, only=("llama-cpp", "transformers")),
    "attention_slowdown": Term(20, only=("llama-cpp",)),
    "split_gain": Term(0.7, spread=0.5),
    "first_token_ms": Term(10, class_spread=0.35, unit=1e-3),
    "first_token_layer_us": Term(400, class_spread=0.35, unit=1e-6, traits={"moe": (0, 0.7)}),
    "first_token_steps": Term(0.7, spread=0.5),
    "queue_frac": Term(0.1, spread=1.0),
    "server_frac": Term(0.85, spread=0.3),
    "held_output_frac": Term(0.8, spread=0.2, class_spread=0.6),
    "held_memory_frac": Term(0.9, spread=0.05),
    "held_reserve_gib": Term(1.5, spread=0.7, unit=2**30),
}

# Traits that matter in one engine class only: its kernels were written for other memory.
CLASS_TRAITS: dict[tuple[str, str, str], float] = {
    ("llama-cpp", "bandwidth_eff_frac", "hbm"): 0.2,
    ("llama-cpp", "bandwidth_eff_frac", "w4"): 0.12,
    ("llama-cpp", "bandwidth_eff_frac", "unified"): 0.12,
    ("llama-cpp", "compute_eff_frac", "hbm"): 0.2,
    ("llama-cpp", "bandwidth_eff_frac", "amd"): 0.2,
    ("llama-cpp", "compute_eff_frac", "w4"): 0.16,
    ("llama-cpp", "compute_eff_frac", "amd"): 0.3,
    ("llama-cpp", "layer_overhead_us", "hbm"): 0.2,
}

# Releases whose constants differ from today's, oldest first; several bounds name one era.
ERAS: dict[str, tuple[tuple[str, ...], ...]] = {
    "vllm": (("2024",), ("0.8", "2025")),
    "tensorrt-llm": (("0.17", "2025"),),
    "llama-cpp": (("2024.7",),),  # int8 matrix units and new attention kernels in mid-2024
}
# Engines that multiply 16-bit activations on int8 units, or accumulate in 16 bits.
HALF_INT8 = ("llama-cpp", "tinychat", "exllama", "mlc-llm", "tensorrt-llm")
STRUCTURE: dict[str, dict[str, str]] = {key: {"compute_peak": "half_int8"} for key in HALF_INT8}


def base_speed(engine: str) -> SpeedConstants:
    """What the fit does not change of an engine's constants.

    Examples
    --------
    >>> base_speed("llama-cpp").compute_peak
    'half_int8'
    """
    return SpeedConstants.model_validate(STRUCTURE.get(engine, {}))


def with_eras(catalog: Catalog) -> Catalog:
    """The catalog with unfitted constants, and one entry for each era of an engine.

    Examples
    --------
    `refit` reads the measurements against it, so that each row finds its era.
    """
    engines = {
        key: engine.model_copy(
            update={
                "speed": base_speed(key),
                "older_speed": tuple(
                    OlderSpeed(before=bound, speed=base_speed(key))
                    for era in ERAS.get(key, ())
                    for bound in era
                ),
            }
        )
        for key, engine in catalog.engines.items()
    }
    return catalog.model_copy(update={"engines": engines})


def era_name(label: str) -> str:
    """The era of a class label such as "vllm before 0.8", under its first bound.

    Examples
    --------
    >>> era_name("vllm before 2025"), era_name("vllm")
    ('vllm before 0.8', 'vllm')
    """
    engine, _, bound = label.partition(" before ")
    for era in ERAS.get(engine, ()):
        if bound in era:
            return f"{engine} before {era[0]}"
    return label
