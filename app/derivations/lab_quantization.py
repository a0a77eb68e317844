"""The quantization labs' figures: real bits, errors of weights and outputs, accuracy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from app.derivations.derivation import Derivation, derived, precise
from app.derivations.derivation import amount as a
from app.formatting import count, number, percent
from calculators.fit.weights import effective_bits
from calculators.labs.affine import ENDPOINT_BITS, group_damage, lab_matrix, quantize_affine
from calculators.labs.affine_study import AffineStudy
from calculators.labs.classifier import Classifier, accuracy_frac
from calculators.labs.digits import CliffRow, channel_range_spread
from calculators.labs.quantization import Array, output_error_frac, relative_rms_error_frac
from calculators.labs.symmetric import scheme_stored_bytes
from calculators.labs.symmetric_study import SchemeResult

RUN = "run here"


def real_bits(weight_bits: int, group_size: int, *, n_ends: int = 2) -> Derivation:
    """Bits of a weight, its share of the group's scales included."""
    value = float(
        effective_bits(bits=weight_bits, group_size=group_size, scale_bits=n_ends * ENDPOINT_BITS)
    )
    kept = "its smallest and its largest weight" if n_ends == 2 else "one scale"
    return derived(
        "Bits of a weight, scales included",
        f"Each group of {group_size} weights keeps {kept} in 16 bits beside the steps; every "
        "weight bears its part of that.",
        f"{weight_bits} bits + {n_ends} x {ENDPOINT_BITS} bits / {group_size} = {number(value)}",
        "bound",
        effective_bits,
    )


def affine(setting: Mapping[str, Any], study: AffineStudy) -> tuple[Derivation, ...]:
    """The affine lab: output error, and what groups with and without an outlier lose."""
    bits, group = setting["weight_bits"], setting["group_size"]
    matrix = lab_matrix(n_rows=1024, outlier_factor=setting["outlier_factor"], seed=setting["seed"])
    restored = quantize_affine(weights=matrix.weights, weight_bits=bits, group_size=group).restored
    wanted = matrix.inputs @ matrix.weights
    moved = float(np.linalg.norm(matrix.inputs @ restored - wanted))
    damage = study.damage
    holding, rest = damage.by_group[damage.holds_outlier], damage.by_group[~damage.holds_outlier]
    n_holding, n = int(damage.holds_outlier.sum()), len(damage.by_group)
    return (
        real_bits(bits, group),
        derived(
            "Output error",
            "How far the layer's output moves, over its own length (both as the root of summed "
            "squares).",
            f"{a(moved)} moved / {a(float(np.linalg.norm(wanted)))} long = "
            f"{percent(study.output_error_frac)}",
            RUN,
            output_error_frac,
        ),
        derived(
            "Error in groups with an outlier, and in the rest",
            "The mean error of a group over its mean weight, averaged over the groups. The average "
            "of all hides where the damage is; the map shows it weight by weight.",
            f"groups with an outlier: {n_holding:,} / {n:,} groups = "
            f"{percent(float(damage.holds_outlier.mean()))}\n"
            f"{_group_mean('with an outlier', holding)}\n{_group_mean('the rest', rest)}\n"
            f"all: ({n_holding:,} x {precise(damage.holding_frac * 100)} % + {n - n_holding:,} x "
            f"{precise(damage.rest_frac * 100)} %) / {n:,} = {percent(damage.all_frac)}",
            RUN,
            group_damage,
        ),
        _grid(bits),
    )


def _grid(bits: int) -> Derivation:
    """Steps of the grid, and how they are counted."""
    return derived(
        "Chart: use of the grid",
        f"A group's range is cut into {2**bits} steps, from its smallest weight to its "
        "largest. One outlier makes the steps wide, and its neighbours share the few around "
        "zero. Different steps in use are counted group by group and averaged.",
        f"2 x {2 ** (bits - 1)} = {2**bits} steps",
        RUN,
        quantize_affine,
    )


