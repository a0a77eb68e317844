"""The classifier: PyTorch's start, gradients against finite differences, Adam by hand."""

from __future__ import annotations

import numpy as np
import pytest

from calculators.labs import classifier
from calculators.labs.classifier import (
    Classifier,
    DigitsData,
    accuracy_frac,
    initial_classifier,
    logits,
    train_classifier,
)
from calculators.labs.quantization import LabError


def test_the_start_is_that_of_torch_linear_under_seed_0():
    # torch 2.13.0: manual_seed(0); Linear(64, 256): weight[0, :3] and bias[:2]
    start = initial_classifier()
    torch_weights = [-0.0009358525276184082, 0.06705544888973236, -0.10288064181804657]
    assert start.weights[0][0, :3] == pytest.approx(torch_weights, abs=1e-9)
    assert start.biases[0][:2] == pytest.approx(
        [-0.04456014931201935, 0.05082012712955475], abs=1e-9
    )
    assert [w.shape for w in start.weights] == [(256, 64), (256, 256), (10, 256)]


def test_hand_counted_forward_pass():
    model = Classifier(
        (np.array([[1.0, -1.0]]), np.array([[2.0], [-2.0]])), (np.array([0.5]), np.zeros(2))
    )
    # relu(3 - 1 + 0.5) = 2.5 -> (5, -5); relu(1 - 3 + 0.5) = 0 -> (0, 0)
    assert logits(model, np.array([[3.0, 1.0], [1.0, 3.0]])).tolist() == [[5.0, -5.0], [0.0, 0.0]]


def test_gradients_equal_finite_differences():
    rng = np.random.default_rng(5)
    sizes = (4, 3, 2)
    parameters = initial_classifier(sizes=sizes, seed=1).parameters
    images, wanted = rng.random((6, 4)), np.eye(2)[[0, 1, 0, 1, 1, 0]]

    def loss():
        scores = classifier._activations(parameters, images)[-1]
        return np.mean(np.log(np.exp(scores).sum(axis=1)) - (scores * wanted).sum(axis=1))

    for parameter, gradient in zip(
        parameters, classifier._gradients(parameters, images, wanted), strict=True
    ):
        for index in np.ndindex(parameter.shape):
            kept = parameter[index]
            parameter[index] = kept + 1e-6
            above = loss()
            parameter[index] = kept - 1e-6
            below = loss()
            parameter[index] = kept
            assert gradient[index] == pytest.approx((above - below) / 2e-6, abs=1e-7)


def test_the_first_adam_step_is_the_learning_rate_against_the_sign():
    images, digits = np.eye(3, 64), np.array([1, 2, 3])
    data = DigitsData(images, images, digits, digits)
    before, after = initial_classifier(), train_classifier(data, n_steps=1)
    moved = after.biases[2] - before.biases[2]
    assert np.sign(moved[1:4]).tolist() == [1.0, 1.0, 1.0]
    assert np.abs(moved) == pytest.approx(np.full(10, 1e-3), rel=1e-4)


def test_training_reports_progress_and_depends_on_the_seed_alone():
    images, digits = np.eye(8, 64), np.arange(8)
    data = DigitsData(images, images, digits, digits)
    seen: list[float] = []
    first = train_classifier(data, n_steps=5, progress=seen.append)
    again = train_classifier(data, n_steps=5)
    other = train_classifier(data, n_steps=5, seed=1)
    assert seen == pytest.approx([0.2, 0.4, 0.6, 0.8, 1.0])
    assert np.array_equal(first.weights[1], again.weights[1])
    assert not np.array_equal(first.weights[1], other.weights[1])


def test_accuracy_counts_the_highest_score():
    model = Classifier((np.eye(2),), (np.zeros(2),))
    images = np.array([[1.0, 0.0], [0.0, 1.0], [3.0, 2.0], [1.0, 2.0]])
    assert accuracy_frac(model, images=images, digits=np.array([0, 1, 1, 1])) == 0.75


def test_images_of_another_width_are_named():
    images, digits = np.zeros((2, 9)), np.array([0, 1])
    with pytest.raises(LabError, match="9 pixels"):
        train_classifier(DigitsData(images, images, digits, digits))
