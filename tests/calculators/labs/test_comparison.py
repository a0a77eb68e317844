"""Reference figures beside reproduced ones."""

from __future__ import annotations

import pytest

from calculators.labs.comparison import About, Below, compared


def test_rows_are_named_by_their_labels():
    here = {"rows": [[8, "per-row", 0.12341], [4, "per-row", 0.9]]}
    table = {
        "columns": ["bits", "scheme", "error"],
        "n_labels": 2,
        "rows": [[8, "per-row", "0.1234"], [4, "per-row", "0.8000"]],
    }
    good, bad = compared(here, table)
    assert (good.figure, good.here, good.agrees) == ("bits 8, per-row: error", "0.1234", True)
    assert (bad.here, bad.reference, bad.agrees) == ("0.9000", "0.8000", False)


@pytest.mark.parametrize(
    ("here", "reference", "agrees"),
    [
        (0.9759, "0.9759", True),
        (0.97594999, "0.9759", True),
        (0.97596, "0.9759", False),
        (0.01332, "1.332e-02", True),
        (54.11, "54", True),
        (0.9722, About("0.9704", 0.01), True),
        (0.95, About("0.9704", 0.01), False),
        (0.45, Below("0.4741", 0.6), True),
        (0.61, Below("0.4741", 0.6), False),
        (True, True, True),
        (559, 560, False),
    ],
)
def test_a_figure_agrees_at_the_printed_digits(here, reference, agrees):
    (row,) = compared({"x": here}, {"x": reference})
    assert row.agrees is agrees


def test_a_missing_figure_is_an_error():
    with pytest.raises(KeyError):
        compared({}, {"std": "0.03"})
