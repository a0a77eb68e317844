import gzip
import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calculators.cost.usage_logs import UsageLogError, read_usage_log

HEADER = b"timestamp,prompt_tokens,completion_tokens\n"


def read(content, **options):
    data = content if isinstance(content, bytes) else json.dumps(content).encode()
    return read_usage_log(data, "log", **options)


def totals(log):
    return log.n_rows, log.input_tok.sum(), log.output_tok.sum()


@pytest.mark.parametrize(
    ("header", "cached"),
    [
        ("TIMESTAMP,ContextTokens,GeneratedTokens", None),
        ("Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type", None),
        ("prompt_tokens,generation_tokens,ttft,generation_time,launch_time,finish_time", None),
        ("request_id,request_type,application_id,arrival_timestamp,prompt_size,token_size", None),
        ("arrived_at,num_prefill_tokens,num_decode_tokens", None),
        ("generation_id,created_at,cost,tokens_prompt,tokens_completion,tokens_cached", 4),
        ("Request ID,Created At,Status,Prompt Tokens,Completion Tokens,Latency", None),
        ("startTime,endTime,model,inputTokens,outputTokens,maxTokens", None),
        ("time,gen_ai.usage.input_tokens,gen_ai.usage.output_tokens", None),
        ("ts,isl,osl", None),
    ],
)
def test_column_names_of_real_exports(header, cached):
    names = header.split(",")
    values = {
        "in": next(n for n in names if n.lower() in INPUTS),
        "out": next(n for n in names if n.lower() in OUTPUTS),
    }
    first = dict.fromkeys(names, "5") | {values["in"]: "100", values["out"]: "20"}
    second = dict.fromkeys(names, "9") | {values["in"]: "50", values["out"]: "10"}
    for row in (first, second):
        row.update(
            {n: "4" for n in names if "cached" in n}, **{n: "120" for n in names if "Total" in n}
        )
        row.update({n: f"r{row[values['in']]}" for n in names if n.lower().endswith("id")})
    rows = "\n".join(",".join(row[name] for name in names) for row in (first, second))
    log = read(f"{header}\n{rows}\n".encode())
    assert totals(log) == (2, 150, 30)
    assert log.time_s.tolist() == [5, 9]
    assert (log.cached_tok is None) == (cached is None)


INPUTS = {
    *("contexttokens", "request tokens", "prompt_tokens", "prompt_size", "num_prefill_tokens"),
    *("tokens_prompt", "prompt tokens", "inputtokens", "gen_ai.usage.input_tokens", "isl"),
}
OUTPUTS = {
    *("generatedtokens", "response tokens", "generation_tokens", "token_size", "num_decode_tokens"),
    *(
        "tokens_completion",
        "completion tokens",
        "outputtokens",
        "gen_ai.usage.output_tokens",
        "osl",
    ),
}


@pytest.mark.parametrize(
    ("cells", "seconds"),
    [
        (("1700000000", "1700000060"), 1.7e9),
        (("1700000000.5", "1700000060.5"), 1.7e9 + 0.5),
        (("1700000000000", "1700000060000"), 1.7e9),
        (("1700000000000000", "1700000060000000"), 1.7e9),
        (("1700000000000000000", "1700000060000000000"), 1.7e9),
        (("2023-11-14 22:13:20", "2023-11-14 22:14:20"), 1.7e9),
        (("2023-11-14 22:13:20.0000001", "2023-11-14 22:14:20"), 1.7e9),
        (("2023-11-14T22:13:20Z", "2023-11-15T00:14:20+02:00"), 1.7e9),
        (("2023-11-14 22:13:20 UTC", "2023-11-14 22:14:20 UTC"), 1.7e9),
        (("14.11.2023 22:13:20", "14.11.2023 22:14:20"), 1.7e9),
        (("11/14/2023 10:13:20 PM", "11/14/2023 10:14:20 PM"), 1.7e9),
        (("14/Nov/2023:22:13:20 +0000", "14/Nov/2023:22:14:20 +0000"), 1.7e9),
        (("20231114221320", "20231114221420"), 1.7e9),
    ],
)
def test_times_of_every_kind(cells, seconds):
    log = read(HEADER + "".join(f'"{cell}",5,2\n' for cell in cells).encode())
    assert log.is_absolute
    assert log.time_s == pytest.approx([seconds, 1.7e9 + 60 + seconds % 1], abs=1e-3)


def test_a_relative_clock_is_guessed_said_and_can_be_set():
    rows = b"".join(b"%d,5,2\n" % t for t in (0, 3000, 27482))
    mooncake = HEADER.replace(b"prompt_tokens", b"input_length").replace(
        b"completion_tokens", b"output_length"
    )
    assert read(mooncake + rows).time_s.tolist() == [0, 3, 27.482]
    assert "read as ms" in read(mooncake + rows).notes[0]
    assert read(mooncake + rows, time_unit="s").time_s.tolist() == [0, 3000, 27482]
    assert read(HEADER + b"5,1,1\n45,1,1\n118,1,1\n").time_s.tolist() == [5, 45, 118]
    named = HEADER.replace(b"timestamp", b"arrival_ms")
    assert read(named + b"5,1,1\n45,1,1\n").time_s.tolist() == [0.005, 0.045]


