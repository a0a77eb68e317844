"""Does the model fit the cards' memory, how many conversations (sequences) beside it, and why?"""

from app import compute, explanations, memory_words, state, ui
from app.figures.fit import cache_over_context, growth_finding, held_by_format, held_finding
from app.model_upload import uploaded_model
from calculators.provenance import sources

plan = compute.plan(state.scenario())
ui.page_title("Memory", __doc__)
answers = compute.memory(state.scenario(), uploaded_model())
ui.metrics(memory_words.memory_metrics(answers))
ui.notes(plan.warnings, kind="warning")
ui.show_figure(held_by_format(answers), key="memory_held", alt=held_finding(answers), height=420)
ui.notes(["Beside each bar: sequences at once, in brackets with the cache in 8 bits."])
ui.table(
    memory_words.choice_rows(answers),
    caption="What would change it, in the order in which one would try",
)
ui.show_figure(cache_over_context(answers), key="cache_growth", alt=growth_finding(answers))
ui.table(
    memory_words.context_rows(answers),
    caption="Conversations at once by their length; the reference arithmetic promises too many: it "
    "counts the bits of the format's name and leaves the software out",
)
ui.table(
    memory_words.backward_rows(answers), caption="Asked backwards: what would hold what you want"
)
ui.table(memory_words.kind_table(answers), caption="The cache by kind of layer")
facts = sources(plan)
ui.explanations(lambda: explanations.memory_page(plan, answers), facts)
ui.facts(facts, overridden=plan.catalog.overridden)
