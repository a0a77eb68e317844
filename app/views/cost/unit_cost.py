"""What does a million tokens cost on our own cards, and what stops it from being cheaper?"""

from app import compute, explanations, state, ui
from app.figures.unit_cost import (
    batch_finding,
    cost_over_batch,
    cost_over_batch_and_duty,
    duty_finding,
)
from app.formatting import count, counted, percent, quantity, usd
from app.sentences import layers_of_truth
from app.unfit import say_why
from calculators.provenance import sources

plan = compute.plan(state.scenario())
performance = plan.performance

ui.page_title("Unit cost", __doc__)
ui.metrics(
    [
        (
            "Hardware, per million output",
            usd(plan.usd_per_mtok_output),
            "input tokens counted as free",
            performance.basis,
        ),
        (
            "Hardware, per million input and output",
            usd(plan.usd_per_mtok_total),
            "both counted alike",
            performance.basis,
        ),
        (
            "Output speed of a replica",
            quantity(performance.output_tok_s, "tok/s"),
            f"batch {count(performance.batch)}: {performance.limit_text}",
            performance.basis,
        ),
        (
            "Duty cycle",
            percent(float(plan.bills.duty_frac) if plan.fits else None),
            f"how busy: {counted(plan.n_cards, 'card')} at {usd(plan.card_cost.usd_h)} an hour",
            performance.basis,
        ),
    ]
)
ui.notes(plan.warnings, kind="warning")
if plan.performance.max_batch < 1:
    say_why("No batch has a cost", performance.limit_text)
else:
    ui.show_figure(cost_over_batch(plan), key="cost_over_batch", alt=batch_finding(plan))
    ui.table(
        layers_of_truth(plan),
        caption="The same batch at full load, from the ceiling to a served request",
    )
    chosen = ui.show_figure(
        cost_over_batch_and_duty(plan), key="cost_over_duty", alt=duty_finding(plan), clickable=True
    )
    if chosen and chosen.get("customdata"):
        batch, duty = chosen["customdata"]
        state.request(batch=f"{batch:.0f}", duty=f"{duty:g}")
    ui.notes(["Click a cell to take its batch and duty cycle into the scenario."])
ui.explanations(lambda: explanations.unit_cost(plan), sources(plan))
ui.facts(sources(plan), overridden=plan.catalog.overridden)
