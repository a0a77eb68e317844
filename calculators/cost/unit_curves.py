"""Unit cost over batch and duty for one plan: from the reference arithmetic to a served request."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from calculators.cost.unit_cost import usd_per_mtok
from calculators.performance import REFERENCE_EFF_FRAC, context_reserved, replica_of
from calculators.plan import Plan
from calculators.speed.decode import decode_step
from calculators.speed.roofline import bound_step_s
from calculators.units import BITS_PER_BYTE, TERA

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class UnitCurves:
    """Step time [s] and USD per million output tokens over the batch, layer by layer of truth."""

    batch: Array
    weights_only_s: Array  # bound: nominal weights at 0.7 of peak
    with_cache_s: Array  # the same and the cache of full contexts read
    calibrated_s: Array  # real bits, constants of the engine class, full contexts
    served_s: Array  # between two tokens of a sequence, others' prompts counted
    weights_only_usd: Array
    with_cache_usd: Array
    calibrated_usd: Array
    served_usd: Array  # calibrated, at the scenario's lengths, prefill counted


def unit_curves(plan: Plan, batch: ArrayLike) -> UnitCurves:
    """Step time and unit cost of one replica at each batch, whether memory holds it or not.

    Parameters
    ----------
    plan : Plan
    batch : array (n,), sequences at once, >= 1

    Returns
    -------
    UnitCurves of arrays (n,)

    Notes
    -----
    The first three read the context that memory reserves; the last reads the mean context of the
    scenario's requests and counts their prefill. Output tokens only; input is not credited.
    """
    n = np.asarray(batch, float)
    d, cards = plan.deployment, plan.deployment.parallelism.n_cards
    context = context_reserved(plan.scenario)
    bandwidth = d.accelerator.bandwidth_bytes_s * cards * REFERENCE_EFF_FRAC
    weights = d.model.active_params * d.weights.nominal_bits / BITS_PER_BYTE
    bound = bound_step_s(
        batch=n,
        weight_bytes=weights,
        active_params=d.model.active_params,
        peak_flop_s=(d.accelerator.fp16_dense_tflops or np.nan) * TERA * cards,
        bandwidth_bytes_s=d.accelerator.bandwidth_bytes_s * cards,
        efficiency_frac=REFERENCE_EFF_FRAC,
    )
    cached = bound + n * plan.fit.kv_bytes_per_tok * context / bandwidth
    replica = replica_of(d, plan.scenario)
    real = decode_step(replica.inputs, batch=n, context_tok=float(context)).total_s
    usd_h = (plan.card_cost.usd_h or np.nan) * cards
    served = replica.at(n)
    return UnitCurves(
        batch=n,
        weights_only_s=bound,
        with_cache_s=cached,
        calibrated_s=real,
        served_s=n / served.output_tok_s,
        weights_only_usd=usd_per_mtok(usd_h=usd_h, tok_s=n / bound),
        with_cache_usd=usd_per_mtok(usd_h=usd_h, tok_s=n / cached),
        calibrated_usd=usd_per_mtok(usd_h=usd_h, tok_s=n / real),
        served_usd=usd_per_mtok(usd_h=usd_h, tok_s=served.output_tok_s),
    )


def duty_grid_usd(plan: Plan, batch: ArrayLike, duty_frac: ArrayLike) -> Array:
    """USD per million output tokens over duty (rows) and batch (columns), prefill counted.

    Parameters
    ----------
    plan : Plan
    batch : array (n,), sequences at once
    duty_frac : array (m,), 0 to 1

    Returns
    -------
    array (m, n) [USD per million output tokens]
    """
    full = unit_curves(plan, batch).served_usd
    if plan.scenario.basis == "bound":
        full = unit_curves(plan, batch).weights_only_usd
    return full[None, :] / np.asarray(duty_frac, float)[:, None]


def shown_batches(plan: Plan) -> NDArray[np.int64]:
    """Whole batches, about evenly spaced in ratio, with the walls of memory and the reference's.

    Parameters
    ----------
    plan : Plan

    Returns
    -------
    array of int, ascending, from 1 to past the larger wall and 256
    """
    walls = [plan.bound.max_batch, plan.calibrated.max_batch, plan.performance.batch]
    last = max(256, 2 * max(walls))
    even = np.unique(np.round(np.geomspace(1, last, 40)).astype(int))
    extra = [wall for wall in (*walls, *(w + 1 for w in walls[:2])) if wall > 0]
    return np.unique(np.concatenate([even, np.array(extra, int)]))
