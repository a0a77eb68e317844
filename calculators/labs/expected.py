"""What the reference material prints for each lab; numbers as text keep their digits."""

from __future__ import annotations

from typing import Any

from calculators.labs.comparison import About, Below

Table = dict[str, Any]

AFFINE: Table = {
    "columns": ["bits", "bits per weight", "output error", "output error with outliers"],
    "rows": [
        [8, "8.25", "0.0060", "0.0069"],
        [4, "4.25", "0.1001", "0.1167"],
        [3, "3.25", "0.2161", "0.2680"],
        [2, "2.25", "0.5039", "0.5707"],
    ],
    "group_damage_4bit": {
        "well_behaved": {"all": "0.1070", "holding_an_outlier": "0.1070", "rest": "0.1070"},
        "with_outliers": {"all": "0.1134", "holding_an_outlier": "0.3169", "rest": "0.1070"},
        "groups_holding_an_outlier": "0.031",
    },
}

SYMMETRIC: Table = {
    "abs_max": "1.6916",
    "std": "0.0313",
    "abs_max_over_std": "54",
    "int8_per_tensor": {"scale": "1.332e-02", "rel_rms": "0.1229"},
    "row_error_int8_per_tensor": {"median_row": "0.1922", "row_0": "0.1928", "row_7": "0.0079"},
    "weights_above_0_2": 559,
    "columns": ["bits", "scheme", "relative RMS error", "largest error"],
    "n_labels": 2,
    "rows": [
        [8, "per-tensor", "0.1229", "0.0067"],
        [8, "per-channel", "0.0076", "0.0067"],
        [4, "per-tensor", "0.6537", "0.1207"],
        [4, "per-channel", "0.1383", "0.1206"],
        [3, "per-tensor", "0.7146", "0.2818"],
        [3, "per-channel", "0.3243", "0.2817"],
    ],
    "stored_bytes": {
        "columns": ["bits", "scales", "bytes", "times smaller than 16 bits"],
        "n_labels": 2,
        "rows": [
            [16, 0, "524288", "1.00"],
            [8, 0, "262144", "2.00"],
            [8, 512, "263168", "1.99"],
            [4, 0, "131072", "4.00"],
            [4, 512, "132096", "3.97"],
        ],
    },
}

DIGITS: Table = {
    "channel_range_spread": [About("1.59", 0.05), About("1.47", 0.05), About("1.19", 0.05)],
    "fp32_accuracy": "0.9759",
    "columns": ["bits", "per tensor", "per channel"],
    "rows": [
        [8, "0.9759", "0.9759"],
        [4, "0.9685", "0.9722"],
        [3, About("0.9667", 0.01), About("0.9704", 0.01)],
        [2, Below("0.1944", 0.6), Below("0.4741", 0.6)],
    ],
}

GENERATION: Table = {
    "same_tokens": True,
    "naive": {"proj": 6030, "scores": 85330},
    "cached": {"proj": 192, "scores": 2086},
    "first_new_tokens": [4, 4, 4, 4, 58, 58, 58, 58, 4, 58, 58, 58],
}

# Counted by hand from the reference text's own examples.
BATCHING: Table = {
    "static": {"first_answer_s": "499", "end_s": "518"},
    "continuous": {"first_answer_s": "19", "end_s": "499"},
}

PAGING: Table = {
    "contiguous": {"held_tok": 8000, "filled_tok": 200},
    "paged": {"held_tok": 208, "filled_tok": 200},
}
