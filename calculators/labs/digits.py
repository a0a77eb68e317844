"""The digits classifier, quantized: accuracy is flat, then falls off a cliff below three bits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calculators.labs.classifier import Classifier, DigitsData, accuracy_frac
from calculators.labs.symmetric import Scheme, quantize_symmetric


@dataclass(frozen=True, slots=True)
class CliffRow:
    """Accuracy of one quantized copy."""

    weight_bits: int
    scheme: Scheme
    accuracy_frac: float


def quantized_classifier(
    model: Classifier, *, weight_bits: int, scheme: Scheme, group_size: int = 16
) -> Classifier:
    """A copy whose weight matrices are quantized; biases stay.

    Parameters
    ----------
    model : Classifier
        Trained.
    weight_bits, scheme, group_size
        As `quantize_symmetric`.

    Returns
    -------
    Classifier

    Notes
    -----
    Rounding alone: a method that looks at data loses less (see gptq_awq.py).

    References
    ----------
    The reference table of the project.

    Examples
    --------
    >>> from calculators.labs.classifier import initial_classifier
    >>> copy = quantized_classifier(initial_classifier(), weight_bits=2, scheme="per-tensor")
    >>> np.unique(copy.weights[2]).size
    3
    """
    weights = tuple(
        quantize_symmetric(weights=w, weight_bits=weight_bits, scheme=scheme, group_size=group_size)
        for w in model.weights
    )
    return Classifier(weights, model.biases)


def channel_range_spread(model: Classifier) -> tuple[float, ...]:
    """The loudest channel of each layer over the median one: how much a shared scale costs.

    max over rows of max |w| / (lower) median over rows of max |w|

    Parameters
    ----------
    model : Classifier
        Trained.

    Returns
    -------
    tuple of float [1], one per layer

    Notes
    -----
    Near 1, a scale per channel cannot gain much over one scale.

    References
    ----------
    The reference table of the project (PyTorch's median is the lower of two middle values).

    Examples
    --------
    >>> channel_range_spread(Classifier((np.array([[1.0], [2.0], [6.0]]),), (np.zeros(3),)))
    (3.0,)
    """
    ranges = (np.abs(weights).max(axis=1) for weights in model.weights)
    return tuple(float(r.max() / np.quantile(r, 0.5, method="lower")) for r in ranges)


def accuracy_cliff(
    model: Classifier,
    data: DigitsData,
    *,
    bits: Sequence[int] = (8, 4, 3, 2),
    schemes: Sequence[Scheme] = ("per-tensor", "per-channel"),
    group_size: int = 16,
) -> tuple[CliffRow, ...]:
    """Accuracy on the test images for each number of bits and scheme.

    Parameters
    ----------
    model : Classifier
        Trained.
    data : DigitsData
        Whose test half is used.
    bits : sequence of int [bits]
        Each 2 to 16.
    schemes, group_size
        As `quantize_symmetric`.

    Returns
    -------
    tuple of CliffRow, bits outermost

    Notes
    -----
    Basis `measured`. A network this small has no loud channels: large models suffer more.

    References
    ----------
    The reference table of the project.

    Examples
    --------
    >>> from calculators.labs.classifier import initial_classifier
    >>> images, digits = np.eye(64), np.arange(64) % 10
    >>> data = DigitsData(images, images, digits, digits)
    >>> len(accuracy_cliff(initial_classifier(), data))
    8
    """
    return tuple(
        CliffRow(
            weight_bits,
            scheme,
            accuracy_frac(
                quantized_classifier(
                    model, weight_bits=weight_bits, scheme=scheme, group_size=group_size
                ),
                images=data.test_images,
                digits=data.test_digits,
            ),
        )
        for weight_bits in bits
        for scheme in schemes
    )
