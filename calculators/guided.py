"""Three answers of a newcomer make a scenario: demand, cards and prices follow from them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from calculators.cost.rental import rental_range
from calculators.cost.traffic import peak_to_mean
from calculators.cost.traffic_profiles import weekly_profile
from calculators.link import defaults
from calculators.plan import Plan, plan
from calculators.scenario import Scenario
from calculators.specs import AcceleratorSpec, Catalog, ModelSpec
from calculators.units import GIB, HOURS_PER_MONTH, MEGA

DAYS_PER_MONTH = HOURS_PER_MONTH / 24
WORKING_DAYS_PER_MONTH = DAYS_PER_MONTH * 5 / 7
REQUESTS_PER_HOUR_AT_ONCE = 60.0  # someone who works with it sends one a minute
LARGE_PARAMS = 20e9  # from here 16-bit weights are served in FP8, nearly without loss
USUAL_QUOTES = 3  # a card that this many offers rent is a usual one
NEAR_FRAC = 0.2  # fewer cards are worth a bill that is this much higher
SIZES = (1, 2, 4, 8)  # cards of a replica
SPARE_CONTEXT = 1.1  # room for a request that is a tenth longer than the typical one
SMALLEST_FORMAT = "awq-int4"
OWN_CARD_ENGINES = ("vllm", "vllm-rocm")

Unit = Literal["people", "requests-day", "requests-month", "mtok-day", "at-once"]
Way = Literal["rent", "buy", "have"]


@dataclass(frozen=True, slots=True)
class Task:
    """A kind of use with typical figures; all are assumptions to be replaced."""

    name: str
    input_tok: int
    output_tok: int
    context_tok: int
    profile: str
    requests_person_day: float
    ttft_ms: float | None = None  # None: nobody waits
    tpot_ms: float | None = None

    @property
    def request_tok(self) -> int:
        return self.input_tok + self.output_tok


@dataclass(frozen=True, slots=True)
class Answers:
    """What a newcomer said."""

    task: Task
    model: str
    amount: float
    unit: Unit = "requests-day"
    profile: str = ""  # as usual for the task
    data_must_stay: bool = False
    way: Way = "rent"
    card: str = ""  # of those that are there already
    n_cards: int = 1
    staff_usd_month: float | None = None


def demand_mtok_month(task: Task, amount: float, unit: Unit, profile: str) -> float:
    """Demand that an amount in a newcomer's own unit means [million tokens a month].

    people x requests a day x 21.7 working days, requests a day x 30.4, requests a month, or
    requests at once in the busiest hour x 60 an hour x 730 / peak; each x tokens of a request

    Parameters
    ----------
    task : Task
    amount : float, in the unit
    unit : people, requests-day, requests-month, mtok-day or at-once
    profile : weekly profile, whose peak turns the busiest hour into a mean one

    Returns
    -------
    float [million tokens a month]

    Notes
    -----
    Basis: assumption. 21.7 = 365 / 12 x 5 / 7.

    Examples
    --------
    >>> chat = Task("Chat", 1500, 500, 8192, "flat", 12)
    >>> demand_mtok_month(chat, 1000, "requests-month", "flat")
    2.0
    >>> demand_mtok_month(chat, 10, "at-once", "flat")
    876.0
    """
    if unit == "mtok-day":
        return amount * DAYS_PER_MONTH
    requests = {
        "people": amount * task.requests_person_day * WORKING_DAYS_PER_MONTH,
        "requests-day": amount * DAYS_PER_MONTH,
        "requests-month": amount,
        "at-once": amount
        * REQUESTS_PER_HOUR_AT_ONCE
        * HOURS_PER_MONTH
        / float(peak_to_mean(weekly_profile(profile))),
    }[unit]
    return requests * task.request_tok / MEGA


def guided(answers: Answers, catalog: Catalog) -> Plan:
    """The plan of the scenario that the answers describe.

    Parameters
    ----------
    answers : Answers
    catalog : Catalog

    Returns
    -------
    Plan

    Notes
    -----
    Cards, where none are there yet: of the usual ones (rented by three offers or more) in powers
    of two up to a server, the cheapest that hold the model and answer in time; fewer cards where
    their bill is at most a fifth higher. What nobody waits for is sent to the API as a batch
    where its list has that price, and cards that are rented for the night stop after it.
    """
    base = _asked(answers, catalog)
    own = answers.way == "have"
    scenarios = _on_own_cards(answers, base, catalog) if own else _on_new_cards(base, catalog)
    plans = [plan(scenario, catalog) for scenario in scenarios]
    chosen = _best([one for one in plans if not own or one.n_cards <= answers.n_cards], first=own)
    if answers.task.ttft_ms is None and chosen.api is not None and chosen.api.batch is not None:
        return plan(replace(chosen.scenario, api_batch_frac=1.0), catalog)
    return chosen


def _asked(answers: Answers, catalog: Catalog) -> Scenario:
    """What follows from the answers without a choice of cards."""
    task = answers.task
    base, model = defaults(catalog.defaults), catalog.models[answers.model]
    profile = answers.profile or task.profile
    night = profile == "nightly-batch" and answers.way == "rent"
    staff = answers.staff_usd_month
    return replace(
        base,
        model=answers.model,
        weight_format=_served_format(model),
        input_tok=task.input_tok,
        output_tok=task.output_tok,
        context_tok=task.context_tok,
        profile=profile,
        ttft_ms=task.ttft_ms,
        tpot_ms=task.tpot_ms,
        demand_mtok=float(f"{demand_mtok_month(task, answers.amount, answers.unit, profile):.6g}"),
        api=base.api if base.api in model.api_ids else None,
        why=("data",) if answers.data_must_stay else (),
        billing="on-demand" if answers.way == "rent" else "owned",
        autoscale="30" if night else "off",
        upkeep_usd_month=base.upkeep_usd_month if staff is None else staff,
    )


def _served_format(model: ModelSpec) -> str:
    """As published; large 16-bit models in FP8."""
    large = model.native_format == "bf16" and model.total_params > LARGE_PARAMS
    return "fp8" if large else model.native_format


def usual_cards(catalog: Catalog) -> list[AcceleratorSpec]:
    """Cards that several offers rent on demand, and that can be bought.

    Parameters
    ----------
    catalog : Catalog

    Returns
    -------
    list of AcceleratorSpec
    """
    found = []
    for card in catalog.accelerators.values():
        quotes = rental_range(catalog.rental_prices, card.id, "on-demand", catalog.asof)
        usual = quotes is not None and (quotes.n >= USUAL_QUOTES or quotes.own)
        if usual and card.price_usd and card.fp16_dense_tflops:
            found.append(card)
    return found


def _on_new_cards(base: Scenario, catalog: Catalog) -> list[Scenario]:
    """The base on every usual card, as many as hold the weights; else two servers of the largest.

    Where no card is a usual one, as before the day of the first quotes, the default card stands.
    """
    bits = catalog.weight_formats[base.weight_format].bits
    weights_gib = catalog.models[base.model].total_params * bits / 8 / GIB
    cards = usual_cards(catalog) or [catalog.accelerators[base.gpu]]
    found = [
        replace(base, gpu=card.id, n_cards=n_cards)
        for card in cards
        if card.fp8_dense_tflops or not base.weight_format.startswith("fp8")
        for n_cards in SIZES
        if weights_gib < n_cards * card.memory_visible_gib
    ]
    largest = max(cards, key=lambda card: card.memory_visible_gib)
    return found or [replace(base, gpu=largest.id, n_cards=2 * SIZES[-1])]


def _on_own_cards(answers: Answers, base: Scenario, catalog: Catalog) -> Iterator[Scenario]:
    """The base on cards that are there: bought and housed already, so that energy alone counts.

    The published format first, then smaller ones, last with room for one request and a cache in
    8 bits; each on the fewest cards that hold it, as many copies as are needed or there.
    """
    card = catalog.accelerators[answers.card]
    engine = next(id_ for id_ in OWN_CARD_ENGINES if card.vendor in catalog.engines[id_].vendors)
    there = replace(
        base, gpu=card.id, engine=engine, price_usd=0.0, colocation_usd_kw=0.0, autoscale="off"
    )
    smaller = ("fp8", SMALLEST_FORMAT) if card.fp8_dense_tflops else (SMALLEST_FORMAT,)
    forms = [
        replace(there, weight_format=fmt) for fmt in dict.fromkeys((base.weight_format, *smaller))
    ]
    request = min(base.context_tok, math.ceil(answers.task.request_tok * SPARE_CONTEXT))
    forms.append(replace(forms[-1], context_tok=request))
    forms.append(replace(forms[-1], cache_format="fp8"))
    for form in forms:
        for n_cards in (n for n in SIZES if n <= answers.n_cards):
            yield replace(form, n_cards=n_cards)
            yield replace(form, n_cards=n_cards, n_replicas=answers.n_cards // n_cards)


def _best(plans: list[Plan], *, first: bool) -> Plan:
    """The plan to show: of those that fit and answer in time the first, or the cheapest.

    Fewer cards win where the bill is at most a fifth higher.
    """
    fitting = [one for one in plans if one.fits and one.speed_known]
    carried = [one for one in fitting if bool(one.bills.carried)]
    ready = [one for one in carried if one.performance.meets_objectives] or carried or fitting
    if not ready:
        return plans[-1]
    if first:
        return ready[0]
    least = min(one.self_host_usd_month for one in ready)
    near = [one for one in ready if one.self_host_usd_month <= least * (1 + NEAR_FRAC)]
    return min(near, key=lambda one: (one.n_cards, one.self_host_usd_month))
