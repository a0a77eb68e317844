"""The guided start in words: the questions, what was filled in and why, examples. No Streamlit."""

from __future__ import annotations

from app.cost_rows import api_name
from app.formatting import count, counted, number, quantity, usd
from calculators.guided import OWN_CARD_ENGINES, Answers, Task, Unit, Way
from calculators.link import to_query
from calculators.plan import Plan
from calculators.scenario import Scenario
from calculators.specs import Catalog

_EVENING_DAY = "321111112222333345799975"  # an assumption: 19 to 22 o'clock are the busiest
TASKS = (
    Task("Chat with colleagues", 1500, 400, 8192, "office-hours", 12, 2000, 60),
    Task("Answers from documents (retrieval)", 6000, 500, 16384, "office-hours", 10, 4000, 80),
    Task("Answers to customers", 3000, 300, 8192, "global", 60, 2000, 60),
    Task("Help with code in the editor", 4000, 300, 16384, "office-hours", 150, 1000, 40),
    Task("Agents that call tools", 12000, 800, 32768, "global", 40, 8000, 80),
    Task("Sorting and labelling documents", 1500, 30, 4096, "flat", 50),
    Task("Summaries overnight", 8000, 600, 16384, "nightly-batch", 10),
)
MODELS = (
    ("Small and quick", "llama-3.1-8b"),
    ("Middle", "qwen3-32b"),
    ("Large", "llama-3.3-70b"),
    ("Large, mixture of experts", "gpt-oss-120b"),
    ("Frontier, open weights", "deepseek-v3.2"),
)
UNITS: dict[Unit, str] = {
    "people": "people who use it on a working day",
    "requests-day": "requests a day, on average over the month",
    "requests-month": "requests or documents a month",
    "mtok-day": "million tokens a day (as on an API bill)",
    "at-once": "people who use it at the same time in the busiest hour",
}
TIMES = {
    "": "As usual for this use",
    "office-hours": "Office hours",
    "global": "Around the clock, less at night",
    _EVENING_DAY: "Mostly in the evening",
    "nightly-batch": "Six hours at night",
    "flat": "Evenly, day and night",
}
WAYS: dict[Way, str] = {
    "rent": "Rent cards from a cloud",
    "buy": "Buy cards",
    "have": "We already have cards",
}


def offered(catalog: Catalog) -> tuple[dict[str, str], dict[str, str]]:
    """Models by id, suggestions first, and cards that one may have, each with its name."""
    suggested = {
        id_: f"{words}: {catalog.models[id_].name}"
        for words, id_ in MODELS
        if id_ in catalog.models
    }
    by_name = sorted((model.name, id_) for id_, model in catalog.models.items())
    others = {id_: name for name, id_ in by_name if id_ not in suggested}
    vendors = {v for id_ in OWN_CARD_ENGINES for v in catalog.engines[id_].vendors}
    cards = sorted(
        (card.name, id_)
        for id_, card in catalog.accelerators.items()
        if card.vendor in vendors and card.fp16_dense_tflops
    )
    return suggested | others, {id_: name for name, id_ in cards}


def filled(answers: Answers, plan: Plan) -> list[dict[str, str]]:
    """What the answers put into the scenario, and why: every figure that a reader may doubt."""
    scenario, task = plan.scenario, answers.task
    rows = [
        ("Demand", quantity(plan.demand_mtok_month, "million tokens a month"), _demand(answers)),
        (
            "A request",
            f"{scenario.input_tok:,} tokens in, {scenario.output_tok:,} out",
            "Typical for this use, not measured. A token is about three quarters of a word.",
        ),
        ("Busy hours", TIMES.get(scenario.profile, scenario.profile), _peak(plan)),
        ("Waiting", _waiting(task), "What people bear without complaint; it limits the load."),
        ("Model", f"{plan.deployment.model.name}, {plan.deployment.weights.name}", _format(plan)),
        ("Cards", _cards(answers, plan), _why_cards(answers, plan)),
        (
            "People who run it",
            usd(scenario.upkeep_usd_month, "month"),
            "Often the largest part of a small bill: put in your own."
            if scenario.upkeep_usd_month
            else "Left out, as you said.",
        ),
        ("API", api_name(plan.api) if plan.api else "nobody lists a price", _why_api(plan)),
    ]
    return [{"What": what, "Filled in": value, "Why": why} for what, value, why in rows]


