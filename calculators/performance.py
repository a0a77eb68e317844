"""How fast a scenario's replica is: the reference arithmetic beside the calibrated model."""

from __future__ import annotations

import math
from dataclasses import dataclass

from calculators.fit.capacity import Fit
from calculators.fit.kv_cache import cache_bytes_per_tok
from calculators.scenario import Scenario
from calculators.specs import Deployment
from calculators.speed.parallel import step_inputs
from calculators.speed.replica import Replica
from calculators.speed.roofline import bound_step_s
from calculators.speed.sizing import largest_batch
from calculators.units import BITS_PER_BYTE, GIB, TERA

REFERENCE_EFF_FRAC = 0.7
REFERENCE_OVERHEAD_GIB = 4.0


@dataclass(frozen=True, slots=True)
class Performance:
    """Speed of one replica at one batch, all its slots in use."""

    basis: str
    batch: int
    max_batch: int  # what memory (and the engine's slots) hold
    step_s: float
    tpot_s: float
    ttft_s: float
    output_tok_s: float
    capacity_req_s: float
    band_frac: float | None = None  # of the time per token
    rate_band_frac: float | None = None  # of tokens and requests a second
    meets_objectives: bool = True
    limit_text: str = ""

    @property
    def tok_s_each(self) -> float:
        """Output tokens a second that one user sees."""
        return 1 / self.tpot_s if self.tpot_s > 0 else 0.0


