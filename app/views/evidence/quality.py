"""What does a format cost in quality, and did ours break anything?"""

import streamlit as st

from app import compute, downloads, explanations, quality_words, state, ui, uploads
from app.figures import quality as figures
from calculators.evidence.lm_eval_files import EvalFileError
from calculators.evidence.published_loss import loss_rows
from calculators.evidence.quality import compare
from calculators.evidence.quality_summary import summary_markdown, verdict_text
from calculators.provenance import cited
from catalogs.quality_loader import load_quality

scenario = state.scenario()
catalog = compute.catalog(scenario.asof)
published = load_quality()
formats = catalog.weight_formats
names = {key: form.name for key, form in formats.items()}
ui.page_title("Quality", __doc__)
left, right = st.columns(2)
with left:
    baseline = uploads.eval_file("Results of the baseline", "quality_baseline")
with right:
    quantized = uploads.eval_file("Results of the quantized model", "quality_quantized")

comparison = None
if baseline and quantized:
    try:
        comparison = compare(baseline, quantized)
    except EvalFileError as error:
        ui.problems([error])
if comparison:
    finding = figures.forest_finding(comparison)
    compared = quality_words.compared_files(comparison)
    ui.verdict(verdict_text(comparison), compared)
    ui.metrics(quality_words.comparison_metrics(comparison))
    ui.notes(comparison.warnings, kind="warning")
    height = figures.forest_height(comparison)
    ui.show_figure(figures.forest_figure(comparison), key="forest", alt=finding, height=height)
    if abilities := quality_words.ability_rows(comparison):
        ui.table(abilities, caption="By ability: the mean and the worst")
    ui.table(quality_words.task_rows(comparison), caption=quality_words.task_caption(comparison))
    ui.notes(quality_words.unmatched_lines(comparison))
    summary = summary_markdown(comparison)
    if st.toggle("Attach to the memo", key="quality_attach", persist_state="session"):
        found = f"Quality. {compared} {verdict_text(comparison)}"
        downloads.attach("quality", [found, *comparison.warnings[:3]])
    else:
        downloads.attach("quality", [])
    st.download_button("Summary (Markdown)", summary, "quality.md", "text/markdown")
else:
    ui.notes(
        [
            "Upload two result files of lm-evaluation-harness or lighteval (results_*.json) to "
            "compare your own model before and after quantization. Below is what others published."
        ]
    )
    tasks = [r for r in loss_rows(published) if r.ability != "language modelling"]
    finding = figures.loss_finding(tasks)
    ui.show_figure(figures.loss_figure(tasks, names), key="losses", alt=finding, height=400)
known = list(formats.values())
finding = figures.perplexity_finding(known)
figure = figures.perplexity_figure(known, scenario.weight_format)
ui.show_figure(figure, key="perplexity", alt=finding, height=380)
ui.table(
    quality_words.statement_rows(published, names),
    caption="Published by ability: no format has one loss",
)
used = [source for form in known if form.ppl_delta for source in form.sources]
cited_from = [*published.sources, *used]
ui.explanations(
    lambda: explanations.quality(comparison, published, known, names),
    cited("Published score", cited_from, catalog.asof),
)
ui.sources(cited_from, today=catalog.asof)
