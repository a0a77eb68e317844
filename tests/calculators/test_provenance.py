"""Which figures of ownership a plan names as what it rests on."""

from dataclasses import replace
from datetime import date

import pytest

from calculators.cost.rental import rental_quotes
from calculators.plan import plan
from calculators.provenance import sources
from calculators.scenario import Scenario
from catalogs.loader import load_catalog

STAFF = "Cost: People who run it (upkeep)"
POWER, SERVER = "Cost: Electricity", "Cost: Server with eight H100"


def facts(catalog, **changes):
    return [line.fact for line in sources(plan(replace(Scenario(), **changes), catalog))]


def test_staff_is_named_unless_the_scenario_has_its_own(catalog):
    assert STAFF in facts(catalog)
    assert STAFF not in facts(catalog, upkeep_usd_month=9000.0)


def test_power_and_server_are_named_where_cards_are_bought(catalog):
    assert not {POWER, SERVER} & set(facts(catalog))
    assert {POWER, SERVER} <= set(facts(catalog, billing="owned"))
    assert POWER not in facts(catalog, billing="owned", energy_usd_kwh=0.5)


def test_a_usual_discount_is_named_where_nobody_quotes_the_contract(catalog):
    card = next(
        price.accelerator
        for price in catalog.rental_prices
        if price.kind == "on-demand"
        and not any(
            other.kind == "reserved-3y" and other.accelerator == price.accelerator
            for other in catalog.rental_prices
        )
    )
    found = facts(catalog, gpu=card, billing="reserved", term_months=36)
    label = catalog.ownership["reserved_discount_3y_frac"].label
    assert f"Cost: {label}" in found
    assert f"Cost: {label}" not in facts(catalog, gpu=card)


@pytest.mark.parametrize(
    "changes,kind",
    [
        ({"billing": "on-demand"}, "on-demand"),
        ({"billing": "spot"}, "spot"),
        ({"billing": "reserved", "term_months": 12}, "reserved-1y"),
    ],
)
def test_the_quotes_of_the_contract_are_named(catalog, changes, kind):
    card = next(price.accelerator for price in catalog.rental_prices if price.kind == kind)
    rows = rental_quotes(catalog.rental_prices, card, kind, catalog.asof)
    found = [fact for fact in facts(catalog, gpu=card, **changes) if fact.startswith("Rent: ")]
    assert found == [f"Rent: {row.provider}, {row.usd_h:g} USD per card hour" for row in rows]


def test_only_own_quotes_are_named_where_only_they_count():
    text = (
        "rental_prices:\n  - {accelerator: h100-sxm, provider: Ours, kind: on-demand, usd_h: 2.0, "
        "seen: 2026-11-01, source: {title: t, checked: 2026-11-01}}\n"
    )
    known = load_catalog(override_text=text, today=date(2026, 11, 30))
    rents = [fact for fact in facts(known) if fact.startswith("Rent: ")]
    assert rents == ["Rent: Ours, 2 USD per card hour"]
