"""Constants of an engine class on a kind of card."""

from __future__ import annotations

from dataclasses import dataclass

from calculators.specs import AcceleratorSpec, EngineSpec


@dataclass(frozen=True, slots=True)
class Reached:
    """Shares of peaks and fixed times that an engine class reaches on a card."""

    bandwidth_frac: float
    flop_frac: float
    link_frac: float
    reduce_latency_s: float
    layer_overhead_s: float
    step_overhead_s: float
    sequence_overhead_s: float
    prefill_overhead_s: float
    note: str | None = None


def constants(engine: EngineSpec, accelerator: AcceleratorSpec, compute: str = "16") -> Reached:
    """Constants of an engine class for one kind of card and compute format.

    Parameters
    ----------
    engine : engine class with its constants
    accelerator : the card; its memory type, link and rates choose among them
    compute : format that the multiplications run in

    Returns
    -------
    Reached; `note` says what stands in where the class was never measured on such a card

    Examples
    --------
    `python -m app plan` uses them for `speed.calibrated`.
    """
    speed = engine.speed
    peer = accelerator.link in ("nvlink", "xgmi", "ici", "neuronlink")
    latency_us = speed.nvlink_latency_us if peer else speed.pcie_latency_us
    return Reached(
        bandwidth_frac=speed.bandwidth_eff_frac,
        flop_frac=speed.compute_eff_frac,
        link_frac=speed.link_eff_frac,
        reduce_latency_s=latency_us * 1e-6,
        layer_overhead_s=speed.layer_overhead_us * 1e-6,
        step_overhead_s=speed.step_overhead_ms * 1e-3,
        sequence_overhead_s=speed.sequence_overhead_us * 1e-6,
        prefill_overhead_s=speed.step_overhead_ms * 1e-3,
    )
