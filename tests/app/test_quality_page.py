"""The Quality page's figures and words."""

from __future__ import annotations

import json

import pytest

from app import quality_words
from app.figures import quality as figures
from calculators.evidence.lm_eval_files import read_eval_file
from calculators.evidence.published_loss import loss_rows
from calculators.evidence.quality import compare
from catalogs.loader import load_catalog
from catalogs.quality_loader import load_quality


def comparison_of(base, quant, metric="acc"):
    files = []
    for scores in (base, quant):
        results = {
            t: {f"{metric},none": v, f"{metric}_stderr,none": 0.01} for t, v in scores.items()
        }
        files.append(read_eval_file(json.dumps({"results": results}).encode()))
    return compare(*files)


def test_the_forest_has_every_task_with_its_interval_and_marks_what_broke():
    comparison = comparison_of({"gsm8k": 0.6, "arc_easy": 0.7}, {"gsm8k": 0.4, "arc_easy": 0.69})
    broke, rest = figures.forest_figure(comparison).data
    assert (list(broke.y), list(rest.y)) == (["gsm8k"], ["arc_easy"])
    assert broke.x[0] == pytest.approx(-20)
    assert broke.error_x.array[0] == pytest.approx(1.96 * 100 * 0.01 * 2**0.5)
    assert figures.forest_finding(comparison) == "The mean changes by -10.5 points, gsm8k by -20.0"


def test_names_from_a_file_never_become_markup():
    name = "<a href='x'>t</a>"
    figure = figures.forest_figure(comparison_of({name: 0.6}, {name: 0.4}))
    assert "<a" not in json.dumps(figure.to_plotly_json(), default=str)


def test_perplexities_alone_are_bars_in_percent():
    comparison = comparison_of({"wikitext": 10.0}, {"wikitext": 12.0}, "word_perplexity")
    assert figures.forest_figure(comparison).data[0].x[0] == pytest.approx(20)
    assert "+20.0 %" in figures.forest_finding(comparison)


def test_mean_stands_beside_the_worst():
    comparison = comparison_of({"gsm8k": 0.6, "arc_easy": 0.7}, {"gsm8k": 0.4, "arc_easy": 0.7})
    labels = [entry[0] for entry in quality_words.comparison_metrics(comparison)]
    assert labels == ["Mean change", "Worst task", "Tasks that broke"]
    assert [row["Ability"] for row in quality_words.ability_rows(comparison)] == [
        "arithmetic",
        "knowledge",
    ]
    assert quality_words.task_rows(comparison)[0]["Task"] == "gsm8k (acc)"


def test_published_losses_are_drawn_for_every_format_and_task():
    rows = [r for r in loss_rows(load_quality()) if r.ability != "language modelling"]
    figure = figures.loss_figure(rows, {})
    assert sum(len(trace.x) for trace in figure.data) == len(rows)
    formats = list(load_catalog().weight_formats.values())
    drawn = figures.perplexity_figure(formats, "gguf-q4-k-m").data
    assert sum(len(trace.x) for trace in drawn) == sum(1 for f in formats if f.ppl_delta)
    assert list(drawn[1].x) == [pytest.approx(4.8944, abs=0.01)]


def test_abilities_without_a_figure_are_said_to_have_none():
    rows = quality_words.statement_rows(load_quality(), {})
    said = {row["Ability"]: row["What is said"] for row in rows}
    assert {"long context", "code", "arithmetic", "less common languages"} <= said.keys()
    assert "No figure" in str(said["code"])


def test_both_files_and_their_models_are_named():
    results = {"gsm8k": {"exact_match,none": 0.5, "exact_match_stderr,none": 0.01}}
    said = {"results": results, "config": {"model": "hf", "model_args": "pretrained=org/base-8b"}}
    baseline = read_eval_file(json.dumps(said).encode(), "results_base.json")
    quantized = read_eval_file(json.dumps({"results": results}).encode(), "results_awq.json")
    assert quality_words.compared_files(compare(baseline, quantized)) == (
        "Baseline: results_base.json, of org/base-8b. "
        "Quantized: results_awq.json, which names no model."
    )
