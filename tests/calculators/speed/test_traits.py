"""Which kernels and memory a deployment has."""

import pytest

from calculators.specs import OlderSpeed, SpeedConstants
from calculators.speed.constants import speed_of_version, version_number
from calculators.speed.traits import kernel_on, memory_kind, traits
from tests.calculators.speed.shapes import (
    CARD,
    EIGHT,
    ENGINE,
    EXPERTS,
    FOUR,
    GAMER,
    SIXTEEN,
    deployment,
)


@pytest.mark.parametrize(
    ("name", "kind"),
    [("HBM3e", "hbm"), ("GDDR6X", "gddr"), ("LPDDR5X", "unified"), ("unified", "unified")],
)
def test_memory_kind(name, kind):
    assert memory_kind(name) == kind


@pytest.mark.parametrize(
    ("fmt", "card", "kernel"),
    [(SIXTEEN, CARD, "16"), (FOUR, CARD, "w4"), (EIGHT, CARD, "fp8"), (EIGHT, GAMER, "w8")],
)
def test_kernels(fmt, card, kernel):
    assert kernel_on(fmt, card) == kernel


def test_traits_of_a_mixture_of_experts():
    found = traits(deployment(EXPERTS, FOUR, GAMER, tp=2, attention_dp=True))
    assert set(found) == {"gddr", "w4", "moe", "data-parallel"}


@pytest.mark.parametrize(("vendor", "found"), [("AMD", True), ("Apple", True), ("NVIDIA", False)])
def test_vendors_with_kernels_of_their_own(vendor, found):
    card = CARD.model_copy(update={"vendor": vendor})
    assert (vendor.lower() in traits(deployment(card=card))) is found


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("v0.6.3rc1", (0, 6, 3)),
        ("TensorRT 10.11, CUDA 12.9", (10, 11)),
        ("May 2024 snapshot", (2024, 5)),
        ("2026-07-28", (2026, 7)),
        ("", None),
        (None, None),
    ],
)
def test_version_number(text, number):
    assert version_number(text) == number


def test_older_releases_have_their_own_constants():
    by_year, by_version = (SpeedConstants(step_overhead_ms=n) for n in (3, 2))
    older = (
        OlderSpeed(before="2024", speed=by_year),
        OlderSpeed(before="0.8", speed=by_version),
    )
    engine = ENGINE.model_copy(update={"older_speed": older})
    assert speed_of_version(engine, "Nov 2023") is by_year
    assert speed_of_version(engine, "0.6.3") is by_version
    assert speed_of_version(engine, "0.10.0") is engine.speed
    assert speed_of_version(engine, "main") is engine.speed


def test_a_year_alone_ends_in_december_for_a_release_and_starts_in_january_for_a_bound():
    old = SpeedConstants(step_overhead_ms=3)
    middle = ENGINE.model_copy(update={"older_speed": (OlderSpeed(before="2024.7", speed=old),)})
    start = ENGINE.model_copy(update={"older_speed": (OlderSpeed(before="2025", speed=old),)})
    assert speed_of_version(middle, "May 2024 snapshot") is old
    assert speed_of_version(middle, "2024") is middle.speed
    assert speed_of_version(start, "2024") is old
    assert speed_of_version(start, "2025") is start.speed
