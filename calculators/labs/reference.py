"""The labs' reference tables, unrounded, in the keys of the project's golden file."""

from __future__ import annotations

from typing import Any

import numpy as np

from calculators.fit.weights import effective_bits
from calculators.labs.affine import (
    GroupDamage,
    LabMatrix,
    affine_output_error_frac,
    group_damage,
    lab_matrix,
    quantize_affine,
)
from calculators.labs.classifier import DigitsData, Progress, accuracy_frac, train_classifier
from calculators.labs.digits import accuracy_cliff, channel_range_spread
from calculators.labs.generation import (
    REFERENCE_PROMPT,
    Generation,
    generate_cached,
    generate_naive,
    one_layer_model,
)
from calculators.labs.quantization import relative_rms_error_frac, stored_bytes
from calculators.labs.speculation import verified_tokens
from calculators.labs.symmetric import loud_matrix, quantize_symmetric

GROUP_SIZE = 128
Table = dict[str, Any]


def affine_reference(progress: Progress | None = None) -> Table:
    """Output error and damage per group of the affine format (`affine_group_quantization`).

    Parameters
    ----------
    progress : callable or None
        Told the share that is done.

    Returns
    -------
    dict
        columns, rows, group_damage_4bit.

    Examples
    --------
    `python -m app reference` prints it.
    """
    plain, loud = lab_matrix(outliers=False), lab_matrix()
    rows = []
    for index, bits in enumerate((8, 4, 3, 2)):
        rows.append(_affine_row(bits, plain, loud))
        if progress is not None:
            progress((index + 1) / 5)
    damage = {"well_behaved": _damage(plain), "with_outliers": _damage(loud)}
    table = {key: _damage_row(value) for key, value in damage.items()}
    share = float(damage["with_outliers"].holds_outlier.mean())
    return {
        "columns": ["bits", "bits_per_weight", "well_behaved", "with_outliers"],
        "rows": rows,
        "group_damage_4bit": table | {"groups_holding_an_outlier": share},
    }


def symmetric_reference() -> Table:
    """Errors and stored bytes of per-tensor against per-channel (`symmetric_quantization`).

    Returns
    -------
    dict
        abs_max, std, abs_max_over_std, int8_per_tensor, row_error_int8_per_tensor,
        weights_above_0_2, columns, rows, stored_bytes.

    Examples
    --------
    `python -m app reference` prints it.
    """
    weights = loud_matrix()
    loudest, deviation = float(np.abs(weights).max()), float(weights.std(ddof=1))
    coarse = quantize_symmetric(weights=weights, weight_bits=8, scheme="per-tensor")
    row_error = relative_rms_error_frac(weights=weights, restored=coarse, axis=1)
    return {
        "abs_max": loudest,
        "std": deviation,
        "abs_max_over_std": loudest / deviation,
        "int8_per_tensor": {
            "scale": loudest / 127,
            "rel_rms": float(relative_rms_error_frac(weights=weights, restored=coarse)),
        },
        "row_error_int8_per_tensor": {
            "median_row": float(np.quantile(row_error, 0.5, method="lower")),
            "row_0": float(row_error[0]),
            "row_7": float(row_error[7]),
        },
        "weights_above_0_2": int((np.abs(weights) > 0.2).sum()),
        "columns": ["bits", "scheme", "rel_rms", "max_abs"],
        "rows": _symmetric_rows(weights),
        "stored_bytes": _stored_rows(weights.size),
    }


def digits_reference(data: DigitsData, progress: Progress | None = None) -> Table:
    """Accuracy of the digits classifier against bits (`digits_classifier`).

    Parameters
    ----------
    data : DigitsData
        Pixels from 0 to 1; 30 % test, random state 0, stratified.
    progress : callable or None
        Told the share of the training that is done.

    Returns
    -------
    dict
        channel_range_spread, fp32_accuracy, columns, rows.

    Examples
    --------
    `python -m app reference` prints it.
    """
    model = train_classifier(data, progress=progress)
    cliff = accuracy_cliff(model, data)
    return {
        "channel_range_spread": list(channel_range_spread(model)),
        "fp32_accuracy": accuracy_frac(model, images=data.test_images, digits=data.test_digits),
        "columns": ["bits", "per_tensor", "per_channel"],
        "rows": [
            [tensor.weight_bits, tensor.accuracy_frac, channel.accuracy_frac]
            for tensor, channel in zip(cliff[0::2], cliff[1::2], strict=True)
        ],
    }