def test_words_for_now_are_no_times():
    log = read(HEADER + b"2024-01-01,1,1\nnow,1,1\ntoday,1,1\n")
    assert log.bad_rows == {"time is not a date from 2000 to 2099": 2}


def test_dates_of_other_millennia_are_no_times():
    log = read(HEADER + b"2024-01-01 00:00:00.1,1,1\n0202-11-16 18:20:46,1,1\n9999-01-01,1,1\n")
    assert log.bad_rows == {"time is not a date from 2000 to 2099": 2}


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


def test_thousands_separators_and_float_counts():
    assert totals(read(HEADER + b'1,"1,024",20.0\n2,512.0,1e2\n')) == (2, 1536, 120)
    german = (
        b"Datum;Input Tokens;Output Tokens\n01.02.2025 10:00;1.024;20\n14.02.2025 10:00;500;20\n"
    )
    assert totals(read(german)) == (2, 1524, 40)


def test_cumulative_counters_become_steps_for_each_series_across_a_restart():
    rows = [
        (1.7e9 + 15 * i, name, tokens, tokens // 5)
        for i in range(40)
        for name, tokens in (("a", 100 * i), ("b", 10_000 + 50 * i if i < 20 else 50 * (i - 20)))
    ]
    text = "timestamp,instance,prompt_tokens_total,generation_tokens_total\n"
    text += "".join(f"{t:.0f},{name},{p},{g}\n" for t, name, p, g in rows)
    log = read(text.encode())
    assert log.input_tok.sum() == 39 * 100 + 19 * 50 + 19 * 50
    assert not log.has_lengths
    assert any("counters" in note for note in log.notes)


def test_daily_totals_named_total_are_not_counters():
    text = b"timestamp,n_requests,n_context_tokens_total,n_generated_tokens_total\n"
    text += b"2023-11-01,5,100,20\n2023-11-02,6,110,30\n2023-11-03,9,200,40\n"
    log = read(text)
    assert totals(log) == (3, 410, 90)
    assert log.n_requests.sum() == 20
    assert set(log.bucket_s) == {86400}


def test_requests_of_one_length_are_not_counters():
    assert totals(read(HEADER + b"".join(b"%d,512,64\n" % t for t in range(50)))) == (
        50,
        25600,
        3200,
    )


def test_openai_page_with_an_empty_day():
    used = {"input_tokens": 1000, "output_tokens": 500, "input_cached_tokens": 800}
    page = {
        "object": "page",
        "data": [
            {
                "object": "bucket",
                "start_time": 1730419200 + 86400 * day,
                "end_time": 1730505600 + 86400 * day,
                "results": [{**used, "num_model_requests": 5}] if day != 1 else [],
            }
            for day in range(3)
        ],
    }
    log = read(page)
    assert totals(log) == (3, 2000, 1000)
    assert (log.n_empty_rows, log.cached_tok.sum(), log.n_requests.sum()) == (1, 1600, 10)
    assert log.bad_rows == {}


def test_anthropic_input_is_counted_apart_from_its_cache():
    result = {
        "uncached_input_tokens": 1500,
        "cache_creation": {"ephemeral_1h_input_tokens": 1000, "ephemeral_5m_input_tokens": 500},
        "cache_read_input_tokens": 200,
        "output_tokens": 500,
    }
    page = {
        "data": [
            {"starting_at": f"2025-08-0{d}T00:00:00Z", "ending_at": f"2025-08-0{d + 1}T00:00:00Z"}
            | {"results": [result]}
            for d in (1, 2)
        ]
    }
    log = read(page)
    assert log.input_tok.tolist() == [3200, 3200]
    assert log.cached_tok.tolist() == [200, 200]


def test_openai_cached_tokens_stay_within_the_input():
    lines = b"".join(
        b'{"created": 170000000%d, "usage": {"prompt_tokens": 100, "completion_tokens": 9, '
        b'"prompt_tokens_details": {"cached_tokens": 60}}}\n' % i
        for i in range(3)
    )
    log = read(lines)
    assert log.input_tok.tolist() == [100] * 3
    assert log.cached_tok.tolist() == [60] * 3


def test_a_streamed_request_written_twice_counts_once():
    lines = b"".join(
        b'{"type": "assistant", "timestamp": "2025-06-01T00:00:0%dZ", "requestId": "r%d", '
        b'"message": {"usage": {"input_tokens": 3, "cache_creation_input_tokens": 10, '
        b'"cache_read_input_tokens": 20, "output_tokens": %d}}}\n' % (i, i // 2, i)
        for i in range(4)
    )
    log = read(b'{"type": "user", "timestamp": "2025-06-01T00:00:00Z"}\n' + lines)
    assert log.input_tok.tolist() == [33, 33]
    assert log.output_tok.tolist() == [1, 3]
    assert log.bad_rows == {"no token counts": 1, "the same request id again": 2}


def test_a_summary_beside_the_days_is_not_counted():
    days = [
        {"date": f"2025-05-{d}", "inputTokens": 7, "outputTokens": 3}
        | {"modelBreakdowns": [{"inputTokens": 7, "outputTokens": 3}]}
        for d in (29, 30)
    ]
    log = read({"daily": days, "totals": {"inputTokens": 14, "outputTokens": 6}})
    assert totals(log) == (2, 14, 6)


def test_columns_spans_and_prometheus_answers():
    bench = {
        "date": "20250101",
        "input_lens": [5, 6],
        "output_lens": [1, 2],
        "start_times": [10.5, 11],
    }
    assert totals(read(bench)) == (2, 11, 3)
    attributes = [
        {"key": "gen_ai.usage.input_tokens", "value": {"intValue": "7"}},
        {"key": "gen_ai.usage.output_tokens", "value": {"intValue": "3"}},
    ]
    spans = [
        {"startTimeUnixNano": str(1_700_000_000_000_000_000 + n), "attributes": attributes}
        for n in range(2)
    ]
    assert totals(read({"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]})) == (2, 14, 6)
    matrix = [
        {"metric": {"__name__": f"vllm:{kind}_tokens_total", "instance": "a"}}
        | {"values": [[1_700_000_000 + 60 * i, str(step * i)] for i in range(5)]}
        for kind, step in (("prompt", 100), ("generation", 10))
    ]
    log = read({"status": "success", "data": {"resultType": "matrix", "result": matrix}})
    assert (log.input_tok.sum(), log.output_tok.sum()) == (400, 40)


def test_several_tables_a_preamble_and_no_header():
    text = (
        b"# report\n\na,b\n1,2\n\n"
        + HEADER
        + b"1,2,3\n\nstart_time,output_tokens,input_tokens\n5,7,9\n"
    )
    log = read(text)
    assert totals(log) == (2, 11, 10)
    assert any("2 tables" in note for note in log.notes)
    headless = read(b"2024-01-01 00:00:00\tx\t10\t20\n2024-01-01 00:00:05\ty\t11\t21\n")
    assert totals(headless) == (2, 21, 41)
    assert "no header" in headless.notes[0]


@pytest.mark.parametrize(
    ("row", "first_s"),
    [
        ("{n},{t:.1f},{i},{o}", 0.5),
        ("{t:.1f} {i} {o}", 0.5),
        ("{n}\t2023-11-14 22:13:2{n}\tgpt\t{i}\t{o}", 1.7e9),
        ("2023-11-14 22:13:2{n} {i} {o}", 1.7e9),
        ("r{n};{t:.1f};0.{o};{i};{o}", 0.5),
    ],
)
def test_tables_without_a_header(row, first_s):
    lines = [row.format(n=n, t=0.5 + 1.7 * n, i=100 + 7 * n % 13, o=9 + n % 2) for n in range(10)]
    log = read("\n".join(lines).encode())
    assert log.input_tok.sum() == sum(100 + 7 * n % 13 for n in range(10))
    assert log.output_tok.sum() == 95
    assert log.time_s[0] == pytest.approx(first_s)


def test_rows_that_name_their_kind_of_tokens():
    text = b"utc_date,model,type,price,amount\n"
    for day in (1, 2):
        for kind, amount in (("input_cache_hit_tokens", 100), ("input_cache_miss_tokens", 50)):
            text += b"2025-01-0%d,m,%s,0.1,%d\n" % (day, kind.encode(), amount)
        text += b"2025-01-0%d,m,output_tokens,0.1,30\n2025-01-0%d,m,request_count,,3\n" % (day, day)
    log = read(text)
    assert log.input_tok.tolist() == [150, 150]
    assert log.cached_tok.tolist() == [100, 100]
    assert (log.output_tok.sum(), log.n_requests.sum()) == (60, 6)


def test_per_request_lists_go_before_the_totals_beside_them():
    totals_too = {"date": "20250101-000000", "total_input_tokens": 11, "total_output_tokens": 3}
    log = read({**totals_too, "input_lens": [5, 6], "output_lens": [1, 2]})
    assert totals(log) == (2, 11, 3)


def test_tokens_beyond_input_and_output_are_said():
    line = b'{"createTime":"2024-01-01T00:00:0%dZ","usageMetadata":{"promptTokenCount":50,'
    line += b'"candidatesTokenCount":7,"thoughtsTokenCount":30,"totalTokenCount":87}}\n'
    log = read(b"".join(line % n for n in range(3)))
    assert any("90 tokens more than input and output" in note for note in log.notes)


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
