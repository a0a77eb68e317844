"""How fast a replica is: a step, a token, the first token, the throughput."""

from __future__ import annotations

from dataclasses import dataclass

from app.derivations.derivation import (
    CARD,
    DEPLOYMENT,
    MODEL,
    WEIGHT_FORMAT,
    Derivation,
    cards_text,
    derived,
)
from app.derivations.derivation import amount as a
from app.formatting import band, quantity
from calculators.performance import REFERENCE_EFF_FRAC, Performance, replica_of
from calculators.plan import Plan
from calculators.speed.decode import decode_step
from calculators.speed.inputs import StepInputs
from calculators.speed.parts import StepTime
from calculators.speed.prefill import first_token_s, prefill
from calculators.speed.replica import SHORTEST_OUTPUT_TOK
from calculators.speed.roofline import bound_step_s
from calculators.speed.serving import closed_loop
from calculators.units import BITS_PER_BYTE, GB

_BOUND_FACTS = (MODEL, CARD, WEIGHT_FORMAT)
UNKNOWN = float("nan")


@dataclass(frozen=True, slots=True)
class _Parts:
    """What a request's time is made of, for the scenario's batch."""

    inputs: StepInputs
    batch: int
    prompt: StepTime
    step: StepTime
    further_tok: float

    @property
    def step_ms(self) -> float:
        return float(self.step.total_s) * 1e3

    @property
    def work_ms(self) -> float:
        """What another prompt adds to the steps of all."""
        return float(self.prompt.work_s) * 1e3


def _parts(plan: Plan) -> _Parts:
    replica = replica_of(plan.deployment, plan.scenario)
    batch = plan.calibrated.batch
    context = float(replica.mean_context_tok)
    return _Parts(
        inputs=replica.inputs,
        batch=batch,
        prompt=prefill(replica.inputs, prompt_tok=replica.input_tok, cached_tok=replica.cached_tok),
        step=decode_step(replica.inputs, batch=max(batch, 1), context_tok=context),
        further_tok=max(plan.scenario.output_tok, SHORTEST_OUTPUT_TOK) - 1,
    )


def _known(performance: Performance, value: float) -> float:
    return value if performance.batch else UNKNOWN


def _request_known(plan: Plan) -> float:
    """Nan where a request's time cannot be shown: nothing runs, or there is no second token."""
    return _known(plan.calibrated, 0.0) if plan.scenario.output_tok > 1 else UNKNOWN


def step(plan: Plan, name: str = "Step at the scenario's batch") -> Derivation:
    """One decode step of the calibrated model, by its parts."""
    if not plan.calibrated.batch:
        return derived(name, plan.calibrated.limit_text, "", "calibrated", decode_step)
    at = _parts(plan).step
    return derived(
        name,
        f"One step gives each of the {plan.calibrated.batch} sequences one token: reading weights "
        "and cache, then arithmetic, talk between cards, and the software around it.",
        f"{a(at.memory_s * 1e3)} ms memory + {a(at.compute_s * 1e3)} ms arithmetic + "
        f"{a(at.communication_s * 1e3)} ms between cards + {a(at.overhead_s * 1e3)} ms software = "
        f"{quantity(float(plan.calibrated.step_s) * 1e3, 'ms')}",
        "calibrated",
        decode_step,
        DEPLOYMENT,
    )


def bound_step(plan: Plan) -> Derivation:
    """One decode step of the reference arithmetic."""
    d, bound = plan.deployment, plan.bound
    n, active = d.parallelism.n_cards, d.model.active_params
    weights = active * d.weights.nominal_bits / BITS_PER_BYTE
    return derived(
        "Step by the reference arithmetic",
        "The longer of two times at 0.7 of what the data sheet says: reading every weight once, "
        "and two operations for each weight and sequence. Cache and software are left out.",
        f"1,000 ms x max({a(weights / GB)} GB / ({a(d.accelerator.bandwidth_gb_s)} GB a second x "
        f"{cards_text(n)} x {REFERENCE_EFF_FRAC}) ; 2 x {a(active / GB)} billion x {bound.batch} / "
        f"({a((d.accelerator.fp16_dense_tflops or 0) * 1e3)} billion a second x {cards_text(n)} x "
        f"{REFERENCE_EFF_FRAC})) = {quantity(bound.step_s * 1e3, 'ms')}",
        "bound",
        bound_step_s,
        _BOUND_FACTS,
        known=_known(bound, bound.step_s),
    )


