"""The labs' reference tables, at the digits that the reference material prints."""

from __future__ import annotations

import pytest

from app.digits import digits_data
from app.one_core import one_core
from calculators.labs import reference
from calculators.labs.classifier import train_classifier
from calculators.labs.reference import (
    affine_reference,
    digits_reference,
    generation_reference,
    speculative_reference,
    symmetric_reference,
)

TORCH_WEIGHTS = [0.090515621, 0.035752724, 0.056654893]
TORCH_BIASES = [-0.022337236, -0.040287979, -0.018381613]


def test_affine_errors_and_damage():
    table = affine_reference()
    rows = [[row[0], row[1], f"{row[2]:.4f}", f"{row[3]:.4f}"] for row in table["rows"]]
    assert rows == [
        [8, 8.25, "0.0060", "0.0069"],
        [4, 4.25, "0.1001", "0.1167"],
        [3, 3.25, "0.2161", "0.2680"],
        [2, 2.25, "0.5039", "0.5707"],
    ]
    damage = table["group_damage_4bit"]
    assert f"{damage.pop('groups_holding_an_outlier'):.3f}" == "0.031"
    shown = {k: {name: f"{v:.4f}" for name, v in row.items()} for k, row in damage.items()}
    assert shown == {
        "well_behaved": {"all": "0.1070", "holding_an_outlier": "0.1070", "rest": "0.1070"},
        "with_outliers": {"all": "0.1134", "holding_an_outlier": "0.3169", "rest": "0.1070"},
    }


def test_symmetric_matrix_and_errors():
    table = symmetric_reference()
    assert f"{table['abs_max']:.4f} {table['std']:.4f}" == "1.6916 0.0313"
    assert round(table["abs_max_over_std"]) == 54
    assert f"{table['int8_per_tensor']['scale']:.3e}" == "1.332e-02"
    assert f"{table['int8_per_tensor']['rel_rms']:.4f}" == "0.1229"
    rows = {k: f"{v:.4f}" for k, v in table["row_error_int8_per_tensor"].items()}
    assert rows == {"median_row": "0.1922", "row_0": "0.1928", "row_7": "0.0079"}
    assert table["weights_above_0_2"] == 559
    assert [[b, s, f"{rms:.4f}", f"{most:.4f}"] for b, s, rms, most in table["rows"]] == [
        [8, "per-tensor", "0.1229", "0.0067"],
        [8, "per-channel", "0.0076", "0.0067"],
        [4, "per-tensor", "0.6537", "0.1207"],
        [4, "per-channel", "0.1383", "0.1206"],
        [3, "per-tensor", "0.7146", "0.2818"],
        [3, "per-channel", "0.3243", "0.2817"],
    ]
    stored = [[b, n, size, f"{times:.2f}"] for b, n, size, times in table["stored_bytes"]["rows"]]
    assert stored == [
        [16, 0, 524288, "1.00"],
        [8, 0, 262144, "2.00"],
        [8, 512, 263168, "1.99"],
        [4, 0, 131072, "4.00"],
        [4, 512, 132096, "3.97"],
    ]


@pytest.fixture(scope="module")
def trained():
    with one_core():
        return train_classifier(digits_data())


@pytest.fixture
def digits(trained, monkeypatch):
    monkeypatch.setattr(reference, "train_classifier", lambda *_, **__: trained)
    return digits_reference(digits_data())


def test_digits_accuracy(digits):
    # 540 test images: one of them is 0.0019. 16, 8 and 4 bits hold exactly.
    assert f"{digits['fp32_accuracy']:.4f}" == "0.9759"
    rows = {bits: (tensor, channel) for bits, tensor, channel in digits["rows"]}
    assert [f"{value:.4f}" for value in rows[8]] == ["0.9759", "0.9759"]
    assert [f"{value:.4f}" for value in rows[4]] == ["0.9685", "0.9722"]
    assert rows[3] == pytest.approx((0.9667, 0.9704), abs=0.01)
    assert max(rows[2]) < 0.6


def test_digits_channel_spread(digits):
    assert digits["channel_range_spread"] == pytest.approx([1.59, 1.47, 1.19], abs=0.05)


def test_training_ends_where_torch_ends_in_double_precision(trained):
    # torch 2.13.0 in float64 from the same start: the last layer's first weights and biases.
    assert trained.weights[2][0, :3] == pytest.approx(TORCH_WEIGHTS, abs=1e-7)
    assert trained.biases[2][:3] == pytest.approx(TORCH_BIASES, abs=1e-7)


def test_generation_counts_and_tokens():
    table = generation_reference()
    assert table["same_tokens"] is True
    assert table["naive"] == {"proj": 6030, "scores": 85330}
    assert table["cached"] == {"proj": 192, "scores": 2086}
    assert table["first_new_tokens"] == [4, 4, 4, 4, 58, 58, 58, 58, 4, 58, 58, 58]


def test_six_tokens_from_one_pass():
    assert speculative_reference() == {"five_of_six_accepted": 6}
