"""The formats and methods of the field on one matrix and on activations with loud channels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from calculators.labs.activations import ACTIVATION_SCHEMES, quantized_output_error_frac
from calculators.labs.formats import fp8_restored, mxfp4_restored, nf4_restored, nvfp4_restored
from calculators.labs.gptq_awq import awq_restored, gptq_restored, outlier_inputs
from calculators.labs.quantization import Array, output_error_frac, relative_rms_error_frac
from calculators.labs.symmetric import loud_matrix, quantize_symmetric

Progress = Callable[[float], None]
N_SAMPLES = 1024


@dataclass(frozen=True, slots=True)
class MethodResult:
    """One method: bits with scales, error of the weights, error of what the layer puts out.

    `weight_moved` is the root of the weights' mean squared error, `output_moved` the length by
    which the outputs move; the errors are these over the size of the weights and of the outputs.
    """

    name: str
    bits: float
    weight_error_frac: float
    output_error_frac: float
    weight_moved: float
    output_moved: float
    how: str


@dataclass(frozen=True, slots=True)
class FormatStudy:
    """Weight methods, and activations rounded in three ways (name, output error)."""

    methods: tuple[MethodResult, ...]
    activations: tuple[tuple[str, float], ...]


def format_study(
    *,
    weight_bits: int = 4,
    n_loud: int = 8,
    loud_factor: float = 30.0,
    seed: int = 0,
    n_rows: int = 512,
    progress: Progress | None = None,
) -> FormatStudy:
    """Round the lab's matrix with every method and compare outputs on fresh activations.

    Parameters
    ----------
    weight_bits : int [bits]
        Of plain rounding, GPTQ and AWQ, 2 to 8.
    n_loud : int [channels]
        Loud activation channels.
    loud_factor : float [1]
        How much louder they are.
    seed : int [1]
        Of matrix and activations.
    n_rows : int [1]
        Of the square matrix, a multiple of 128.
    progress : callable or None
        Told the share that is done.

    Returns
    -------
    FormatStudy

    Raises
    ------
    LabError
        Bits out of range.

    Notes
    -----
    Basis `measured`, on a made-up layer. GPTQ and AWQ see calibration rows; errors are of others.

    References
    ----------
    As each method names.

    Examples
    --------
    >>> study = format_study(n_rows=128)
    >>> plain, gptq, awq = (method.output_error_frac for method in study.methods[:3])
    >>> gptq < plain and awq < plain
    True
    """
    weights = loud_matrix(n_rows=n_rows, seed=seed).astype(float)
    known, fresh = (
        outlier_inputs(
            n_samples=N_SAMPLES, n_inputs=n_rows, n_loud=n_loud, factor=loud_factor, seed=number
        )
        for number in (2 * seed + 1, 2 * seed + 2)
    )
    methods = []
    recipes = _recipes(weights, known, weight_bits)
    for index, (name, bits, how, restore) in enumerate(recipes):
        methods.append(_measured(name, bits, how, weights, restore(), fresh))
        if progress is not None:
            progress((index + 1) / (len(recipes) + 1))
    activations = tuple(
        (
            scheme,
            quantized_output_error_frac(
                weights=weights, inputs=fresh, scheme=scheme, calibration=known
            ),
        )
        for scheme in ACTIVATION_SCHEMES
    )
    return FormatStudy(tuple(methods), activations)


def _recipes(
    weights: Array, known: Array, bits: int
) -> list[tuple[str, float, str, Callable[[], Array]]]:
    grouped_bits = bits + 16 / 128
    return [
        (f"Rounding, {bits} bits, groups of 128", grouped_bits, "nearest step of each group",
         lambda: quantize_symmetric(
            weights=weights, weight_bits=bits, scheme="per-group")),
        (f"GPTQ, {bits} bits", grouped_bits, "column by column, later columns make up",
         lambda: gptq_restored(weights=weights, inputs=known, weight_bits=bits)),
        (f"AWQ, {bits} bits", grouped_bits, "channels with loud activations scaled up first",
         lambda: awq_restored(weights=weights, inputs=known, weight_bits=bits).restored),
        ("INT8 per channel", 8.0, "nearest step of each row",
         lambda: quantize_symmetric(weights=weights, weight_bits=8)),
        ("FP8 (E4M3) per channel", 8.0, "steps grow with the value",
         lambda: fp8_restored(weights)),
        ("NF4 (bitsandbytes)", 4.5, "16 levels for normal weights, blocks of 64",
         lambda: nf4_restored(weights)),
        ("MXFP4", 4.25, "FP4, power-of-two scale per 32", lambda: mxfp4_restored(weights)),
        ("NVFP4", 4.5, "FP4, FP8 scale per 16", lambda: nvfp4_restored(weights)),
    ]  # fmt: skip


def _measured(
    name: str, bits: float, how: str, weights: Array, restored: Array, fresh: Array
) -> MethodResult:
    moved = np.asarray(restored, dtype=float) - weights
    return MethodResult(
        name=name,
        bits=bits,
        weight_error_frac=float(relative_rms_error_frac(weights=weights, restored=restored)),
        output_error_frac=output_error_frac(inputs=fresh, weights=weights.T, restored=restored.T),
        weight_moved=float(np.sqrt(np.mean(moved**2))),
        output_moved=float(np.linalg.norm(fresh @ moved.T)),
        how=how,
    )
