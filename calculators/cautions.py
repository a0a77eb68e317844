"""What a reader of a plan must be told: limits reached, estimates, keys without effect."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from calculators.cost.api import api_cost_notes
from calculators.link import defaults
from calculators.scenario import FIELDS, PAID_BY_THE_HOUR, Scenario
from calculators.specs import Catalog
from calculators.speed.constants import unmeasured_note
from calculators.wording import counted, number, percent

if TYPE_CHECKING:
    from calculators.plan import Plan

_OWNED = ("price_usd", "residual_frac", "energy_usd_kwh", "pue", "colocation_usd_kw")


def cautions(plan: Plan) -> tuple[str, ...]:
    """Sentences that a reader of the plan must see, most weighty first.

    Parameters
    ----------
    plan : Plan

    Returns
    -------
    tuple of str
    """
    parts = (_fit, _shape, _speed, _money, _api, _like_for_like, _idle)
    return tuple(dict.fromkeys(sentence for part in parts for sentence in part(plan)))


def _fit(plan: Plan) -> Iterator[str]:
    scenario, fit = plan.scenario, plan.fit
    needed = scenario.input_tok + scenario.output_tok
    if needed > scenario.context_tok:
        yield (
            f"A request of {needed:,} tokens is longer than the context of "
            f"{scenario.context_tok:,}: memory is counted for {needed:,}."
        )
    most = plan.deployment.model.max_context_tok
    if most and max(needed, scenario.context_tok) > most:
        yield f"The model is published for contexts up to {most:,} tokens."
    if fit.fits and fit.shows_range and fit.low_sequences < fit.high_sequences:
        yield (
            "Little memory is left for conversations (the cache): between "
            f"{fit.low_sequences} and {counted(fit.high_sequences, 'sequence')} fit at once."
        )
    if scenario.batch > plan.performance.max_batch > 0:
        yield f"A batch of {scenario.batch} does not fit: {plan.performance.limit_text}."


def _speed(plan: Plan) -> Iterator[str]:
    performance = plan.performance
    if performance.batch and not performance.meets_objectives:
        yield _too_slow(plan)
    engine, card = plan.deployment.engine, plan.deployment.accelerator
    if engine.vendors and card.vendor not in engine.vendors:
        yield f"{engine.name} does not run on {card.vendor} cards: its figures are borrowed."
    unmeasured = unmeasured_note(engine)
    if unmeasured:
        yield unmeasured
    fmt = plan.deployment.weights
    if fmt.engines and engine.id not in fmt.engines:
        yield f"{engine.name} does not serve {fmt.name}: its figures are borrowed."
    if plan.deployment.parallelism.n_cards > card.n_server_cards:
        yield (
            f"{plan.deployment.parallelism.n_cards} cards are more than one server's "
            f"{card.n_server_cards}: the network between servers is slower than counted."
        )


def _too_slow(plan: Plan) -> str:
    """Which objective one request alone misses, and by how much."""
    scenario, found = plan.scenario, plan.performance
    missed = [
        f"{what} {number(seconds * 1e3)} ms instead of at most {number(most)} ms"
        for what, seconds, most in (
            ("the first token after", found.ttft_s, scenario.ttft_ms),
            ("a token every", found.tpot_s, scenario.tpot_ms),
        )
        if most is not None and seconds * 1e3 > most
    ]
    return (
        "The objectives for latency are not met, even one request at a time is slower: "
        f"{' and '.join(missed)}."
    )


def _shape(plan: Plan) -> Iterator[str]:
    """What of a custom shape cannot be so."""
    scenario, model = plan.scenario, plan.deployment.model
    if scenario.top_k and not model.n_experts:
        yield "topk: has no effect on a model without experts."
    elif scenario.top_k and scenario.top_k > model.n_experts:
        yield f"topk: a token uses at most the {model.n_experts} experts that there are."
    active_b = model.active_params / 1e9
    if scenario.active_b and abs(active_b - scenario.active_b) > 0.01 * scenario.active_b:
        yield (
            f"active: {scenario.active_b:g} billion cannot be with this shape; "
            f"{number(active_b)} billion are counted."
        )


def _money(plan: Plan) -> Iterator[str]:
    scenario, money = plan.scenario, plan.money
    if plan.card_cost.usd_month is None:
        yield f"{plan.deployment.accelerator.name}: {plan.card_cost.how}; give an hourly rate."
    elif plan.card_cost.how.startswith("no rent"):
        yield f"{plan.deployment.accelerator.name}: {plan.card_cost.how}."
    if plan.fits and not bool(plan.bills.carried):
        yield "The fleet cannot carry the demand; it is not credited with it."
    if scenario.duty_frac is not None:
        yield (
            f"The duty cycle of {percent(scenario.duty_frac)} sets the demand: "
            f"{number(plan.demand_mtok_month)} million tokens a month."
        )
    elif plan.fits and float(plan.bills.duty_frac) * money.peak > 1:
        yield "The peak hour is more than the fleet makes: requests queue into the next hours."
    if "data" in scenario.why and scenario.billing != "owned":
        yield (
            "Rented cards stand in a provider's building: ask whether that counts as in-house, or "
            "choose owned cards under More."
        )
    if scenario.cached_frac + scenario.cache_write_frac > 1:
        yield (
            f"{percent(scenario.cached_frac)} of the input is read from the API's cache: at most "
            "the rest is counted as written to it."
        )
    if not scenario.upkeep_usd_month:
        yield "No upkeep is counted: the people who run it are left out."


def _api(plan: Plan) -> Iterator[str]:
    """What the price list lacks of what the scenario asks for."""
    scenario, api = plan.scenario, plan.api
    if api is None:
        return
    if scenario.dedicated_usd_h is not None:
        yield (
            f"{counted(scenario.n_dedicated, 'dedicated endpoint')} paid by the hour: whether "
            "they carry the demand is not known here."
        )
        return
    if scenario.api_off_peak_frac and api.off_peak is None:
        name = f"{api.name} from {api.provider_name}"
        yield f"offpeak: the price list of {name} has no cheap hours; it has no effect."
    notes = api_cost_notes(
        api,
        cached=bool(scenario.cached_frac),
        cache_write=bool(scenario.cache_write_frac),
        batch=bool(scenario.api_batch_frac),
    )
    cheap = bool(scenario.api_off_peak_frac)
    yield from (
        note for note in notes if note != api.comment and not (cheap and "the hour" in note)
    )


def _like_for_like(plan: Plan) -> Iterator[str]:
    if plan.api is None:
        yield f"The catalog holds no API price of {plan.scenario.api or 'this model'}."
        return
    model = plan.deployment.model
    if plan.api.id not in model.api_ids or model.origin == "custom":
        yield (
            f"Not like for like: the API serves {plan.api.name}, not {model.name}. "
            "Compare their quality before their price."
        )
    notes = plan.api.comment or ""
    if "deprecated" in notes.lower():
        yield f"{plan.api.name} is marked as deprecated in the price list."


def _idle(plan: Plan) -> Iterator[str]:
    for name, why in idle_fields(plan.scenario, plan.catalog).items():
        yield f"{FIELDS[name].key}: has no effect {why}."


def idle_fields(scenario: Scenario, catalog: Catalog) -> dict[str, str]:
    """Fields that differ from their default but do not count in this scenario, and why.

    A company's own defaults are defaults too: nobody set them for this scenario.

    Parameters
    ----------
    scenario : Scenario
    catalog : Catalog

    Returns
    -------
    dict of field name to the reason
    """
    rules: list[tuple[bool, tuple[str, ...], str]] = [
        (scenario.billing != "owned", _OWNED, f"while cards are paid {scenario.billing}"),
        (scenario.billing == "owned", ("rate_usd_h",), "while cards are bought"),
        (scenario.billing != "reserved", ("term_months",), "unless cards are reserved"),
        (scenario.billing != "spot", ("spot_interruption_frac",), "unless cards are spot"),
        (scenario.autoscale == "off", ("start_minutes",), "while replicas do not autoscale"),
        (
            scenario.billing not in PAID_BY_THE_HOUR,
            ("autoscale", "start_minutes"),
            "while cards are paid whether they run or not",
        ),
        (scenario.duty_frac is not None, ("demand_mtok",), "while a duty cycle is given"),
        (scenario.n_cards == 1, ("parallel",), "on one card"),
        (scenario.dedicated_usd_h is None, ("n_dedicated",), "while the API is paid by tokens"),
        (not scenario.draft, ("acceptance_frac", "n_draft"), "without a draft model"),
    ]
    base, idle = defaults(catalog.defaults), {}
    for applies, names, why in rules:
        for name in names:
            if applies and getattr(scenario, name) != getattr(base, name):
                idle[name] = why
    return idle