def each(plan: Plan) -> Derivation:
    """Tokens a second that one user sees."""
    at = plan.performance
    width = band(at.band_frac)
    return derived(
        "Speed for each user",
        "One token in the time per output token."
        + (
            f" {width}: two thirds of the measurements lie that close (page Accuracy)."
            * bool(width)
        ),
        f"1,000 ms / {a(at.tpot_s * 1e3)} ms a token = {quantity(at.tok_s_each, 'tok/s')}",
        at.basis,
        closed_loop if at.basis == "calibrated" else bound_step_s,
        DEPLOYMENT,
        known=_known(at, at.tpot_s),
    )


def per_token(plan: Plan) -> Derivation:
    """Time per output token, others' prompts included."""
    if plan.scenario.basis == "bound" or not plan.calibrated.batch:
        return bound_step(plan)
    parts, further = _parts(plan), a(_parts(plan).further_tok)
    return derived(
        "Time per output token",
        "One step, and the work on the prompts of all who are served beside it, spread over the "
        "further tokens of an answer.",
        f"{a(parts.step_ms)} ms a step + ({parts.batch} - 1) x {a(parts.work_ms)} ms of others' "
        f"prompts / {further} tokens x (1 - 1 / (2 x {further})) = "
        f"{quantity(plan.calibrated.tpot_s * 1e3, 'ms')}",
        "calibrated",
        closed_loop,
        DEPLOYMENT,
        known=_request_known(plan),
    )


def first_token(plan: Plan) -> Derivation:
    """Time to first token."""
    name = "First token"
    if plan.scenario.basis == "bound" or not plan.calibrated.batch:
        return _bound_first_token(plan, name)
    return derived(
        name,
        "What the server takes before it begins, reading the prompt, the steps under way, and "
        "others' prompts in the queue; at least what the prompts of all come to.",
        f"{_first_token_formula(_parts(plan))} = {quantity(plan.calibrated.ttft_s, 's')}",
        "calibrated",
        first_token_s,
        DEPLOYMENT,
        known=_request_known(plan),
    )


def _first_token_formula(parts: _Parts) -> str:
    at, work = parts.inputs, f"{a(parts.work_ms / 1e3)} s"
    fixed = float(at.first_token_s) + float(at.n_layers) * float(at.first_token_layer_s)
    return (
        f"max({a(fixed)} s server + {a(parts.prompt.total_s)} s to read the prompt + "
        f"{a(at.first_token_steps)} x {a(parts.step_ms / 1e3)} s a step + {a(at.queue_frac)} x "
        f"({parts.batch} - 1) x {work} ; {work} x (1 + ({parts.batch} - 1) / "
        f"(2 x {a(parts.further_tok)} tokens)))"
    )


def _bound_first_token(plan: Plan, name: str) -> Derivation:
    d, at = plan.deployment, plan.bound
    return derived(
        name,
        "Two operations for each weight and token of the prompt, at 0.7 of the peak rate.",
        f"2 x {a(d.model.active_params / GB)} billion x {plan.scenario.input_tok:,} tokens / "
        f"({a((d.accelerator.fp16_dense_tflops or 0) * 1e3)} billion a second x "
        f"{cards_text(d.parallelism.n_cards)} x {REFERENCE_EFF_FRAC}) = {quantity(at.ttft_s, 's')}",
        "bound",
        bound_step_s,
        _BOUND_FACTS,
        known=_known(at, at.ttft_s),
    )


def throughput(plan: Plan) -> Derivation:
    """Output tokens a second of a full replica."""
    name, at = "Output speed of a replica", plan.performance
    shown = quantity(at.output_tok_s, "tok/s")
    if at.basis == "bound" or not at.batch:
        formula = f"{at.batch} sequences / {a(at.step_s)} s a step = {shown}"
        why = "Each step gives every sequence one token."
        return derived(
            name, why, formula, at.basis, bound_step_s, _BOUND_FACTS, known=_known(at, at.step_s)
        )
    parts = _parts(plan)
    return derived(
        name,
        "All sequences together: their answers over the time of one request.",
        f"{parts.batch} sequences x {plan.scenario.output_tok:,} tokens / "
        f"({a(at.ttft_s)} s to the first token + {a(parts.further_tok)} x {a(at.tpot_s)} s) = "
        f"{shown}",
        "calibrated",
        closed_loop,
        DEPLOYMENT,
        known=_request_known(plan),
    )
