"""What `score` prints; counts and errors worked out by hand."""

from __future__ import annotations

import pandas as pd

from app import score_text

SPECULATIVE = "speculative decoding is on"


def rows(**columns):
    given = {
        "scenario": ["server"] * 3,
        "metric": ["tpot_ms"] * 3,
        "engine": ["vLLM", "vLLM", "SGLang"],
        "gpu": ["H100"] * 3,
        "batch_or_concurrency": [8.0, 8.0, None],
        "family": ["tpot"] * 3,
        "value": [10.0, 20.0, 40.0],
        "predicted": [11.0, 18.0, 100.0],
        "bound": [5.0, 10.0, 20.0],
        "assumed": ["16-bit cache", "16-bit cache; 300 input tokens", ""],
        "skipped": [""] * 3,
    } | columns
    frame = pd.DataFrame(given)
    return frame.assign(ratio=frame.predicted / frame.value)


def test_reasons_are_counted_each_once():
    found = rows(
        skipped=["card 'X' is not in the catalog"] * 2 + [""],
        predicted=[None, None, 100.0],
        quality=["A", "A", "D"],
    )
    assert score_text.uncounted_lines(found) == [
        "2 rows: card 'X' is not in the catalog",
        "1 row: grade D: predicted, but never counted",
    ]


def test_a_file_without_a_scored_row_says_so_and_why():
    text = score_text.speed_text(rows(quality="C", unscored=SPECULATIVE))
    assert "No row could be scored: the file holds 3 rows." in text
    assert f"  - 3 rows: {SPECULATIVE}" in text
    assert "DataFrame" not in text and "Median error" not in text
    assert "not known" not in text


def test_the_rows_of_a_small_file_are_printed_beside_their_predictions():
    lines = score_text.speed_text(rows()).splitlines()
    head = next(i for i, line in enumerate(lines) if line.startswith("Row"))
    assert lines[head].endswith("Value  Predicted  Predicted / value  Counts")
    assert lines[head + 3].split() == ["tpot_ms", "-", "40", "100", "2.50", "yes"]
    many = pd.concat([rows()] * 5)
    assert "Predicted / value  Counts" not in score_text.speed_text(many)


def test_errors_are_told_by_what_differs_and_what_is_the_same_is_one_line():
    text = score_text.speed_text(rows())
    # errors 10 %, 10 % and 150 %; ratios 1.1, 0.9, 2.5
    (figure,) = [line for line in text.splitlines() if line.startswith("Time per token")]
    assert " ".join(figure.split()) == "Time per token under load 3 10 % 10 % high 67 % 67 % 50 %"
    assert "All of scenario server, metric tpot_ms, card H100." in text
    (sglang,) = [line for line in text.splitlines() if line.startswith("SGLang")]
    assert sglang.split()[1:4] == ["1", "150", "%"]


def test_assumptions_are_counted():
    assert score_text.assumed_lines(rows()) == [
        "16-bit cache (2 rows)",
        "300 input tokens (1 row)",
    ]
    many = rows(assumed=["; ".join(f"a{i}" for i in range(20)), "", ""])
    assert score_text.assumed_lines(many)[-1].startswith("8 more")


def test_columns_line_up():
    table = score_text.plain_table([{"Card": "L4", "Rows": "1,200"}, {"Card": "H100", "Rows": "3"}])
    assert table.splitlines() == ["Card   Rows", "L4    1,200", "H100      3"]


def test_what_is_missing_in_a_table_of_figures_is_a_dash():
    text = score_text.figures_text(pd.DataFrame({"p90_error": [0.25, None], "n": [2, 0]}))
    assert [line.split() for line in text.splitlines()] == [
        ["p90", "error", "n"],
        ["0.250", "2"],
        ["-", "0"],
    ]
