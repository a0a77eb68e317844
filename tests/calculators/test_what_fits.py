"""Changes that are offered make the replica fit, put back into the link."""

from datetime import date
from urllib.parse import parse_qsl, urlencode

import pytest

from calculators.link import from_query
from calculators.plan import plan
from calculators.what_fits import what_fits
from catalogs.loader import load_catalog

CATALOG = load_catalog(today=date(2026, 11, 30))


def planned(query: str):
    scenario, problems = from_query(query, CATALOG)
    assert not problems
    return plan(scenario, CATALOG)


@pytest.mark.parametrize(
    ("query", "kinds"),
    [
        ("wfmt=bf16", {"wfmt", "gpu", "cards"}),
        ("model=deepseek-v3", {"cards"}),
        ("model=llama-3.1-8b&gpu=rtx-4090&ctx=131072", {"kvfmt", "gpu", "cards", "ctx"}),
        ("model=llama-3.1-405b&wfmt=bf16&cards=4", {"wfmt", "gpu", "cards"}),
    ],
)
def test_each_change_fits_when_it_is_taken(query, kinds):
    before = planned(query)
    assert not before.fits
    changes = what_fits(before.deployment, before.scenario, CATALOG)
    given = dict(parse_qsl(query))
    for change in changes:
        after = planned(urlencode(given | change.keys))
        assert after.fits
        assert after.calibrated.max_batch == change.max_sequences
    now = {
        "wfmt": before.deployment.weights.id,
        "kvfmt": before.deployment.cache.id,
        "gpu": before.deployment.accelerator.id,
        "cards": str(before.scenario.n_cards),
    }
    moved = {
        key for change in changes for key, value in change.keys.items() if value != now.get(key)
    }
    assert moved == kinds


def test_what_no_two_servers_hold_is_not_promised():
    # a 671 billion model in 8 bits: over 16 x 24 GB
    before = planned("model=deepseek-v3&gpu=rtx-4090&wfmt=fp8")
    assert what_fits(before.deployment, before.scenario, CATALOG) == ()