def _group_mean(name: str, errors: Array) -> str:
    """The mean of the groups' losses, as their sum over their count; 0 where there is none."""
    total = float(errors.sum())
    return f"{name}: {a(total, 6)} summed / {max(len(errors), 1):,} groups = " + percent(
        total / max(len(errors), 1)
    )


def symmetric(
    weights: Array, by_bits: Mapping[int, Sequence[SchemeResult]], bits: int, group_size: int
) -> tuple[Derivation, ...]:
    """The symmetric lab: error and bytes of each scheme, and the error over bits."""
    size = float(np.sqrt(np.mean(np.asarray(weights, dtype=float) ** 2)))
    now, n = by_bits[bits], weights.size
    return (
        derived(
            "Table: relative RMS error, largest error",
            "The root of the mean squared error over that of the weights themselves; the largest "
            "error is the one weight that moved most.",
            "\n".join(_rms_line(r.scheme, r.relative_rms_frac, size, 3) for r in now),
            RUN,
            relative_rms_error_frac,
        ),
        derived(
            "Table: bytes stored",
            "Weights at their bits, and two bytes for each scale (one scale of a whole tensor "
            "counts as none).",
            "\n".join(_bytes_lines(now, n, bits)),
            "bound",
            scheme_stored_bytes,
        ),
        derived(
            "Charts: error by row, error over bits",
            "The same error, row by row at your bits, and over the whole matrix at each number of "
            "bits.",
            "\n".join(
                _rms_line(f"{b} bits, {r.scheme}", r.relative_rms_frac, size)
                for b, results in by_bits.items()
                for r in results
            ),
            RUN,
            relative_rms_error_frac,
        ),
        real_bits(bits, group_size, n_ends=1),
    )


def _rms_line(name: str, error_frac: float, size: float, digits: int = 2) -> str:
    return f"{name}: {a(error_frac * size)} error / {a(size)} size = {percent(error_frac, digits)}"


def _bytes_lines(results: Sequence[SchemeResult], n: int, bits: int) -> list[str]:
    lines = []
    for r in results:
        scales = round((r.stored_bytes - n * bits / 8) / 2)
        lines += [
            f"{r.scheme}, bytes: {n:,} x {bits} / 8 + {scales:,} x 2 = {count(r.stored_bytes)}",
            f"{r.scheme}, smaller: {n:,} x 2 / {count(r.stored_bytes)} = "
            f"{number(r.times_smaller)} times",
        ]
    return lines


def digits(
    model: Classifier, rows: Sequence[CliffRow], full_frac: float, n_images: int
) -> tuple[Derivation, ...]:
    """The trained classifier: accuracy in full and in few bits, spread of its channels."""
    spread = channel_range_spread(model)
    ranges = [np.abs(weights).max(axis=1) for weights in model.weights]
    return (
        derived(
            "Accuracy in full precision",
            "Test images whose digit is recognised, over all test images.",
            f"{round(full_frac * n_images)} / {n_images} = {percent(full_frac, 4)}",
            RUN,
            accuracy_frac,
        ),
        derived(
            "Chart: accuracy over bits",
            "The same count with weights rounded to fewer bits; one image more or less is chance.",
            "\n".join(
                f"{row.weight_bits} bits, {row.scheme}: {round(row.accuracy_frac * n_images)} / "
                f"{n_images} = {percent(row.accuracy_frac, 4)}"
                for row in rows
            ),
            RUN,
            accuracy_frac,
        ),
        derived(
            "Spread of each layer",
            "The largest weight of the loudest channel over that of the middle one: how much a "
            "scale for all would cost.",
            "\n".join(
                f"layer {i + 1}: {a(float(r.max()))} / "
                f"{a(float(np.quantile(r, 0.5, method='lower')))} = {number(value)}"
                for i, (r, value) in enumerate(zip(ranges, spread, strict=True))
            ),
            RUN,
            channel_range_spread,
        ),
    )
