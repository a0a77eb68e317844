"""What would other public methods say of this scenario, and why do they differ?"""

from app import compute, explanations, opinion_rows, state, ui
from app.figures.second_opinion import opinion_finding, opinions_figure
from app.formatting import count, times
from calculators.evidence.second_opinion import second_opinion
from calculators.provenance import sources
from catalogs.measurements_loader import measurement_sources

plan = compute.plan(state.scenario())
ui.page_title("Second opinion", __doc__)
near = compute.neighbours(plan)
found = second_opinion(plan, near)
published = measurement_sources()
titles = {name: source.title for name, source in published.items()}

ui.verdict(f"{opinion_finding(found)}.", opinion_rows.matters(plan, found))
ui.metrics(opinion_rows.opinion_metrics(found))
ui.notes(plan.warnings, kind="warning")
ui.show_figure(opinions_figure(found), key="second_opinion", alt=opinion_finding(found))
for question in found.questions:
    apart = f", {times(question.spread)} apart" if question.spread > 1 else ""
    ui.table(
        opinion_rows.opinion_rows(question),
        caption=f"{question.name} at batch {count(found.batch)}{apart}",
        marked=opinion_rows.ours_at(question.opinions),
    )
ui.table(
    opinion_rows.outcome_rows(found.outcomes),
    caption="What follows: unit cost, replicas for this demand, and the bill",
    marked=opinion_rows.ours_at(found.outcomes),
)
ui.section("Published measurements near this scenario")
for words, ones in zip(("Speed of one user", "Output of a replica"), near.values(), strict=True):
    ui.table(opinion_rows.neighbour_rows(ones, titles), caption=f"{words}, nearest first")
ui.explanations(lambda: explanations.second_opinion(plan, found), sources(plan))
used = {one.source_group for ones in near.values() for one in ones}
ui.sources([published[name] for name in sorted(used)], today=plan.catalog.asof)
ui.facts(sources(plan), overridden=plan.catalog.overridden)
