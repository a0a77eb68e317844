"""Constants of an engine class for a deployment: its base values times the factors of traits."""

from __future__ import annotations

import re
from math import prod

from calculators.specs import EngineSpec, SpeedConstants
from calculators.speed.traits import PEER_LINKS

FIRST_YEAR, DECEMBER = 2000, 12
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
DATE = re.compile(
    r"\b(?P<of_number>20\d\d)-(?P<number>0[1-9]|1[0-2])\b"
    rf"|\b(?P<name>{'|'.join(MONTHS)})[a-z]*\.? (?P<of_name>20\d\d)\b",
    re.IGNORECASE,
)

FIELDS = {
    "bandwidth_frac": ("bandwidth_eff_frac", 1.0),
    "expert_frac": ("expert_eff_frac", 1.0),
    "cache_frac": ("cache_eff_frac", 1.0),
    "flop_frac": ("compute_eff_frac", 1.0),
    "power_exponent": ("power_exponent", 1.0),
    "attention_frac": ("attention_eff_frac", 1.0),
    "expert_pad_tok": ("expert_pad_tok", 1.0),
    "unpack_flop": ("unpack_flop", 1.0),
    "activation_passes": ("activation_passes", 1.0),
    "overlap_exponent": ("overlap_exponent", 1.0),
    "link_frac": ("link_eff_frac", 1.0),
    "stage_hop_s": ("stage_hop_us", 1e-6),
    "layer_overhead_s": ("layer_overhead_us", 1e-6),
    "step_overhead_s": ("step_overhead_ms", 1e-3),
    "sequence_overhead_s": ("sequence_overhead_us", 1e-6),
    "prefill_layer_s": ("prefill_layer_us", 1e-6),
    "prefill_overhead_s": ("prefill_overhead_ms", 1e-3),
    "score_bytes": ("score_bytes", 1.0),
    "attention_slowdown": ("attention_slowdown", 1.0),
    "split_gain": ("split_gain", 1.0),
    "first_token_s": ("first_token_ms", 1e-3),
    "first_token_layer_s": ("first_token_layer_us", 1e-6),
    "first_token_steps": ("first_token_steps", 1.0),
    "queue_frac": ("queue_frac", 1.0),
}


def constants(
    speed: SpeedConstants, *, traits: tuple[str, ...] = (), link: str = "none"
) -> dict[str, float]:
    """Constants of the step model for a deployment, by the names that `StepInputs` has.

    constant = base x product of the factors of the traits

    Parameters
    ----------
    speed : constants of the engine class
    traits : of the deployment, see `calculators.speed.traits`
    link : kind of link between its cards

    Returns
    -------
    dict of float, in seconds and shares

    Examples
    --------
    >>> speed = SpeedConstants(factors={"bandwidth_eff_frac": {"gddr": 1.2}})
    >>> round(constants(speed, traits=("gddr",))["bandwidth_frac"], 3)
    0.9
    """
    found = {field: constant(speed, name, traits) * unit for field, (name, unit) in FIELDS.items()}
    latency_us = speed.nvlink_latency_us if link in PEER_LINKS else speed.pcie_latency_us
    return found | {"reduce_latency_s": latency_us * 1e-6}


def constant(speed: SpeedConstants, name: str, traits: tuple[str, ...] = ()) -> float:
    """One constant of an engine class for a deployment, in the unit of its name.

    constant = base x product of the factors of the traits

    Parameters
    ----------
    speed : constants of the engine class
    name : field of SpeedConstants
    traits : of the deployment

    Returns
    -------
    float

    Examples
    --------
    >>> speed = SpeedConstants(factors={"first_token_ms": {"moe": 2.0}}, first_token_ms=10)
    >>> constant(speed, "first_token_ms", ("moe",)), constant(speed, "first_token_ms")
    (20.0, 10.0)
    """
    factors = speed.factors.get(name)
    base = getattr(speed, name)
    return base * prod(factors.get(trait, 1.0) for trait in traits) if factors else base


def speed_of_version(engine: EngineSpec, version: str | None) -> SpeedConstants:
    """Constants of an engine's release: those of older releases, or today's.

    Parameters
    ----------
    engine : engine class
    version : such as "0.6.3", a year such as "2023-11", or None for today's

    Returns
    -------
    SpeedConstants

    Examples
    --------
    >>> from types import SimpleNamespace as Engine
    >>> old, new = SpeedConstants(step_overhead_ms=3), SpeedConstants()
    >>> engine = Engine(speed=new, older_speed=(Engine(before="0.8", speed=old),))
    >>> speed_of_version(engine, "0.6.3") is old, speed_of_version(engine, None) is new
    (True, True)
    """
    number = version_number(version)
    if number is None:
        return engine.speed
    if len(number) == 1 and number[0] >= FIRST_YEAR:  # a year alone: what came out by its end
        number = (*number, DECEMBER)
    for older in engine.older_speed:
        limit = version_number(older.before)
        dated = limit and (number[0] >= FIRST_YEAR) == (limit[0] >= FIRST_YEAR)
        if limit and dated and number < limit:
            return older.speed
    return engine.speed


def version_number(version: str | None) -> tuple[int, ...] | None:
    """The first dotted number in a text, or its year and month; None where there is none.

    Examples
    --------
    >>> version_number("v0.6.3rc1"), version_number("Nov 2023"), version_number("main")
    ((0, 6, 3), (2023, 11), None)
    """
    dated = DATE.search(version or "")
    if dated:
        month = dated["number"] or 1 + MONTHS.index(dated["name"].lower())
        return int(dated["of_number"] or dated["of_name"]), int(month)
    digits = "".join(c if c.isdigit() or c == "." else " " for c in version or "").split()
    numbers = [word.strip(".") for word in digits if word.strip(".")]
    if not numbers:
        return None
    return tuple(int(part) for part in numbers[0].split(".") if part)


def unmeasured_note(engine: EngineSpec) -> str | None:
    """What stands in where no measurement of an engine class is known.

    Parameters
    ----------
    engine : engine class

    Returns
    -------
    One sentence, or None where constants were fitted to the engine's own measurements

    Examples
    --------
    >>> from types import SimpleNamespace as Engine
    >>> unmeasured_note(Engine(name="vLLM", n_rows=400)) is None
    True
    """
    if engine.n_rows != 0:
        return None
    return (
        f"No published measurement of {engine.name} is in the catalog: its constants are those of "
        "all engines together."
    )
