"""Requests drawn, scaled and read."""

from __future__ import annotations

import numpy as np
import pytest

from calculators.cost.usage_logs import read_usage_log
from calculators.labs.quantization import LabError
from calculators.labs.requests import Requests, logged_requests, random_requests


def test_means_and_rate_come_out():
    work = random_requests(
        n_requests=20_000, requests_s=4, input_mean_tok=800, output_mean_tok=200, variation=0.8
    )
    assert work.input_tok.mean() == pytest.approx(800, rel=0.03)
    assert work.output_tok.std() / work.output_tok.mean() == pytest.approx(0.8, rel=0.06)
    assert len(work) / work.arrival_s[-1] == pytest.approx(4, rel=0.03)
    assert work.arrival_s[0] == 0 and np.all(np.diff(work.arrival_s) >= 0)


def test_a_seed_gives_the_same_requests_again():
    one, same, other = (
        random_requests(
            n_requests=5, requests_s=1, input_mean_tok=50, output_mean_tok=50, seed=seed
        )
        for seed in (3, 3, 4)
    )
    assert np.array_equal(one.input_tok, same.input_tok)
    assert not np.array_equal(one.input_tok, other.input_tok)


def test_a_rate_stretches_the_same_pattern():
    work = Requests(np.array([0.0, 1.0, 4.0]), np.ones(3, int), np.ones(3, int))
    assert work.at_rate(1.5).arrival_s == pytest.approx([0, 0.5, 2.0])
    assert work.at_once().arrival_s.tolist() == [0, 0, 0]
    assert work.at_once().at_rate(2).arrival_s.tolist() == [0, 0, 0]
    with pytest.raises(LabError, match="requests_s"):
        work.at_rate(0)
    assert len(work.first(2)) == 2


@pytest.mark.parametrize("given", [{"n_requests": 0}, {"requests_s": 0}, {"requests_s": -1}])
def test_counts_and_rates_must_be_above_zero(given):
    setting = {"n_requests": 1, "requests_s": 1, "input_mean_tok": 5, "output_mean_tok": 5}
    with pytest.raises(LabError, match="above 0"):
        random_requests(**(setting | given))


def test_a_log_is_sorted_and_rows_without_output_are_left_out():
    text = (
        b"TIMESTAMP,ContextTokens,GeneratedTokens\n"
        b"2026-03-02 10:00:05,300,20\n2026-03-02 10:00:01,100,10\n2026-03-02 10:00:03,200,0\n"
    )
    work = logged_requests(read_usage_log(text))
    assert work.arrival_s.tolist() == [0.0, 4.0]
    assert work.input_tok.tolist() == [100, 300]


def test_a_log_of_sums_is_refused():
    text = b"date,input_tokens,output_tokens,requests\n2026-03-02,3000,400,12\n2026-03-03,30,4,2\n"
    with pytest.raises(LabError, match="log"):
        logged_requests(read_usage_log(text))
