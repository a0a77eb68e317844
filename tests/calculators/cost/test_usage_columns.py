"""Which columns of a table hold what."""

import pytest

from calculators.cost.usage_logs import UsageLogError
from tests.calculators.cost.usage import HEADER, read, totals

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


def test_thousands_separators_and_float_counts():
    assert totals(read(HEADER + b'1,"1,024",20.0\n2,512.0,1e2\n')) == (2, 1536, 120)
    german = (
        b"Datum;Input Tokens;Output Tokens\n01.02.2025 10:00;1.024;20\n14.02.2025 10:00;500;20\n"
    )
    assert totals(read(german)) == (2, 1524, 40)


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


def test_a_table_of_which_no_column_can_be_used_is_refused():
    with pytest.raises(UsageLogError):
        read(HEADER + b",\x01,\x01\n")
