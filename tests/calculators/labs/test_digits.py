"""Quantized copies of a classifier."""

from __future__ import annotations

import numpy as np

from calculators.labs.classifier import Classifier, DigitsData
from calculators.labs.digits import accuracy_cliff, channel_range_spread, quantized_classifier


def test_only_matrices_are_quantized():
    model = Classifier((np.array([[0.3, 1.0]]),), (np.array([0.123]),))
    copy = quantized_classifier(model, weight_bits=2, scheme="per-tensor")
    assert copy.weights[0].tolist() == [[0.0, 1.0]]
    assert copy.biases[0].tolist() == [0.123]


def test_spread_takes_the_lower_of_two_middle_channels():
    weights = np.array([[1.0], [2.0], [-4.0], [8.0]])
    assert channel_range_spread(Classifier((weights,), (np.zeros(4),))) == (4.0,)


def test_a_loud_channel_breaks_a_shared_scale_first():
    # Class 1 has weights a hundred times smaller: one scale for all rounds them to nothing.
    model = Classifier((np.array([[100.0, 0.0], [-1.0, 1.0]]),), (np.array([0.0, -0.5]),))
    images, digits = np.array([[0.1, 0.0], [0.0, 1.0], [0.0, 0.0]]), np.array([0, 1, 0])
    data = DigitsData(images, images, digits, digits)
    rows = {row.scheme: row.accuracy_frac for row in accuracy_cliff(model, data, bits=(4,))}
    assert rows == {"per-tensor": 2 / 3, "per-channel": 1.0}
