"""CSV files: no cell opens as a formula, figures stay figures."""

import csv
import io

import pandas as pd
import pytest

from app.csv_text import csv_text, guarded


@pytest.mark.parametrize("text", ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", " =1"])
def test_a_text_that_starts_like_a_formula_is_guarded(text):
    assert guarded(text) == f"'{text}"


@pytest.mark.parametrize("value", ["-5", "+1e3", "H100", "", -5, -2.5, None, True])
def test_figures_and_plain_texts_stay(value):
    assert guarded(value) == value


def test_cells_and_names_of_a_table_are_guarded():
    table = pd.DataFrame({"=name": ['=HYPERLINK("x")', "card"], "usd": [-1.5, 2.0]})
    rows = list(csv.reader(io.StringIO(csv_text(table))))
    assert rows[0] == ["'=name", "usd"]
    assert rows[1] == ['\'=HYPERLINK("x")', "-1.5"]
    assert rows[2] == ["card", "2.0"]
