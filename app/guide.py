"""The guided start: three answers make a scenario; examples are links. No Streamlit."""

from __future__ import annotations

import math
from dataclasses import dataclass

from calculators.link import to_query
from calculators.scenario import Scenario
from calculators.specs import Catalog
from calculators.units import GIB

DAYS_PER_MONTH = 365 / 12
LARGE_PARAMS = 20e9  # from here 16-bit weights are served in FP8, nearly without loss


@dataclass(frozen=True, slots=True)
class Task:
    """A kind of use with typical lengths; the lengths are assumptions to be replaced."""

    name: str
    input_tok: int
    output_tok: int
    context_tok: int
    profile: str
    ttft_ms: float | None
    tpot_ms: float | None


TASKS = (
    Task("Chat with colleagues", 1500, 400, 8192, "office-hours", 2000, 60),
    Task("Answers from documents (retrieval)", 6000, 500, 16384, "office-hours", 4000, 80),
    Task("Help with code in the editor", 4000, 300, 16384, "office-hours", 1000, 40),
    Task("Agents that call tools", 12000, 800, 32768, "global", None, 80),
    Task("Summaries overnight", 8000, 600, 16384, "nightly-batch", None, None),
)
MODELS = (
    ("Small and quick", "llama-3.1-8b"),
    ("Middle", "qwen3-32b"),
    ("Large", "llama-3.3-70b"),
    ("Large, mixture of experts", "gpt-oss-120b"),
    ("Frontier, open weights", "deepseek-v3"),
)


@dataclass(frozen=True, slots=True)
class Answers:
    """What a newcomer said."""

    task: Task
    model: str
    requests_day: float
    data_must_stay: bool = False
    buy_cards: bool = False


def guided(answers: Answers, catalog: Catalog) -> dict[str, str]:
    """Link keys of the scenario that the answers describe.

    Demand = requests a day x 365 / 12 x tokens of a request. The card is an H100, as many as hold
    the weights (published format; FP8 for large 16-bit ones) with a third of their memory left;
    the API is the first provider of the same model.
    """
    task, model = answers.task, catalog.models[answers.model]
    tokens = answers.requests_day * DAYS_PER_MONTH * (task.input_tok + task.output_tok) / 1e6
    large = model.native_format == "bf16" and model.total_params > LARGE_PARAMS
    fmt = catalog.weight_formats["fp8" if large else model.native_format]
    weights_gib = model.total_params * fmt.bits / 8 / GIB
    cards = 2 ** max(0, math.ceil(math.log2(weights_gib / 52)))
    return {
        "model": answers.model,
        "wfmt": fmt.id,
        "gpu": "h100-sxm",
        "cards": str(min(cards, 64)),
        "in": str(task.input_tok),
        "out": str(task.output_tok),
        "ctx": str(task.context_tok),
        "profile": task.profile,
        "ttft": "" if task.ttft_ms is None else f"{task.ttft_ms:g}",
        "tpot": "" if task.tpot_ms is None else f"{task.tpot_ms:g}",
        "tokens": f"{tokens:.6g}",
        "api": "",
        "why": "data" if answers.data_must_stay else "",
        "billing": "owned" if answers.buy_cards else "on-demand",
    }


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