def cautions(answers: Answers, plan: Plan, *, other_languages: bool) -> list[str]:
    """What the figures do not show of what was asked for."""
    said = []
    if other_languages:
        said.append(
            "How well a model writes other languages than English is not part of these figures: "
            "try it on texts of your own. Weights of 4 bits lose more there than in English."
        )
    if answers.way == "have" and plan.fits:
        said.append("Cards that you have are counted with their electricity alone.")
    if answers.way == "have" and plan.fits and plan.n_cards < answers.n_cards:
        spare = answers.n_cards - plan.n_cards
        said.append(f"{counted(spare, 'card')} of yours would stand idle.")
    if plan.fits and plan.n_cards == plan.scenario.n_cards and answers.task.ttft_ms is not None:
        said.append(
            "One copy of the model runs: when its card fails, nobody is served. A spare replica "
            "is an input under More."
        )
    return said


def _demand(answers: Answers) -> str:
    task, amount = answers.task, number(answers.amount)
    size = f"{task.request_tok:,} tokens"
    return {
        "people": f"{counted(answers.amount, 'person', 'people')} x "
        f"{task.requests_person_day:g} requests a day (a guess) x "
        f"21.7 working days x {size}",
        "requests-day": f"{amount} requests a day x 30.4 days x {size}",
        "requests-month": f"{amount} requests x {size}",
        "mtok-day": f"{amount} million tokens x 30.4 days",
        "at-once": f"{amount} people x 60 requests in the busiest hour (a guess), spread over the "
        f"week as below, x {size}",
    }[answers.unit]


def _peak(plan: Plan) -> str:
    peak = float(plan.money.peak)
    if peak == 1:
        return "Every hour is alike; an assumption."
    return f"The busiest hour has {number(peak)} times the mean of the week; an assumption."


def _waiting(task: Task) -> str:
    if task.ttft_ms is None or task.tpot_ms is None:
        return "nobody waits"
    words = 0.75 * 1000 / task.tpot_ms
    return f"first word within {task.ttft_ms / 1000:g} s, then {round(words)} words a second"


def _format(plan: Plan) -> str:
    if plan.deployment.weights.id == plan.deployment.model.native_format:
        return "The format that it is published in."
    bits = plan.deployment.weights.nominal_bits
    if bits >= 8:
        return "Eight bits a weight instead of sixteen: half the memory, hardly any loss."
    if not plan.fits:
        return f"Even at {bits:g} bits a weight it does not fit your cards."
    return f"{bits:g} bits a weight, so that it fits your cards: try its quality first."


def _cards(answers: Answers, plan: Plan) -> str:
    n = plan.n_cards or answers.n_cards
    return f"{count(n)} x {plan.deployment.accelerator.name}"


def _why_cards(answers: Answers, plan: Plan) -> str:
    if not plan.fits:
        return "The model does not fit these cards."
    if answers.way == "have":
        room = f"{plan.scenario.context_tok:,} tokens for each conversation"
        return f"Yours, {counted(plan.scenario.n_cards, 'card')} a copy of the model; {room}."
    why = "Of usual cards the cheapest that carry the busiest hour, or fewer for little more"
    if plan.performance.meets_objectives:
        return f"{why}."
    return f"{why}, though none answers as quickly as asked."


def _why_api(plan: Plan) -> str:
    if plan.api is None:
        return "Put in a price under More."
    if plan.api.id not in plan.deployment.model.api_ids:
        return "Nobody lists this model: one of similar size stands for it."
    batch = ", at its price for work that can wait" if plan.scenario.api_batch_frac else ""
    served = sum(id_ in plan.catalog.api_prices for id_ in plan.deployment.model.api_ids)
    return f"The middle of {counted(served, 'price list')} for this model{batch}."


EXAMPLES: tuple[tuple[str, str], ...] = (
    ("An internal assistant for 300 people", to_query(Scenario())),
    (
        "A code helper on two cards of a workstation",
        to_query(
            Scenario(
                model="qwen3-32b",
                gpu="rtx-5090",
                n_cards=2,
                input_tok=4000,
                output_tok=300,
                demand_mtok=400.0,
                billing="owned",
                api="groq/qwen/qwen3-32b",
            )
        ),
    ),
    (
        "A product with 20 billion tokens a month",
        to_query(
            Scenario(
                demand_mtok=20_000.0,
                gpu="h200-sxm",
                weight_format="fp8",
                cache_format="fp8",
                profile="global",
                billing="reserved",
                term_months=36,
                upkeep_usd_month=12_000.0,
            )
        ),
    ),
    (
        "Records that must not leave the house",
        to_query(Scenario(why=("data",), billing="owned", demand_mtok=150.0)),
    ),
    (
        "A mixture of experts, summaries overnight",
        to_query(
            Scenario(
                model="gpt-oss-120b",
                weight_format="mxfp4",
                profile="nightly-batch",
                input_tok=8000,
                output_tok=600,
                context_tok=16384,
                demand_mtok=3000.0,
                autoscale="30",
                api="groq/openai/gpt-oss-120b",
            )
        ),
    ),
)
