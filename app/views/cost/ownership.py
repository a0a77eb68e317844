"""Rent by the hour, reserve, or buy: what does each cost over the horizon?"""

from app import compute, explanations, state, ui
from app.cost_rows import payback_text, term_note, way_finding, way_rows
from app.figures.ownership import cumulative_payments, payments_finding
from app.formatting import counted, percent, quantity, usd
from app.unfit import say_why
from calculators.cost.energy import (
    co2_kg_month,
    energy_card_kwh,
)
from calculators.cost.ownership import leaving_early_usd
from calculators.cost.ways import (
    payback,
    reserved_usd_month,
    ways,
)
from calculators.provenance import sources

plan = compute.plan(state.scenario())
scenario = plan.scenario
found = ways(plan) if plan.fits else ()
month = payback(plan, found)
energy_kwh = energy_card_kwh(plan) * plan.n_cards
leaving_usd = leaving_early_usd(
    rate_usd_month=reserved_usd_month(plan), months_left=scenario.term_months / 2
)

ui.page_title("Ownership", __doc__)
ui.verdict(way_finding(found) + ".")
ui.metrics(
    [
        (
            "A purchase pays back",
            payback_text(plan, month),
            "against the API, before any card is sold again",
            plan.performance.basis,
        ),
        (
            "Leaving a reservation half way",
            usd(leaving_usd if plan.fits else None),
            f"the rest of {scenario.term_months} months is owed at the reserved rate",
            "price list",
        ),
        (
            "Electricity",
            quantity(energy_kwh if plan.fits else None, "kWh a month"),
            f"{counted(plan.n_cards, 'card')} at rated power, PUE {scenario.pue:g}",
            "bound",
        ),
        (
            "Emissions",
            quantity(co2_kg_month(plan), "kg CO2e a month"),
            "of the electricity alone, not of making the cards; give the grid intensity under More",
            "bound",
        ),
    ]
)
ui.notes(plan.warnings, kind="warning")
if not plan.fits:
    say_why("Nothing to pay for", plan.performance.limit_text)
if found:
    ui.show_figure(cumulative_payments(found), key="ownership", alt=payments_finding(found))
    ui.notes(term_note(found))
    ui.table(
        way_rows(found),
        caption=(
            f"{scenario.horizon_months} months, discounted at {percent(scenario.discount_frac)} "
            "a year; demand growth and falling prices as set under More"
        ),
    )
ui.explanations(lambda: explanations.own_or_rent(plan, found), sources(plan))
ui.facts(sources(plan), overridden=plan.catalog.overridden)
