"""Ten thousand hostile links: a named problem or a value in range, never an exception."""

from __future__ import annotations

import math
import random
from urllib.parse import urlencode

import pytest

from calculators.link import from_query, to_query
from calculators.plan import plan
from calculators.report import plan_report
from calculators.scenario import FIELDS, NAMES, Scenario
from calculators.scenario_fields import FieldSpec
from catalogs.loader import load_catalog

N_LINKS = 10_000
EVERY = 5  # of which the pinned link is read again
N_PLANS = 120
SPITE = (
    "", " ", "0", "-1", "-0", "1e308", "1e-308", "1e999", "-1e999", "nan", "inf", "-inf", "NaN",
    "0x10", "1_000", "１２", "½", "1,5", "1.5.2", "null", "None", "true", "[]", "{}", "../../etc",
    "<script>alert(1)</script>", "'\"><img src=x onerror=alert(1)>", "${7*7}", "{{7*7}}", "%s%n",
    "\x00", "\x1b[31m", "\u202e", "\ud83d\ude00", "é" * 500, "9" * 400, "a" * 60_000,
    "llama-3.3-70b\n", "custom", "H100-SXM", "2026-02-30", "0001-01-01", "9999-12-31", "off", "-",
)  # fmt: skip


@pytest.fixture(scope="module")
def catalog():
    return load_catalog()


def in_range(rng: random.Random, spec: FieldSpec) -> str:
    """A legal value of a numeric field, often at an end of its range."""
    low = spec.low if math.isfinite(spec.low) else -1e6
    high = spec.high if math.isfinite(spec.high) else 1e6
    value = rng.choice([low, high, (low + high) / 2, low + (high - low) * rng.random() ** 8])
    return str(int(value)) if spec.kind == "integer" else repr(float(value))


def hostile_pairs(rng: random.Random, catalog) -> list[tuple[str, str]]:
    pairs = []
    for _ in range(rng.randint(1, 12)):
        key = rng.choice(list(NAMES))
        spec = FIELDS[NAMES[key]]
        kind = rng.random()
        if kind < 0.4:
            text = rng.choice(SPITE)
        elif spec.kind in ("number", "integer"):
            text = in_range(rng, spec)
        elif spec.kind == "id":
            text = rng.choice([*getattr(catalog, spec.table), *spec.options])
        else:
            text = rng.choice([*spec.options, *SPITE])
        pairs.append((key, text))
    if rng.random() < 0.2:
        pairs.append((rng.choice(["v", "nope", "__proto__", "Model", "", "size "]), "7"))
    if rng.random() < 0.1:
        pairs.append(rng.choice(pairs))
    return pairs


def links(catalog, n: int, seed: int) -> list[str]:
    rng = random.Random(seed)
    return [
        urlencode(hostile_pairs(rng, catalog), encoding="utf-8", errors="surrogatepass")
        for _ in range(n)
    ]


def test_every_link_is_read_and_reads_the_same_again(catalog):
    for i, link in enumerate(links(catalog, N_LINKS, seed=1)):
        scenario, problems = from_query(link, catalog)
        for name, spec in FIELDS.items():
            value = getattr(scenario, name)
            if isinstance(value, int | float):
                assert spec.low <= value <= spec.high, (link[:200], name)
        assert all(problem.key and problem.message for problem in problems), link[:200]
        assert all(len(str(problem)) < 600 for problem in problems)
        if i % EVERY == 0:
            again, left = from_query(to_query(scenario, pinned=True), catalog)
            assert again == scenario, link[:200]
            assert not left, (link[:200], left)


def test_a_link_of_over_a_thousand_parts_is_refused_in_one_sentence(catalog):
    scenario, problems = from_query("&".join(f"k{i}=1" for i in range(1001)), catalog)
    assert scenario == Scenario()
    assert len(problems) == 1


def test_extreme_scenarios_have_a_plan_and_a_report(catalog):
    for link in links(catalog, N_PLANS, seed=2):
        scenario, problems = from_query(link, catalog)
        if scenario.asof is not None:
            continue
        try:
            plan_report(plan(scenario, catalog), problems)
        except Exception as error:
            pytest.fail(f"{type(error).__name__}: {error} for {link[:400]}")