def generation_reference() -> Table:
    """Counted work of naive and cached generation (`generation_loops`).

    Returns
    -------
    dict
        same_tokens, naive, cached, first_new_tokens, orders.

    Examples
    --------
    >>> generation_reference()["cached"]
    {'proj': 192, 'scores': 2086}
    """
    model = one_layer_model()
    naive, cached = generate_naive(model), generate_cached(model)
    return {
        "same_tokens": naive.tokens == cached.tokens,
        "naive": _counts(naive),
        "cached": _counts(cached),
        "first_new_tokens": list(cached.new_tokens(len(REFERENCE_PROMPT))[:12]),
        "orders": {
            "naive": {"proj": "n^2", "scores": "n^3"},
            "cached": {"proj": "n", "scores": "n^2"},
        },
    }


def speculative_reference() -> Table:
    """Tokens that one pass yields where the last of six drafts is wrong (`speculative_decoding`).

    accepted drafts + 1: the large model's own token comes with the same pass

    Returns
    -------
    dict
        five_of_six_accepted.

    Examples
    --------
    >>> speculative_reference()
    {'five_of_six_accepted': 6}
    """
    drafted = ["the", "cat", "sat", "on", "the", "mat"]
    verified = ["the", "cat", "sat", "on", "the", "rug"]
    return {"five_of_six_accepted": len(verified_tokens(drafted, [*verified, "."]))}


def reference_labs(data: DigitsData, progress: Progress | None = None) -> Table:
    """All reference tables of the labs, in the golden file's own keys.

    Parameters
    ----------
    data, progress
        As `digits_reference`.

    Returns
    -------
    dict
        affine_group_quantization, symmetric_quantization, digits_classifier,
        generation_loops, speculative_decoding.

    Examples
    --------
    `python -m app reference` prints it.
    """
    return {
        "affine_group_quantization": affine_reference(),
        "symmetric_quantization": symmetric_reference(),
        "digits_classifier": digits_reference(data, progress),
        "generation_loops": generation_reference(),
        "speculative_decoding": speculative_reference(),
    }


def _affine_row(bits: int, plain: LabMatrix, loud: LabMatrix) -> list[float]:
    real = effective_bits(bits=bits, group_size=GROUP_SIZE, scale_bits=16, zero_bits=16)
    errors = [affine_output_error_frac(matrix, weight_bits=bits) for matrix in (plain, loud)]
    return [bits, float(real), *errors]


def _damage(matrix: LabMatrix) -> GroupDamage:
    restored = quantize_affine(weights=matrix.weights, weight_bits=4).restored
    return group_damage(weights=matrix.weights, restored=restored, outliers=matrix.outliers)


def _damage_row(damage: GroupDamage) -> Table:
    return {
        "all": damage.all_frac,
        "holding_an_outlier": damage.holding_frac,
        "rest": damage.rest_frac,
    }


def _symmetric_rows(weights: np.ndarray) -> list[list[Any]]:
    rows = []
    for bits in (8, 4, 3):
        for scheme in ("per-tensor", "per-channel"):
            restored = quantize_symmetric(weights=weights, weight_bits=bits, scheme=scheme)
            error = float(relative_rms_error_frac(weights=weights, restored=restored))
            rows.append([bits, scheme, error, float(np.abs(restored - weights).max())])
    return rows


def _stored_rows(n_weights: int) -> Table:
    rows = []
    for bits, n_scales in ((16, 0), (8, 0), (8, 512), (4, 0), (4, 512)):
        size = float(stored_bytes(n_weights=n_weights, weight_bits=bits, n_scales=n_scales))
        rows.append([bits, n_scales, size, n_weights * 2 / size])
    return {"columns": ["bits", "scales", "bytes", "times_smaller_than_16bit"], "rows": rows}


def _counts(generation: Generation) -> dict[str, int]:
    return {"proj": generation.work.proj, "scores": generation.work.scores}
