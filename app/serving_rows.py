"""Tables of the Serving page: what sets each time, and cards cut into replicas."""

from __future__ import annotations

from app.formatting import band, count, duration, number, percent, quantity
from calculators.performance import replica_of
from calculators.plan import Plan
from calculators.serving_answers import ServingAnswers, card_splits
from calculators.speed.decode import decode_step

LIMITS = {
    "requests": "number of requests",
    "memory": "memory",
    "ttft": "TTFT objective",
    "tpot": "TPOT objective",
    "nothing fits": "does not fit",
}


def phase_rows(plan: Plan, answers: ServingAnswers) -> list[dict[str, str]]:
    """Prefill beside decode at the scenario's batch: what sets TTFT and what sets TPOT."""
    at, replica = plan.calibrated, replica_of(plan.deployment, plan.scenario)
    step = decode_step(replica.inputs, batch=at.batch, context_tok=replica.mean_context_tok)
    total = float(step.total_s)
    others = max(at.tpot_s - at.step_s, 0.0)
    parts = ", ".join(
        f"{percent(float(part) / total)} {name}"
        for name, part in (
            ("memory", step.memory_s),
            ("arithmetic", step.compute_s),
            ("between cards", step.communication_s),
            ("software", step.overhead_s),
        )
        if float(part) / total > 0.005
    )
    return [
        {
            "What a user sees": "Time to first token",
            "Time": f"{duration(at.ttft_s)} {band(answers.ttft_band_frac)}".strip(),
            "Set by": "prefill: reading the prompt once, all its tokens together",
            "Of which": f"{duration(answers.prefill_s)} for {count(plan.scenario.input_tok)} "
            f"tokens; {duration(max(at.ttft_s - answers.prefill_s, 0))} behind others' prompts",
        },
        {
            "What a user sees": "Time per output token",
            "Time": f"{duration(at.tpot_s)} {band(answers.tpot_band_frac)}".strip(),
            "Set by": f"decode: one step for all {count(at.batch)} sequences",
            "Of which": f"{duration(at.step_s)} a step ({parts}); {duration(others)} for others' "
            "prompts",
        },
    ]


def split_rows(plan: Plan, n_cards: int) -> tuple[list[dict[str, str]], int]:
    """The same cards as few wide or many narrow replicas, and the row with the most output."""
    table = card_splits(plan, n_cards=n_cards)
    rows = [
        {
            "Cards a replica": count(row.tp),
            "Replicas": count(row.replicas),
            "Requests at once, each": count(row.batch),
            "Limited by": LIMITS[row.limit],
            "Output in all": quantity(row.output_tok_s, "tok/s"),
            "Speed for each user": quantity(1 / row.tpot_s, "tok/s") if row.batch else number(None),
            "First token": duration(row.ttft_s),
        }
        for row in table.itertuples()
    ]
    best = int(table["output_tok_s"].fillna(-1).argmax())
    return rows, best
