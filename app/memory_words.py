"""The memory of a deployment in words: metrics and table rows; no Streamlit."""

from __future__ import annotations

from app.formatting import count, gib, number, quantity
from calculators.fit.backwards import Answer
from calculators.memory_answers import KindRow, MemoryAnswers
from calculators.specs import ModelSpec
from calculators.units import GIB

KINDS = {
    "full": "full attention",
    "sliding": "sliding window",
    "chunked": "chunked attention",
    "mla": "latent (MLA)",
    "recurrent": "recurrent state",
    "compressed": "compressed",
}
LIMITS = {
    "heads": "heads do not divide",
    "weights": "weights",
    "cache": "cache",
    "slots": "engine's slots",
}


def memory_metrics(answers: MemoryAnswers) -> list[tuple[str, str, str, str]]:
    """The figures at the top of the page: label, value, note, basis."""
    fit = answers.fit
    at_once = count(fit.max_sequences) if fit.fits else "none"
    if fit.fits and fit.shows_range:
        at_once = f"{count(fit.low_sequences)} to {count(fit.high_sequences)}"
    card = answers.deployment.accelerator.name
    engine = answers.deployment.engine.name
    left = max(fit.cache_budget_bytes, 0.0)
    return [
        ("Sequences at once", at_once, fit.limit_text, "calibrated"),
        ("Weights", gib(fit.weights_bytes), f"on each {card}", "calibrated"),
        ("Engine", gib(fit.overhead_bytes), f"{engine}: activations and runtime", "calibrated"),
        ("Left for the cache", gib(left), _range(answers), "calibrated"),
        (
            "Cache of a token",
            quantity(fit.kv_bytes_per_tok / 1024, "KiB"),
            "what each further token of a conversation takes, in all layers",
            "bound",
        ),
    ]


def _range(answers: MemoryAnswers) -> str:
    fit = answers.fit
    low, high = max(fit.cache_low_bytes, 0.0), max(fit.cache_high_bytes, 0.0)
    tokens = f"{count(fit.kv_capacity_tok)} tokens"
    return f"{number(low / GIB)} to {number(high / GIB)} GiB, {tokens}" if fit.fits else ""


def choice_rows(answers: MemoryAnswers) -> list[dict[str, str]]:
    """What one would try, in that order, and what each gives."""
    return [
        {
            "In this order": choice.label,
            "At once": count(choice.fit.max_sequences) if choice.fit.fits else "does not fit",
            "Limit": LIMITS[choice.fit.limit],
            "Weights a card [GiB]": number(choice.fit.weights_bytes / GIB),
            "Cache a card [GiB]": number(max(choice.fit.cache_budget_bytes, 0.0) / GIB),
        }
        for choice in answers.choices
    ]


def context_rows(answers: MemoryAnswers) -> list[dict[str, str]]:
    """Sequences at several lengths, beside the reference arithmetic."""
    return [
        {
            "Context [tokens]": count(row.context_tok),
            "At once": count(row.fit.max_sequences),
            "Range": _sequences(row.fit.low_sequences, row.fit.high_sequences),
            "Reference arithmetic": count(row.n_reference),
        }
        for row in answers.contexts
    ]


def _sequences(low: float, high: float) -> str:
    return " to ".join(dict.fromkeys((count(low), count(high))))


def kind_table(answers: MemoryAnswers) -> list[dict[str, str]]:
    """The cache by kind of layer."""
    return [
        {
            "Kind of layer": KINDS[row.kind],
            "Layers": count(row.n_layers),
            "Hold a cache": count(row.n_caches),
            "KV heads": count(row.n_kv_heads) if row.n_kv_heads else "",
            "Window [tokens]": _window(row),
            "Per token [KiB]": number(row.bytes_per_tok / 1024),
            "Per sequence, on a card [GiB]": number(row.sequence_bytes / GIB),
        }
        for row in answers.kinds
    ]


def _window(row: KindRow) -> str:
    if row.kind == "recurrent":
        return "one state"
    return count(row.window_tok) if row.window_tok else "all"


def backward_rows(answers: MemoryAnswers) -> list[dict[str, str]]:
    """The question asked backwards: context, cards, card, formats."""
    wanted = f"{count(answers.n_wanted)} x {answers.context_tok:,} tokens"
    longest = _length(answers.longest_one_tok, answers)
    rows = [{"Question": "Longest context of one sequence [tokens]", "Answer": longest}]
    if answers.n_wanted > 1:
        text = _length(answers.longest_wanted_tok, answers)
        rows.append({"Question": f"Longest context of {answers.n_wanted} at once", "Answer": text})
    return [
        *rows,
        {"Question": f"Fewest of these cards for {wanted}", "Answer": _cards(answers.fewest)},
        {"Question": f"Smallest card for {wanted}", "Answer": _card(answers.smallest)},
        {"Question": f"Formats of most bits for {wanted}", "Answer": _formats(answers.widest)},
    ]


def _length(n_tok: int, answers: MemoryAnswers) -> str:
    if not n_tok:
        return "none fits"
    is_models = n_tok == answers.deployment.model.max_context_tok
    return f"{count(n_tok)}, the model's own limit" if is_models else count(n_tok)


def _cards(answer: Answer | None) -> str:
    return count(answer.deployment.parallelism.n_cards) if answer else "none up to 64"


def _card(answer: Answer | None) -> str:
    return answer.deployment.accelerator.name if answer else "none in the catalog"


def _formats(answer: Answer | None) -> str:
    if answer is None:
        return "none in the catalog"
    return f"{answer.deployment.weights.name}, cache in {answer.deployment.cache.name}"


def model_rows(model: ModelSpec) -> list[dict[str, str]]:
    """What a model's own files say."""
    counts = [
        ("Parameters of the language model", f"{model.total_params:,}"),
        ("used by one token", f"{model.active_params:,}"),
        ("with vision and audio towers", f"{model.full_params:,}"),
        ("Layers", count(model.n_layers)),
        ("Experts, chosen for a token", f"{model.n_experts}, {model.top_k}"),
        ("Longest context [tokens]", count(model.max_context_tok)),
        ("Format of the checkpoint", model.native_format),
    ]
    known = [row for row in counts if row[1] not in ("0, 0", "not known")]
    return [{"What": what, "Value": value} for what, value in known]
