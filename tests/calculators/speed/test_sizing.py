"""The largest batch by trying every one, and splits of cards by hand."""

from __future__ import annotations

import numpy as np
import pytest

from calculators.speed.serving import ServingError, closed_loop
from calculators.speed.sizing import (
    Split,
    largest_batch,
    replicas_against_tensor_parallel,
    tensor_parallel_sizes,
)


def step_s(n):
    return 0.01 + 0.0005 * np.asarray(n)


def loop(n):
    return closed_loop(step_s=step_s, prefill_s=0.1, output_tok=200, concurrency=n)


@pytest.mark.parametrize("objectives", [(0.3, 0.03), (0.105, 0.1), (5.0, 0.022), (5.0, 5.0)])
def test_the_largest_batch_is_the_last_that_meets_both(objectives):
    ttft_s, tpot_s = objectives
    found = largest_batch(
        loop=loop,
        max_sequences=64,
        ttft_objective_s=ttft_s,
        tpot_objective_s=tpot_s,
    )
    met = []
    for n in range(1, 65):
        at = loop(n)
        met.append(at.ttft_s <= ttft_s and at.tpot_s <= tpot_s)
    assert found.batch == sum(met)
    assert all(met[: found.batch])


def test_what_limits_is_named():
    given = {"loop": loop, "max_sequences": 64}
    assert largest_batch(**given).limit == "memory"
    assert largest_batch(**given, ttft_objective_s=0.101).limit == "ttft"
    assert largest_batch(**given, tpot_objective_s=0.02).limit == "tpot"
    assert largest_batch(**given, tpot_objective_s=0.001).batch == 0
    assert largest_batch(**given | {"max_sequences": 0}).limit == "nothing fits"


def split(tp: int) -> Split | None:
    """Weights need two cards; a step of 10 ms divides over the cards, plus 1 ms to talk."""

    def at(n):
        return closed_loop(
            step_s=lambda n: 0.010 / tp + 0.001 + 0 * n,
            prefill_s=0.0,
            output_tok=101,
            concurrency=n,
        )

    return Split(tp, at, 8 * tp if tp > 1 else 0)


def test_two_replicas_of_four_beat_one_of_eight():
    table = replicas_against_tensor_parallel(n_cards=8, concurrency=32, split_of=split).set_index(
        "tp"
    )
    assert table.index.tolist() == [1, 2, 4, 8]
    assert table.loc[1, "limit"] == "nothing fits"
    assert table.loc[4, ["replicas", "batch"]].tolist() == [2, 16]
    per_request_s = 100 * (0.010 / 4 + 0.001)
    assert table.loc[4, "output_tok_s"] == pytest.approx(32 * 101 / per_request_s)
    assert table.loc[2, "output_tok_s"] > 0
    assert table.loc[8, "tpot_s"] < table.loc[4, "tpot_s"]


def test_fewer_requests_than_replicas_leave_some_idle():
    table = replicas_against_tensor_parallel(n_cards=8, concurrency=1, split_of=split, sizes=(2,))
    assert table.loc[0, "output_tok_s"] == pytest.approx(101 / (100 * 0.006))


def test_sizes():
    assert tensor_parallel_sizes(n_cards=1) == (1,)
    assert tensor_parallel_sizes(n_cards=8) == (1, 2, 4, 8)
    with pytest.raises(ServingError, match="does not divide"):
        replicas_against_tensor_parallel(n_cards=8, concurrency=1, split_of=split, sizes=(3,))
