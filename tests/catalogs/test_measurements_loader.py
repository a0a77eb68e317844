"""Measurement files: every row has a source and a grade, and mistakes are named."""

import pytest

from calculators.evidence.accuracy import score_rows, scored_only, summarise
from catalogs.measurements_loader import CatalogError, load_measurements, measurement_sources

HEAD = "id,engine,model,accelerator,scenario,metric,value,quality\n"
LINE = "x1,vLLM,Llama-3.1-8B,H100-SXM-80GB,server,tpot_ms,{},{}\n"
SOURCES = "sources:\n  mine: {title: My run, checked: 2026-11-30}\n"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "sources.yaml").write_text(SOURCES)
    return tmp_path


def test_every_file_has_a_source_with_a_day():
    sources = measurement_sources()
    assert set(load_measurements().source_group) == set(sources)
    assert all(source.checked.year == 2026 for source in sources.values())


def test_grades_and_values():
    rows = load_measurements()
    assert len(rows) >= 2407
    assert rows.quality.isin(list("ABCD")).all() and (rows.value >= 0).all()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HEAD + LINE.format("abc", "A"), "value must be a number"),
        (HEAD + LINE.format("1", "E"), "quality must be one of A, B, C, D"),
        (HEAD.replace("metric,", ""), "no column metric"),
        (HEAD.replace("id,", "id,colour,"), "column colour is unknown"),
        (HEAD + LINE.format("1", "A") * 2, "id x1 is given twice"),
    ],
)
def test_mistakes_are_named(folder, text, message):
    (folder / "mine.csv").write_text(text)
    with pytest.raises(CatalogError, match=message):
        load_measurements(folder)


def test_a_file_without_a_source_is_an_error(folder):
    (folder / "theirs.csv").write_text(HEAD + LINE.format("1", "A"))
    with pytest.raises(CatalogError, match=r"theirs\.csv"):
        load_measurements(folder)


def test_parallelism_columns_become_notes(folder):
    head = HEAD.replace("scenario", "attention_dp,length_frac,scenario")
    line = LINE.format("1", "A").replace("server", "8,0.9,server")
    (folder / "mine.csv").write_text(head + line)
    row = load_measurements(folder).iloc[0]
    assert row.notes == "attention_dp=8, lengths nominal (mean 0.9x)"
    assert row.source == "My run"


def test_the_catalogs_constants_still_fit_its_measurements(catalog):
    scored = score_rows(load_measurements(), catalog)
    counted = scored_only(scored)
    graded = load_measurements().quality.isin(["A", "B"]).sum()
    assert len(counted) >= 0.98 * graded
    error = summarise(scored).set_index("family").median_abs_error_frac
    limits = {"decode": 0.10, "throughput": 0.15, "tpot": 0.13, "ttft": 0.15, "ttft_load": 0.30}
    assert {family: error[family] for family in limits if error[family] > limits[family]} == {}
    assert summarise(scored).set_index("family").within_2x_frac["throughput"] >= 0.95
