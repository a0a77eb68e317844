"""A small classifier in NumPy: PyTorch's start, full-batch Adam, cross-entropy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

import numpy as np
from numpy.typing import NDArray

from calculators.labs.quantization import LabError
from calculators.labs.torch_rng import uniform_float32

Array = NDArray[np.floating]
Progress = Callable[[float], None]
SIZES = (64, 256, 256, 10)
N_STEPS = 200
LEARNING_RATE = 1e-3
BETA_1, BETA_2, EPSILON = 0.9, 0.999, 1e-8


@dataclass(frozen=True, slots=True)
class DigitsData:
    """Images as rows of pixels from 0 to 1, and the digit that each shows."""

    train_images: NDArray[np.floating]
    test_images: NDArray[np.floating]
    train_digits: NDArray[np.integer]
    test_digits: NDArray[np.integer]


@dataclass(frozen=True, slots=True)
class Classifier:
    """Weights (out, in) and biases of each layer; ReLU between them."""

    weights: tuple[Array, ...]
    biases: tuple[Array, ...]

    @property
    def parameters(self) -> list[Array]:
        """Weights and biases of each layer in turn."""
        return list(chain.from_iterable(zip(self.weights, self.biases, strict=True)))


def initial_classifier(*, sizes: Sequence[int] = SIZES, seed: int = 0) -> Classifier:
    """A classifier as PyTorch's Linear layers start under a seed.

    uniform in +-1/sqrt(inputs), the weights of a layer before its biases

    Parameters
    ----------
    sizes : sequence of int [1]
        Width of each layer, inputs first.
    seed : int [1]
        As of `torch.manual_seed`.

    Returns
    -------
    Classifier

    Notes
    -----
    Basis `measured`: equal bit by bit to PyTorch 2.13, held in double precision.

    References
    ----------
    torch.nn.Linear.reset_parameters; compared with torch 2.13.0 on 2026-11-30.

    Examples
    --------
    >>> bool(np.abs(initial_classifier().weights[0]).max() <= 1 / 8)
    True
    """
    rng = np.random.RandomState(seed)
    weights, biases = [], []
    for n_in, n_out in pairwise(sizes):
        weights.append(_uniform(rng, n_in, (n_out, n_in)))
        biases.append(_uniform(rng, n_in, (n_out,)))
    return Classifier(tuple(weights), tuple(biases))


def train_classifier(
    data: DigitsData,
    *,
    sizes: Sequence[int] = SIZES,
    seed: int = 0,
    n_steps: int = N_STEPS,
    progress: Progress | None = None,
) -> Classifier:
    """Train on all images at once with Adam and cross-entropy.

    Parameters
    ----------
    data : DigitsData
        Images and digits; the first size is the number of pixels.
    sizes : sequence of int [1]
        Width of each layer.
    seed : int [1]
        Of the start.
    n_steps : int [steps]
        Full-batch steps, 0 or more.
    progress : callable or None
        Told the share that is done after each step.

    Returns
    -------
    Classifier

    Raises
    ------
    LabError
        Where images and first layer differ in width.

    Notes
    -----
    Basis `measured`. In double precision, so that machines agree: single precision rounds
    differently from one machine to the next, and 200 steps amplify it to a few images of 540.

    References
    ----------
    Kingma and Ba, Adam, arXiv 1412.6980; the reference table of the project.

    Examples
    --------
    >>> images, digits = np.eye(64), np.arange(64) % 10
    >>> data = DigitsData(images, images, digits, digits)
    >>> accuracy_frac(train_classifier(data, n_steps=60), images=images, digits=digits)
    1.0
    """
    if data.train_images.shape[1] != sizes[0]:
        raise LabError(
            f"train_images: {data.train_images.shape[1]} pixels given; {sizes[0]} allowed"
        )
    start = initial_classifier(sizes=sizes, seed=seed)
    parameters = [array.copy() for array in start.parameters]
    moments = [(np.zeros_like(p), np.zeros_like(p)) for p in parameters]
    images = data.train_images.astype(np.float64)
    wanted = np.eye(sizes[-1])[data.train_digits]
    for step in range(1, n_steps + 1):
        gradients = _gradients(parameters, images, wanted)
        for parameter, moment, gradient in zip(parameters, moments, gradients, strict=True):
            _adam_update(parameter, moment, gradient, step)
        if progress is not None:
            progress(step / n_steps)
    return Classifier(tuple(parameters[0::2]), tuple(parameters[1::2]))


def logits(model: Classifier, images: NDArray[np.floating]) -> Array:
    """Scores of each digit for each image.

    Parameters
    ----------
    model : Classifier
        To run.
    images : array [1]
        (images, pixels).

    Returns
    -------
    array (images, digits) [1]

    Notes
    -----
    Basis: arithmetic in double precision.

    References
    ----------
    The reference table of the project.

    Examples
    --------
    >>> logits(initial_classifier(), np.zeros((3, 64))).shape
    (3, 10)
    """
    return _activations(model.parameters, images)[-1]


def accuracy_frac(
    model: Classifier, *, images: NDArray[np.floating], digits: NDArray[np.integer]
) -> float:
    """Share of images whose highest score is the right digit.

    Parameters
    ----------
    model : Classifier
        To run.
    images, digits : array
        (images, pixels) and the digit of each.

    Returns
    -------
    float [share, 0 to 1]

    Notes
    -----
    Of 540 test images one is 0.0019: smaller differences are chance.

    References
    ----------
    Definition.

    Examples
    --------
    >>> accuracy_frac(initial_classifier(), images=np.zeros((2, 64)), digits=np.array([99, 99]))
    0.0
    """
    return float(np.mean(logits(model, images).argmax(axis=1) == digits))


def _uniform(rng: np.random.RandomState, n_in: int, shape: tuple[int, ...]) -> Array:
    bound = 1.0 / np.sqrt(n_in)
    u = uniform_float32(rng=rng, n_values=int(np.prod(shape)))
    return (u * np.float32(2 * bound) - np.float32(bound)).astype(np.float64).reshape(shape)


def _activations(parameters: Sequence[Array], images: NDArray[np.floating]) -> list[Array]:
    """Inputs of each layer, and the last layer's scores."""
    values: list[Array] = [np.asarray(images, dtype=np.float64)]
    n_layers = len(parameters) // 2
    for layer in range(n_layers):
        scores = values[-1] @ parameters[2 * layer].T + parameters[2 * layer + 1]
        values.append(scores if layer == n_layers - 1 else np.maximum(scores, 0.0))
    return values


def _gradients(parameters: Sequence[Array], images: Array, wanted: Array) -> list[Array]:
    *inputs, scores = _activations(parameters, images)
    shares = np.exp(scores - scores.max(axis=1, keepdims=True))
    slope = (shares / shares.sum(axis=1, keepdims=True) - wanted) / len(images)
    gradients: list[Array] = []
    for layer in reversed(range(len(inputs))):
        gradients = [slope.T @ inputs[layer], slope.sum(axis=0), *gradients]
        if layer:
            slope = (slope @ parameters[2 * layer]) * (inputs[layer] > 0)
    return gradients


def _adam_update(parameter: Array, moment: tuple[Array, Array], gradient: Array, step: int) -> None:
    mean, square = moment
    mean += (1 - BETA_1) * (gradient - mean)
    square += (1 - BETA_2) * (gradient * gradient - square)
    deviation = np.sqrt(square / (1 - BETA_2**step)) + EPSILON
    parameter -= LEARNING_RATE / (1 - BETA_1**step) * mean / deviation
