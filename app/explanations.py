"""What each page's panel "How this is computed" lists: a plan to its derivations; no Streamlit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from app.derivations import (
    bills,
    choices,
    crossings,
    memory,
    opinions,
    ownership,
    prices,
    risk,
    rooflines,
    speed,
)
from app.derivations import memory_page as held
from app.derivations import memory_reach as reach
from app.derivations import quality as losses
from app.derivations import serving as load
from app.derivations import speculative as drafts
from app.derivations import traffic as week_of
from app.derivations.derivation import Derivation
from calculators.cost.ownership import Way
from calculators.cost.traffic_fleet import WeekOfDemand
from calculators.cost.traffic_measured import Traffic
from calculators.cost.usage_logs import UsageLog
from calculators.evidence.opinion import SecondOpinion
from calculators.evidence.published_loss import PublishedLoss
from calculators.evidence.quality import Comparison
from calculators.evidence.sensitivity import Bar, MonteCarlo
from calculators.memory_answers import MemoryAnswers
from calculators.options import Options
from calculators.plan import Plan
from calculators.serving_answers import ServingAnswers
from calculators.specs import WeightFormat
from calculators.speculative_answers import SpeculativeAnswers

Derivations = tuple[Derivation, ...]


def home(plan: Plan) -> Derivations:
    """The two bills, whether it fits, the speed, the crossing, the chance and the flips."""
    return (
        *bills.both(plan),
        *memory.held(plan),
        speed.each(plan),
        speed.per_token(plan),
        speed.first_token(plan),
        crossings.crossing(plan),
        crossings.nearest_flip(plan),
        crossings.chance(plan),
    )


def unit_cost(plan: Plan) -> Derivations:
    """Cost of a million tokens, and the speed and the duty behind it."""
    return (
        prices.per_mtok_output(plan),
        prices.per_mtok_total(plan),
        speed.throughput(plan),
        speed.step(plan, "Step at this batch"),
        bills.duty(plan),
        bills.card_month(plan),
        prices.at_full_load(plan),
        prices.layers(plan),
        prices.over_duty(plan),
    )


def break_even(plan: Plan) -> Derivations:
    """Both bills, what one replica costs, saves and carries, and where the bills cross."""
    return (
        bills.self_hosting(plan, "Self-hosting"),
        bills.card_month(plan),
        bills.replicas(plan),
        bills.api(plan),
        bills.api_request_price(plan),
        *crossings.full_replica(plan),
        crossings.crossing(plan, "Chart and table: where the bills cross"),
        crossings.readings(plan),
    )


def own_or_rent(plan: Plan, found: Sequence[Way]) -> Derivations:
    """The ways to pay: payback, leaving early, energy, and present value."""
    return (
        ownership.pays_back(plan, found),
        ownership.leaving(plan),
        ownership.electricity(plan),
        ownership.emissions(plan),
        ownership.payments(plan, found),
        bills.card_month(plan),
    )


def roofline(plan: Plan) -> Derivations:
    """Ridge, break-even batch, what memory holds, the step, and the point on the roof."""
    return (
        rooflines.ridge(plan),
        rooflines.turning_batch(plan),
        *memory.held(plan, "Batch that memory holds"),
        speed.step(plan),
        speed.bound_step(plan),
        rooflines.point(plan),
    )


def memory_page(plan: Plan, answers: MemoryAnswers) -> Derivations:
    """Sequences, weights, engine and cache, both charts and the four tables."""
    scenario = plan.scenario
    return (
        held.at_once(answers, scenario),
        held.weights(answers),
        held.engine(answers),
        held.left(answers),
        reach.one_token(answers),
        held.chart_by_format(answers, scenario),
        held.remedies(answers, scenario),
        held.chart_over_context(answers),
        *held.by_context(answers, scenario),
        reach.backwards(answers, scenario),
        reach.kinds(answers),
    )


def serving(plan: Plan, answers: ServingAnswers) -> Derivations:
    """The step, the token, the first token and the output of a replica, and the busy hour."""
    return (
        speed.throughput(plan),
        speed.step(plan),
        speed.per_token(plan),
        speed.each(plan),
        load.saturation(plan, answers),
        load.use(plan, answers),
        load.late_first_token(plan, answers),
    )


def speculative(
    plan: Plan, answers: SpeculativeAnswers, acceptance_frac: float, n_draft: int
) -> Derivations:
    """Tokens a pass, the time of a pass, the gain, and the step without drafts."""
    return (
        drafts.gain(plan, answers),
        drafts.tokens(answers, acceptance_frac, n_draft),
        drafts.one_pass(plan, answers, n_draft),
        drafts.pays(answers, n_draft),
        drafts.held(plan, answers),
        speed.step(plan),
    )


def options(plan: Plan, found: Options) -> Derivations:
    """The cheapest configuration, the API beside it, and how many were tried."""
    return (
        *choices.cheapest(plan, found),
        bills.api(plan),
        bills.api_request_price(plan),
        choices.considered(found),
    )


def compare(plans: Sequence[Plan]) -> Derivations:
    """Both bills of each scenario, and the other figures of the present one."""
    now = plans[0]
    return (
        *choices.compared(plans),
        crossings.crossing(now, "Now: break-even"),
        prices.per_mtok_total(now),
        prices.per_mtok_output(now),
        *memory.held(now, "Now: sequences at once"),
        speed.each(now),
        speed.first_token(now),
        bills.duty(now),
    )


def sensitivity(plan: Plan, chance: MonteCarlo, bars: Sequence[Bar]) -> Derivations:
    """The distribution's marks, the chance, the tornado, the map and the nearest flip."""
    return (
        *risk.quantiles(chance),
        risk.wins(chance),
        risk.widest_bar(plan, bars),
        risk.map_point(plan),
        crossings.nearest_flip(plan),
    )


def second_opinion(plan: Plan, found: SecondOpinion) -> Derivations:
    """The rules of thumb, how far apart the answers are, and what follows."""
    return (
        opinions.memory_rules(plan, found),
        opinions.bandwidth_rule(plan, found),
        *(opinions.spread(question) for question in found.questions),
        *memory.held(plan, "Sequences that ours holds"),
        speed.step(plan, "Step by ours"),
        speed.throughput(plan),
        opinions.carried(found),
        opinions.outcome(plan, found),
        bills.self_hosting(plan, "Monthly bill by the calibrated model"),
    )


def traffic(
    plan: Plan, week: WeekOfDemand, peak: float, found: Traffic | None, log: UsageLog | None
) -> Derivations:
    """The week, the replicas for it, and what a log says."""
    own = (
        (week_of.month_of(found), *week_of.lengths(found, log), *week_of.shares(found, log))
        if (found and log)
        else ()
    )
    return (
        *own,
        week_of.busiest_hour(week, plan.scenario.hours_month),
        week_of.planned(plan, week),
        week_of.replicas(week, peak),
        week_of.loads(week),
    )


def quality(
    comparison: Comparison | None,
    published: PublishedLoss,
    formats: Sequence[WeightFormat],
    names: Mapping[str, str],
) -> Derivations:
    """Two files compared where there are any, else what others published, and perplexities."""
    first = losses.compared(comparison) if comparison else losses.published(published, names)
    return (*first, losses.perplexities(formats), losses.statements())
