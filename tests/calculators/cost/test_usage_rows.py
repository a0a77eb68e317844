"""Rows that stand for the same request, for a sum, or for a counter."""

from tests.calculators.cost.usage import HEADER, read, totals


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
