"""Which figures of ownership a plan names as what it rests on."""

from dataclasses import replace

from calculators.plan import plan
from calculators.provenance import sources
from calculators.scenario import Scenario

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
