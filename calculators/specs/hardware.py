"""Cards, and how one replica is spread over several."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from calculators.specs.facts import Fact, Spec
from calculators.units import GB, GIB, TERA

LinkKind = Literal["nvlink", "xgmi", "pcie", "ici", "neuronlink", "ethernet", "none"]


class AcceleratorSpec(Fact):
    """One card, chip or machine as one device. All rates are dense, never sparse."""

    vendor: str
    form: str
    year: int | None = Field(default=None, ge=2000, le=2100)
    memory_label_gb: float | None = Field(default=None, gt=0)  # what the box says
    memory_total_gib: float = Field(gt=0)  # what the driver reports (NVML), else label
    memory_visible_gib: float = Field(gt=0)  # what a process may allocate (CUDA)
    memory_type: str
    bandwidth_gb_s: float = Field(gt=0)
    fp16_dense_tflops: float | None = Field(default=None, gt=0)  # 16-bit, FP32 accumulate
    fp8_dense_tflops: float | None = Field(default=None, gt=0)
    int8_dense_tops: float | None = Field(default=None, gt=0)
    fp4_dense_tflops: float | None = Field(default=None, gt=0)
    fp32_tflops: float | None = Field(default=None, gt=0)  # outside matrix units
    link: LinkKind = "pcie"  # the fastest link between cards of one server
    link_gb_s: float | None = Field(default=None, gt=0)  # one way, per card
    link_sums: bool = False  # switches add up on the way (NVLink SHARP)
    n_server_cards: int = Field(default=8, ge=1)  # cards that share that link
    power_w: float | None = Field(default=None, gt=0)
    price_usd: float | None = Field(default=None, gt=0)  # purchase, per card
    price_low_usd: float | None = Field(default=None, gt=0)
    price_high_usd: float | None = Field(default=None, gt=0)
    whole_machine: bool = False  # the price, power and memory are those of a computer

    @property
    def memory_bytes(self) -> float:
        return self.memory_visible_gib * GIB

    @property
    def bandwidth_bytes_s(self) -> float:
        return self.bandwidth_gb_s * GB

    @property
    def link_bytes_s(self) -> float:
        return (self.link_gb_s or 0.0) * GB

    def flop_s(self, compute: str) -> float:
        """Dense peak of a compute format ("16", "fp8", "int8", "fp4") [FLOP/s].

        A format that the card does not have computes in 16 bits; 0 where the rate is unknown.
        """
        rates = {
            "fp8": self.fp8_dense_tflops,
            "int8": self.int8_dense_tops,
            "fp4": self.fp4_dense_tflops,
        }
        return (rates.get(compute) or self.fp16_dense_tflops or 0.0) * TERA


class Parallelism(Spec):
    """How one replica is spread over its cards.

    tensor: every matrix is cut over `tp` cards. pipeline: `pp` stages work on different
    sequences. layer_split: `pp` stages, one card works at a time (llama.cpp).
    attention_dp: each card keeps whole sequences, the experts are cut (expert parallel).
    """

    tp: int = Field(default=1, ge=1)
    pp: int = Field(default=1, ge=1)
    attention_dp: bool = False
    expert_parallel: bool = False
    layer_split: bool = False

    @property
    def n_cards(self) -> int:
        return self.tp * self.pp
