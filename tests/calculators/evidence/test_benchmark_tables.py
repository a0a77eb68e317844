"""CSV tables of measurements that people make by hand."""

from __future__ import annotations

import pytest

from calculators.evidence.accuracy import score_rows
from calculators.evidence.benchmark_files import BenchmarkFileError, read_benchmark

HEAD = "engine,model,gpu,n_gpus,tp,scenario,batch_or_concurrency,input_tokens,metric,value"
ROW = "vLLM,Llama-3.1-8B,H100 SXM,1,1,server,32,1024,output_tok_s_total,2000"


def read(head: str, *rows: str):
    return read_benchmark("\n".join([head, *rows]).encode(), "rows.csv")


def changed(**cells: str) -> str:
    names = HEAD.split(",")
    row = dict(zip(names, ROW.split(","), strict=True)) | cells
    return ",".join(row[name] for name in names)


def test_names_of_columns_in_any_case_and_numbers_with_commas():
    file = read(HEAD.title().replace("Gpu", "GPU"), changed(value='"2,000"'))
    assert file.rows["value"].tolist() == [2000]
    assert file.notes == ()


def test_cells_that_are_no_numbers_are_named():
    file = read(HEAD, ROW, changed(batch_or_concurrency="many"))
    assert file.notes == (
        "batch_or_concurrency: no number in 1 cell of 2, such as “many”: taken as blank",
    )
    assert file.rows["batch_or_concurrency"].isna().tolist() == [False, True]


def test_rows_longer_than_the_header_are_cut_and_said():
    file = read(HEAD, ROW + ",x,y")
    assert file.rows["engine"].tolist() == ["vLLM"]
    assert file.notes == ("1 row longer than the header: cut",)


def test_a_table_without_rows_or_columns_is_refused():
    with pytest.raises(BenchmarkFileError, match="no row"):
        read(HEAD)
    with pytest.raises(BenchmarkFileError, match="lacks the column value"):
        read(HEAD.replace("value", "speed"), ROW)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("input_tokens", "-5"),
        ("input_tokens", "1e308"),
        ("batch_or_concurrency", "0"),
        ("batch_or_concurrency", "-3"),
        ("tp", "0.5"),
        ("n_gpus", "1e9"),
    ],
)
def test_what_cannot_be_is_skipped_by_name(catalog, name, value):
    scored = score_rows(read(HEAD, changed(**{name: value})).rows, catalog)
    assert scored["skipped"][0].startswith(f"{name} is ")
    assert scored["predicted"].isna().all()


@pytest.mark.parametrize("size", ["1e300", "1e-9", "-8"])
def test_sizes_of_unknown_models_have_limits(catalog, size):
    file = read(HEAD + ",params_b", changed(model="Brandnew") + f",{size}")
    assert "params_b is" in score_rows(file.rows, catalog)["skipped"][0]


def test_a_split_over_more_cards_than_there_are_is_said(catalog):
    scored = score_rows(read(HEAD, changed(tp="8")).rows, catalog)
    assert "8 cards, as tp x pp says" in scored["assumed"][0]