def reference_max_batch(deployment: Deployment, context_tok: int) -> int:
    """Sequences that the reference arithmetic holds: label memory, nominal bits, 4 GiB a card.

    floor((cards x (label - 4 GiB) - parameters x bits / 8) / (bytes per token x context))

    Parameters
    ----------
    deployment : Deployment
    context_tok : int [tokens] reserved per sequence

    Returns
    -------
    int, 0 where the weights do not fit

    Notes
    -----
    Basis: bound. A real engine holds fewer: visible memory, utilisation, scales, activations.
    """
    card = deployment.accelerator
    label_gib = card.memory_label_gb or card.memory_total_gib
    n_cards = deployment.parallelism.n_cards
    weights = deployment.model.total_params * deployment.weights.nominal_bits / BITS_PER_BYTE
    left = n_cards * (label_gib - REFERENCE_OVERHEAD_GIB) * GIB - weights
    one = float(cache_bytes_per_tok(deployment.model, deployment.cache.nominal_bits)) * context_tok
    return max(0, int(left // one)) if one > 0 else 0


def bound_performance(deployment: Deployment, scenario: Scenario) -> Performance:
    """The reference arithmetic: weights only, 0.7 of peak, nominal bits, no cache read, no prefill.

    Parameters
    ----------
    deployment : Deployment
    scenario : Scenario (`batch`, `ctx`, `in`)

    Returns
    -------
    Performance of basis `bound`

    Notes
    -----
    A ceiling: real steps also read the cache, communicate, wait for prefills and for software.
    """
    card, n_cards = deployment.accelerator, deployment.parallelism.n_cards
    active = deployment.model.active_params
    flop_s = (card.fp16_dense_tflops or 0.0) * TERA * n_cards
    most = reference_max_batch(deployment, context_reserved(scenario))
    batch = scenario.batch or most
    if batch == 0 or flop_s == 0:
        return _stopped(
            "bound", most, "the weights do not fit" if flop_s else "no 16-bit rate known"
        )
    step = float(
        bound_step_s(
            batch=batch,
            weight_bytes=active * deployment.weights.nominal_bits / BITS_PER_BYTE,
            active_params=active,
            peak_flop_s=flop_s,
            bandwidth_bytes_s=card.bandwidth_bytes_s * n_cards,
            efficiency_frac=REFERENCE_EFF_FRAC,
        )
    )
    ttft = 2 * active * scenario.input_tok / (flop_s * REFERENCE_EFF_FRAC)
    rate = batch / step
    return Performance(
        basis="bound",
        batch=batch,
        max_batch=most,
        step_s=step,
        tpot_s=step,
        ttft_s=ttft,
        output_tok_s=rate,
        capacity_req_s=rate / scenario.output_tok,
        meets_objectives=_meets(scenario, ttft, step),
        limit_text=f"{batch} sequences" if scenario.batch else f"the card's label holds {most}",
    )


def calibrated_performance(deployment: Deployment, scenario: Scenario, fit: Fit) -> Performance:
    """The calibrated model at the scenario's batch, or at the largest that is allowed.

    Parameters
    ----------
    deployment : Deployment
    scenario : Scenario (`batch`, `in`, `out`, `prefix`, `ttft`, `tpot`)
    fit : Fit of the same deployment

    Returns
    -------
    Performance of basis `calibrated`, with the engine class' error band
    """
    most = fit.max_sequences
    if most == 0:
        return _stopped("calibrated", 0, fit.limit_text)
    if not deployment.accelerator.fp16_dense_tflops:
        return _stopped("calibrated", most, "no 16-bit rate of this card is known")
    replica = replica_of(deployment, scenario)
    batch, text = _chosen_batch(replica, scenario, most, fit.limit_text)
    at = replica.at(max(batch, 1))
    ttft, tpot = float(at.ttft_s), float(at.tpot_s)
    return Performance(
        basis="calibrated",
        batch=max(batch, 1),
        max_batch=most,
        step_s=float(at.step_s),
        tpot_s=tpot,
        ttft_s=ttft,
        output_tok_s=float(at.output_tok_s),
        capacity_req_s=float(at.requests_per_s),
        band_frac=band_frac(deployment, "tpot", "decode"),
        rate_band_frac=band_frac(deployment, "throughput", "batched", "tpot"),
        meets_objectives=batch > 0 and _meets(scenario, ttft, tpot),
        limit_text=text,
    )


def replica_of(deployment: Deployment, scenario: Scenario) -> Replica:
    """The deployment's step times under the scenario's requests."""
    return Replica(
        inputs=step_inputs(deployment),
        input_tok=scenario.input_tok,
        output_tok=scenario.output_tok,
        cached_tok=min(scenario.prefix_tok, scenario.input_tok - 1),
    )


def context_reserved(scenario: Scenario) -> int:
    """Tokens that memory reserves for a sequence: `ctx`, or the request where it is longer."""
    return max(scenario.context_tok, scenario.input_tok + scenario.output_tok)


def band_frac(deployment: Deployment, *metrics: str) -> float | None:
    """Half width of the central two thirds of an engine class' left-out residuals.

    Parameters
    ----------
    deployment : Deployment
    metrics : kinds of measurement, the first that the class has counts

    Returns
    -------
    float, share of the figure; None where none is fitted
    """
    widths = {band.metric: band.band_frac for band in deployment.engine.bands}
    return next((widths[metric] for metric in metrics if metric in widths), None)


def _chosen_batch(
    replica: Replica, scenario: Scenario, most: int, limit_text: str
) -> tuple[int, str]:
    if scenario.batch:
        if scenario.batch <= most:
            return scenario.batch, f"the scenario's batch of {scenario.batch}"
        return most, f"{limit_text}: {most} of the {scenario.batch} asked for"
    largest = largest_batch(
        loop=replica.at,
        max_sequences=most,
        ttft_objective_s=None if scenario.ttft_ms is None else scenario.ttft_ms / 1e3,
        tpot_objective_s=None if scenario.tpot_ms is None else scenario.tpot_ms / 1e3,
    )
    if largest.batch == most:
        return most, limit_text
    return largest.batch, "the objectives for time to first token and time per token"


def _meets(scenario: Scenario, ttft_s: float, tpot_s: float) -> bool:
    return (scenario.ttft_ms is None or ttft_s * 1e3 <= scenario.ttft_ms * (1 + 1e-9)) and (
        scenario.tpot_ms is None or tpot_s * 1e3 <= scenario.tpot_ms * (1 + 1e-9)
    )


def _stopped(basis: str, most: int, why: str) -> Performance:
    return Performance(
        basis=basis,
        batch=0,
        max_batch=most,
        step_s=math.nan,
        tpot_s=math.nan,
        ttft_s=math.nan,
        output_tok_s=0.0,
        capacity_req_s=0.0,
        meets_objectives=False,
        limit_text=why,
    )
