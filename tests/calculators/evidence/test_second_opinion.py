"""Other methods' answers by hand on round numbers, their spread, and what follows for money."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from calculators.evidence.nearest import Neighbour
from calculators.evidence.opinion import (
    AS_PRINTED,
    CARRIED,
    OURS,
    PEAK,
    SHARE_OF_PEAK,
    WITH_CACHE,
    Opinion,
    Question,
)
from calculators.evidence.second_opinion import second_opinion
from calculators.plan import plan
from calculators.scenario import Scenario
from tests.worlds import model, small_catalog

GIB = 2**30


def asked(catalog, neighbours=None, **changes):
    priced = plan(replace(Scenario(batch=8), **changes), catalog)
    return priced, second_opinion(priced, neighbours)


def values(question) -> dict[str, float]:
    return {opinion.method: opinion.value for opinion in question.opinions}


def near(tok_s: float, predicted: float) -> Neighbour:
    return Neighbour("a-1", "a", "Some 70B", tok_s, predicted, 2.5, ())


def test_memory_rules_by_hand(tiny_catalog):
    priced, found = asked(tiny_catalog)
    said = values(found.memory)
    # 70e9 parameters in 4 bits; 8 sequences of 8,192 tokens at 320 KiB
    assert said["Two bytes a parameter"] == pytest.approx(140e9 / GIB)
    assert said["Weights x 1.2"] == pytest.approx(35e9 * 1.2 / GIB)
    assert said["Weights, 4 GiB a card, and the cache"] == pytest.approx(35e9 / GIB + 4 + 8 * 2.5)
    own = priced.fit.weights_bytes + priced.fit.overhead_bytes + 8 * priced.fit.sequence_bytes
    assert said[OURS] == pytest.approx(own / GIB)


def test_speed_rules_by_hand(tiny_catalog):
    priced, found = asked(tiny_catalog)
    each, replica = values(found.each), values(found.replica)
    assert each[PEAK] == pytest.approx(3350 / 35)
    assert each[SHARE_OF_PEAK] == pytest.approx(3350 * 0.7 / 35)
    # a sequence holds 3,250 tokens on average while it answers: 1.065 GB of cache
    cache_gb = 8 * 3250 * 320 * 1024 / 1e9
    assert each[WITH_CACHE] == pytest.approx(3350 * 0.7 / (35 + cache_gb))
    for method in (PEAK, SHARE_OF_PEAK, WITH_CACHE):
        assert replica[method] == pytest.approx(8 * each[method])
    assert each[OURS] == priced.calibrated.tok_s_each
    assert replica[OURS] == priced.calibrated.output_tok_s


def test_two_cards_read_twice_as_much(tiny_catalog):
    one, two = asked(tiny_catalog)[1], asked(tiny_catalog, n_cards=2)[1]
    assert values(two.each)[PEAK] == pytest.approx(2 * values(one.each)[PEAK])
    said = "Weights, 4 GiB a card, and the cache"
    assert values(two.memory)[said] - values(one.memory)[said] == pytest.approx(4)


def test_the_nearest_measurement_corrects_ours(tiny_catalog):
    priced, found = asked(tiny_catalog, {"each": [near(30.0, 40.0)], "replica": [near(90.0, 60.0)]})
    each, replica = values(found.each), values(found.replica)
    assert each[AS_PRINTED] == 30.0 and replica[AS_PRINTED] == 90.0
    assert each[CARRIED] == pytest.approx(priced.calibrated.tok_s_each * 0.75)
    assert replica[CARRIED] == pytest.approx(priced.calibrated.output_tok_s * 1.5)
    assert "2.5 times away" in next(o.why for o in found.each.opinions if o.method == AS_PRINTED)


def test_spread_leaves_out_another_setting():
    opinions = [
        Opinion(PEAK, 40.0, "bound", ""),
        Opinion(OURS, 10.0, "calibrated", ""),
        Opinion(AS_PRINTED, 1.0, "measured", ""),
        Opinion("broken", math.nan, "bound", ""),
    ]
    question = Question("Speed", "tok/s", tuple(opinions))
    assert question.spread == pytest.approx(4)
    assert question.ours == 10.0
    assert math.isnan(Question("Speed", "tok/s", tuple(opinions[:1])).spread)


def test_money_follows_from_the_speed(tiny_catalog):
    # with many tokens, a method that is twice as fast needs half the replicas (whole ones)
    priced, found = asked(tiny_catalog, demand_mtok=200_000.0)
    by_method = {outcome.method: outcome for outcome in found.outcomes}
    assert by_method[OURS].usd_month == pytest.approx(priced.self_host_usd_month)
    assert by_method[OURS].n_replicas == float(priced.bills.n_replicas)
    peak, share = by_method[PEAK], by_method[SHARE_OF_PEAK]
    assert peak.n_replicas == pytest.approx(share.n_replicas * 0.7, abs=1)
    assert peak.usd_month == pytest.approx(4000 + 1825 * peak.n_replicas)
    # 2.50 USD an hour over 8 x 95.7 tokens a second
    assert peak.usd_per_mtok_output == pytest.approx(2.5 / (8 * 3350 / 35 * 3600) * 1e6)


def test_a_replica_that_does_not_fit_still_has_a_memory_need(tiny_catalog):
    _, found = asked(tiny_catalog, weight_format="bf16")
    assert found.batch == 1 and found.outcomes == ()
    assert found.memory.ours > 130
    assert math.isnan(found.each.ours)
    assert OURS not in values(found.each)


def test_experts_of_a_batch_are_said():
    mixed = model(n_experts=8, top_k=2)
    catalog = small_catalog(models={"llama-3.3-70b": mixed})
    _, found = asked(catalog)
    why = next(o.why for o in found.replica.opinions if o.method == SHARE_OF_PEAK)
    # 1 - (6/8)^8 of the experts
    assert "2 experts of one token" in why and "90 % of all 8" in why
    _, alone = asked(catalog, batch=1)
    assert "experts" not in next(o.why for o in alone.each.opinions if o.method == PEAK)


def whys(question) -> dict[str, str]:
    return {opinion.method: opinion.why for opinion in question.opinions}


def test_sixteen_bits_are_right_where_the_weights_have_them(catalog):
    _, found = asked(catalog, model="llama-3.1-8b", weight_format="bf16", batch=1)
    assert whys(found.memory)["Two bytes a parameter"].startswith("Right for the weights here")
    _, found = asked(catalog)
    assert "(here 4)" in whys(found.memory)["Two bytes a parameter"]


@pytest.mark.parametrize("batch,words", [(1, "more than"), (13, "too little for")])
def test_a_fifth_on_top_is_judged_by_the_batch(catalog, batch, words):
    # 70 GB in FP8: a fifth is 14 GB; 1 conversation takes 2.7 GB of cache, 13 take 35 GB
    _, found = asked(catalog, gpu="h200-sxm", weight_format="fp8", batch=batch)
    assert words in whys(found.memory)["Weights x 1.2"]


def test_the_share_of_the_cache_in_a_step_is_told(tiny_catalog):
    _, found = asked(tiny_catalog)
    # 8 sequences of 3,250 tokens on average at 320 KiB beside 35 GB of weights
    cache = 8 * 3250 * 320 * 1024
    share = round(100 * cache / (cache + 35e9))
    assert f"here {share} % of the step" in whys(found.each)[WITH_CACHE]


def test_layers_with_a_window_and_links_are_told_where_they_are(catalog):
    _, found = asked(catalog, model="gpt-oss-120b", weight_format="mxfp4", n_cards=2)
    # 18 of the 36 layers of gpt-oss-120b look back on 128 tokens alone
    assert "18 of 36 keep only the latest tokens" in whys(found.each)[WITH_CACHE]
    assert "links between cards" in whys(found.each)[SHARE_OF_PEAK]
    _, found = asked(catalog)
    assert "latest tokens" not in whys(found.each)[WITH_CACHE]
    assert "links" not in whys(found.each)[SHARE_OF_PEAK]


def test_a_far_measurement_is_said_to_be_far(tiny_catalog):
    _, found = asked(tiny_catalog, {"each": [near(50.0, 40.0)]})
    assert "too far" not in whys(found.each)[CARRIED]
    far = replace(near(50.0, 40.0), distance_factor=6.0)
    _, found = asked(tiny_catalog, {"each": [far]})
    assert "too far to lean on" in whys(found.each)[CARRIED]
    assert "too far to lean on" in whys(found.each)[AS_PRINTED]
