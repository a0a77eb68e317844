"""The digits data set that ships with scikit-learn, split as the reference splits it."""

from __future__ import annotations

from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from calculators.labs.classifier import DigitsData

PIXEL_MAX = 16.0


def digits_data() -> DigitsData:
    """1,797 images of 8 x 8 pixels: 70 % to train, 30 % to test, stratified, always the same."""
    images, digits = load_digits(return_X_y=True)
    train_images, test_images, train_digits, test_digits = train_test_split(
        images / PIXEL_MAX, digits, test_size=0.3, random_state=0, stratify=digits
    )
    return DigitsData(train_images, test_images, train_digits, test_digits)
