"""The Accuracy page's figures and words."""

from __future__ import annotations

import json

import pandas as pd
import pytest

from app import accuracy_words
from app.figures import accuracy as figures
from calculators.evidence.accuracy import summarise


def rows(**columns):
    given = {
        "engine": ["vLLM", "vLLM", "SGLang"],
        "model": ["a", "b", "c"],
        "gpu": ["H100", "L4", "B200"],
        "metric": ["tpot_ms"] * 3,
        "family": ["tpot"] * 3,
        "value": [10.0, 20.0, 40.0],
        "predicted": [11.0, 18.0, 100.0],
        "bound": [5.0, 10.0, 20.0],
        "causes": ["", "", "weights fill the card"],
        "skipped": ["", "", ""],
    } | columns
    frame = pd.DataFrame(given)
    return frame.assign(ratio=frame.predicted / frame.value)


def test_each_group_is_a_series_and_the_diagonal_is_drawn():
    figure = figures.predicted_figure(rows(), "engine")
    names = [trace.name for trace in figure.data if trace.mode == "markers"]
    assert names == ["vLLM", "SGLang"]
    diagonal = next(trace for trace in figure.data if trace.mode == "lines")
    assert list(diagonal.x) == list(diagonal.y)


def test_the_title_says_the_median_error():
    # errors 10 %, 10 %, 150 %
    assert "within 10 % of" in figures.predicted_finding(rows())


def test_a_single_row_has_its_ratio_for_a_title():
    one = rows().iloc[:1]  # 11 for 10
    assert figures.predicted_finding(one) == "The prediction is 1.10 times the published value"
    assert accuracy_words.accuracy_metrics(one, "your rows")[1].note == "of 1 row"


def test_errors_stand_beside_those_of_the_reference_arithmetic():
    ours, bound = figures.error_figure(summarise(rows(), "engine")).data
    assert dict(zip(ours.y, ours.x, strict=True))["SGLang (1)"] == pytest.approx(150)
    assert list(bound.x) == pytest.approx([50, 50])


def test_each_engine_of_the_errors_has_its_name_on_a_line_of_its_own():
    long = "HuggingFace Transformers (a baseline)"
    summary = summarise(rows(engine=[long, "x" * 60, "<i>"]), "engine")
    axis = figures.error_figure(summary).layout.yaxis
    assert len(axis.tickvals) == len(axis.ticktext) == 3
    assert f"{long} (1)" in axis.tickvals  # the mark still carries the full name
    assert all(len(name) <= 30 for name in axis.ticktext)
    assert "&lt;i&gt; (1)" in axis.ticktext
    more = pd.concat([summary, summary.assign(engine=["a", "b", "c"])])
    assert figures.error_height(more) - figures.error_height(summary) >= 3 * 24


def test_names_from_a_file_never_become_markup():
    figure = figures.predicted_figure(rows(engine=["<b>x</b>"] * 3), "engine")
    assert "<b>" not in json.dumps(figure.to_plotly_json(), default=str)


def test_the_worst_row_comes_first_with_its_reason():
    worst = accuracy_words.worst_rows(rows())[0]
    assert (worst["Model"], worst["Why"]) == ("c", "weights fill the card")


def test_families_are_named_and_leaning_is_said():
    line = accuracy_words.family_rows(rows())[0]
    assert line["Figure"] == "Time per token under load"
    assert line["Tends to be"] == "10 % high"  # ratios 1.1, 0.9, 2.5
