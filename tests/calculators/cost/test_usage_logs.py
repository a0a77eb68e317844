"""A log as a whole: what is counted, refused, decoded."""

import gzip

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calculators.cost.usage_logs import UsageLogError, read_usage_log
from tests.calculators.cost.usage import HEADER, read, totals


def test_every_bad_row_is_counted_once_with_an_example():
    rows = [b"1,5,2", b",5,2", b"soon,5,2", b"4,,", b"5,,2", b"6,abc,2", b"7,-1,2", b"8,5,-1"]
    rows += [b"9,5,nan", b"10,inf,2", b"11,5,2,9,9", b"12"]
    log = read(HEADER + b"\n".join(rows) + b"\n")
    assert log.time_s.tolist() == [1]
    assert log.bad_rows == {
        "more fields than the 3 of the header": 1,
        "time is missing": 1,
        "time is not a date from 2000 to 2099": 1,
        "no token counts": 2,
        "input tokens are missing": 1,
        "input tokens are not a number": 1,
        "input tokens are negative (-1 means not recorded)": 1,
        "input tokens above 10^13": 1,
        "output tokens are negative (-1 means not recorded)": 1,
        "output tokens are missing": 1,
    }
    assert log.n_bad_rows == len(rows) - 1
    assert "row 3" in log.bad_examples["time is not a date from 2000 to 2099"][0]


def test_a_field_of_many_megabytes_is_refused():
    with pytest.raises(UsageLogError, match="cannot be read on"):
        read(HEADER + b"1,2,3\n" * 100 + b'"' + b"x" * 20_000_000 + b'",1,2\n')


def test_encodings_and_line_ends():
    for content in (
        b"\xef\xbb\xbf" + HEADER + b"1700000000,5,6\n",
        (HEADER + b"1700000000,5,6\n").decode().encode("utf-16"),
        (HEADER + b"1700000000,5,6\n").replace(b"\n", b"\r\n"),
        HEADER.replace(b"\n", b",user\n") + b"1700000000,5,6,Ren\xe9\n",
    ):
        assert totals(read(content)) == (1, 5, 6)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "empty"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:a\nsize 1\n", "git lfs pull"),
        (gzip.compress(HEADER, mtime=0), "gzip"),
        (b"PK\x03\x04" + b"\0" * 50, "Excel"),
        (bytes(range(256)) * 9, "binary"),
        (b"<html></html>", "HTML"),
        (b'# HELP vllm:x y\nvllm:request_prompt_tokens_sum{m="a"} 906000.0\n', "906000.0"),
        (b"start_time,amount_value,amount_currency\n1759622400,0.9,usd\n", "cost export"),
        (b'[{"id": "a", "conversations": [{"from": "human", "value": "hi"}]}]', "conversations"),
        (HEADER, "no rows"),
        (b"[" * 500_000, "no JSON object"),
        (b'{"a":' * 500_000, "no JSON object"),
        (b"null", "No columns"),
    ],
)
def test_what_is_no_log_is_refused_in_one_sentence(content, words):
    with pytest.raises(UsageLogError, match=words) as error:
        read(content)
    assert len(str(error.value)) < 450


def test_broken_json_lines_are_counted():
    good = b'{"ts": 1700000000, "prompt_tokens": 5, "completion_tokens": 6}\n'
    log = read(
        good
        + b"{broken\n"
        + b"[1]\n"
        + b'{"a": ' * 3000
        + b"\n"
        + good.replace(b"000,", b"009,", 1)
    )
    assert totals(log)[1:] == (10, 12)
    assert log.bad_rows == {"line is not JSON": 2, "not a JSON object": 1}


@settings(deadline=None, max_examples=60)
@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(content):
    for data in (
        content,
        HEADER + content,
        b'{"ts":1,"prompt_tokens":5,"completion_tokens":6}\n' + content,
    ):
        try:
            log = read_usage_log(data)
        except UsageLogError:
            continue
        assert np.all(log.input_tok >= 0) and np.all(np.isfinite(log.output_tok))


def test_progress_rises_to_the_end():
    calls = []
    rows = b"".join(b"%d,5,2\n" % t for t in range(200_000))
    assert totals(read_usage_log(HEADER + rows, progress=calls.append))[0] == 200_000
    assert calls and calls == sorted(calls) and calls[-1] == pytest.approx(1)


def test_token_columns_without_readable_counts_are_named():
    with pytest.raises(UsageLogError, match="column of input tokens hold no numbers"):
        read(b"timestamp,input_tokens,output_tokens\n1," + b"9" * 400 + b",2\n")


def test_hundreds_of_thousands_of_columns_are_not_searched_for_kinds(monkeypatch):
    marks = []

    def one_column(*_, sep, **__):
        marks.append(sep)
        return pd.DataFrame({"all": ["1,2"]})

    monkeypatch.setattr("pandas.read_csv", one_column)
    header = b",".join(b"c%d" % i for i in range(200_000))
    with pytest.raises(UsageLogError, match="No columns of input and output tokens"):
        read(header + b"\n1,2\n")
    assert marks and "," not in marks
