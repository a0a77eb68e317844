"""A replica under requests: the closed loop on its step times, the batch that is allowed."""

import pytest

from calculators.performance import replica_of
from calculators.resolve import resolve_deployment
from calculators.scenario import Scenario
from calculators.speed.sizing import largest_batch


@pytest.fixture(scope="module")
def replica(tiny_catalog):
    scenario = Scenario(input_tok=1000, output_tok=201)
    return replica_of(resolve_deployment(scenario, tiny_catalog), scenario)


def test_a_request_is_its_first_token_and_the_time_of_each_further_one(replica):
    at = replica.at(8)
    expected = float(at.ttft_s) + 200 * float(at.tpot_s)
    assert float(at.request_s) == pytest.approx(expected)
    assert float(at.output_tok_s) == pytest.approx(8 * 201 / expected)


def test_a_token_takes_a_step_and_its_share_of_the_others_prefills(replica):
    at, step = replica.at(8), float(replica.step_s(8))
    assert step < float(at.tpot_s) < step + 8 * float(replica.prefill_s) / 200
    assert float(replica.at(1).tpot_s) == pytest.approx(float(replica.step_s(1)))


def test_mean_context(replica):
    assert replica.mean_context_tok == 1000 + 201 / 2


def test_largest_batch_meets_both_objectives_and_the_next_does_not(replica):
    limit = float(replica.at(6).tpot_s)
    found = largest_batch(loop=replica.at, max_sequences=64, tpot_objective_s=limit * (1 + 1e-9))
    assert found.batch == 6
    assert float(replica.at(7).tpot_s) > limit


def test_without_objectives_memory_decides_and_impossible_ones_allow_none(replica):
    assert largest_batch(loop=replica.at, max_sequences=37).batch == 37
    none = largest_batch(loop=replica.at, max_sequences=37, ttft_objective_s=1e-9)
    assert (none.batch, none.limit) == (0, "ttft")


def test_one_output_token_is_a_first_token_alone(tiny_catalog):
    scenario = Scenario(input_tok=500, output_tok=1)
    one = replica_of(resolve_deployment(scenario, tiny_catalog), scenario).at(1)
    assert float(one.request_s) == pytest.approx(float(one.ttft_s), rel=1e-3)
